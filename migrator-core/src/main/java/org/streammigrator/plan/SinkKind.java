package org.streammigrator.plan;

/** A kind of sink: the key its address stands under. */
public enum SinkKind implements PlaceKind {
  DELTA(true),
  FILES(true),
  ICEBERG(true),
  KAFKA(false),
  CUSTOM(false);

  private final boolean path;

  SinkKind(boolean path) {
    this.path = path;
  }

  @Override
  public boolean isPath() {
    return path;
  }
}
