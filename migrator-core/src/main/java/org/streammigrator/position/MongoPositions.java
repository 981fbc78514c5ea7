package org.streammigrator.position;

import java.util.List;
import java.util.Map;
import org.streammigrator.checkpoint.source.MongoOffset;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of MongoDB change streams. A recorded time is that of the next event: a batch reads
 * from it, inclusive, to the next one, exclusive ({@code MongoMicroBatchPartitionReader.java}), and
 * the connector's own option becomes such a time ({@code
 * ReadConfig.getStreamInitialBsonTimestamp}). No option takes a resume token.
 */
final class MongoPositions {
  private static final String MODE = "change.stream.startup.mode";
  private static final String TIME = "change.stream.startup.mode.timestamp.start.at.operation.time";

  private MongoPositions() {}

  static SourcePosition of(RecordedSource source, MongoOffset offset) {
    if (offset.time().isEmpty()) {
      return source.notExpressible(
          offset,
          "the event of the resume token",
          "no reader option takes a resume token; seed or relocate carries it",
          List.of(
              inexact(source, "the position is a resume token, and no reader option takes one")));
    }
    MongoOffset.Timestamp time = offset.time().get();
    if (time.seconds() < 0) {
      return source.notExpressible(
          offset,
          "nothing",
          "the recorded start is \"from now on\", which is another time whenever it is said",
          List.of(inexact(source, "the stream began at \"now\" and has recorded no time yet")));
    }
    return source.at(
        offset,
        Exactness.EXACT,
        Map.of(
            MODE,
            "timestamp",
            TIME,
            "{\"$timestamp\": {\"t\": " + time.seconds() + ", \"i\": " + time.increment() + "}}"),
        "events before operation time " + time.seconds() + ", " + time.increment(),
        "the recorded time is that of the next event and the option is inclusive, so it is copied"
            + " unchanged; the oplog must still reach back to it",
        List.of());
  }

  private static Finding inexact(RecordedSource source, String message) {
    return Finding.warning(
        FindingCode.INEXACT_POSITION, source.subject(), message, "use strategy seed or relocate");
  }
}
