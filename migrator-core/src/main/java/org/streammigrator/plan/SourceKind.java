package org.streammigrator.plan;

/** A kind of source: the key its address stands under. */
public enum SourceKind implements PlaceKind {
  DELTA(true),
  KAFKA(false),
  EVENTHUBS(false),
  FILES(true),
  AUTOLOADER(true),
  ICEBERG(true),
  KINESIS(false),
  HUDI(true),
  PAIMON(true),
  PULSAR(false),
  DELTA_SHARING(true),
  MONGODB(false),
  PUBSUB(false),
  PUBSUB_LITE(false),
  RATE(false),
  CUSTOM(false);

  private final boolean path;

  SourceKind(boolean path) {
    this.path = path;
  }

  @Override
  public boolean isPath() {
    return path;
  }
}
