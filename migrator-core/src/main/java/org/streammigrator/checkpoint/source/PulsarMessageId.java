package org.streammigrator.checkpoint.source;

import java.util.Optional;

/**
 * The id of a Pulsar message, as {@code MessageIdData} of {@code PulsarApi.proto} writes it.
 *
 * @param ledger the ledger; -1 in the ids that stand for "earliest"
 * @param entry the entry of the ledger; -1 in the id that stands for "earliest"
 * @param partition the partition of the topic; -1: none
 * @param batchIndex the message within an entry that holds several; -1: the entry is one message
 */
public record PulsarMessageId(long ledger, long entry, long partition, long batchIndex) {

  private static final int LEDGER = 1;
  private static final int ENTRY = 2;
  private static final int PARTITION = 3;
  private static final int BATCH_INDEX = 4;
  private static final int LARGEST_SHIFT = 63;

  /** Whether this stands for the first message that is kept. */
  public boolean earliest() {
    return ledger == -1 && entry == -1;
  }

  /** The id as Pulsar's tools print it: ledger, entry, partition and the message in its batch. */
  @Override
  public String toString() {
    return ledger
        + ":"
        + entry
        + (partition < 0 && batchIndex < 0 ? "" : ":" + partition)
        + (batchIndex < 0 ? "" : ":" + batchIndex);
  }

  /** Reads an id; empty if the bytes are none. */
  static Optional<PulsarMessageId> ofBytes(byte[] bytes) {
    Varints in = new Varints(bytes);
    Long ledger = null;
    Long entry = null;
    long partition = -1;
    long batchIndex = -1;
    while (in.more()) {
      long tag = in.next();
      int field = (int) (tag >>> 3);
      int type = (int) (tag & 7);
      if (type == 2) {
        in.skip(in.next());
        continue;
      }
      if (type != 0) {
        return Optional.empty();
      }
      long value = in.next();
      switch (field) {
        case LEDGER -> ledger = value;
        case ENTRY -> entry = value;
        case PARTITION -> partition = (int) value;
        case BATCH_INDEX -> batchIndex = (int) value;
        default -> {
          // The size of the batch and what later versions add do not move the position.
        }
      }
    }
    return in.broken || ledger == null || entry == null
        ? Optional.empty()
        : Optional.of(new PulsarMessageId(ledger, entry, partition, batchIndex));
  }

  /** Base-128 numbers, least significant group first. */
  private static final class Varints {
    private final byte[] bytes;
    private int at;
    private boolean broken;

    private Varints(byte[] bytes) {
      this.bytes = bytes;
    }

    private boolean more() {
      return !broken && at < bytes.length;
    }

    private long next() {
      long value = 0;
      for (int shift = 0; at < bytes.length && shift <= LARGEST_SHIFT; shift += 7) {
        byte group = bytes[at++];
        value |= (long) (group & 0x7f) << shift;
        if (group >= 0) {
          return value;
        }
      }
      broken = true;
      return 0;
    }

    private void skip(long length) {
      if (length < 0 || length > bytes.length - at) {
        broken = true;
      } else {
        at += (int) length;
      }
    }
  }
}
