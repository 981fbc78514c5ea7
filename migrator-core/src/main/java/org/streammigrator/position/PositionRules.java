package org.streammigrator.position;

import org.streammigrator.checkpoint.source.AutoLoaderOffset;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.FilesOffset;
import org.streammigrator.checkpoint.source.HudiOffset;
import org.streammigrator.checkpoint.source.IcebergOffset;
import org.streammigrator.checkpoint.source.KinesisOffset;
import org.streammigrator.checkpoint.source.LastIndexOffset;
import org.streammigrator.checkpoint.source.MongoOffset;
import org.streammigrator.checkpoint.source.PaimonOffset;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.checkpoint.source.PubSubLiteOffset;
import org.streammigrator.checkpoint.source.PubSubOffset;
import org.streammigrator.checkpoint.source.PulsarOffset;
import org.streammigrator.checkpoint.source.RateMicroBatchOffset;
import org.streammigrator.checkpoint.source.RateOffset;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.checkpoint.source.UnknownOffset;

/** The rule of each kind of source. */
final class PositionRules {
  private PositionRules() {}

  static SourcePosition apply(RecordedSource source, SourceOffset offset) {
    return switch (offset.kind()) {
      case DELTA, DELTA_SHARING -> DeltaPositions.of(source, (DeltaOffset) offset);
      case KAFKA, EVENTHUBS -> PartitionedPositions.of(source, (PartitionedOffset) offset);
      case FILES -> FilesPositions.of(source, (FilesOffset) offset);
      case AUTOLOADER -> AutoLoaderPositions.of(source, (AutoLoaderOffset) offset);
      case ICEBERG -> IcebergPositions.of(source, (IcebergOffset) offset);
      case KINESIS -> KinesisPositions.of(source, (KinesisOffset) offset);
      case HUDI -> HudiPositions.of(source, (HudiOffset) offset);
      case PAIMON -> PaimonPositions.of(source, (PaimonOffset) offset);
      case PULSAR -> PulsarPositions.of(source, (PulsarOffset) offset);
      case MONGODB -> MongoPositions.of(source, (MongoOffset) offset);
      case PUBSUB -> PubSubPositions.of(source, (PubSubOffset) offset);
      case PUBSUB_LITE -> PubSubPositions.of(source, (PubSubLiteOffset) offset);
      case RATE -> GeneratedPositions.of(source, (RateOffset) offset);
      case RATE_MICRO_BATCH -> GeneratedPositions.of(source, (RateMicroBatchOffset) offset);
      case SOCKET, MEMORY -> GeneratedPositions.of(source, (LastIndexOffset) offset);
      case NONE -> UnknownPositions.nothingDelivered(source, offset);
      case UNKNOWN -> UnknownPositions.of(source, (UnknownOffset) offset);
    };
  }
}
