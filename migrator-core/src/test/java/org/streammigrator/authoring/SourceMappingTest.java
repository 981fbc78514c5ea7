package org.streammigrator.authoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where the private files of sources go that change places. */
class SourceMappingTest {
  private final SourceMapping mapping =
      new SourceMapping(
          List.of(Optional.of("2"), Optional.empty(), Optional.of("0")), List.of("1"));

  @Test
  void filesGoWithTheirSource() {
    assertThat(mapping.newPath("sources/2/0")).hasValue("sources/0/0");
    assertThat(mapping.newPath("sources/0/rocksdb/SSTs/a.sst"))
        .hasValue("sources/2/rocksdb/SSTs/a.sst");
    assertThat(mapping.newPath("sources/1/0")).isEmpty();
  }

  @Test
  void aSourceThatIsItselfAFileGoesToo() {
    assertThat(mapping.newPath("sources/2")).hasValue("sources/0");
    assertThat(mapping.newPath("sources/1")).isEmpty();
    assertThat(mapping.newPath("sources/.2.crc")).isEmpty();
  }
}
