package org.streammigrator.jobs.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DemoLakeTest {
  private static final DemoLake LAKE = DemoLake.at(Path.of("lake"));

  @Test
  void rowsDependOnTheSeedAlone() {
    assertThat(DemoLake.at(Path.of("elsewhere")).commit(5)).isEqualTo(LAKE.commit(5));
    assertThat(new DemoLake(Path.of("lake"), DemoLake.SEED + 1).commit(5))
        .isNotEqualTo(LAKE.commit(5));
  }

  @Test
  void disorderStaysBelowTheWatermarkDelay() {
    Duration delay = Duration.ofMinutes(10);
    assertThat(DemoStreams.WATERMARK_DELAY).isEqualTo(delay.toMinutes() + " minutes");
    Instant newest = Instant.MIN;
    boolean outOfOrder = false;
    for (Order order : orders()) {
      if (order.eventTime().isBefore(newest)) {
        outOfOrder = true;
        assertThat(Duration.between(order.eventTime(), newest)).isLessThan(delay);
      } else {
        newest = order.eventTime();
      }
    }
    assertThat(outOfOrder).isTrue();
  }

  @Test
  void everyCommitHasExactDuplicates() {
    for (int number = 0; number < DemoScene.COMMITS; number++) {
      List<Order> rows = LAKE.commit(number);
      assertThat(rows).hasSize(DemoLake.FILES_PER_COMMIT * DemoLake.ROWS_PER_FILE);
      assertThat(new HashSet<>(rows).size()).isLessThan(rows.size());
    }
  }

  @Test
  void oneIdMeansOneRow() {
    List<Order> distinct = new ArrayList<>(new HashSet<>(orders()));
    assertThat(distinct).extracting(Order::orderId).doesNotHaveDuplicates();
  }

  private static List<Order> orders() {
    return IntStream.range(0, DemoScene.COMMITS)
        .boxed()
        .flatMap(number -> LAKE.commit(number).stream())
        .toList();
  }
}
