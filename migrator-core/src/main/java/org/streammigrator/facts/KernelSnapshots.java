package org.streammigrator.facts;

import io.delta.kernel.Snapshot;
import io.delta.kernel.Table;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.exceptions.TableNotFoundException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.streammigrator.storage.Location;

/**
 * What Delta Kernel says of the newest snapshot of a table. A class of its own, so that Kernel,
 * Hadoop and their logging are loaded when the first table is read: they are as many classes as the
 * whole rest of a migration.
 *
 * <p>Methods throw Kernel's own exceptions, which are several families of {@link RuntimeException}.
 */
final class KernelSnapshots {
  // Without Hadoop's default resources, whose parsing takes longer than reading a small log.
  private static final Engine ENGINE = DefaultEngine.create(new Configuration(false));

  private KernelSnapshots() {}

  /** The table's id; empty if there is no table. */
  static Optional<String> tableId(Location table) {
    return ofNewest(table, snapshot -> snapshot.getMetadata().getId());
  }

  /** The last version of an application's transactions in the table; empty if there is no table. */
  static Optional<OptionalLong> lastTransaction(Location table, String applicationId) {
    return ofNewest(
        table,
        snapshot -> {
          Optional<Long> version = snapshot.getLatestTransactionVersion(ENGINE, applicationId);
          return version.isPresent() ? OptionalLong.of(version.get()) : OptionalLong.empty();
        });
  }

  private static <T> Optional<T> ofNewest(Location table, Function<Snapshot, T> what) {
    Snapshot newest;
    try {
      newest = Table.forPath(ENGINE, table.toString()).getLatestSnapshot(ENGINE);
    } catch (TableNotFoundException none) {
      return Optional.empty();
    }
    return Optional.of(what.apply(newest));
  }
}
