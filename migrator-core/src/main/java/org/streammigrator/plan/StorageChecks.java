package org.streammigrator.plan;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.streammigrator.finding.DidYouMean;
import org.streammigrator.storage.Location;

/** What is wrong with {@code storage}, besides the types of its values. */
final class StorageChecks {
  /** The setting that names one of the document's {@code workspaces}. */
  static final String WORKSPACE = "databricks.workspace";

  private static final Set<String> SECRETS = Set.of("databricks.token", "databricks.client_secret");

  private final Problems problems;

  StorageChecks(Problems problems) {
    this.problems = problems;
  }

  void run(YamlMap document) {
    List<String> workspaces =
        document
            .map("workspaces")
            .map(map -> List.copyOf(map.entries().keySet()))
            .orElse(List.of());
    document
        .map("storage")
        .ifPresent(
            storage ->
                storage.entries().forEach((prefix, entry) -> check(prefix, entry, workspaces)));
  }

  private void check(String prefix, YamlMap.Entry entry, List<String> workspaces) {
    try {
      Location.parse(prefix, Path.of("/"));
    } catch (IllegalArgumentException invalid) {
      problems.add(entry.key(), invalid.getMessage());
      return;
    }
    if (!(entry.value() instanceof YamlMap settings)) {
      return;
    }
    settings
        .entries()
        .forEach(
            (name, setting) -> {
              if (setting.value() instanceof YamlScalar value) {
                check(name, value, workspaces);
              }
            });
  }

  private void check(String name, YamlScalar value, List<String> workspaces) {
    if (value.kind() == YamlScalar.Kind.OPEN) {
      return; // What is missing in it is told already.
    }
    if (SECRETS.contains(name) && !value.isSecret()) {
      problems.add(value.origin(), "a secret must not stand in a file: write ${env:NAME}");
    }
    if (name.equals(WORKSPACE) && !workspaces.contains(value.text())) {
      problems.add(
          value.origin(),
          "there is no workspace "
              + value.shown()
              + " in `workspaces`"
              + (value.isSecret() ? "" : DidYouMean.among(value.text(), workspaces)));
    }
  }
}
