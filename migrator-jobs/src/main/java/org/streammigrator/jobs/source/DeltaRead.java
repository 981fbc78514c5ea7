package org.streammigrator.jobs.source;

import static java.util.Objects.requireNonNull;
import static org.apache.spark.sql.functions.col;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.delta.tables.DeltaTable;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;

/**
 * What a stream over a Delta table has read when it stands at a place: the table before the place's
 * version, and the first files of that version. For a table that was only appended to, rearranging
 * commits included, this is every record once; rows that a commit deleted or changed are seen as
 * the table shows them.
 *
 * @param rows the records, with the columns of the newest version that is read
 * @param end how far they reach
 */
public record DeltaRead(Dataset<Row> rows, DeltaPosition end) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public DeltaRead {
    requireNonNull(rows, "rows");
    requireNonNull(end, "end");
  }

  /**
   * Reads a table up to a place.
   *
   * @param table the table's path
   * @param to the end, inclusive; null: the table as it is now
   * @throws InvalidJobSpecException if there is no such table or no such place in it
   */
  public static DeltaRead upTo(SparkSession spark, String table, DeltaPosition to) {
    requireTable(spark, table);
    long latest = latestVersion(spark, table);
    DeltaPosition end = to == null ? new DeltaPosition(latest + 1, -1) : to;
    if (Boolean.TRUE.equals(end.initialSnapshot())) {
      throw new InvalidJobSpecException(
          "source.to lies inside the snapshot that a query started with; its files have no place in"
              + " the table's history");
    }
    requireSameTable(spark, table, end.tableId());
    long lastRead = end.index() < 0 ? end.version() - 1 : end.version();
    if (lastRead > latest) {
      throw new InvalidJobSpecException(
          "source.to: version %d, index %d of %s is not written yet; the table ends with version %d"
              .formatted(end.version(), end.index(), table, latest));
    }
    if (end.index() < 0) {
      Dataset<Row> rows =
          end.version() == 0 ? asOf(spark, table, 0).limit(0) : asOf(spark, table, lastRead);
      return new DeltaRead(rows, end);
    }
    List<String> added = addedFiles(spark, table, end.version());
    if (end.index() >= added.size()) {
      throw new InvalidJobSpecException(
          "source.to: version %d of %s adds %d files; there is no file %d"
              .formatted(end.version(), table, added.size(), end.index()));
    }
    List<String> done = added.subList(0, (int) end.index() + 1);
    Dataset<Row> begun =
        asOf(spark, table, end.version()).where(col("_metadata.file_name").isin(done.toArray()));
    Dataset<Row> rows =
        end.version() == 0 ? begun : begun.unionByName(asOf(spark, table, end.version() - 1), true);
    return new DeltaRead(rows, end);
  }

  /**
   * A table as it is now.
   *
   * @throws InvalidJobSpecException if there is no such table
   */
  public static Dataset<Row> current(SparkSession spark, String table) {
    requireTable(spark, table);
    return spark.read().format("delta").load(table);
  }

  private static void requireTable(SparkSession spark, String table) {
    if (!DeltaTable.isDeltaTable(spark, table)) {
      throw new InvalidJobSpecException("there is no Delta table at " + table);
    }
  }

  private static void requireSameTable(SparkSession spark, String table, String id) {
    if (id == null) {
      return;
    }
    String actual = DeltaTable.forPath(spark, table).detail().select("id").first().getString(0);
    if (!id.equals(actual)) {
      throw new InvalidJobSpecException(
          "source.to belongs to the table %s; the table at %s is %s".formatted(id, table, actual));
    }
  }

  private static long latestVersion(SparkSession spark, String table) {
    return DeltaTable.forPath(spark, table).history(1).select("version").first().getLong(0);
  }

  private static Dataset<Row> asOf(SparkSession spark, String table, long version) {
    return spark.read().format("delta").option("versionAsOf", Long.toString(version)).load(table);
  }

  /**
   * The names of the files that a commit adds, in the order in which a stream numbers them. File
   * names are unique within a table.
   */
  private static List<String> addedFiles(SparkSession spark, String table, long version) {
    Path commit = new Path(table, "_delta_log/%020d.json".formatted(version));
    List<String> names = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                commit.getFileSystem(spark.sparkContext().hadoopConfiguration()).open(commit),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode add = MAPPER.readTree(line).path("add");
        if (add.isObject() && add.path("dataChange").asBoolean(true)) {
          names.add(new Path(add.path("path").asText()).getName());
        }
      }
    } catch (FileNotFoundException e) {
      throw new InvalidJobSpecException(
          "source.to: the commit file of version %d of %s is gone, so its files have no order"
              .formatted(version, table),
          e);
    } catch (IOException e) {
      throw new JobFailedException("cannot read " + commit + ": " + e.getMessage(), e);
    }
    return names;
  }
}
