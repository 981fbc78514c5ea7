package org.streammigrator.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.finding.DidYouMean;

/**
 * Puts values into scalars and keys: {@code ${var:name}}, {@code ${env:NAME}} and, in templates,
 * names of the template's row. A value that was put in is not interpolated again.
 */
final class Interpolator {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^{}]*)(\\}?)");

  private final Map<String, String> variables;
  private final Function<String, Optional<String>> environment;
  private final Problems problems;

  Interpolator(
      Map<String, String> variables,
      Function<String, Optional<String>> environment,
      Problems problems) {
    this.variables = variables;
    this.environment = environment;
    this.problems = problems;
  }

  /** What names of a template mean. */
  interface Names {
    /** The value; empty when the name is allowed but has none yet. */
    Optional<String> value(String name);

    boolean allows(String name);

    Names NONE =
        new Names() {
          @Override
          public Optional<String> value(String name) {
            return Optional.empty();
          }

          @Override
          public boolean allows(String name) {
            return false;
          }
        };
  }

  YamlNode apply(YamlNode node, Names names) {
    if (node instanceof YamlMap map) {
      return map(map, names);
    }
    if (node instanceof YamlList list) {
      List<YamlNode> items = new ArrayList<>();
      list.items().forEach(item -> items.add(apply(item, names)));
      return new YamlList(list.origin(), items);
    }
    return scalar((YamlScalar) node, names);
  }

  YamlMap map(YamlMap map, Names names) {
    Map<String, YamlMap.Entry> entries = new LinkedHashMap<>();
    map.entries()
        .forEach(
            (key, entry) -> {
              YamlScalar name =
                  scalar(new YamlScalar(entry.key(), key, key, YamlScalar.Kind.TEXT), names);
              if (name.isSecret()) {
                problems.add(entry.key(), "a key cannot come from the environment");
              }
              YamlMap.Entry made = new YamlMap.Entry(entry.key(), apply(entry.value(), names));
              if (entries.putIfAbsent(name.shown(), made) != null) {
                problems.add(entry.key(), "the key '" + name.shown() + "' stands here twice");
              }
            });
    return new YamlMap(map.origin(), entries);
  }

  private YamlScalar scalar(YamlScalar scalar, Names names) {
    if (!scalar.text().contains("${")) {
      return scalar;
    }
    StringBuilder text = new StringBuilder();
    StringBuilder shown = new StringBuilder();
    YamlScalar.Kind kind = YamlScalar.Kind.INTERPOLATED;
    Matcher matcher = REFERENCE.matcher(scalar.text());
    int end = 0;
    while (matcher.find()) {
      String before = scalar.text().substring(end, matcher.start());
      end = matcher.end();
      String reference = matcher.group();
      Optional<String> value = Optional.empty();
      if (matcher.group(2).isEmpty()) {
        problems.add(scalar.origin(), "'" + reference + "' has no closing brace");
      } else {
        value = value(matcher.group(1), scalar.origin(), names);
      }
      text.append(before).append(value.orElse(reference));
      boolean secret = matcher.group(1).startsWith("env:");
      shown.append(before).append(secret ? reference : value.orElse(reference));
      if (value.isEmpty()) {
        kind = YamlScalar.Kind.OPEN;
      }
    }
    text.append(scalar.text().substring(end));
    shown.append(scalar.text().substring(end));
    return new YamlScalar(scalar.origin(), text.toString(), shown.toString(), kind);
  }

  private Optional<String> value(String reference, Origin origin, Names names) {
    if (reference.startsWith("env:")) {
      String name = reference.substring("env:".length());
      Optional<String> value = environment.apply(name);
      if (value.isEmpty()) {
        problems.add(origin, "the environment variable " + name + " is not set");
      }
      return value;
    }
    if (reference.startsWith("var:")) {
      String name = reference.substring("var:".length());
      Optional<String> value = Optional.ofNullable(variables.get(name));
      if (value.isEmpty()) {
        problems.add(
            origin,
            "the variable "
                + name
                + " has no value: give it with --var "
                + name
                + "=..."
                + DidYouMean.among(name, variables.keySet()));
      }
      return value;
    }
    if (names.allows(reference)) {
      return names.value(reference);
    }
    problems.add(
        origin,
        "'${"
            + reference
            + "}' means nothing here: only ${env:NAME} and ${var:name} are put in, and in a stream"
            + " with foreach ${name}, ${path} and ${below} of a match or the columns of its CSV file");
    return Optional.empty();
  }
}
