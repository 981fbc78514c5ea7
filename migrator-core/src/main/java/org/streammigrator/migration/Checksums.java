package org.streammigrator.migration;

/** When the hidden checksum files of a checkpoint that is copied whole are compared. */
public enum Checksums {
  /** While it is surveyed, which reads every file that has one. */
  COMPARED,
  /** While it is copied, which reads every file anyway. */
  COMPARED_LATER
}
