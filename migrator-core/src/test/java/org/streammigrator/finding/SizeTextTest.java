package org.streammigrator.finding;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeTextTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "17B, 17",
    "2KiB, 2048",
    "50 MiB, 52428800",
    "3GiB, 3221225472",
    "2KB, 2000",
    "5MB, 5000000",
    "1GB, 1000000000"
  })
  void reads(String text, long bytes) {
    assertThat(SizeText.parse(text)).hasValue(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "0MiB",
        "-1",
        "1.5MiB",
        "MiB",
        "1TiB",
        "1mib",
        "99999999999999GiB",
        "1 x"
      })
  void refuses(String text) {
    assertThat(SizeText.parse(text)).isEmpty();
  }
}
