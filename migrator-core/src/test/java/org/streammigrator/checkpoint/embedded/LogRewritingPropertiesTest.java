package org.streammigrator.checkpoint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.storage.Location;

/** Random names of every kind, encoded as Hadoop encodes them ({@code Path.toUri}). */
class LogRewritingPropertiesTest {
  private static final int TRIES = 300;

  private static final List<String> ODD =
      List.of(
          "in",
          "a b",
          "100%",
          "%20",
          "%2F",
          "é",
          "日本",
          "😀",
          "x=1",
          "10:00",
          "#",
          "?",
          "[1]",
          "\"q\"",
          "back\\slash",
          "a+b&c;d,e",
          "\u00a0",
          "e\u0301",
          "~",
          "$&",
          "tab\there",
          "\u0001");

  /** Of these a local path is a place of another store. */
  private static final Set<String> SPECIAL = Set.of("", ".", "..", "Volumes", "dbfs");

  static IntStream seeds() {
    return IntStream.range(0, TRIES);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatMovedThereAndBackHasTheSameBytes(int seed) {
    Random random = new Random(seed);
    List<String> old = names(random);
    List<String> now = names(random);
    List<List<String>> files =
        IntStream.range(0, random.nextInt(5)).mapToObj(i -> names(random)).toList();
    PrefixMap there = LogRewritingTest.rules("file:/" + path(old), "s3a://b/" + path(now));
    PrefixMap back = LogRewritingTest.rules("s3a://b/" + path(now), "/" + path(old));
    PrefixMap same = LogRewritingTest.rules("/" + path(old), "file:///" + path(old));
    byte[] log = log("file://", old, files);

    LogRewritingTest.Result moved = LogRewritingTest.rewrite(EmbeddedIn.FILE_LOG, there, log);
    assertThat(moved.text())
        .isEqualTo(new String(log("s3a://b", now, files), StandardCharsets.UTF_8));
    assertThat(moved.counts().rewritten()).isEqualTo(files.size());
    assertThat(moved.counts().uncovered()).isZero();
    assertThat(LogRewritingTest.rewrite(EmbeddedIn.FILE_LOG, back, moved.bytes()).bytes())
        .isEqualTo(log);

    LogRewritingTest.Result kept = LogRewritingTest.rewrite(EmbeddedIn.FILE_LOG, same, log);
    assertThat(kept.bytes()).isEqualTo(log);
    assertThat(kept.counts().uncovered()).isZero();
    assertThat(kept.counts().rewritten()).isZero();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void bytesThatAreNoLogSurvive(int seed) {
    byte[] bytes = new byte[seed];
    new Random(seed).nextBytes(bytes);
    for (EmbeddedIn kind : EmbeddedIn.values()) {
      LogRewritingTest.Result result =
          LogRewritingTest.rewrite(kind, LogRewritingTest.rules("/a", "/b"), bytes);
      assertThat(result.bytes()).isEqualTo(bytes);
      assertThat(result.counts().bytes()).isEqualTo(bytes.length);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void thePlaceOfASpellingIsThePlace(int seed) {
    List<String> names = names(new Random(seed));
    for (String root : List.of("/", "s3a://b/", "dbfs:/mnt/", "abfss://c@a.net/")) {
      Location place = LogRewritingTest.place(root + path(names));
      for (PathForm form : PathForm.values()) {
        assertThat(form.place(form.spell(place, place.isLocal()))).contains(place);
      }
    }
  }

  private static List<String> names(Random random) {
    return IntStream.rangeClosed(0, random.nextInt(4)).mapToObj(i -> name(random)).toList();
  }

  private static String name(Random random) {
    String name = "";
    while (SPECIAL.contains(name)) {
      name =
          random.nextBoolean()
              ? ODD.get(random.nextInt(ODD.size()))
              : random
                  .ints(1 + random.nextInt(8), 1, 0x2000)
                  .filter(c -> c != '/')
                  .collect(
                      StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                  .toString();
    }
    return name;
  }

  private static String path(List<String> names) {
    return String.join("/", names);
  }

  private static byte[] log(String root, List<String> directory, List<List<String>> files) {
    StringBuilder log = new StringBuilder("v1");
    for (List<String> file : files) {
      List<String> names = new ArrayList<>(directory);
      names.addAll(file);
      log.append("\n{\"path\":\"" + root + encoded("/" + path(names)) + "\",\"timestamp\":1}");
    }
    return log.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String encoded(String path) {
    try {
      return new URI(null, null, path, null).getRawPath();
    } catch (URISyntaxException impossible) {
      throw new IllegalArgumentException(impossible);
    }
  }
}
