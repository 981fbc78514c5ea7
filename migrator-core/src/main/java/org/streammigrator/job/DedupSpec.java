package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What the dedup job does: it removes rows of a Delta table until every key has one row, or puts
 * back what an earlier run removed.
 *
 * @param table the table's path
 * @param keys columns that identify a record; not with {@code undo}
 * @param order which of the rows of a key comes first; null or empty: only their values say so
 * @param scope which rows are looked at; null: all
 * @param keep {@code first} or {@code last} of the rows of a key; null: the first, and without an
 *     {@code order} only if the rows of every key are the same
 * @param nullKeys {@code refuse} rows whose key has a null, or take null for a {@code value} that
 *     is equal to itself; null: refuse
 * @param dryRun whether it is only said what would be done; null: no
 * @param id names this run, so that a second one with the same id does nothing; null: every run
 *     looks at the table as it then is
 * @param undo the run to undo; null: none
 * @param result where the result is written; null: nowhere
 */
@JsonInclude(NON_NULL)
public record DedupSpec(
    @JsonProperty(required = true) String table,
    List<String> keys,
    List<OrderColumn> order,
    Scope scope,
    String keep,
    String nullKeys,
    Boolean dryRun,
    String id,
    Undo undo,
    String result)
    implements JobSpec {
  /** The job's name. */
  public static final String JOB = "dedup";

  /**
   * Which rows are looked at; exactly one of the three is given.
   *
   * @param sinceVersion rows that this version of the table or a later one added, 0 or more: only
   *     they are removed, and one of them also where an older row has its key
   * @param predicate a condition in SQL
   * @param partition values of partition columns
   */
  @JsonInclude(NON_NULL)
  public record Scope(Long sinceVersion, String predicate, Map<String, String> partition) {
    public Scope {
      int given =
          (sinceVersion == null ? 0 : 1)
              + (predicate == null ? 0 : 1)
              + (partition == null ? 0 : 1);
      if (given != 1) {
        throw new IllegalArgumentException(
            "scope: one of sinceVersion, predicate and partition is wanted, not " + given);
      }
      if (sinceVersion != null && sinceVersion < 0) {
        throw new IllegalArgumentException(
            "scope.sinceVersion: " + sinceVersion + " is no version of a table");
      }
      if (partition != null) {
        if (partition.isEmpty()) {
          throw new IllegalArgumentException("scope.partition names no column");
        }
        partition = new TreeMap<>(partition);
      }
    }
  }

  /**
   * Which run is undone.
   *
   * @param version the version of the table that it made
   */
  public record Undo(@JsonProperty(required = true) long version) {
    public Undo {
      if (version < 1) {
        throw new IllegalArgumentException(
            "undo.version: version " + version + " cannot have removed anything");
      }
    }
  }

  public DedupSpec {
    SpecProblems wrong = new SpecProblems();
    wrong.requireText(table, "table");
    keys = keys == null ? List.of() : List.copyOf(keys);
    order = order == null ? List.of() : List.copyOf(order);
    if (undo != null) {
      List<String> others = others(keys, order, scope, keep, nullKeys, id);
      wrong.unless(
          others.isEmpty(),
          "undo: puts back what a run removed, whatever its " + String.join(", ", others) + " was");
    } else {
      wrong.unless(!keys.isEmpty(), "keys: no column is named, so nothing is a duplicate");
      if (keep != null) {
        keep = wrong.oneOf(keep, "keep", "first", "last");
      }
      nullKeys = wrong.oneOf(nullKeys, "nullKeys", "refuse", "value");
    }
    wrong.raise();
    dryRun = Objects.requireNonNullElse(dryRun, false);
  }

  @Override
  public String job() {
    return JOB;
  }

  @Override
  public boolean readsOnly() {
    return dryRun;
  }

  /** Whether the last row of a key stays, and not the first. */
  public boolean keepsLast() {
    return "last".equals(keep);
  }

  /** Whether a null in a key is equal to another null. */
  public boolean nullIsValue() {
    return "value".equals(nullKeys);
  }

  /** What an undo has no use for, of what is given. */
  private static List<String> others(
      List<String> keys,
      List<OrderColumn> order,
      Scope scope,
      String keep,
      String nullKeys,
      String id) {
    Map<String, Object> others = new TreeMap<>();
    others.put("id", id);
    others.put("keep", keep);
    others.put("keys", keys.isEmpty() ? null : keys);
    others.put("nullKeys", nullKeys);
    others.put("order", order.isEmpty() ? null : order);
    others.put("scope", scope);
    others.values().removeIf(Objects::isNull);
    return List.copyOf(others.keySet());
  }
}
