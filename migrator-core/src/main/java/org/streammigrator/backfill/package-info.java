/** What the strategy backfill computes: which windows the job owns, and the job's specs. */
package org.streammigrator.backfill;
