package org.streammigrator.storage;

/**
 * What one place in a store can do that not every store can.
 *
 * @param publishes whether {@link Store#publish} is there, which gives a file or a whole directory
 *     its final name in one atomic move; an object store has nothing of the kind
 * @param keepsTimes whether {@link Store#write} sets the modification time that it is given
 * @param exclusiveCreate whether of several {@link Store#write writes} of one file at the same time
 *     exactly one succeeds; elsewhere a write that finds the file there fails, and two at the same
 *     moment may both succeed
 * @param wholeOrNothing whether a write that failed or was cut short leaves no file
 */
public record StoreTraits(
    boolean publishes, boolean keepsTimes, boolean exclusiveCreate, boolean wholeOrNothing) {}
