package org.streammigrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.storage.FaultSample;

/** However a plan is damaged, reading it ends in a plan or in problems that point into the text. */
class PlanRobustnessTest {
  private static final String TEXT = PlanTexts.everything();

  private static void check(String text) {
    PlanReading reading = PlanTexts.read(text);
    assertThat(reading.plan().isPresent()).isEqualTo(reading.problems().isEmpty());
    assertThat(reading.problems()).isSorted();
    List<String> lines = (text + "\n").lines().toList();
    for (PlanProblem problem : reading.problems()) {
      assertThat(problem.line()).as(problem.toString()).isBetween(1, Math.max(1, lines.size() + 1));
      assertThat(problem.column()).as(problem.toString()).isPositive();
    }
  }

  @Test
  void survivesTruncation() {
    FaultSample.between(0, TEXT.length() - 1, 200).forEach(i -> check(TEXT.substring(0, i)));
  }

  @Test
  void survivesMissingLines() {
    List<String> lines = TEXT.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      int missing = i;
      check(
          String.join(
              "\n",
              IntStream.range(0, lines.size())
                  .filter(line -> line != missing)
                  .mapToObj(lines::get)
                  .toList()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "\0", "\t", "*", "&", "!", ":", "{", "]", "\"", "${", "\uD800", "\n", "~", "|"
      })
  void survivesAStrayCharacter(String stray) {
    FaultSample.between(0, TEXT.length() - 1, 25)
        .forEach(i -> check(TEXT.substring(0, i) + stray + TEXT.substring(i + 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"~", "[]", "{}", "''", "[~]", "{a: ~}", "-1", "[[]]", "\"${env:KEY}\""})
  void survivesAnyValueOfAnyKey(String value) {
    for (String key : Types.keys(PlanDocument.class)) {
      check(key + ": " + value + "\n");
    }
    for (String key : Types.keys(StreamPlan.class)) {
      check("version: 1\nname: n\ndefaults: {" + key + ": " + value + "}\nstreams: [{}]\n");
      check("version: 1\nname: n\nstreams: [{" + key + ": " + value + "}]\n");
    }
  }

  @Test
  void readsWindowsLineEndsAndAByteOrderMark() {
    String text = "\uFEFFversion: 1\r\nname: n\r\nstreams:\r\n  - {strategy: sed}\r\n";
    assertThat(PlanTexts.read(text).problems())
        .extracting(PlanProblem::line, PlanProblem::column)
        .containsExactly(tuple(4, 5), tuple(4, 16));
  }

  /** The parser reads its text in parts of about a thousand characters. */
  @Test
  void readsPairsOfSurrogatesWhereverTheyStand() {
    for (int length = 950; length < 1_100; length++) {
      String name = "a".repeat(length) + "\uD83D\uDE80".repeat(600);
      YamlMap root = YamlParser.parse("name: " + name + "\n", new Problems()).orElseThrow();
      assertThat(root.toString()).contains(name);
    }
    check("# " + "a".repeat(1_022) + "\uD83D");
    check("# " + "a".repeat(1_023) + "\uD83D\n");
  }

  @Test
  void readsAFleetInALongChain() {
    StringBuilder text = new StringBuilder("version: 1\nname: n\nstreams:\n");
    for (int i = 0; i < 5_000; i++) {
      text.append("  - {name: s%d, strategy: relocate, ".formatted(i))
          .append(
              "checkpoint: {from: /a/%d, to: /b/%d}, after: [s%d]}\n"
                  .formatted(i, i, (i + 1) % 5_000));
    }
    assertThat(PlanTexts.read(text.toString()).problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("s4998 after s4999 after s0"));
  }
}
