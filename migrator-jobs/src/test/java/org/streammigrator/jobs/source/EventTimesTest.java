package org.streammigrator.jobs.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;

/** What is measured of a Delta table's event times, with statistics and without. */
@Tag("spark")
class EventTimesTest {
  private static final Instant HALF_PAST_TEN = Instant.parse("2026-03-27T10:30:00Z");
  private static final Instant NEWEST = Instant.parse("2026-03-27T11:00:02.123456Z");

  @TempDir private static Path directory;
  private static SparkSession spark;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
    table("counted", "");
    table("uncounted", "tblproperties('delta.dataSkippingNumIndexedCols'='0')");
    table("mapped", "tblproperties('delta.columnMapping.mode'='name')");
    spark.sql("alter table delta.`" + place("mapped") + "` rename column at to happened");
  }

  /** Three files of three rows, at 09:00, 10:00 and 11:00; one row has no event time. */
  private static void table(String name, String properties) {
    String table = place(name);
    spark.sql(
        "create table delta.`" + table + "` (id bigint, at timestamp) using delta " + properties);
    for (int hour = 9; hour <= 11; hour++) {
      spark.sql(
          "insert into delta.`%s` select id, case when id = 1 and %d = 10 then null else"
                  .formatted(table, hour)
              + " timestamp '2026-03-27T%02d:00:00.123456Z' + make_dt_interval(0, 0, 0, id) end"
                  .formatted(hour)
              + " from range(0, 3, 1, 1)");
    }
  }

  private static String place(String name) {
    return directory.resolve(name).toString();
  }

  @Test
  void statisticsLeaveFilesOutAndTellTheNewest() {
    SourceRead read = Sources.open(spark, spec("counted", "at", HALF_PAST_TEN));
    assertThat(read.files()).hasValue(1);
    assertThat(read.records()).hasValue(3);
    assertThat(read.rows().count()).isEqualTo(3);
    // Cut to milliseconds in the statistics, so that the bound is the end of the millisecond.
    assertThat(read.eventTimes().orElseThrow().measure().newest())
        .isEqualTo(Instant.parse("2026-03-27T11:00:02.123999Z"));
  }

  @Test
  void withoutStatisticsEverythingIsRead() {
    SourceRead read = Sources.open(spark, spec("uncounted", "AT", HALF_PAST_TEN));
    assertThat(read.files()).hasValue(3);
    assertThat(read.rows().count()).isEqualTo(3);
    assertThat(read.eventTimes().orElseThrow().measure().newest()).isEqualTo(NEWEST);
  }

  @Test
  void renamedColumnsHaveStatistics() {
    assertThat(Sources.open(spark, spec("mapped", "happened", HALF_PAST_TEN)).files()).hasValue(1);
  }

  @Test
  void eventTimeMayBeComputed() {
    SourceRead read = Sources.open(spark, spec("counted", "at + interval 1 hour", HALF_PAST_TEN));
    assertThat(read.files()).hasValue(3);
    assertThat(read.rows().count()).as("nobody knows when the row without a time was").isEqualTo(5);
    assertThat(read.eventTimes().orElseThrow().measure().newest())
        .isEqualTo(NEWEST.plusSeconds(3600));
  }

  @Test
  void eventTimesBeyondAreListedOnce() {
    assertThat(
            Sources.open(spark, spec("counted", "at", null))
                .eventTimes()
                .orElseThrow()
                .from(NEWEST.minusSeconds(1)))
        .containsExactly(NEWEST.minusSeconds(1), NEWEST);
  }

  /** A stream has read what a later commit deletes; the table does not show it any more. */
  @Test
  void rowsThatAreGoneAreRefusedWhereTheyAreNeeded() {
    table("deleted", "");
    spark.sql("delete from delta.`" + place("deleted") + "` where at < '2026-03-27T09:30:00Z'");
    assertThat(Sources.open(spark, spec("deleted", "at", HALF_PAST_TEN)).rows().count())
        .as("of older event times")
        .isEqualTo(3);
    spark.sql("delete from delta.`" + place("deleted") + "` where at > '2026-03-27T11:00:02Z'");
    assertThatThrownBy(() -> Sources.open(spark, spec("deleted", "at", HALF_PAST_TEN)))
        .isInstanceOfSatisfying(
            JobRefusedException.class,
            refused ->
                assertThat(refused.finding().code()).isEqualTo(FindingCode.DELTA_CHANGE_COMMITS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "nothing", "at +", "cast(at as string)"})
  void whatIsNoTimestampIsRefused(String column) {
    assertThatThrownBy(() -> Sources.open(spark, spec("counted", column, HALF_PAST_TEN)))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining("source s: eventTime.column");
  }

  private static SourceSpec spec(String table, String column, Instant from) {
    return SourceSpec.delta("s", place(table)).eventTime(new SourceSpec.EventTime(column, from));
  }
}
