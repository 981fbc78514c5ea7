/** Jobs as runs in a Databricks workspace: what is uploaded, submitted, followed and fetched. */
package org.streammigrator.job.remote;
