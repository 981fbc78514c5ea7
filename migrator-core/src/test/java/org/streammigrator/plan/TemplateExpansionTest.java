package org.streammigrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

/** What templates are filled with, and what becomes of it. */
class TemplateExpansionTest {
  @TempDir private Path directory;

  @Test
  void aGlobMatchesDirectoriesInTheOrderOfTheirPaths() throws IOException {
    for (String path : List.of("b/two", "a/one", "a/.hidden/offsets", "a/_data", "a/x.parquet")) {
      Files.createDirectories(directory.resolve("chk").resolve(path));
    }
    Files.writeString(directory.resolve("chk/a/file"), "");
    Files.createDirectories(directory.resolve("chk/a/.one.migrator-staging/offsets"));
    Files.createDirectories(directory.resolve("chk/b/_delta_log"));

    assertThat(glob("chk/*/*"))
        .extracting(row -> row.values().get("below"))
        .containsExactly("a/.hidden", "a/one", "a/x.parquet", "b/two");
    assertThat(glob(directory + "/chk/?/o*").get(0).values())
        .isEqualTo(Map.of("name", "one", "path", directory + "/chk/a/one", "below", "a/one"));
    assertThat(glob("file:" + directory + "/chk/*/two")).hasSize(1);
  }

  @Test
  void aGlobDoesNotGoIntoWhatBelongsToACheckpoint() throws IOException {
    for (String path : List.of("q/offsets", "q/commits", "q/inner", "q/state")) {
      Files.createDirectories(directory.resolve("chk").resolve(path));
    }
    assertThat(glob("chk/*/*"))
        .extracting(row -> row.values().get("name"))
        .containsExactly("inner");
  }

  @Test
  void aGlobThatMatchesNothingSaysWhy() {
    assertThatThrownBy(() -> glob("nowhere/*"))
        .isInstanceOf(UnusableTemplateException.class)
        .hasMessageContaining("there is nothing at " + directory + "/nowhere");
    assertThatThrownBy(() -> glob("*/deeper")).hasMessageContaining("no directory matches");
    assertThatThrownBy(() -> glob("/a/b")).hasMessageContaining("needs * or ?");
    assertThatThrownBy(() -> glob("s3a://*/b")).hasMessageContaining("not in what comes before");
    assertThatThrownBy(() -> glob("/a/**")).hasMessageContaining("stands for one name");
  }

  @Test
  void readsCsvWithQuotesByteOrderMarkAndAnyLineEnd() throws IOException {
    List<TemplateRow> rows =
        csv("\uFEFFid,from\r\n\r\na,\"/x,y \"\"z\"\"\"\r\nb,\"two\r\nlines\"\r\nc,\n");
    assertThat(rows).extracting(TemplateRow::of).containsExactly(at(3), at(4), at(6));
    assertThat(rows)
        .extracting(row -> row.values().get("from"))
        .containsExactly("/x,y \"z\"", "two\nlines", "");
  }

  @Test
  void saysInWhichLineACsvFileIsWrong() {
    assertCsv("a,b\n1,2\n1\n", at(3) + ": the header has 2 columns, this row has 1");
    assertCsv("a,a\n", at(1) + ": two columns are called 'a'");
    assertCsv("a,\n", at(1) + ": column 2 of the header has no name");
    assertCsv("a\n\n\"1\n", at(3) + ": a quote is opened here and never closed");
    assertCsv("a\n\"1\"2\n", at(2) + ": something follows the closing quote");
    assertCsv("a\n1\"2\n", at(2) + ": a quote stands inside of a field");
    assertCsv("\n", at(1) + ": there is no header row");
    assertCsv("a\n", at(2) + ": there is no row below the header");
  }

  @Test
  void fillsTemplates() throws IOException {
    TemplateExpansion expanded =
        expand(PlanTexts.valid().get(4), row("/chk/x/anything"), row("/chk/x/two"));
    assertThat(expanded.reading().problems()).isEmpty();
    List<StreamPlan> streams = expanded.reading().plan().orElseThrow().streams();
    assertThat(streams).extracting(StreamPlan::name).containsExactly("last", "anything", "two");
    assertThat(streams.get(1).checkpoint())
        .isEqualTo(
            new CheckpointPlan(place("/chk/x/anything"), Optional.of(place("/new/anything"))));
  }

