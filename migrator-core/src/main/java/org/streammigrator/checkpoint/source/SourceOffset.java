package org.streammigrator.checkpoint.source;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A source's recorded position, one record for each kind of source.
 *
 * <p>A new kind is a constant of {@link SourceKind}, a record here with its {@code decode}, an arm
 * of the switch in {@link SourceOffsets}, and a rule in package {@code position}; the compiler asks
 * for each of them.
 */
public sealed interface SourceOffset
    permits AutoLoaderOffset,
        DeltaOffset,
        FilesOffset,
        HudiOffset,
        IcebergOffset,
        KinesisOffset,
        LastIndexOffset,
        MongoOffset,
        NoOffset,
        PaimonOffset,
        PartitionedOffset,
        PubSubLiteOffset,
        PubSubOffset,
        PulsarOffset,
        RateMicroBatchOffset,
        RateOffset,
        UnknownOffset {

  /** The kind of source. */
  SourceKind kind();

  /** The position as JSON; numbers are exact 64-bit integers. */
  JsonNode json();
}
