package org.streammigrator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Holds the package table of the architecture page: who may use whom, and who may print. */
@AnalyzeClasses(
    packages = "org.streammigrator",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "org.streammigrator.";

  /** What each package may use, from the ground up; what those may use, it may use too. */
  private static final Map<String, Set<String>> MAY_USE = new HashMap<>();

  static {
    allow("finding");
    allow("storage", "finding");
    allow("databricks", "storage");
    allow("checkpoint", "storage");
    allow("facts", "checkpoint");
    allow("position", "facts");
    allow("verdict", "position");
    allow("discovery", "verdict");
    allow("copy", "checkpoint");
    allow("authoring", "verdict", "copy");
    allow("plan", "storage");
    allow("compatibility", "verdict", "plan");
    allow("job", "databricks", "plan");
    allow("backfill", "position", "plan", "job");
    allow("replay", "position", "plan");
    allow("migration", "authoring", "backfill", "replay");
    allow("archival", "migration", "discovery");
    allow("rehearsal", "migration");
    allow("report", "archival", "compatibility", "rehearsal");
    allow("cli", "report");
  }

  private static void allow(String name, String... direct) {
    Set<String> all = new HashSet<>(Set.of(name));
    for (String used : direct) {
      all.addAll(MAY_USE.get(used));
    }
    MAY_USE.put(name, all);
  }

  @ArchTest
  static final ArchRule DEPENDENCIES_POINT_DOWNWARDS =
      ArchRuleDefinition.classes().should(useOnlyWhatTheTableAllows());

  @ArchTest
  static final ArchRule NO_CYCLES =
      slices().matching("org.streammigrator.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NOTHING_BELOW_THE_COMMAND_LINE_PRINTS =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.streammigrator.cli..")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .callMethod(Throwable.class, "printStackTrace");

  @ArchTest
  static final ArchRule ONLY_STORAGE_AND_FACTS_KNOW_FOREIGN_SYSTEMS =
      noClasses()
          .that()
          .resideOutsideOfPackages("org.streammigrator.storage..", "org.streammigrator.facts..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.hadoop..", "io.delta..", "org.apache.kafka..", "software.amazon..");

  @ArchTest
  static final ArchRule ONLY_DATABRICKS_KNOWS_ITS_SDK =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.streammigrator.databricks..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.databricks..", "org.apache.http..");

  @ArchTest
  static void everyPackageIsInTheTable(JavaClasses classes) {
    Set<String> unknown = new HashSet<>();
    classes.forEach(
        type -> {
          String name = packageOf(type);
          if (!MAY_USE.containsKey(name)) {
            unknown.add(name);
          }
        });
    if (!unknown.isEmpty()) {
      throw new AssertionError("packages that the architecture does not know: " + unknown);
    }
  }

  private static String packageOf(JavaClass type) {
    String below =
        type.getPackageName().substring(Math.min(ROOT.length(), type.getPackageName().length()));
    return below.contains(".") ? below.substring(0, below.indexOf('.')) : below;
  }

  private static ArchCondition<JavaClass> useOnlyWhatTheTableAllows() {
    return new ArchCondition<>("use only what the package table allows") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        Set<String> allowed = MAY_USE.getOrDefault(packageOf(type), Set.of());
        type.getDirectDependenciesFromSelf().stream()
            .filter(dependency -> dependency.getTargetClass().getPackageName().startsWith(ROOT))
            .filter(dependency -> !allowed.contains(packageOf(dependency.getTargetClass())))
            .forEach(
                dependency ->
                    events.add(
                        SimpleConditionEvent.violated(dependency, dependency.getDescription())));
      }
    };
  }
}
