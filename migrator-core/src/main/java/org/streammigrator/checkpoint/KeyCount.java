package org.streammigrator.checkpoint;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Counts the keys that a snapshot and the deltas after it leave, exactly up to a number of keys.
 */
final class KeyCount {
  /** Counts nothing. */
  static final KeyCount NONE = new KeyCount(0);

  private final int most;
  private Set<ByteBuffer> keys = new HashSet<>();

  /**
   * @param most the number of keys beyond which there is no answer; each takes its bytes and about
   *     100 more
   */
  KeyCount(int most) {
    this.most = most;
  }

  boolean wantsKeys() {
    return most > 0 && keys != null;
  }

  void put(byte[] key) {
    if (wantsKeys() && key != null) {
      keys.add(ByteBuffer.wrap(key));
      if (keys.size() > most) {
        keys = null;
      }
    }
  }

  void remove(byte[] key) {
    if (wantsKeys() && key != null) {
      keys.remove(ByteBuffer.wrap(key));
    }
  }

  /** The number of keys; empty if there were too many. */
  OptionalLong count() {
    return wantsKeys() ? OptionalLong.of(keys.size()) : OptionalLong.empty();
  }
}
