package org.streammigrator.jobs.restart;

import static org.streammigrator.jobs.restart.Damage.of;
import static org.streammigrator.jobs.restart.Damage.undecided;
import static org.streammigrator.jobs.restart.Damage.unseen;
import static org.streammigrator.jobs.restart.OldQuery.DELTA;
import static org.streammigrator.jobs.restart.OldQuery.FILES;
import static org.streammigrator.jobs.restart.OldQuery.FILES_NAMED;

import java.util.ArrayList;
import java.util.List;

/** Damage to the logs and to what the sources keep. */
final class LogDamages {
  private static final String PLAN = "offsets/" + Damaged.NEWEST;
  private static final String BEFORE = "offsets/" + (Damaged.NEWEST - 1);
  private static final String COMMIT = "commits/" + Damaged.NEWEST;
  private static final String COMMIT_BEFORE = "commits/" + (Damaged.NEWEST - 1);
  private static final String NEXT = Integer.toString(Damaged.NEWEST + 1);
  private static final String QUERY = "what sources the query has is not in the checkpoint";
  private static final String TRUTH = "an edited offset is the truth; nothing else says otherwise";

  private LogDamages() {}

  static List<Damage> all() {
    List<Damage> all = new ArrayList<>();
    commits(all);
    plans(all);
    planTexts(all);
    names(all);
    metadata(all);
    fileSource(all);
    delta(all);
    named(all);
    return all;
  }

  private static void commits(List<Damage> all) {
    all.add(of(FILES, "none", copy -> {}));
    all.add(of(FILES, "newest commit gone", copy -> copy.delete(COMMIT)));
    all.add(
        of(
            FILES,
            "newest commit gone and its hidden checksum left",
            copy -> copy.deleteWithoutCrc(COMMIT)));
    all.add(
        of(FILES, "two newest commits gone", copy -> copy.delete(COMMIT).delete(COMMIT_BEFORE)));
    all.add(of(FILES, "every commit gone", copy -> copy.deleteAll("commits").directory("commits")));
    all.add(of(FILES, "commits/ gone", copy -> copy.deleteAll("commits")));
    all.add(of(FILES, "older commit gone", copy -> copy.delete("commits/1")));
    all.add(of(FILES, "second newest commit gone", copy -> copy.delete(COMMIT_BEFORE)));
    all.add(of(FILES, "newest commit empty", copy -> copy.empty(COMMIT)));
    all.add(of(FILES, "second newest commit empty", copy -> copy.empty(COMMIT_BEFORE)));
    all.add(of(FILES, "newest commit cut after its version", copy -> copy.write(COMMIT, "v1")));
    all.add(of(FILES, "newest commit cut in its JSON", copy -> copy.cut(COMMIT, -5)));
    all.add(of(FILES, "newest commit with an empty object", copy -> copy.write(COMMIT, "v1\n{}")));
    all.add(of(FILES, "newest commit blank after its version", c -> c.write(COMMIT, "v1\n\n")));
    all.add(of(FILES, "newest commit of version 2", copy -> copy.edit(COMMIT, "v1", "v2")));
    all.add(of(FILES, "newest commit of version 3", copy -> copy.edit(COMMIT, "v1", "v3")));
    all.add(
        of(
            FILES,
            "newest commit of version 3 with its sink",
            copy -> copy.edit(COMMIT, "v1", "v3").edit(COMMIT, "\\}$", "," + sinks(true) + "}")));
    all.add(
        of(
            FILES,
            "newest commit of version 3 without an active sink",
            copy -> copy.edit(COMMIT, "v1", "v3").edit(COMMIT, "\\}$", "," + sinks(false) + "}")));
    all.add(of(FILES, "newest commit of version 4", copy -> copy.edit(COMMIT, "v1", "v4")));
    all.add(of(FILES, "newest commit with CRLF", copy -> copy.edit(COMMIT, "\n", "\r\n")));
    all.add(
        of(
            FILES,
            "newest commit with an unknown field",
            copy -> copy.edit(COMMIT, "\\}$", ",\"later\":1}")));
    all.add(of(FILES, "a commit ahead", copy -> copy.duplicate(COMMIT, "commits/" + NEXT)));
    all.add(of(FILES, "newest commit renumbered", copy -> copy.rename(COMMIT, "commits/" + NEXT)));
  }

  private static String sinks(boolean active) {
    return "\"sinkMetadataMap\":{\"s\":{\"sinkName\":\"s\",\"commitOffset\":\"-\",\"providerName\":\"p\","
        + "\"apiVersion\":\"V1\",\"isActive\":"
        + active
        + "}}";
  }

