package org.streammigrator.plan;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.streammigrator.storage.Location;

/**
 * Reads policies of archiving. As with plans, all problems are reported together with line and
 * column, and nothing but the given text is read.
 */
public final class PolicyReader {
  private PolicyReader() {}

  /** What {@code ${...}} in {@code to} means: it stays as it stands until a checkpoint is known. */
  private static final Interpolator.Names LATER =
      new Interpolator.Names() {
        @Override
        public Optional<String> value(String name) {
          return Optional.of("${" + name + "}");
        }

        @Override
        public boolean allows(String name) {
          return ArchivePolicy.NAMES.contains(name);
        }
      };

  /**
   * Reads a policy.
   *
   * @param text the file's text
   * @param directory the file's own directory, which relative paths stand in
   * @param variables values of {@code ${var:name}}
   * @param environment values of {@code ${env:NAME}}
   * @return the policy, present exactly if there are no problems
   */
  public static Reading<ArchivePolicy> read(
      String text,
      Path directory,
      Map<String, String> variables,
      Function<String, Optional<String>> environment) {
    Problems problems = new Problems();
    Interpolator interpolator = new Interpolator(variables, environment, problems);
    Optional<ArchivePolicy> policy =
        YamlParser.parse(text, problems)
            .flatMap(
                raw -> {
                  YamlMap root = interpolator.map(raw.without("to"), Interpolator.Names.NONE);
                  YamlMap.Entry to = raw.entries().get("to");
                  YamlMap whole =
                      to == null
                          ? root
                          : root.with(
                              "to",
                              new YamlMap.Entry(to.key(), interpolator.apply(to.value(), LATER)));
                  check(whole, directory, problems);
                  return Binder.whole(directory.toAbsolutePath(), problems)
                      .bind(ArchivePolicy.class, whole)
                      .filter(read -> problems.isEmpty())
                      .map(read -> read.withTo(absolute(read.to(), directory)));
                });
    return new Reading<>(policy.filter(read -> problems.isEmpty()), problems.sorted());
  }

  /** The contradictions, found in what stands there, so that other mistakes hide none. */
  private static void check(YamlMap root, Path directory, Problems problems) {
    String version = text(root, "version");
    if (version.matches("[0-9]{1,9}") && !version.equals("1")) {
      problems.add(
          at(root, "version"),
          "policies of version " + version + " are not known: this program reads 1");
    }
    if (root.get("roots").filter(PolicyReader::isEmptyList).isPresent()) {
      problems.add(at(root, "roots"), "a policy needs at least one root");
    }
    String choose = text(root, "choose");
    boolean journals = root.get("journals").filter(node -> !isEmptyList(node)).isPresent();
    if (choose.equals(PolicyChoice.SUPERSEDED.label()) && !journals) {
      problems.add(
          at(root, "choose"),
          "superseded needs `journals`: they say what a finished migration went on from");
    }
    if (choose.equals(PolicyChoice.IDLE.label())) {
      if (root.get("olderThan").isEmpty()) {
        problems.add(at(root, "choose"), "idle needs `olderThan`, such as 30d");
      }
      if (journals) {
        problems.add(at(root, "journals"), "journals mean nothing with idle");
      }
    }
    if (root.get("keepFor").isPresent() && root.get("keepUntil").isPresent()) {
      problems.add(at(root, "keepUntil"), "give keepFor or keepUntil, not both");
    }
    if (text(root, "keepUntil").matches("[+-].*|0.*")) {
      problems.add(at(root, "keepUntil"), "give a year from 1000 to 9999");
    }
    if (root.get("roots").orElse(null) instanceof YamlList roots) {
      roots.items().forEach(each -> checkTeam(each, problems));
    }
    new StorageChecks(problems).run(root);
    String to = text(root, "to");
    try {
      if (!to.isEmpty()) {
        absolute(to, directory);
      }
    } catch (IllegalArgumentException invalid) {
      problems.add(at(root, "to"), invalid.getMessage());
    }
  }

  /** A team becomes a part of a path. */
  private static void checkTeam(YamlNode root, Problems problems) {
    if (root instanceof YamlMap map && text(map, "team").matches("\\.{1,2}|.*/.*")) {
      problems.add(at(map, "team"), "a team is one part of a path: no slash, not . and not ..");
    }
  }

  /** A template of a place as one that does not depend on where the file lies. */
  private static String absolute(String to, Path directory) {
    return Location.parse(to, directory).toString();
  }

  private static boolean isEmptyList(YamlNode node) {
    return node instanceof YamlList list && list.items().isEmpty();
  }

  private static String text(YamlMap root, String key) {
    return root.get(key)
        .filter(YamlScalar.class::isInstance)
        .map(node -> ((YamlScalar) node).text())
        .orElse("");
  }

  private static Origin at(YamlMap root, String key) {
    YamlMap.Entry entry = root.entries().get(key);
    return entry == null ? root.origin().key(key) : entry.value().origin();
  }
}
