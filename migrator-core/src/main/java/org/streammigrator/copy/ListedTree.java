package org.streammigrator.copy;

import org.streammigrator.storage.Location;

/**
 * A tree and what was listed of it.
 *
 * @param root where it is
 * @param listing what is below it
 */
record ListedTree(Location root, Listing listing) {}