  private static void plans(List<Damage> all) {
    all.add(of(FILES, "newest plan gone", copy -> copy.delete(PLAN)));
    all.add(
        of(FILES, "newest plan gone and its hidden checksum left", c -> c.deleteWithoutCrc(PLAN)));
    all.add(of(FILES, "newest plan and commit gone", copy -> copy.delete(PLAN).delete(COMMIT)));
    all.add(
        of(
            FILES,
            "newest plan and commit gone and their hidden checksums left",
            copy -> copy.deleteWithoutCrc(PLAN).deleteWithoutCrc(COMMIT)));
    all.add(of(FILES, "second newest plan gone", copy -> copy.delete(BEFORE)));
    all.add(
        of(
            FILES,
            "second newest plan and newest commit gone",
            c -> c.delete(BEFORE).delete(COMMIT)));
    all.add(of(FILES, "third newest plan gone", copy -> copy.delete("offsets/2")));
    all.add(
        of(
            FILES,
            "all plans but two gone",
            copy -> copy.delete("offsets/0").delete("offsets/1").delete("offsets/2")));
    all.add(of(FILES, "every plan gone", copy -> copy.deleteAll("offsets").directory("offsets")));
    all.add(of(FILES, "offsets/ gone", copy -> copy.deleteAll("offsets")));
    all.add(of(FILES, "offsets/ renamed", copy -> copy.rename("offsets", "offsets.bak")));
    all.add(
        of(
            FILES,
            "offsets/ and commits/ gone",
            copy -> copy.deleteAll("offsets").deleteAll("commits")));
    all.add(
        of(
            FILES,
            "both logs with one gap, as of asynchronous progress",
            copy ->
                copy.delete("offsets/2").delete(BEFORE).delete("commits/2").delete(COMMIT_BEFORE)));
    all.add(of(FILES, "newest plan empty", copy -> copy.empty(PLAN)));
    all.add(
        of(FILES, "newest plan empty and not committed", copy -> copy.empty(PLAN).delete(COMMIT)));
    all.add(of(FILES, "second newest plan empty", copy -> copy.empty(BEFORE)));
    all.add(of(FILES, "third newest plan empty", copy -> copy.empty("offsets/2")));
    all.add(of(FILES, "newest plan repeated", copy -> copy.duplicate(PLAN, "offsets/" + NEXT)));
  }

  private static void planTexts(List<Damage> all) {
    all.add(of(FILES, "newest plan cut after its version", copy -> copy.cut(PLAN, 2)));
    all.add(of(FILES, "newest plan cut in its header", copy -> copy.cut(PLAN, 40)));
    all.add(of(FILES, "newest plan cut in its source line", copy -> copy.cut(PLAN, -3)));
    all.add(
        of(FILES, "newest plan without its source line", c -> c.edit(PLAN, "\n[^\n]*\\s*$", "")));
    all.add(
        of(
            FILES,
            "newest plan with one line too many",
            c -> c.edit(PLAN, "$", "\n{\"logOffset\":0}")));
    all.add(
        undecided(
            FILES,
            "newest two plans with one line too many",
            QUERY,
            copy -> copy.edit(PLAN, "\\s*$", "\n-").edit(BEFORE, "\\s*$", "\n-")));
    all.add(of(FILES, "newest plan without an offset", c -> c.edit(PLAN, "\\{\"logOffset.*", "-")));
    all.add(of(FILES, "newest plan with a blank header", c -> c.edit(PLAN, "\\{\"batch.*", "")));
    all.add(
        of(
            FILES,
            "second newest plan with a blank header",
            c -> c.edit(BEFORE, "\\{\"batch.*", "")));
    all.add(
        of(
            FILES,
            "newest plan that pins nothing",
            c -> c.edit(PLAN, "\"conf\":.*", "\"conf\":{}}")));
    all.add(of(FILES, "newest plan with an empty header", c -> c.edit(PLAN, "\\{\"batch.*", "{}")));
    all.add(
        of(
            FILES,
            "newest plan with a header that is no object",
            copy -> copy.edit(PLAN, "\\{\"batch.*", "[]")));
    all.add(
        of(
            FILES,
            "newest plan with a watermark that is a text",
            copy -> copy.edit(PLAN, "WatermarkMs\":\\d+", "WatermarkMs\":\"soon\"")));
    for (String header : List.of("7", "\"x\"", "null", "true", "{\"conf\":null}")) {
      all.add(
          of(
              FILES,
              "newest plan with header " + header,
              c -> c.edit(PLAN, "\\{\"batch.*", header)));
    }
    for (String time : List.of("1.5", "1e3", "null", "99999999999999999999", "-1")) {
      all.add(
          of(
              FILES,
              "newest plan with watermark " + time,
              copy -> copy.edit(PLAN, "WatermarkMs\":\\d+", "WatermarkMs\":" + time)));
      all.add(
          of(
              FILES,
              "newest commit with watermark " + time,
              copy -> copy.edit(COMMIT, "WatermarkMs\":\\d+", "WatermarkMs\":" + time)));
    }
    all.add(
        of(
            FILES,
            "newest plan with a number in its conf",
            copy -> copy.edit(PLAN, "partitions\":\"2\"", "partitions\":2")));
    all.add(of(FILES, "newest plan with CRLF", copy -> copy.edit(PLAN, "\n", "\r\n")));
    all.add(of(FILES, "newest plan with a line end more", copy -> copy.edit(PLAN, "\\s*$", "\n")));
    all.add(of(FILES, "newest plan with a blank line more", c -> c.edit(PLAN, "\\s*$", "\n\n")));
    all.add(of(FILES, "newest plan of version 3", copy -> copy.edit(PLAN, "^v1", "v3")));
    all.add(of(FILES, "newest plan of version x", copy -> copy.edit(PLAN, "^v1", "vx")));
    all.add(of(FILES, "newest plan of version 0", copy -> copy.edit(PLAN, "^v1", "v0")));
    all.add(of(FILES, "newest plan without a version", copy -> copy.edit(PLAN, "^v1\n", "")));
    all.add(of(FILES, "second newest plan of version 3", copy -> copy.edit(BEFORE, "^v1", "v3")));
    all.add(
        of(
            FILES,
            "newest plan edited under its hidden checksum",
            copy -> copy.editWithoutCrc(PLAN, "TimestampMs\":\\d", "TimestampMs\":2")));
    all.add(
        of(
            FILES,
            "newest plan, uncommitted, with more partitions",
            copy -> copy.edit(PLAN, "partitions\":\"2", "partitions\":\"3").delete(COMMIT)));
    all.add(
        of(
            FILES,
            "newest plan, committed, with more partitions",
            copy -> copy.edit(PLAN, "partitions\":\"2", "partitions\":\"3")));
  }

