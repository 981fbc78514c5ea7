package org.streammigrator.plan;

/** What kind of change the new query is, seen from the old one. */
public enum ChangeKind implements Choice {
  SOURCE_ADDED,
  SOURCE_REMOVED,
  SOURCE_ORDER,
  SOURCE_KIND,
  SOURCE_OPTION,
  TOPIC,
  PATH,
  RATE_LIMIT,
  TRIGGER,
  FILTER,
  PROJECTION,
  SINK_KIND,
  SINK_OPTION,
  SINK_PATH,
  OPERATOR_ADDED,
  OPERATOR_REMOVED,
  AGGREGATE,
  GROUPING,
  WINDOW,
  WATERMARK,
  DEDUPE_KEYS,
  JOIN,
  STATE_SCHEMA,
  OUTPUT_MODE,
  CONF,
  PROVIDER,
  SPARK_VERSION
}
