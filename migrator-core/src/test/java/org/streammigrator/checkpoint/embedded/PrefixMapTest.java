package org.streammigrator.checkpoint.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.streammigrator.checkpoint.embedded.LogRewritingTest.place;
import static org.streammigrator.checkpoint.embedded.LogRewritingTest.rules;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrefixMapTest {

  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      quoteCharacter = '\0',
      value = {
        "hdfs://nn/in | s3a://new/in | hdfs://nn/in/10:00.json | s3a://new/in/10:00.json",
        "hdfs://nn:8020/in | s3a://new/in | hdfs://NN/in/a | s3a://new/in/a",
        "hdfs://nn/in/ | s3a://new/in/ | hdfs://nn/in//a//b | s3a://new/in//a//b",
        "/in | /new | file:///in/a | file:///new/a",
        "/in | /new | file:/in/a | file:/new/a",
        "file:///in | file:/new | /in/a | file:///new/a",
        "/in | s3a://b/new | file:/in/a | s3a://b/new/a",
        "s3a://b/in | /new | s3a://b/in/a | file:///new/a",
        "s3://b/in | s3://c/in | s3a://b/in/a | s3://c/in/a",
        "dbfs:/mnt/in | abfss://c@x/in | dbfs:/mnt/in/a | abfss://c@x/in/a",
        "abfss://c@x/in | dbfs:/Volumes/m/s/v | abfss://c@x/in/a | dbfs:/Volumes/m/s/v/a",
        "/Volumes/m/s/v | /Volumes/m/s/w | dbfs:/Volumes/m/s/v/a | dbfs:/Volumes/m/s/w/a",
        "/in | /in | file:///in/a%20b | file:///in/a%20b",
        "s3a://old | s3a://new | s3a://old/a/b | s3a://new/a/b",
        "s3a://old/x | s3a://new | s3a://old/x/b | s3a://new/b",
        "/ | s3a://new | file:///a/b | s3a://new/a/b",
        "/a | / | file:///a/b | file:///b",
        "/in/a.csv | /new/b.csv | file:///in/a.csv | file:///new/b.csv",
        "/in/my dir | /new/other dir | file:///in/my%20dir/a%20b | file:///new/other%20dir/a%20b",
        "/in/100% | /new/50% | file:///in/100%25/a%25b | file:///new/50%25/a%25b",
        "/in/é | /new/ü | file:///in/%C3%A9/é | file:///new/ü/é",
        "/in/é | /new/ü | file:///in/é/%C3%A9 | file:///new/ü/%C3%A9",
        "/in/a#b?c | /new/#? | file:///in/a%23b%3Fc/d | file:///new/%23%3F/d",
        "/in/a%20b | /new | file:///in/a%2520b/d | file:///new/d",
        "file:///C:/Users/u/in | /new | file:///C:/Users/u/in/a.csv | file:///new/a.csv",
      })
  void aPrefixThatMovedIsReplaced(String from, String to, String path, String moved) {
    assertThat(rules(from, to).apply(path, PathForm.URI_ENCODED)).contains(moved);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      quoteCharacter = '\0',
      value = {
        "/in | file:///input/a",
        "/in | file:///x/in/a",
        "/in/a | file:///in",
        "hdfs:///a | /a/b",
        "hdfs:///a | file:///a/b",
        "/a | hdfs:///a/b",
        "hdfs://nn/a | hdfs:///a/b",
        "hdfs://nn/a | hdfs://other/a/b",
        "s3a://b/in | s3a://c/in/a",
        "s3a://b | s3a://b2/in/a",
        "/in/a%20b | file:///in/a%20b/c",
        "/in | file:///in/../other/a",
        "/in | in/a",
        "/in | a",
      })
  void whatLooksAlikeIsNotCovered(String from, String path) {
    assertThat(rules(from, "s3a://new").apply(path, PathForm.URI_ENCODED)).isEmpty();
  }

  @Test
  void theLongestRuleWinsInAnyOrder() {
    PrefixMap map = rules("/a/b", "/x", "/a", "/y", "/a/b/c", "/z", "/a", "/never");
    assertThat(map.apply("file:///a/b/c/d", PathForm.URI_ENCODED)).contains("file:///z/d");
    assertThat(map.apply("file:///a/b/cc/d", PathForm.URI_ENCODED)).contains("file:///x/cc/d");
    assertThat(map.apply("file:///a/bb/d", PathForm.URI_ENCODED)).contains("file:///y/bb/d");
    assertThat(map.moved(place("/a/b/c"))).contains(place("/z"));
    assertThat(map.moved(place("/a/bb"))).contains(place("/y/bb"));
    assertThat(map.moved(place("/b"))).isEqualTo(Optional.empty());
  }

  @Test
  void plainPathsAreNotDecoded() {
    PrefixMap map = rules("/a b", "/c%20d");
    assertThat(map.apply("file:/a b/x%20y", PathForm.PLAIN)).contains("file:/c%20d/x%20y");
    assertThat(map.apply("file:/a%20b/x", PathForm.PLAIN)).isEmpty();
    assertThat(rules("/a", "/").apply("file:/a/x", PathForm.PLAIN)).contains("file:/x");
    assertThat(rules("/a", "s3a://b").apply("/a/x", PathForm.PLAIN)).contains("s3a://b/x");
  }
}
