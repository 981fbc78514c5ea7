package org.streammigrator.jobs.rows;

import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;

/** Rows as they are shown. */
public final class Examples {
  private static final int MOST = 5;

  /** What Spark itself takes for a secret by its name. */
  private static final String SECRETS = "spark.redaction.regex";

  private Examples() {}

  /**
   * Up to five rows, the first as they sort as texts, as JSON objects. What is a secret by its
   * column's name is shown as {@code ***}.
   */
  public static List<String> of(Dataset<Row> rows) {
    Pattern secret =
        Pattern.compile(rows.sparkSession().conf().get(SECRETS, "(?i)secret|password|token"));
    Column[] shown =
        Arrays.stream(rows.columns())
            .map(name -> secret.matcher(name).find() ? lit("***").as(name) : Columns.of(name))
            .toArray(Column[]::new);
    return rows.select(to_json(struct(shown), Map.of("ignoreNullFields", "false")).as("row"))
        .orderBy("row")
        .limit(MOST)
        .as(Encoders.STRING())
        .collectAsList();
  }
}
