package org.streammigrator.compatibility;

import java.util.ArrayList;
import java.util.List;
import org.streammigrator.plan.ChangeKind;

/**
 * Every rule about changes. Of the rules of a kind the first whose condition holds decides; the
 * last one of each kind holds always.
 */
public final class ChangeRules {
  private static final List<ChangeRule> ALL = all();

  private ChangeRules() {}

  private static List<ChangeRule> all() {
    List<ChangeRule> rules = new ArrayList<>();
    rules.addAll(SourceChangeRules.RULES);
    rules.addAll(SourceOptionRules.RULES);
    rules.addAll(SinkChangeRules.RULES);
    rules.addAll(StateChangeRules.RULES);
    rules.addAll(SessionChangeRules.RULES);
    return List.copyOf(rules);
  }

  /** The rules, those of a kind in the order in which they are asked. */
  public static List<ChangeRule> rules() {
    return ALL;
  }

  static ChangeRule deciding(ChangeKind kind, Situation situation) {
    for (ChangeRule rule : ALL) {
      if (rule.kind() == kind && rule.when().holds().test(situation)) {
        return rule;
      }
    }
    throw new IllegalStateException("no rule holds for " + kind);
  }

  /** The rules as a table of Markdown, a row each, for the page about changes. */
  public static String table() {
    StringBuilder table =
        new StringBuilder(
            "| change | condition | 3.5 | 4.0 | 4.1 | 4.2 | the guide | what Spark does | so | way |"
                + " with state |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (ChangeRule rule : ALL) {
      table.append("| ").append(rule.kind().label()).append(" | ").append(cell(rule.condition()));
      rule.effects().values().forEach(effect -> table.append(" | ").append(effect.label()));
      table
          .append(" | ")
          .append(cell(rule.guide()))
          .append(" | ")
          .append(cell(rule.enforced()))
          .append(" | ")
          .append(cell(rule.consequence()))
          .append(" | ")
          .append(rule.way().label())
          .append(" | ")
          .append(rule.wayWithState().label())
          .append(" |\n");
    }
    return table.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;");
  }
}
