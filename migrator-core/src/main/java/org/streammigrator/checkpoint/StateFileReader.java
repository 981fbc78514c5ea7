package org.streammigrator.checkpoint;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.checkpoint.StateStoreFiles.Form;
import org.streammigrator.checkpoint.StateStoreFiles.Versioned;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Reads one state file to its end and compares it with the checksum files beside it. */
final class StateFileReader {
  private static final int LARGEST_CHECKSUMS = 64 << 20;

  /** The ends of RocksDB's block-based tables, newer and older. */
  private static final Set<Long> SST_ENDS = Set.of(0x88e241b785f4cff7L, 0xdb4775248b80fb57L);

  private final Store store;
  private final Location checkpoint;
  private final List<CheckpointFile> files;
  private final StateFileContent content;

  StateFileReader(
      Store store, Location checkpoint, List<CheckpointFile> files, StateFileContent content) {
    this.store = store;
    this.checkpoint = checkpoint;
    this.files = files;
    this.content = content;
  }

  /**
   * What reading a file gave.
   *
   * @param bytes the bytes read
   * @param damage why Spark cannot use it
   * @param altered whether Spark can use it and it is not what was written: its hidden Hadoop
   *     checksum does not fit, and Spark reads it through the API that does not compare
   */
  record Result(long bytes, Optional<String> damage, boolean altered) {}

  Result read(CheckpointFile file, KeyCount keys) {
    Optional<Versioned> versioned = Versioned.of(file);
    int name = file.path().lastIndexOf('/') + 1;
    String hidden = file.path().substring(0, name) + "." + file.path().substring(name) + ".crc";
    try (ChecksummedInputStream in =
        new ChecksummedInputStream(store.open(checkpoint.child(file.path())), checksums(hidden))) {
      Optional<String> damage = parse(in, file, versioned, keys);
      in.readToEnd();
      if (damage.isEmpty()) {
        damage = end(file, in);
      }
      if (damage.isEmpty()) {
        damage = checksums(file.path() + ".crc").flatMap(in::against);
      }
      boolean compared =
          versioned.isEmpty()
              || (versioned.get().form() == Form.ZIP && versioned.get().id().isEmpty());
      if (damage.isEmpty() && compared && !in.fitsHadoop()) {
        damage =
            Optional.of(
                "its hidden .crc file does not fit its content, and Spark reads it through the API"
                    + " that compares them");
      }
      return new Result(in.count(), damage, damage.isEmpty() && !in.fitsHadoop());
    } catch (IOException unreadable) {
      return new Result(0, Optional.of("it cannot be read: " + unreadable.getMessage()), false);
    }
  }

  private Optional<String> parse(
      InputStream in, CheckpointFile file, Optional<Versioned> versioned, KeyCount keys) {
    if (versioned.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream open = new Unclosed(in)) {
      switch (versioned.get().form()) {
        case DELTA -> content.records(open, false, keys);
        case SNAPSHOT -> content.records(open, true, keys);
        case CHANGELOG -> content.changelog(open);
        case ZIP -> StateFileContent.zip(open);
      }
      return Optional.empty();
    } catch (IOException | LogFormatException damage) {
      return Optional.of(
          damage.getMessage() == null ? "it cannot be decoded" : damage.getMessage());
    }
  }

  private static Optional<String> end(CheckpointFile file, ChecksummedInputStream in) {
    return file.path().endsWith(".sst") && !SST_ENDS.contains(in.lastEight())
        ? Optional.of("it does not end as an SST does")
        : Optional.empty();
  }

  /** A checksum file's content; empty if there is none. */
  private Optional<byte[]> checksums(String path) throws IOException {
    Optional<CheckpointFile> file =
        CheckpointFiles.find(files, path)
            .filter(crc -> crc.isFile() && crc.size() <= LARGEST_CHECKSUMS);
    return file.isPresent() ? Optional.of(store.readAll(checkpoint.child(path))) : Optional.empty();
  }

  /** A stream that stays open when its reader is done, so that the rest can be read. */
  private static final class Unclosed extends FilterInputStream {
    private Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      return in.read(into, from, length);
    }

    @Override
    public void close() {
      // The one that opened it closes it.
    }
  }
}
