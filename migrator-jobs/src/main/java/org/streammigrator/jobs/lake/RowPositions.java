package org.streammigrator.jobs.lake;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * Rows by the file that holds them and their index in it, from 0, which counts deleted rows as
 * well. Takes at most about a bit for every row of the files, and two bytes a row where rows are
 * few.
 */
public final class RowPositions implements Serializable {
  private static final long serialVersionUID = 1;

  private final TreeMap<String, Roaring64Bitmap> byFile = new TreeMap<>();

  /** Adds rows of a file. */
  public void add(String file, long firstRow, BitSet rows) {
    Roaring64Bitmap positions = byFile.computeIfAbsent(file, none -> new Roaring64Bitmap());
    for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
      positions.addLong(firstRow + row);
    }
  }

  /**
   * Adds the rows of a file that {@link #encoded} gave.
   *
   * @throws IOException if the text is none of those
   */
  public void add(String file, String encoded) throws IOException {
    Roaring64Bitmap positions = new Roaring64Bitmap();
    try (DataInputStream in =
        new DataInputStream(
            new InflaterInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(encoded))))) {
      positions.deserialize(in);
    } catch (IllegalArgumentException damaged) {
      throw new IOException("row positions are damaged", damaged);
    }
    byFile.put(file, positions);
  }

  /** The rows of a file as a text. */
  public String encoded(String file) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      Roaring64Bitmap positions = byFile.get(file);
      positions.runOptimize();
      positions.serialize(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /** Whether a row is one of these. */
  public boolean contains(String file, long row) {
    Roaring64Bitmap positions = byFile.get(file);
    return positions != null && positions.contains(row);
  }

  /** The files that hold them. */
  public Set<String> files() {
    return Collections.unmodifiableSet(byFile.keySet());
  }

  /** How many rows these are. */
  public long count() {
    return byFile.values().stream().mapToLong(Roaring64Bitmap::getLongCardinality).sum();
  }

  /** How many rows of a file these are. */
  public long count(String file) {
    Roaring64Bitmap positions = byFile.get(file);
    return positions == null ? 0 : positions.getLongCardinality();
  }

  /** Bytes that the rows of all files take as bare bitmaps. */
  public long bytes() {
    long bytes = 0;
    for (Map.Entry<String, Roaring64Bitmap> file : byFile.entrySet()) {
      bytes += file.getValue().serializedSizeInBytes();
    }
    return bytes;
  }
}
