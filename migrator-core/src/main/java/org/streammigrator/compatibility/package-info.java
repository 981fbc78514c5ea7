/** What a change of a query means for its checkpoint: the rules, as data, and their application. */
package org.streammigrator.compatibility;
