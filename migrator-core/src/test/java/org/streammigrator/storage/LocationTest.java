package org.streammigrator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocationTest {
  private static final Path BASE = Path.of("/base/dir");

  private static Location at(String text) {
    return Location.parse(text, BASE);
  }

  @ParameterizedTest
  @CsvSource({
    "/a, file:/a",
    "/a, file:///a",
    "/a, file://localhost/a",
    "/a, FILE:/a",
    "/a, file:////a",
    "/a, /a/",
    "/a, file:/a//",
    "/a/b, /a//b",
    "/a/b, //a/b",
    "/a/b, /a/./b",
    "/a/b, /a/x/../b",
    "/a, /../a",
    "/, file:///",
    "chk, /base/dir/chk",
    "./chk, file:/base/dir/chk",
    "../chk, /base/chk",
    "., /base/dir",
    "/Volumes/c/s/v, dbfs:/Volumes/c/s/v",
    "file:/Volumes/c/s/v, dbfs:/Volumes/c/s/v",
    "/dbfs/mnt/a, dbfs:/mnt/a",
    "/dbfs/mnt/a, dbfs:///mnt/a/",
    "/dbfs/Volumes/c/s/v, /Volumes/c/s/v",
    "/dbfs, dbfs:/",
    "s3://bucket/a, s3a://bucket/a",
    "s3n://bucket/a, S3A://bucket/a/",
    "s3a://bucket, s3://bucket/",
    "hdfs://nn/a, HDFS://NN/a",
    "hdfs://nn/a, hdfs://nn:8020/a",
    "hdfs:///a, hdfs:/a",
    "abfs://c@acct.dfs.core.windows.net/a, abfss://c@acct.dfs.core.windows.net/a"
  })
  void onePlaceInTwoSpellings(String one, String other) {
    assertThat(at(one)).isEqualTo(at(other)).hasSameHashCodeAs(at(other));
  }

  @ParameterizedTest
  @CsvSource({
    "/a, hdfs:///a",
    "/a, hdfs://nn/a",
    "/a, dbfs:/a",
    "hdfs:///a, hdfs://nn/a",
    "hdfs://nn/a, hdfs://other/a",
    "hdfs://nn/a, hdfs://nn:9000/a",
    "/a, /A",
    "/a, /ab",
    "/a%20b, /a b",
    "file:/a%20b, /a b",
    "s3a://one/a, s3a://two/a",
    "s3a://b/a, gs://b/a",
    "/dbfsx/a, dbfs:/x/a",
    "/volumes/x, dbfs:/Volumes/x",
    "/mnt/a, dbfs:/mnt/a",
    "abfss://c@one.dfs.core.windows.net/a, abfss://d@one.dfs.core.windows.net/a"
  })
  void twoPlaces(String one, String other) {
    assertThat(at(one)).isNotEqualTo(at(other));
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b/, file:/a/b",
    "file:///a, file:/a",
    "/, file:/",
    "chk v2, file:/base/dir/chk v2",
    "/a/x%20y, file:/a/x%20y",
    "file:/a/x%20y, file:/a/x%20y",
    "'/a/d=1/x#y?z', file:/a/d=1/x#y?z",
    "/a/größe/日本, file:/a/größe/日本",
    "/a/b:c, file:/a/b:c",
    "S3://Bucket/a/, s3://Bucket/a",
    "s3a://bucket, s3a://bucket/",
    "hdfs:///a, hdfs:/a",
    "/Volumes/x/y, dbfs:/Volumes/x/y",
    "/dbfs/mnt/a, dbfs:/mnt/a",
    "abfss://c@acct.dfs.core.windows.net/a//b, abfss://c@acct.dfs.core.windows.net/a/b"
  })
  void shownForm(String text, String shown) {
    assertThat(at(text)).hasToString(shown);
    assertThat(Location.parse(shown, Path.of("/elsewhere"))).isEqualTo(at(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "/a\0b",
        "s3a:",
        "s3a://",
        "file:",
        "file://",
        "hdfs:a/b",
        "dbfs:mnt",
        "file://host/a"
      })
  void refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> at(text)).withMessageContaining(" ");
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a, true",
    "/a/b/c, file:///a/, true",
    "/a, /, true",
    "/a, /a, false",
    "/ab, /a, false",
    "/a, /a/b, false",
    "/, /, false",
    "hdfs://nn/a/b, /a, false",
    "s3://b/a/c, s3a://b/a, true",
    "s3a://b/a, s3a://b, true",
    "s3a://b/a, s3a://c, false",
    "/dbfs/mnt/a/b, dbfs:/mnt/a, true"
  })
  void inside(String inner, String outer, boolean expected) {
    assertThat(at(inner).isInside(at(outer))).isEqualTo(expected);
  }

  @Test
  void walksUpAndDown() {
    Location root = at("s3a://bucket");
    assertThat(root.name()).isEmpty();
    assertThat(root.parent()).isEmpty();
    Location offsets = root.child("chk").child("offsets/41");
    assertThat(offsets).hasToString("s3a://bucket/chk/offsets/41");
    assertThat(offsets.name()).isEqualTo("41");
    assertThat(offsets.parent()).contains(at("s3a://bucket/chk/offsets"));
    assertThat(root.child("chk").parent()).contains(root);
    assertThat(offsets.relativeTo(root)).isEqualTo("chk/offsets/41");
    assertThat(offsets.relativeTo(root.child("chk"))).isEqualTo("offsets/41");
    assertThatIllegalArgumentException().isThrownBy(() -> root.relativeTo(offsets));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", ".", "..", "a/../../b", "a\0"})
  void refusesAChildThatIsNotBelow(String name) {
    Location parent = at("/a");
    assertThatIllegalArgumentException().isThrownBy(() -> parent.child(name));
  }

  @Test
  void givesTheLocalPath() {
    assertThat(at("file:///a/x%20y").localPath()).isEqualTo(Path.of("/a/x%20y"));
    assertThat(Location.of(Path.of("/a/b"))).isEqualTo(at("/a/b"));
    assertThat(at("/Volumes/x").isLocal()).isFalse();
    Location remote = at("hdfs:///a");
    assertThatIllegalStateException().isThrownBy(remote::localPath);
  }
}
