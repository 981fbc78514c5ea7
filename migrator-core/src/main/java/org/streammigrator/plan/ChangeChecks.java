package org.streammigrator.plan;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a file of changes has to say for a verdict: the details that the kind of a change needs. */
final class ChangeChecks {
  private final Problems problems;

  ChangeChecks(Problems problems) {
    this.problems = problems;
  }

  void run(YamlMap root) {
    if (List.of("changes", "sources", "options").stream().noneMatch(root.entries()::containsKey)) {
      problems.add(root.origin(), "nothing is declared: give `changes`, `sources` or `options`");
    }
    if (root.get("changes").orElse(null) instanceof YamlList list) {
      for (YamlNode item : list.items()) {
        if (item instanceof YamlMap change) {
          check(change);
        }
      }
    }
  }

  private void check(YamlMap change) {
    Optional<ChangeKind> kind = kind(change);
    if (kind.isEmpty()) {
      return;
    }
    switch (kind.get()) {
      case CONF, SOURCE_OPTION, SINK_OPTION -> {
        needs(change, kind.get(), List.of("key"));
        needs(change, kind.get(), List.of("value", "to"));
      }
      case SINK_KIND, SPARK_VERSION -> needs(change, kind.get(), List.of("to"));
      case PROVIDER -> needs(change, kind.get(), List.of("to", "value"));
      case STATE_SCHEMA -> needs(change, kind.get(), List.of("value", "to", "key"));
      default -> {
        // The kind says it all, and details make the verdict finer.
      }
    }
  }

  private void needs(YamlMap change, ChangeKind kind, List<String> oneOf) {
    if (oneOf.stream().noneMatch(change.entries()::containsKey)) {
      problems.add(
          change.origin(),
          "a change of kind "
              + kind.label()
              + " needs "
              + oneOf.stream().map(key -> "`" + key + "`").collect(Collectors.joining(" or ")));
    }
  }

  private static Optional<ChangeKind> kind(YamlMap change) {
    if (change.get("kind").orElse(null) instanceof YamlScalar scalar) {
      for (ChangeKind kind : ChangeKind.values()) {
        if (kind.label().equals(scalar.text())) {
          return Optional.of(kind);
        }
      }
    }
    return Optional.empty();
  }
}
