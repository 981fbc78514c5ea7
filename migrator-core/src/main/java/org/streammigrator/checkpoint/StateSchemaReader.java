package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.storage.Store;

/**
 * Reads the schema files of a checkpoint's state; {@code inspect} does not need them, comparing a
 * query with the checkpoint does.
 *
 * <p>Rules from Spark: versions 1 and 2 lie in {@code
 * state/<operator>/0/[<store>/]_metadata/schema} and are written once ({@code
 * StateSchemaCompatibilityChecker}); version 3 lies in {@code
 * state/<operator>/_stateSchema/<store>/<batch>_<uuid>}, and the operator's metadata of the newest
 * batch names the files in force, the newest last, as absolute URIs ({@code StateStoreMetadataV2}).
 * The URIs are matched by file name only, so that a checkpoint that was moved is read from where it
 * is. Without such metadata the file of the highest batch is taken.
 */
public final class StateSchemaReader {
  private static final int LARGEST_SCHEMA = 16 << 20;
  private static final Pattern FIRST_PARTITION =
      Pattern.compile("state/([0-9]{1,9})/0/(?:([^/]+)/)?_metadata/schema");
  private static final Pattern VERSION_3 =
      Pattern.compile("state/([0-9]{1,9})/_stateSchema/([^/]+)/(([0-9]{1,18})_[^/]+)");

  private final Store store;

  public StateSchemaReader(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /** The schemas of every operator of a checkpoint; damage is in the result. */
  public StateSchemas read(Checkpoint checkpoint) {
    Result result = new Result(checkpoint);
    Map<String, List<Candidate>> versioned = new TreeMap<>();
    for (CheckpointFile file : checkpoint.files()) {
      if (!file.isFile() || !file.path().startsWith("state/")) {
        continue;
      }
      Matcher first = FIRST_PARTITION.matcher(file.path());
      if (first.matches()) {
        String name = first.group(2) == null ? StateSchema.DEFAULT : first.group(2);
        result.current.addAll(result.schemas(Integer.parseInt(first.group(1)), name, file));
      }
      Matcher third = VERSION_3.matcher(file.path());
      if (third.matches()) {
        versioned
            .computeIfAbsent(third.group(1) + "/" + third.group(2), key -> new ArrayList<>())
            .add(
                new Candidate(
                    Integer.parseInt(third.group(1)),
                    third.group(2),
                    Long.parseLong(third.group(4)),
                    third.group(3),
                    file));
      }
    }
    versioned.values().forEach(result::addInForce);
    return new StateSchemas(result.current, result.earlier, result.damaged);
  }

  /** A schema file of version 3 that may be in force. */
  private record Candidate(
      int operator, String store, long batch, String name, CheckpointFile file) {}

  private final class Result {
    private final Checkpoint checkpoint;
    private final List<StateSchema> current = new ArrayList<>();
    private final List<StateSchema> earlier = new ArrayList<>();
    private final Map<String, String> damaged = new TreeMap<>();

    private Result(Checkpoint checkpoint) {
      this.checkpoint = checkpoint;
    }

    private void addInForce(List<Candidate> candidates) {
      List<Candidate> inForce = inForce(candidates);
      for (Candidate candidate : inForce) {
        List<StateSchema> schemas =
            schemas(candidate.operator(), candidate.store(), candidate.file());
        boolean newest = candidate.equals(inForce.get(inForce.size() - 1));
        (newest ? current : earlier).addAll(schemas);
      }
    }

    /** The files that the operator's metadata names, oldest first; else the newest alone. */
    private List<Candidate> inForce(List<Candidate> candidates) {
      Candidate any = candidates.get(0);
      List<String> named =
          operator(any.operator()).flatMap(state -> state.metadata().readable()).stream()
              .flatMap(metadata -> metadata.stores().stream())
              .filter(info -> info.name().equals(any.store()))
              .flatMap(info -> info.schemaFiles().stream())
              .map(uri -> uri.substring(uri.lastIndexOf('/') + 1))
              .toList();
      List<Candidate> inForce = new ArrayList<>();
      for (String name : named) {
        candidates.stream().filter(file -> file.name().equals(name)).forEach(inForce::add);
      }
      if (inForce.isEmpty()) {
        candidates.stream()
            .max(java.util.Comparator.comparingLong(Candidate::batch))
            .ifPresent(inForce::add);
      }
      return inForce;
    }

    private Optional<OperatorState> operator(int number) {
      return checkpoint.operators().stream()
          .filter(operator -> operator.operator() == number)
          .findFirst();
    }

    private List<StateSchema> schemas(int operator, String name, CheckpointFile file) {
      try {
        if (file.size() > LARGEST_SCHEMA) {
          damaged.put(file.path(), "it has " + file.size() + " bytes");
          return List.of();
        }
        byte[] bytes = store.readAll(checkpoint.location().child(file.path()));
        return new StateSchemaFile(operator, name, file.path()).parse(bytes);
      } catch (LogFormatException malformed) {
        damaged.put(file.path(), malformed.getMessage());
      } catch (IOException unreadable) {
        damaged.put(file.path(), "it cannot be read: " + unreadable.getMessage());
      }
      return List.of();
    }
  }
}
