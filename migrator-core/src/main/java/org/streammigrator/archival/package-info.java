/**
 * Archives as a service: a checkpoint as of one of its batches, many checkpoints by a policy, and
 * the release of what is superseded.
 */
package org.streammigrator.archival;
