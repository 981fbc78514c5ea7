package org.streammigrator.jobs.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** Random hashes through buckets and chunks, against counting them in a map. */
class RepeatedHashesTest {
  private static final int FILES = 5;

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 1000})
  void filesAndHashesAreThoseOfTheCount(int count) {
    Random random = new Random(count);
    for (int round = 0; round < 200; round++) {
      long[] names = random.longs(FILES).sorted().toArray();
      BitSet stays = new BitSet();
      for (int file = 0; round % 2 == 1 && file < FILES; file++) {
        stays.set(file, random.nextInt(3) == 0);
      }
      long[] hashes = random.longs(1 + random.nextInt(60)).toArray();
      hashes[0] = random.nextBoolean() ? 0 : -1;
      List<InternalRow> rows = new ArrayList<>();
      for (int i = random.nextInt(90); i > 0; i--) {
        long hash = hashes[Math.min(random.nextInt(hashes.length), random.nextInt(90))];
        int run = random.nextInt(20) == 0 ? 20 : 1;
        long file = names[random.nextInt(FILES)];
        for (int copy = 0; copy < run; copy++) {
          rows.add(new GenericInternalRow(new Object[] {hash, file, random.nextInt(50) == 0}));
        }
      }
      check(rows, new HashBuckets(count, names, stays), stays);
    }
  }

  private static void check(List<InternalRow> rows, HashBuckets buckets, BitSet stays) {
    Map<Long, int[]> counts = new HashMap<>();
    long nulls = 0;
    for (InternalRow row : rows) {
      boolean mayGo = !stays.get(buckets.file(row.getLong(1)));
      counts.computeIfAbsent(row.getLong(0), none -> new int[2])[mayGo ? 0 : 1]++;
      nulls += mayGo && row.getBoolean(2) ? 1 : 0;
    }
    Set<Long> repeated = new HashSet<>();
    counts.forEach(
        (hash, of) -> {
          if (of[0] > 0 && of[0] + of[1] > 1) {
            repeated.add(hash);
          }
        });
    Set<Integer> files = new HashSet<>();
    for (InternalRow row : rows) {
      if (repeated.contains(row.getLong(0))) {
        files.add(buckets.file(row.getLong(1)));
      }
    }

    LongAccumulator nullKeys = new LongAccumulator();
    HashChunks chunks = new HashChunks(rows.iterator(), buckets, nullKeys);
    Map<Integer, RepeatedHashes> found = new HashMap<>();
    while (chunks.hasNext()) {
      Tuple2<Integer, long[]> chunk = chunks.next();
      found.computeIfAbsent(chunk._1(), none -> new RepeatedHashes(buckets)).add(chunk._2());
    }
    HashFilter filter = HashFilter.roomFor(0);
    Set<Integer> foundFiles = new HashSet<>();
    long foundRows = 0;
    for (RepeatedHashes bucket : found.values()) {
      long[][] answer = bucket.find(HashFilter.roomFor(0));
      foundRows += answer[0][0];
      BitSet.valueOf(answer[1]).stream().forEach(foundFiles::add);
      filter.add(answer[2]);
    }
    assertThat(foundFiles).isEqualTo(files);
    assertThat(repeated).allMatch(filter::mayContain);
    assertThat(foundRows).isBetween(2L * repeated.size(), (long) rows.size());
    assertThat(nullKeys.value()).isEqualTo(nulls);
    assertThat(counts.keySet().stream().filter(filter::mayContain).count())
        .as("few others pass")
        .isLessThanOrEqualTo(repeated.size() + 1L);
  }
}
