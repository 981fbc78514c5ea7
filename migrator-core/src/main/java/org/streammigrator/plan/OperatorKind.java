package org.streammigrator.plan;

/** The kind of a stateful operator. */
public enum OperatorKind implements Choice {
  WINDOW,
  SESSION,
  DEDUPE,
  DEDUPE_WITHIN,
  JOIN,
  INTERVAL_JOIN,
  AGGREGATE,
  LIMIT,
  ARBITRARY
}
