package org.streammigrator.compatibility;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.StateSchemas;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.plan.ChangePlan;
import org.streammigrator.plan.ChangesFile;
import org.streammigrator.plan.OptionsPlan;
import org.streammigrator.verdict.Inspection;

/** Gives the verdict on changes of a query: a pure function. */
public final class Check {
  /** The Spark versions that verdicts are given for. */
  public static final List<String> VERSIONS = List.of("3.5", "4.0", "4.1", "4.2");

  private final Subject old;
  private final String spark;
  private final OptionsPlan options;
  private final List<CheckResult.Change> changes = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();

  /**
   * A checkpoint that takes part.
   *
   * @param checkpoint what it holds
   * @param schemas its state's schemas
   * @param hasState whether it has a directory {@code state}
   */
  public record Subject(Inspection checkpoint, StateSchemas schemas, boolean hasState) {
    public Subject {
      requireNonNull(checkpoint, "checkpoint");
      requireNonNull(schemas, "schemas");
    }
  }

  private Check(Subject old, String spark, OptionsPlan options) {
    this.old = old;
    this.spark = spark;
    this.options = options;
  }

  /**
   * Checks.
   *
   * @param old the old query's checkpoint
   * @param declared the declared changes; empty if there are none
   * @param against the new query's checkpoint, to compare with
   * @param spark one of {@link #VERSIONS}
   */
  public static CheckResult of(
      Subject old, Optional<ChangesFile> declared, Optional<Subject> against, String spark) {
    OptionsPlan options =
        declared.flatMap(ChangesFile::options).orElse(new OptionsPlan(Map.of(), Map.of()));
    Check check = new Check(old, spark, options);
    declared.ifPresent(file -> DeclaredChanges.of(file, old.checkpoint()).forEach(check::judge));
    against.ifPresent(checkpoint -> DerivedChanges.between(old, checkpoint).forEach(check::judge));
    check.ownTrouble();
    return check.result(against.map(checkpoint -> checkpoint.checkpoint().checkpoint()));
  }

  private void judge(ChangePlan change) {
    Situation situation =
        new Situation(
            old.checkpoint(),
            old.schemas(),
            old.hasState(),
            change,
            options.read(),
            options.write());
    ChangeRule rule = ChangeRules.deciding(change.kind(), situation);
    Map<String, String> values = situation.values();
    Effect effect = rule.effects().get(spark);
    Map<String, String> byVersion = new LinkedHashMap<>();
    rule.effects().forEach((version, there) -> byVersion.put(version, there.verdict()));
    Way wanted = situation.stateful() ? rule.wayWithState() : rule.way();
    boolean needsNothing = effect.compatible() && wanted.compareTo(Way.RESTART) > 0;
    Way way =
        needsNothing
            ? Way.RESTART
            : !effect.compatible() && wanted.compareTo(Way.RESTART) <= 0 ? newPlace() : wanted;
    CheckResult.Change verdict =
        new CheckResult.Change(
            change.kind().label(),
            subject(change),
            change.detail().orElse(""),
            rule.id(),
            effect.verdict(),
            effect,
            byVersion,
            rule.guide(),
            filled(rule.enforced(), values),
            filled(rule.consequence(), values),
            way);
    changes.add(verdict);
    note(rule, verdict);
  }

  /** The way where a version forbids what the rule's newest versions allow. */
  private Way newPlace() {
    return old.hasState() ? Way.REPLAY : Way.SEED;
  }

  private void note(ChangeRule rule, CheckResult.Change change) {
    String about = change.subject().isEmpty() ? change.kind() : change.subject();
    String message =
        change.kind() + ": " + change.consequence() + " (Spark: " + change.enforced() + ")";
    if (!change.compatible()) {
      findings.add(
          Finding.error(
              FindingCode.CHANGE_NOT_COMPATIBLE,
              about,
              message,
              "take the change back, or use the strategy " + change.strategy().label()));
    } else if (rule.finding().isPresent()) {
      findings.add(
          Finding.warning(
              rule.finding().get(),
              about,
              message,
              change.effect() == Effect.IGNORED
                  ? "nothing to do, unless the change is wanted"
                  : "look at it before the restart"));
    } else if (change.effect() == Effect.IGNORED) {
      findings.add(
          Finding.info(
              FindingCode.CHANGE_IGNORED,
              about,
              message,
              "nothing to do, unless the change is wanted"));
    }
  }

  /** What keeps the checkpoint from a restart whatever the query is. */
  private void ownTrouble() {
    List<Finding> errors =
        old.checkpoint().findings().stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .toList();
    if (old.checkpoint().restartableBy().get(spark) && errors.isEmpty()) {
      return;
    }
    findings.add(
        Finding.warning(
            FindingCode.CHECKPOINT_NOT_RESTARTABLE,
            old.checkpoint().checkpoint(),
            "Spark "
                + spark
                + " could not restart from the checkpoint as it stands, with the old query either"
                + errors.stream()
                    .map(finding -> finding.code().name())
                    .distinct()
                    .collect(Collectors.joining(", ", ": ", "")),
            "see migrator inspect; the verdicts are those for the checkpoint once it is mended"));
  }

  private CheckResult result(Optional<String> against) {
    Way strategy = Way.NONE;
    for (CheckResult.Change change : changes) {
      strategy = change.strategy().compareTo(strategy) > 0 ? change.strategy() : strategy;
    }
    boolean compatible = changes.stream().allMatch(CheckResult.Change::compatible);
    return new CheckResult(
        old.checkpoint().checkpoint(),
        against.orElse(null),
        spark,
        compatible ? "compatible" : "incompatible",
        strategy,
        changes,
        findings);
  }

  private static String subject(ChangePlan change) {
    return change
        .source()
        .map(id -> "source " + id)
        .or(() -> change.operator().map(number -> "operator " + number))
        .or(
            () ->
                switch (change.kind()) {
                  case CONF, SOURCE_OPTION, SINK_OPTION -> change.key();
                  default -> Optional.empty();
                })
        .orElse("");
  }

  private static String filled(String text, Map<String, String> values) {
    String filled = text;
    for (Map.Entry<String, String> value : values.entrySet()) {
      filled = filled.replace("{" + value.getKey() + "}", value.getValue());
    }
    return filled;
  }
}
