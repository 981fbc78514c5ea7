package org.streammigrator.jobs.versions;

/** A kind of query, and how it keeps its state. */
enum Kind {
  STATELESS("stateless", "no state"),
  HDFS("hdfs", "windows, HDFS-backed store"),
  ROCKSDB("rocksdb", "windows, RocksDB"),
  CHANGELOG("rocksdb-changelog", "windows, RocksDB with changelog"),
  FORMAT_2("rocksdb-format2", "windows, RocksDB, checkpoint format 2");

  private final String label;
  private final String description;

  Kind(String label, String description) {
    this.label = label;
    this.description = description;
  }

  /** Its name in tasks. */
  String label() {
    return label;
  }

  /** Its name for readers. */
  String description() {
    return description;
  }

  boolean isStateful() {
    return this != STATELESS;
  }

  /** Whether a version has it. */
  boolean on(SparkVersion version) {
    return this != FORMAT_2 || version.hasFormat2();
  }
}
