package org.streammigrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PositionTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"reservoirVersion\":9,\"index\":-1,\"isStartingVersion\":false} | version 9",
        "{\"reservoirVersion\":9,\"index\":4}                            | version 9, file 4",
        "{\"version\":12,\"index\":-1}                                   | version 12",
        "{\"logOffset\":7}                                               | log entry 7",
        "{\"t\":{\"0\":17,\"1\":9223372036854775807}}                      | t/0 at 17, t/1 at 9223372036854775807",
        "{\"t\":{\"0\":1,\"1\":2,\"2\":3,\"3\":4}}                           | 4 partitions, t/0 at 1, ...",
        "{}                                                              | {}",
        "[1]                                                             | [1]",
      })
  void positionsAreSaidInAFewWords(String position, String words) throws IOException {
    assertThat(PositionText.of(new ObjectMapper().readTree(position))).isEqualTo(words);
  }
}
