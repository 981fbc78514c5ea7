package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.Exactness;
import org.streammigrator.position.Resume;
import org.streammigrator.position.SourcePosition;

/**
 * A resume position as code that starts reading there. Each source becomes a function of its own;
 * what is not known, such as a table's path, is a parameter of it. Delta, Kafka and Event Hubs have
 * code; another source, and one whose options would lose something, becomes a comment.
 */
public final class StartCode {
  private final Resume resume;
  private final Map<String, String> paths;
  private final Optional<String> bootstrapServers;

  /**
   * Prepares the code.
   *
   * @param paths where the tables are, by source id, as far as known
   * @param bootstrapServers the Kafka cluster, if known
   */
  public StartCode(Resume resume, Map<String, String> paths, Optional<String> bootstrapServers) {
    this.resume = requireNonNull(resume, "resume");
    this.paths = Map.copyOf(paths);
    this.bootstrapServers = requireNonNull(bootstrapServers, "bootstrapServers");
  }

  /** The whole text, ended by a line feed. */
  public String in(StartLanguage language) {
    return switch (language) {
      case PYTHON -> python();
      case SCALA -> scala();
      case SQL -> sql();
      case JSON -> JsonOutput.pretty(json()) + '\n';
    };
  }

  private Optional<StartSource> start(SourcePosition source) {
    return StartSource.of(source, paths, bootstrapServers);
  }

  private String python() {
    StringBuilder text = new StringBuilder(headline("# "));
    for (SourcePosition source : resume.sources()) {
      text.append('\n').append(comment("# ", source));
      start(source)
          .ifPresent(
              start -> {
                text.append("def read_").append(start.name()).append("(spark, ");
                text.append(start.parameter());
                start.known().ifPresent(known -> text.append('=').append(Literals.python(known)));
                text.append("):\n    return (\n        spark.readStream.format(");
                text.append(Literals.python(start.format())).append(")\n");
                text.append(load("        ", start, start.parameter(), Literals::python));
                text.append("    )\n");
              });
    }
    return text.toString();
  }

  private String scala() {
    StringBuilder text = new StringBuilder(headline("// "));
    text.append("import org.apache.spark.sql.{DataFrame, SparkSession}\n\n");
    text.append("object ResumePosition {\n");
    String between = "";
    for (SourcePosition source : resume.sources()) {
      text.append(between).append(comment("  // ", source));
      between = "\n";
      start(source)
          .ifPresent(
              start -> {
                String parameter = camelCase(start.parameter());
                text.append("  def ").append(camelCase("read_" + start.name()));
                text.append("(spark: SparkSession, ").append(parameter).append(": String");
                start.known().ifPresent(known -> text.append(" = ").append(Literals.scala(known)));
                text.append("): DataFrame =\n    spark.readStream\n      .format(")
                    .append(Literals.scala(start.format()))
                    .append(")\n");
                text.append(load("      ", start, parameter, Literals::scala));
              });
    }
    return text.append("}\n").toString();
  }

  /** The calls of {@code option} and {@code load}, a line each. */
  private static String load(
      String indent, StartSource start, String parameter, UnaryOperator<String> literal) {
    String option = indent + ".option(";
    StringBuilder text = new StringBuilder();
    if (!start.loadsPath()) {
      text.append(option).append(literal.apply(start.location()));
      text.append(", ").append(parameter).append(")\n");
    }
    start
        .options()
        .forEach(
            (key, value) ->
                text.append(option)
                    .append(literal.apply(key))
                    .append(", ")
                    .append(literal.apply(value))
                    .append(")\n"));
    text.append(indent).append(".load(").append(start.loadsPath() ? parameter : "");
    return text.append(")\n").toString();
  }

  private static String camelCase(String name) {
    StringBuilder text = new StringBuilder();
    boolean upper = false;
    for (char c : name.toCharArray()) {
      if (c == '_') {
        upper = true;
      } else {
        text.append(upper ? Character.toUpperCase(c) : c);
        upper = false;
      }
    }
    return text.toString();
  }

