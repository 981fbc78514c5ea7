package org.streammigrator.facts;

import io.delta.kernel.Snapshot;
import io.delta.kernel.Table;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.exceptions.TableNotFoundException;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.ScanImpl;
import io.delta.kernel.internal.util.ColumnMapping;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampType;
import io.delta.kernel.utils.CloseableIterator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * What Delta Kernel says of the newest snapshot of a table. A class of its own, so that Kernel,
 * Hadoop and their logging are loaded when the first table is read: they are as many classes as the
 * whole rest of a migration.
 *
 * <p>Methods throw Kernel's own exceptions, which are several families of {@link RuntimeException}.
 */
final class KernelSnapshots {
  private final Engine engine;

  KernelSnapshots(Store store) {
    this.engine = DefaultEngine.create(new KernelFiles(store));
  }

  /** The table's id; empty if there is no table. */
  Optional<String> tableId(Location table) {
    return ofNewest(table, snapshot -> snapshot.getMetadata().getId());
  }

  /** The last version of an application's transactions in the table; empty if there is no table. */
  Optional<OptionalLong> lastTransaction(Location table, String applicationId) {
    return ofNewest(
        table,
        snapshot -> {
          Optional<Long> version = snapshot.getLatestTransactionVersion(engine, applicationId);
          return version.isPresent() ? OptionalLong.of(version.get()) : OptionalLong.empty();
        });
  }

  /**
   * A column of the newest snapshot.
   *
   * @param physical its names in the files, from the outermost struct on
   * @param type its type as Delta calls it
   */
  record Column(List<String> physical, DataType type) {
    boolean isTimestamp() {
      return type instanceof TimestampType;
    }
  }

  /**
   * Finds a column; empty if the table has none of that name, or no table is there.
   *
   * @param name fields of structs by dots, in any case
   */
  Optional<Column> column(Location table, String name) {
    return ofNewest(
            table,
            snapshot -> {
              List<String> names = new ArrayList<>();
              DataType type = snapshot.getSchema();
              for (String part : name.split("\\.", -1)) {
                Optional<StructField> field = field(type, unquoted(part));
                if (field.isEmpty()) {
                  return Optional.<Column>empty();
                }
                String physical =
                    field
                        .get()
                        .getMetadata()
                        .getString(ColumnMapping.COLUMN_MAPPING_PHYSICAL_NAME_KEY);
                names.add(physical == null ? field.get().getName() : physical);
                type = field.get().getDataType();
              }
              return Optional.of(new Column(List.copyOf(names), type));
            })
        .orElse(Optional.empty());
  }

  private static Optional<StructField> field(DataType type, String name) {
    return type instanceof StructType struct
        ? struct.fields().stream()
            .filter(field -> field.getName().equalsIgnoreCase(name))
            .findFirst()
        : Optional.empty();
  }

  private static String unquoted(String name) {
    return name.length() > 2 && name.startsWith("`") && name.endsWith("`")
        ? name.substring(1, name.length() - 1)
        : name;
  }

  /**
   * The files of a version of a table that may hold a value from an instant on.
   *
   * @param column the column's names in the files; empty if there are no statistics of it, so that
   *     every file may
   */
  List<String> filesReaching(
      Location table, long version, Optional<List<String>> column, Instant earliest) {
    Snapshot snapshot =
        Table.forPath(engine, table.toString()).getSnapshotAsOfVersion(engine, version);
    List<String> paths = new ArrayList<>();
    ScanImpl scan = (ScanImpl) snapshot.getScanBuilder().build();
    try (CloseableIterator<FilteredColumnarBatch> batches = scan.getScanFiles(engine, true)) {
      while (batches.hasNext()) {
        try (CloseableIterator<Row> rows = batches.next().getRows()) {
          while (rows.hasNext()) {
            Row file = rows.next();
            Row add = file.getStruct(InternalScanFileUtils.ADD_FILE_ORDINAL);
            int ordinal = InternalScanFileUtils.ADD_FILE_STATS_ORDINAL;
            String statistics = add.isNullAt(ordinal) ? "" : add.getString(ordinal);
            if (FileStatistics.parse(statistics, column).mayReach(earliest)) {
              paths.add(InternalScanFileUtils.getAddFileStatus(file).getPath());
            }
          }
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return paths;
  }

  private <T> Optional<T> ofNewest(Location table, Function<Snapshot, T> what) {
    Snapshot newest;
    try {
      newest = Table.forPath(engine, table.toString()).getLatestSnapshot(engine);
    } catch (TableNotFoundException none) {
      return Optional.empty();
    }
    return Optional.of(what.apply(newest));
  }
}
