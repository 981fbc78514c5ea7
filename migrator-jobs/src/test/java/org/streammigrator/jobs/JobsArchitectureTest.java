package org.streammigrator.jobs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Holds what the architecture page says of the packages of this module. */
@AnalyzeClasses(
    packages = "org.streammigrator.jobs",
    importOptions = ImportOption.DoNotIncludeTests.class)
class JobsArchitectureTest {
  @ArchTest
  static final ArchRule ONE_ROOM_KNOWS_DELTA_FROM_WITHIN =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.streammigrator.jobs.lake..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.spark.sql.delta..");

  @ArchTest
  static final ArchRule DEPENDENCIES_POINT_DOWNWARDS =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("jobs")
          .definedBy(
              "..jobs.backfill..",
              "..jobs.copy..",
              "..jobs.dedup..",
              "..jobs.repartition..",
              "..jobs.state..",
              "..jobs.validate..")
          .layer("source")
          .definedBy("..jobs.source..")
          .layer("lake")
          .definedBy("..jobs.lake..")
          .layer("rows")
          .definedBy("..jobs.rows..")
          .whereLayer("jobs")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("source")
          .mayOnlyBeAccessedByLayers("jobs")
          .whereLayer("lake")
          .mayOnlyBeAccessedByLayers("jobs", "source")
          .whereLayer("rows")
          .mayOnlyBeAccessedByLayers("jobs", "source", "lake");

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("org.streammigrator.jobs.(*)..").should().beFreeOfCycles();
}
