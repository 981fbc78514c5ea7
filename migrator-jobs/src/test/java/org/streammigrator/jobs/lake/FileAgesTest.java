package org.streammigrator.jobs.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.streammigrator.jobs.lake.FileAges.Age.OLD;
import static org.streammigrator.jobs.lake.FileAges.Age.SINCE;
import static org.streammigrator.jobs.lake.FileAges.Age.UNKNOWN;

import java.util.Set;
import org.junit.jupiter.api.Test;

class FileAgesTest {
  private final FileAges ages = new FileAges();
  private long version = 10;

  @Test
  void appendedFilesAreNewAndThoseBeforeAreOld() {
    append("a");
    assertAge(SINCE, "a");
    assertAge(OLD, "before");
  }

  @Test
  void whatIsMovedKeepsItsAge() {
    append("a", "b");
    move("OPTIMIZE", false, Set.of("ab"), Set.of("a", "b"));
    move("OPTIMIZE", false, Set.of("c"), Set.of("before1", "before2"));
    assertAge(SINCE, "ab");
    assertAge(OLD, "c");
    move("OPTIMIZE", false, Set.of("all"), Set.of("ab", "c"));
    assertAge(UNKNOWN, "all");
    assertThat(ages.writerOf("all").operation()).isEqualTo("OPTIMIZE");
  }

  @Test
  void whatIsDeletedFromOrChangedKeepsItsAge() {
    append("a");
    move("DELETE", true, Set.of("b"), Set.of("a"));
    move("UPDATE", true, Set.of("c"), Set.of("before"));
    assertAge(SINCE, "b");
    assertAge(OLD, "c");
  }

  @Test
  void deletionVectorsAndStatisticsMakeNoFileNew() {
    append("a");
    move("DELETE", true, Set.of("a", "before"), Set.of("a", "before"));
    move("COMPUTE STATS", false, Set.of("before"), Set.of());
    assertAge(SINCE, "a");
    assertAge(OLD, "before");
  }

  @Test
  void nobodyKnowsWhatAMergeOrAnOverwriteOfOldRowsBrings() {
    move("MERGE", true, Set.of("a"), Set.of("before"));
    move("WRITE", true, Set.of("b"), Set.of("before2"));
    move("RESTORE", true, Set.of("c"), Set.of());
    assertAge(UNKNOWN, "a");
    assertAge(UNKNOWN, "b");
    assertAge(UNKNOWN, "c");
    append("d");
    move("MERGE", true, Set.of("e"), Set.of("d"));
    assertAge(SINCE, "e");
  }

  @Test
  void rowsThatAreChangedWithDeletionVectorsAreAsOldAsTheyWere() {
    append("new", "new2");
    move("UPDATE", true, Set.of("before", "a"), Set.of("before"));
    move("UPDATE", true, Set.of("new", "b"), Set.of("new"));
    move("UPDATE", true, Set.of("before", "new", "c"), Set.of("before", "new"));
    move("MERGE", true, Set.of("before", "d"), Set.of("before"));
    move("MERGE", true, Set.of("new2", "e"), Set.of("new2"));
    move("MERGE", true, Set.of("f"), Set.of());
    assertAge(OLD, "before");
    assertAge(SINCE, "new");
    assertAge(OLD, "a");
    assertAge(SINCE, "b");
    assertAge(UNKNOWN, "c");
    assertAge(UNKNOWN, "d");
    assertThat(ages.writerOf("d").operation()).isEqualTo("MERGE");
    assertAge(SINCE, "e");
    assertAge(SINCE, "f");
  }

  private void append(String... files) {
    move("STREAMING UPDATE", true, Set.of(files), Set.of());
  }

  private void move(String operation, boolean data, Set<String> added, Set<String> removed) {
    ages.add(new FileAges.Commit(version++, operation, data, added, removed));
  }

  private void assertAge(FileAges.Age age, String file) {
    assertThat(ages.of(file)).isEqualTo(age);
  }
}
