package org.streammigrator.jobs.restart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.facts.Facts;
import org.streammigrator.position.Resume;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.verdict.Inspection;
import org.streammigrator.verdict.Inspector;

/**
 * What the reader says of a checkpoint, before Spark has changed it.
 *
 * @param before the plan before the newest one; empty if it cannot be read
 * @param newest the newest plan; empty if it cannot be read
 */
record Answer(
    Inspection inspection, Resume resume, Optional<OffsetLog> before, Optional<OffsetLog> newest) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static Answer of(Path checkpoint) throws IOException {
    CheckpointReader reader = new CheckpointReader(new LocalStore());
    Location location = Location.of(checkpoint);
    Checkpoint read = reader.read(location);
    long newest = read.lastPlanned().orElse(-1);
    return new Answer(
        Inspector.inspect(read, Map.of()),
        new ResumePositions(read, Facts.NONE, Map.of()).compute(),
        newest > 0 ? reader.offsets(location, newest - 1).readable() : Optional.empty(),
        newest >= 0 ? reader.offsets(location, newest).readable() : Optional.empty());
  }

  private boolean pending() {
    return !inspection.batches().pending().isEmpty();
  }

  private long firstBatch() {
    Long newest = inspection.batches().lastPlanned();
    return newest == null ? 0 : pending() ? newest : newest + 1;
  }

  /** The batch that runs first, the offsets it starts at, and the position before it. */
  void compare(RestartRun run, String shown) throws IOException {
    assertThat(run.first()).as(shown).isPresent();
    assertThat(run.first().get().batchId()).as(shown).isEqualTo(firstBatch());
    for (int source = 0; source < run.first().get().sources().length; source++) {
      Optional<String> started = run.start(source);
      Optional<String> planned = start(source);
      assertThat(started.isPresent()).as(shown).isEqualTo(planned.isPresent());
      if (planned.isPresent()) {
        assertThat(MAPPER.readTree(started.orElseThrow()))
            .as(shown)
            .isEqualTo(MAPPER.readTree(planned.get()));
      }
    }
    boolean losesBatches = inspection.batches().pending().size() > 1;
    if (!losesBatches) {
      Long position = firstBatch() == 0 ? null : Long.valueOf(firstBatch() - 1);
      assertThat(resume.batch()).as(shown).isEqualTo(position);
    }
  }

  /** Where the first batch starts: a source without an offset starts as in the plan before. */
  private Optional<String> start(int source) {
    Optional<String> own = pending() ? Optional.empty() : offset(newest, source);
    return own.isPresent() ? own : offset(before, source);
  }

  private static Optional<String> offset(Optional<OffsetLog> plan, int source) {
    return plan.flatMap(log -> log.source(Integer.toString(source)))
        .map(OffsetLog.SourceLine::raw)
        .filter(raw -> !raw.equals(OffsetLog.SourceLine.NONE));
  }
}
