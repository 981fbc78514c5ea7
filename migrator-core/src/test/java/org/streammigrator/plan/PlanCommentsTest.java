package org.streammigrator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlanCommentsTest {
  static Stream<String> texts() throws IOException {
    Stream<Path> plans =
        Stream.of("../plans/relocate.yaml", "../plans/seed.yaml", "../plans/moved-files.yaml")
            .map(Path::of);
    Stream<String> files =
        plans.map(
            plan -> {
              try {
                return Files.readString(plan);
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    return Stream.concat(
        files,
        Stream.of(
            "",
            "# ä𝄞 secret",
            "\uFEFF# secret\r\nversion: 1 # secret\r\n",
            "a: [1, # secret\n 2, # secret ]\n 3] # secret\nb: {c: d, # secret }\n e: f}\n",
            "𝄞: 1 # secret\n# secret\n\n  # secret\nb: 2",
            "a: |+ # secret\n  text # text\n\n# secret\n\nb: >- # secret\n  text\n  # text\nc: 'x # y'\n",
            "a: \"x # y\" # secret\nb: x#y # secret\nc:\n- 1 # secret\n# secret\n- 2\n--- # secret"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void nothingButTheCommentsGoes(String text) {
    String emptied = PlanComments.emptied(text).orElseThrow();
    assertThat(emptied).doesNotContain("secret", "Everything below");
    assertThat(emptied.split("\n", -1)).hasSameSizeAs(text.split("\n", -1));
    for (String kept : List.of("text # text", "'x # y'", "\"x # y\"", "x#y", "  # text")) {
      assertThat(emptied.contains(kept)).as(kept).isEqualTo(text.contains(kept));
    }
    Problems before = new Problems();
    Problems after = new Problems();
    assertThat(YamlParser.parse(emptied, after).map(Object::toString))
        .isEqualTo(YamlParser.parse(text, before).map(Object::toString));
    assertThat(PlanComments.emptied(emptied)).isEqualTo(Optional.of(emptied));
  }

  @Test
  void whatIsNoYamlHasNoCommentsThatCanBeTold() {
    assertThat(PlanComments.emptied("a: [1, # secret\n")).isEmpty();
  }
}
