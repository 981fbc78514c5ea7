package org.streammigrator.plan;

/** What the other streams of a plan do when one fails. */
public enum OnFailure implements Choice {
  CONTINUE,
  STOP
}
