package org.streammigrator.position;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Both directions between HoodieStreamer's text and Kafka's positions. */
class HoodieStreamerCheckpointTest {
  private final long seed = Long.getLong("migrator.seed", System.nanoTime());

  @Test
  void whatIsWrittenIsReadBack() {
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      SortedMap<Integer, Long> next = new TreeMap<>();
      for (int p = random.nextInt(5); p >= 0; p--) {
        next.put(random.nextInt(1000), random.nextLong() & Long.MAX_VALUE);
      }
      SortedMap<String, SortedMap<Integer, Long>> topics = new TreeMap<>();
      topics.put("a.b-c_d" + i, next);
      String text = HoodieStreamerCheckpoint.ofKafka(topics).orElseThrow();
      HoodieStreamerCheckpoint read = HoodieStreamerCheckpoint.parse(text).orElseThrow();
      assertThat(read.next()).as("seed " + seed).isEqualTo(next);
      assertThat(read.topic()).as("seed " + seed).isEqualTo("a.b-c_d" + i);
    }
  }

  @Test
  void severalTopicsAndWordsOfOptionsHaveNoText() {
    SortedMap<String, SortedMap<Integer, Long>> topics = new TreeMap<>();
    assertThat(HoodieStreamerCheckpoint.ofKafka(topics)).isEmpty();
    topics.put("a", new TreeMap<>(java.util.Map.of(0, -2L)));
    assertThat(HoodieStreamerCheckpoint.ofKafka(topics)).isEmpty();
    topics.put("a", new TreeMap<>(java.util.Map.of(0, 2L)));
    assertThat(HoodieStreamerCheckpoint.ofKafka(topics)).hasValue("a,0:2");
    topics.put("b", new TreeMap<>(java.util.Map.of(0, 2L)));
    assertThat(HoodieStreamerCheckpoint.ofKafka(topics)).isEmpty();
  }
}
