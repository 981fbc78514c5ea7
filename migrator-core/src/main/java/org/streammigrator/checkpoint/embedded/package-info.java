/** Absolute paths inside the files of checkpoints and file sinks, and their rewriting. */
package org.streammigrator.checkpoint.embedded;
