/** Finding the checkpoints below a directory, each read as shallowly as a line about it takes. */
package org.streammigrator.discovery;
