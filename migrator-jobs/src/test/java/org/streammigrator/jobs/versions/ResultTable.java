package org.streammigrator.jobs.versions;

import java.util.List;
import org.streammigrator.jobs.versions.Migration.Strategy;

/** The outcomes as a table for readers. */
final class ResultTable {
  private ResultTable() {}

  static String of(List<List<SparkVersion>> pairs, List<Migration> migrations) {
    StringBuilder text =
        new StringBuilder(
            "| written by | started by | query | relocate | seed | rewind | replay |\n"
                + "|---|---|---|---|---|---|---|\n");
    for (List<SparkVersion> pair : pairs) {
      for (Kind kind : Kind.values()) {
        if (migrations.stream().anyMatch(one -> one.isOf(pair.get(0), pair.get(1), kind))) {
          text.append("| %s | %s | %s |".formatted(pair.get(0), pair.get(1), kind.description()));
          for (Strategy strategy : Strategy.values()) {
            text.append(' ')
                .append(
                    migrations.stream()
                        .filter(one -> one.isOf(pair.get(0), pair.get(1), kind))
                        .filter(one -> one.by(strategy))
                        .map(Migration::outcome)
                        .findFirst()
                        .orElse("-"))
                .append(" |");
          }
          text.append('\n');
        }
      }
    }
    return text.toString();
  }
}