  private String sql() {
    StringBuilder text = new StringBuilder(headline("-- "));
    for (SourcePosition source : resume.sources()) {
      text.append('\n').append(comment("-- ", source));
      start(source).ifPresent(start -> text.append(sql(source.type(), start)));
    }
    return text.toString();
  }

  private static String sql(SourceKind kind, StartSource start) {
    if (kind == SourceKind.KAFKA) {
      StringBuilder text = new StringBuilder();
      start
          .known()
          .ifPresentOrElse(
              known -> text.append("-- read_kafka is a function of Databricks SQL\n"),
              () ->
                  text.append(
                      "-- read_kafka is a function of Databricks SQL; :bootstrap_servers is a"
                          + " parameter of the statement\n"));
      text.append("SELECT * FROM STREAM read_kafka(\n  bootstrapServers => ")
          .append(start.known().map(Literals::sql).orElse(":" + start.parameter()));
      start
          .options()
          .forEach(
              (key, value) ->
                  text.append(",\n  ").append(key).append(" => ").append(Literals.sql(value)));
      return text.append(");\n").toString();
    }
    if (start.loadsPath()) {
      String options =
          start.options().entrySet().stream()
              .map(
                  option -> Literals.sql(option.getKey()) + " = " + Literals.sql(option.getValue()))
              .collect(Collectors.joining(", "));
      String table = Literals.sqlName(start.name());
      return start
              .known()
              .map(
                  path ->
                      "CREATE TABLE IF NOT EXISTS "
                          + table
                          + " USING "
                          + start.format()
                          + " LOCATION "
                          + Literals.sql(path)
                          + ";\n")
              .orElse("-- " + table + " stands for the table's name\n")
          + "SELECT * FROM STREAM "
          + table
          + " WITH ("
          + options
          + ");\n";
    }
    return "-- there is no SQL for a source of kind " + kind.label() + "\n";
  }

  private ObjectNode json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("schema", "migrator/start/1");
    root.put("exact", resume.exact());
    ObjectNode sources = root.putObject("sources");
    for (SourcePosition source : resume.sources()) {
      ObjectNode node = sources.putObject(source.id());
      node.put("type", source.type().label());
      node.put("exactness", source.exactness().name());
      Optional<StartSource> start = start(source);
      node.put("format", start.map(StartSource::format).orElse(null));
      ObjectNode options = node.putObject("options");
      start.ifPresent(
          known -> {
            String option = known.loadsPath() ? "path" : known.location();
            known.known().ifPresent(where -> options.put(option, where));
            known.options().forEach(options::put);
          });
    }
    return root;
  }

  private String headline(String mark) {
    return mark
        + Literals.oneLine(
            "Resume position of "
                + resume.checkpoint()
                + ": "
                + (resume.batch() == null
                    ? "before the first batch"
                    : "the end of batch " + resume.batch())
                + (resume.exact() ? ", exact" : ", NOT exact"))
        + '\n';
  }

  private String comment(String mark, SourcePosition source) {
    StringBuilder text = new StringBuilder();
    text.append(mark)
        .append(
            Literals.oneLine(
                "source "
                    + source.id()
                    + " ("
                    + source.type().label()
                    + "), "
                    + source.exactness()
                    + ": read through "
                    + source.consumedThrough()))
        .append('\n');
    boolean code = start(source).isPresent();
    if (code && source.exactness() != Exactness.EXACT) {
      text.append(mark).append(Literals.oneLine(source.explanation())).append('\n');
    }
    if (!code) {
      text.append(mark).append(Literals.oneLine("no code: " + source.explanation())).append('\n');
      Set<String> said = new HashSet<>();
      source
          .findings()
          .forEach(
              finding -> {
                if (said.add(finding.message())) {
                  text.append(mark)
                      .append(
                          Literals.oneLine(
                              finding.code() + ": " + finding.message() + "; " + finding.remedy()))
                      .append('\n');
                }
              });
    }
    return text.toString();
  }
}
