/** The strategy of that name: from where to read again, and by which watermarks. */
package org.streammigrator.replay;
