package org.streammigrator.jobs.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.streammigrator.copy.CopiedFile;
import org.streammigrator.copy.CopySource;
import org.streammigrator.copy.ManifestFile;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StoreEntry;

/** What goes to executors and back. */
class ShippedTest {
  private static final Location FROM = Location.parse("s3a://old/chk/orders v1", Path.of("/"));
  private static final Location TO = Location.parse("hdfs://nn:8020/chk/o", Path.of("/"));
  private static final Instant TIME = Instant.parse("2026-03-27T10:00:00.123456789Z");

  @Test
  void filesArriveAsTheyWereListed() throws Exception {
    StoreEntry plain = entry(FROM.child("state/0/1 %20.delta"), Long.MAX_VALUE, Optional.of("tag"));
    StoreEntry renamed = entry(FROM.child("offsets/4"), 0, Optional.empty());
    StoreEntry found = entry(TO.child("b"), 7, Optional.of("there"));
    List<CopySource> sources =
        List.of(
            new PartSource("state/0/1 %20.delta", plain, () -> false),
            new PartSource("b", renamed, () -> false));

    CopyPart part = again(new CopyPart(FROM, TO, sources, Map.of("b", found, "c", found)));

    assertThat(part.size()).isEqualTo(2);
    assertThat(part.place()).isEqualTo(TO);
    assertThat(part.path(1)).isEqualTo("b");
    assertThat(part.source(0)).isEqualTo(plain);
    assertThat(part.source(1)).isEqualTo(renamed);
    assertThat(part.there()).containsOnly(Map.entry("b", found));

    List<CopiedFile> done =
        List.of(
            copied(part.path(0), plain, "ab", Optional.of("new"), Optional.empty()),
            copied(part.path(1), renamed, "0f", Optional.empty(), Optional.of(TIME)));
    List<CopiedFile> told = new ArrayList<>();
    again(new CopiedPart(done)).forEach(part, told::add);
    assertThat(told).isEqualTo(done);
  }

  @Test
  void referencesStayReferencesOnTheWay() throws Exception {
    String path = System.getenv("PATH");
    ExecutorStorage storage =
        new ExecutorStorage(
            Map.of("s3a://b", Map.of("fs.s3a.secret.key", "${env:PATH}", "fs.s3a.path", "x")));
    byte[] shipped = bytes(storage);
    assertThat(new String(shipped, StandardCharsets.ISO_8859_1))
        .contains("${env:PATH}")
        .doesNotContain(path);
    ExecutorStorage arrived = again(storage);
    assertThat(arrived.open()).isSameAs(storage.open());
    assertThat(arrived.open().toString()).doesNotContain(path);
  }

  @Test
  void referenceThatMeansNothingHereIsTold() {
    assertThatThrownBy(() -> storage("a ${env:MIGRATOR_NOT_SET} b").open())
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining("storage.s3a://b.key: ${env:MIGRATOR_NOT_SET} is not set");
    assertThatThrownBy(() -> storage("${var:x}").open())
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining("only ${env:NAME} is put in");
  }

  private static ExecutorStorage storage(String value) {
    return new ExecutorStorage(Map.of("s3a://b", Map.of("key", value)));
  }

  private static CopiedFile copied(
      String path, StoreEntry from, String hash, Optional<String> tag, Optional<Instant> time) {
    return new CopiedFile(
        new ManifestFile(path, from.size(), hash.repeat(32), from.modified()),
        from.tag(),
        tag,
        time,
        true);
  }

  private static StoreEntry entry(Location location, long size, Optional<String> tag) {
    return new StoreEntry(location, StoreEntry.Kind.FILE, size, TIME, tag);
  }

  private static byte[] bytes(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  @SuppressWarnings("unchecked")
  private static <T> T again(T value) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes(value)))) {
      return (T) in.readObject();
    }
  }
}
