/** The rehearsal of a plan: a scratch place, the new query run from it, and what became of that. */
package org.streammigrator.rehearsal;
