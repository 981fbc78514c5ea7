package org.streammigrator.plan;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Finds contradictions in a stream's {@code runner}. */
final class RunnerChecks {
  private static final String KIND = "kind";

  private final Problems problems;

  RunnerChecks(Problems problems) {
    this.problems = problems;
  }

  void check(YamlMap stream) {
    stream.get("runner").ifPresent(runner -> check(runner, stream));
  }

  private void check(YamlNode runner, YamlMap stream) {
    Map<String, String> given = new HashMap<>();
    Optional<YamlScalar> kind;
    if (runner instanceof YamlMap map) {
      kind = map.get(KIND).filter(YamlScalar.class::isInstance).map(YamlScalar.class::cast);
      map.entries().forEach((key, entry) -> given.put(key, text(entry.value())));
    } else {
      kind = Optional.of(runner).filter(YamlScalar.class::isInstance).map(YamlScalar.class::cast);
    }
    if (kind.isEmpty() || given.containsValue(null)) {
      return;
    }
    for (RunnerRules.Problem problem : RunnerRules.problems(kind.get().text(), given)) {
      problems.add(
          place(runner, problem.key()), "runner." + problem.key() + " " + problem.message());
    }
    secrets(runner, kind.get());
    boolean replays =
        stream
            .get("strategy")
            .filter(YamlScalar.class::isInstance)
            .map(strategy -> ((YamlScalar) strategy).text())
            .filter(Strategy.REPLAY.label()::equals)
            .isPresent();
    if (replays && given.containsKey("environment")) {
      RunnerRules.notServerless("state")
          .ifPresent(
              why -> problems.add(place(runner, "environment"), "a replay reads state: " + why));
    }
  }

  /** Spark shows its settings to everybody who sees its user interface. */
  private void secrets(YamlNode runner, YamlScalar kind) {
    if (!kind.text().equals(RunnerKind.DATABRICKS.label())) {
      return;
    }
    if (runner instanceof YamlMap map && map.map("conf").isPresent()) {
      map.map("conf")
          .get()
          .entries()
          .forEach(
              (key, entry) -> {
                if (entry.value() instanceof YamlScalar value && value.isSecret()) {
                  problems.add(
                      value.origin(),
                      "runner.conf."
                          + key
                          + " is taken from the environment, and the settings of a cluster are"
                          + " shown to many; refer to a secret scope of the workspace:"
                          + " {{secrets/SCOPE/KEY}}");
                }
              });
    }
  }

  private static Origin place(YamlNode runner, String key) {
    return runner instanceof YamlMap map && map.entries().containsKey(key)
        ? map.entries().get(key).key()
        : runner.origin();
  }

  /** A value as text, something for a list or a map; null if it is not known yet. */
  private static String text(YamlNode node) {
    if (node instanceof YamlScalar scalar) {
      return scalar.kind() == YamlScalar.Kind.OPEN ? null : scalar.isNull() ? "" : scalar.text();
    }
    if (node instanceof YamlMap map) {
      return map.entries().isEmpty() ? "" : "given";
    }
    return node instanceof YamlList list && list.items().isEmpty() ? "" : "given";
  }
}
