package org.streammigrator.jobs.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.streammigrator.copy.CopySource;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StoreEntry;

class PartsTest {
  private static final Location ROOT = Location.parse("/from", Path.of("/"));

  @Test
  void nothingMakesNoPart() {
    assertThat(Parts.of(List.of(), 4)).isEmpty();
  }

  @Test
  void aFewSmallFilesAreOnePart() {
    assertThat(sizes(files(20, i -> 10), 8)).containsExactly(20);
    assertThat(sizes(files(21, i -> 10), 8)).containsExactly(20, 1);
  }

  @Test
  void everyProcessorGetsSeveralParts() {
    assertThat(sizes(files(3_000, i -> 10), 2)).hasSize(8).containsOnly(375);
  }

  @Test
  void noPartIsLargerThanAFailureMayCost() {
    assertThat(sizes(files(100_000, i -> 10), 2)).hasSize(50).containsOnly(2_000);
    assertThat(sizes(files(40, i -> 300L << 20), 1)).containsOnly(3, 1);
  }

  @Test
  void aHugeFileIsAPartOfItsOwn() {
    assertThat(sizes(files(5, i -> i == 2 ? 10L << 40 : 1), 1)).containsExactly(2, 1, 2);
  }

  @Test
  void emptyFilesCountToo() {
    assertThat(sizes(files(50, i -> 0), 1)).containsExactly(20, 20, 10);
  }

  @Test
  void orderStays() {
    List<CopySource> files = files(5_000, i -> i % 7 * 1_000_000L);
    List<CopySource> joined = new ArrayList<>();
    Parts.of(files, 3).forEach(joined::addAll);
    assertThat(joined).isEqualTo(files);
  }

  private static List<Integer> sizes(List<CopySource> files, int processors) {
    return Parts.of(files, processors).stream().map(List::size).toList();
  }

  private static List<CopySource> files(int count, IntToLongFunction size) {
    List<CopySource> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StoreEntry entry =
          new StoreEntry(
              ROOT.child("f" + i), StoreEntry.Kind.FILE, size.applyAsLong(i), Instant.EPOCH);
      files.add(new PartSource("f" + i, entry, () -> false));
    }
    return files;
  }
}