  private static void names(List<Damage> all) {
    for (String log : List.of("offsets", "commits")) {
      String newest = log + "/" + Damaged.NEWEST;
      all.add(of(FILES, "00000005 in " + log, c -> c.duplicate(newest, log + "/00000005")));
      all.add(of(FILES, "+5 in " + log, copy -> copy.duplicate(newest, log + "/+5")));
      all.add(of(FILES, "0004 in " + log, copy -> copy.duplicate(newest, log + "/0004")));
      all.add(of(FILES, "02 in " + log, copy -> copy.duplicate(newest, log + "/02")));
      all.add(of(FILES, "-1 in " + log, copy -> copy.duplicate(newest, log + "/-1")));
      all.add(
          of(FILES, "a time below zero in " + log, c -> c.duplicate(newest, log + "/-9999999999")));
      all.add(
          of(
              FILES,
              "hidden checksum of a later batch in " + log,
              c -> c.write(log + "/.9.crc", "x")));
      all.add(of(FILES, "a time in " + log, c -> c.duplicate(newest, log + "/1700000000000")));
      all.add(of(FILES, "a directory 9 in " + log, copy -> copy.directory(log + "/9")));
      all.add(
          of(
              FILES,
              "leftovers in " + log,
              copy ->
                  copy.duplicate(newest, log + "/4.bak")
                      .duplicate(newest, log + "/5.compact")
                      .duplicate(newest, log + "/.5.0a1b.tmp")
                      .duplicate(newest, log + "/4~")));
    }
    all.add(of(FILES, "second newest plan renamed to 03", c -> c.rename(BEFORE, "offsets/03")));
    all.add(of(FILES, "newest plan renamed to 04", copy -> copy.rename(PLAN, "offsets/04")));
    all.add(of(FILES, "newest commit renamed to 04", copy -> copy.rename(COMMIT, "commits/04")));
    all.add(of(FILES, "newest plan a directory", copy -> copy.delete(PLAN).directory(PLAN)));
  }

  private static void metadata(List<Damage> all) {
    all.add(of(FILES, "metadata gone", copy -> copy.delete("metadata")));
    all.add(of(FILES, "metadata empty", copy -> copy.empty("metadata")));
    all.add(of(FILES, "metadata cut", copy -> copy.cut("metadata", 10)));
    all.add(of(FILES, "metadata without id", copy -> copy.write("metadata", "{}")));
    all.add(of(FILES, "metadata with a null id", copy -> copy.write("metadata", "{\"id\":null}")));
    all.add(of(FILES, "metadata with a number", copy -> copy.write("metadata", "{\"id\":7}")));
    all.add(
        of(FILES, "metadata with a name", copy -> copy.write("metadata", "{\"id\":\"orders\"}")));
    all.add(of(FILES, "metadata with an empty id", c -> c.write("metadata", "{\"id\":\"\"}")));
    all.add(of(FILES, "metadata with a field more", c -> c.edit("metadata", "\\}", ",\"by\":1}")));
    all.add(of(FILES, "metadata with a line end", copy -> copy.edit("metadata", "\\}", "}\n")));
    all.add(of(FILES, "metadata a directory", c -> c.delete("metadata").directory("metadata")));
  }

