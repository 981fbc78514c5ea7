package org.streammigrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class TerminalTest {
  @Test
  void onlyALivelyTerminalGetsABar() {
    assertThat(terminal("120", "xterm")).isEqualTo(new Terminal(true, 120));
    assertThat(terminal("0", "xterm")).isEqualTo(new Terminal(true, 80));
    assertThat(terminal("", "xterm")).isEqualTo(new Terminal(true, 80));
    assertThat(terminal("3", "xterm")).isEqualTo(new Terminal(true, 20));
    assertThat(terminal("120", "dumb").lively()).isFalse();
    assertThat(terminal("120", null).lively()).isFalse();
    assertThat(terminal(null, "xterm").lively()).isFalse();
  }

  private static Terminal terminal(String columns, String kind) {
    return Terminal.of(Optional.ofNullable(columns), name -> Optional.ofNullable(kind));
  }
}