  @Test
  void namesTheRowsOfStreamsThatAreInEachOthersWay() throws IOException {
    TemplateExpansion expanded = expand(PlanTexts.valid().get(4), row("/chk/x/a"), row("/chk/y/a"));
    assertThat(expanded.reading().plan()).isEmpty();
    assertThat(expanded.reading().problems())
        .extracting(PlanProblem::toString)
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith("5:")
                    .contains("two streams are called 'a' (of /chk/y/a), the first in line 5")
                    .contains("(of /chk/x/a)"))
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith("7:")
                    .contains("two streams would write this checkpoint (of /chk/y/a)")
                    .contains("in line 7 (of /chk/x/a)"))
        .anySatisfy(text -> assertThat(text).contains("no stream is called 'anything'"));
  }

  @Test
  void namesTheRowThatAValueIsWrongIn() throws IOException {
    TemplateExpansion expanded =
        expand(
            """
            version: 1
            name: p
            streams:
              - foreach: {csv: fleet.csv}
                name: ${id}
                strategy: ${how}
                checkpoint: {from: "/c/${id}", to: "/d/${id}"}
                batch: ${colum}
            """,
            new TemplateRow("fleet.csv line 2", Map.of("id", "a", "how", "relocate")),
            new TemplateRow("fleet.csv line 3", Map.of("id", "b", "how", "relocat")));
    assertThat(expanded.reading().problems())
        .extracting(PlanProblem::toString)
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith("6:")
                    .contains("relocat")
                    .endsWith(", of fleet.csv line 3"))
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith("8:")
                    .contains("'${colum}' means nothing")
                    .endsWith(", of fleet.csv line 2 and 1 more"));
  }

  @Test
  void aStreamThatIsWrittenOutLiesOverWhatTheTemplateMakesOfTheSame() throws IOException {
    String plan =
        """
        version: 1
        name: p
        defaults: {archive: {to: /archive, format: tar}, copy: live}
        streams:
          - foreach: {glob: "/chk/*"}
            strategy: relocate
            checkpoint: {from: "${path}", to: "/new/${name}"}
            copy: all
            archive: {format: tar.gz}
          - name: b
            strategy: seed
            checkpoint: {from: %s, to: /elsewhere/b}
        """;
    TemplateExpansion expanded =
        expand(plan.formatted("/chk/b"), row("/chk/a"), row("/chk/b"), row("/chk/c"));
    assertThat(expanded.reading().problems()).isEmpty();
    List<StreamPlan> streams = expanded.reading().plan().orElseThrow().streams();
    assertThat(streams).extracting(StreamPlan::name).containsExactly("b", "a", "c");
    assertThat(streams.get(0).strategy()).isEqualTo(Strategy.SEED);
    assertThat(streams.get(0).checkpoint().to()).contains(place("/elsewhere/b"));
    assertThat(streams.get(0).copy()).isEqualTo(CopyScope.ALL);
    assertThat(streams.get(0).archive().orElseThrow().format()).isEqualTo(ArchiveFormat.TAR_GZ);
    assertThat(streams.get(0).archive().orElseThrow().to()).isEqualTo(place("/archive"));

    assertThat(expand(plan.formatted("/other/b"), row("/chk/b")).reading().problems())
        .as("the same name for another checkpoint")
        .singleElement()
        .satisfies(
            one -> assertThat(one.message()).startsWith("two streams are called 'b' (of /chk/b)"));
  }

  @Test
  void whatThePlanItselfWroteIsNotMatchedAgain() throws IOException {
    String plan =
        """
        version: 1
        name: p
        streams:
          - foreach: {glob: "/chk/*"}
            strategy: relocate
            checkpoint: {from: "${path}", to: "${path}_v2"}
        """;
    TemplateExpansion expanded =
        expand(plan, row("/chk/a"), row("/chk/a_v2"), row("/chk/a_v2_v2"), row("/chk/b"));
    assertThat(expanded.reading().plan().orElseThrow().streams())
        .extracting(StreamPlan::name)
        .containsExactly("a", "a_v2_v2", "b");
    assertThat(expanded.rows().get(0))
        .extracting(TemplateRow::of)
        .containsExactly("/chk/a", "/chk/a_v2_v2", "/chk/b");
  }

  @Test
  void aTemplateThatCannotBeFilledIsAProblemWhereItStands() throws IOException {
    Plan plan = PlanTexts.plan(PlanTexts.valid().get(4));
    TemplateExpansion expanded =
        TemplateExpansion.of(
            plan, template -> new TemplateRows(new LocalStore()).of(template.foreach(), directory));
    assertThat(expanded.reading().problems())
        .extracting(PlanProblem::toString)
        .anySatisfy(text -> assertThat(text).startsWith("4:21:").contains("no directory matches"));
  }

  private List<TemplateRow> glob(String glob) throws IOException {
    return new TemplateRows(new LocalStore())
        .of(new ForeachPlan(Optional.of(glob), Optional.empty()), directory);
  }

  private List<TemplateRow> csv(String text) throws IOException {
    Path file = directory.resolve("fleet.csv");
    Files.writeString(file, text, StandardCharsets.UTF_8);
    return new TemplateRows(new LocalStore())
        .of(new ForeachPlan(Optional.empty(), Optional.of(Location.of(file))), directory);
  }

  private void assertCsv(String text, String message) {
    assertThatThrownBy(() -> csv(text))
        .isInstanceOf(UnusableTemplateException.class)
        .hasMessageContaining(message);
  }

  private String at(int line) {
    return directory.resolve("fleet.csv") + " line " + line;
  }

  private static TemplateExpansion expand(String text, TemplateRow... rows) throws IOException {
    return TemplateExpansion.of(PlanTexts.plan(text), template -> List.of(rows));
  }

  private static TemplateRow row(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return new TemplateRow(path, Map.of("name", name, "path", path, "below", name));
  }

  private static Location place(String text) {
    return Location.parse(text, Path.of("/"));
  }
}
