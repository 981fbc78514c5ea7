package org.streammigrator.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.streammigrator.plan.ChangeKind;
import org.streammigrator.plan.PlanReader;

class ChangeRulesTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final String BEGIN = "<!-- rules: made from ChangeRules -->\n";
  private static final String END = "<!-- end of rules -->\n";

  /**
   * Regenerate with {@code mvn test -pl migrator-core -Dtest=ChangeRulesTest -Dplans.write=true}.
   */
  @Test
  void thePageShowsTheRules() throws IOException {
    Path page = ROOT.resolve("docs/changes.md");
    String text = Files.readString(page);
    int from = text.indexOf(BEGIN) + BEGIN.length();
    int to = text.indexOf(END);
    if (Boolean.getBoolean("plans.write")) {
      Files.writeString(page, text.substring(0, from) + ChangeRules.table() + text.substring(to));
      return;
    }
    assertThat(text.substring(from, to))
        .as("made by: mvn test -pl migrator-core -Dtest=ChangeRulesTest -Dplans.write=true")
        .isEqualTo(ChangeRules.table());
  }

  @Test
  void everyKindOfChangeHasARuleAndTheLastOneAlwaysHolds() {
    for (ChangeKind kind : ChangeKind.values()) {
      List<ChangeRule> rules =
          ChangeRules.rules().stream().filter(rule -> rule.kind() == kind).toList();
      assertThat(rules).as(kind.label()).isNotEmpty();
      String last = rules.get(rules.size() - 1).condition();
      assertThat(last).as(kind.label()).isIn("always", "sources by position");
    }
  }

  @Test
  void rulesHaveNamesOfTheirOwnAndAnEffectForEveryVersion() {
    Set<String> ids = new HashSet<>();
    for (ChangeRule rule : ChangeRules.rules()) {
      assertThat(ids.add(rule.id())).as(rule.id()).isTrue();
      assertThat(rule.effects().keySet()).as(rule.id()).containsExactlyElementsOf(Check.VERSIONS);
      if (rule.effects().values().stream().allMatch(effect -> !effect.compatible())) {
        assertThat(rule.wayWithState()).as(rule.id()).isGreaterThan(Way.RESTART);
      }
    }
  }

  @Test
  void theExamplesCanBeRead() throws IOException {
    List<Path> examples = new ArrayList<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("plans/changes"))) {
      files.forEach(examples::add);
    }
    assertThat(examples).isNotEmpty();
    for (Path example : examples) {
      assertThat(PlanReader.readChanges(Files.readString(example)).problems())
          .as(example.toString())
          .isEmpty();
    }
  }
}