  private static void fileSource(List<Damage> all) {
    all.add(of(FILES, "sources/ gone", copy -> copy.deleteAll("sources")));
    all.add(of(FILES, "newest source entry gone", copy -> copy.delete("sources/0/4")));
    all.add(of(FILES, "second newest source entry gone", copy -> copy.delete("sources/0/3")));
    all.add(of(FILES, "compact source entry gone", copy -> copy.delete("sources/0/2.compact")));
    all.add(of(FILES, "older source entry gone", copy -> copy.delete("sources/0/0")));
    all.add(of(FILES, "newest source entry empty", copy -> copy.empty("sources/0/4")));
    all.add(of(FILES, "newest source entry cut", copy -> copy.cut("sources/0/4", -6)));
    all.add(
        of(FILES, "newest source entry without version", c -> c.edit("sources/0/4", "v1\n", "")));
    all.add(of(FILES, "compact source entry empty", copy -> copy.empty("sources/0/2.compact")));
    all.add(
        unseen(
            FILES,
            "offset one back, committed",
            TRUTH,
            copy -> copy.edit(PLAN, "logOffset\":4", "logOffset\":3")));
    all.add(
        of(
            FILES,
            "offset one back, not committed",
            copy -> copy.edit(PLAN, "logOffset\":4", "logOffset\":3").delete(COMMIT)));
    all.add(of(FILES, "offset one ahead", c -> c.edit(PLAN, "logOffset\":4", "logOffset\":5")));
    all.add(
        of(FILES, "offset as Spark 2 wrote it", c -> c.edit(PLAN, "\\{\"logOffset\":4\\}", "4")));
    all.add(
        of(FILES, "offset with a fraction", c -> c.edit(PLAN, "logOffset\":4", "logOffset\":4.5")));
    all.add(
        of(
            FILES,
            "offset that is a text",
            c -> c.edit(PLAN, "logOffset\":4", "logOffset\":\"4\"")));
  }

  private static void delta(List<Damage> all) {
    String id = "\"reservoirId\":\"[^\"]*\"";
    all.add(of(DELTA, "none", copy -> {}));
    all.add(of(DELTA, "newest commit gone", copy -> copy.delete(COMMIT)));
    all.add(of(DELTA, "two newest commits gone", c -> c.delete(COMMIT).delete(COMMIT_BEFORE)));
    all.add(of(DELTA, "newest plan and commit gone", c -> c.delete(PLAN).delete(COMMIT)));
    all.add(of(DELTA, "newest plan cut in its source line", copy -> copy.cut(PLAN, -3)));
    all.add(of(DELTA, "newest plan without an offset", c -> c.edit(PLAN, "\\{\"source.*", "-")));
    all.add(of(DELTA, "another table", c -> c.edit(PLAN, id, "\"reservoirId\":\"other\"")));
    all.add(
        of(
            DELTA,
            "another table in the plan before",
            copy -> copy.edit(BEFORE, id, "\"reservoirId\":\"other\"")));
    all.add(
        of(
            DELTA,
            "another table in the plan before, not committed",
            c -> c.edit(BEFORE, id, "\"reservoirId\":\"other\"").delete(COMMIT)));
    all.add(
        undecided(
            DELTA,
            "another table in both plans",
            "the table is not looked at unless it is named",
            copy ->
                copy.edit(PLAN, id, "\"reservoirId\":\"other\"")
                    .edit(BEFORE, id, "\"reservoirId\":\"other\"")));
    all.add(
        unseen(DELTA, "offset one back", TRUTH, c -> c.edit(PLAN, "Version\":5", "Version\":4")));
  }

  private static void named(List<Damage> all) {
    all.add(of(FILES_NAMED, "none", copy -> {}));
    all.add(of(FILES_NAMED, "newest commit gone", copy -> copy.delete(COMMIT)));
    all.add(of(FILES_NAMED, "no colon", copy -> copy.edit(PLAN, "0:\\{", "{")));
    all.add(of(FILES_NAMED, "blank header", copy -> copy.edit(PLAN, "\\{\"batch.*", "")));
    all.add(
        undecided(
            FILES_NAMED,
            "source of another name",
            QUERY,
            copy -> copy.edit(PLAN, "0:\\{", "orders:{")));
    all.add(of(FILES_NAMED, "a source more", copy -> copy.edit(PLAN, "\\s*$", "\norders:-")));
    all.add(of(FILES_NAMED, "version 1 header", copy -> copy.edit(PLAN, "^v2", "v1")));
  }
}
