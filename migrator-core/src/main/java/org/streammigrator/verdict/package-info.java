/** The compatibility rules: what blocks a restart, and what would be lost or repeated. */
package org.streammigrator.verdict;
