package org.streammigrator.jobs.matrix;

import java.io.IOException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** How the events get to a query, and how a plan speaks of that. */
interface Feed {
  /** Delivers what the query has read when it is idle for the first time. */
  void deliverFirst() throws IOException;

  /** Delivers the rest. */
  void deliverRest() throws IOException;

  /** A stream of {@link Events#SCHEMA}, {@link Events#PER_BATCH} events a batch. */
  Dataset<Row> stream();

  /** The source's keys in a plan, without braces. */
  String plan();
}
