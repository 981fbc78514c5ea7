/**
 * Job specs, their results, and what runs them. The jobs themselves need Spark and live elsewhere.
 */
package org.streammigrator.job;
