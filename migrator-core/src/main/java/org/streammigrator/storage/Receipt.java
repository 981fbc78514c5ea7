package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What a store says of a file that it took.
 *
 * @param tag as {@link StoreEntry#tag}
 * @param verified whether the store itself compared a checksum of the bytes that it keeps with one
 *     of the bytes that were sent, so that reading them back adds nothing
 */
public record Receipt(Optional<String> tag, boolean verified) {
  /** The store took it and says no more. */
  public static final Receipt NONE = new Receipt(Optional.empty(), false);

  public Receipt {
    requireNonNull(tag, "tag");
  }
}
