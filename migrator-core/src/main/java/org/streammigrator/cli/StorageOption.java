package org.streammigrator.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.plan.PlanProblem;
import org.streammigrator.plan.PlanReader;
import org.streammigrator.plan.Reading;
import org.streammigrator.plan.SecretText;
import org.streammigrator.plan.StorageFile;
import org.streammigrator.plan.WorkspacePlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StorageSettings;

/** The settings of storage that a command is given, in a file or in a plan. */
final class StorageOption {
  private static final String WORKSPACE = "databricks.workspace";

  private StorageOption() {}

  /** Reads the file that {@code --storage} names; fails with everything that is wrong with it. */
  static StorageFile read(CliContext context, String name) {
    Path file = context.directory().resolve(name);
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException missing) {
      throw new CliFailure(ExitCode.USAGE, "--storage: there is no file " + file, missing);
    } catch (CharacterCodingException binary) {
      throw new CliFailure(ExitCode.USAGE, "--storage: " + file + " is not UTF-8 text", binary);
    } catch (IOException unreadable) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--storage: " + file + " cannot be read: " + unreadable.getMessage(),
          unreadable);
    }
    Reading<StorageFile> reading = PlanReader.readStorage(text, context.environment());
    if (reading.value().isEmpty()) {
      StringBuilder problems = new StringBuilder("the file of --storage has mistakes");
      for (PlanProblem problem : reading.problems()) {
        problems.append('\n').append(name).append(':').append(problem);
      }
      throw new CliFailure(ExitCode.USAGE, problems.toString());
    }
    return reading.value().get();
  }

  /** The settings by places, those of a workspace that is named put in its place. */
  static StorageSettings settings(
      Map<String, Map<String, SecretText>> storage, Map<String, WorkspacePlan> workspaces) {
    Map<Location, Map<String, String>> settings = new HashMap<>();
    storage.forEach(
        (prefix, values) -> {
          Map<String, String> plain = new HashMap<>();
          values.forEach((key, value) -> plain.put(key, value.value()));
          Optional.ofNullable(plain.remove(WORKSPACE))
              .map(workspaces::get)
              .ifPresent(workspace -> plain.putAll(settings(workspace)));
          settings.put(Location.parse(prefix, Path.of("/")), plain);
        });
    return new StorageSettings(settings);
  }

  /** The settings that reach a workspace. */
  static Map<String, String> settings(WorkspacePlan workspace) {
    Map<String, String> settings = new HashMap<>();
    workspace.profile().ifPresent(value -> settings.put("databricks.profile", value));
    workspace.host().ifPresent(value -> settings.put("databricks.host", value));
    workspace.token().ifPresent(value -> settings.put("databricks.token", value.value()));
    workspace.clientId().ifPresent(value -> settings.put("databricks.client_id", value));
    workspace
        .clientSecret()
        .ifPresent(value -> settings.put("databricks.client_secret", value.value()));
    return settings;
  }
}
