/**
 * Copying, archiving and verifying trees of files: checkpoints in whatever state they are, and any
 * other directory. Nothing here interprets what a file holds.
 */
package org.streammigrator.copy;
