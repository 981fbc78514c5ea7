package org.streammigrator.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** Archives that this program would not write. */
final class Crafted {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int entries;
  private boolean finished;
  private final TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, "UTF-8");

  Crafted() {
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
  }

  static ManifestFile listed(String path, String content) {
    byte[] data = content.getBytes(UTF_8);
    HashingOutputStream hash = new HashingOutputStream(ByteArrayOutputStream.nullOutputStream());
    try {
      hash.write(data);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return new ManifestFile(path, data.length, hash.sha256(), Instant.EPOCH);
  }

  Crafted file(String name, String content) throws IOException {
    return entry(name, TarConstants.LF_NORMAL, content.getBytes(UTF_8));
  }

  Crafted entry(String name, byte type, byte[] content) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, type, true);
    entry.setSize(content.length);
    entry.setLastModifiedTime(FileTime.from(Instant.EPOCH));
    if (type == TarConstants.LF_SYMLINK || type == TarConstants.LF_LINK) {
      entry.setLinkName("/etc/passwd");
    }
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
    entries++;
    return this;
  }

  Crafted manifest(ManifestFile... files) throws IOException {
    return manifest(List.of(files), List.of());
  }

  Crafted manifest(List<ManifestFile> files, List<String> directories) throws IOException {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    new Manifest("1", "file:/chk", CheckpointSummary.unknown(), files, directories).writeTo(json);
    return file(ArchiveFormat.MANIFEST, json.toString(UTF_8));
  }

  /** A header that claims a size and brings nothing. */
  Crafted claim(String name, long size) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(size);
    tar.putArchiveEntry(entry);
    tar.flush();
    return this;
  }

  byte[] tar() throws IOException {
    if (!finished) {
      tar.finish();
      finished = true;
    }
    return bytes.toByteArray();
  }

  /** What was written so far, without the tar's end. */
  byte[] tarSoFar() {
    return bytes.toByteArray();
  }

  /** An archive of the newer format, with a right index and one frame. */
  byte[] framed() throws IOException {
    return framed(tar(), entries);
  }

  static byte[] framed(byte[] tar, int entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<ArchiveIndex.Frame> frames = new ArrayList<>();
    try (FrameCodec codec = new FrameCodec()) {
      for (int at = 0; at < tar.length; at += ArchiveFormat.LARGEST_CONTENT) {
        byte[] piece =
            Arrays.copyOfRange(tar, at, Math.min(tar.length, at + ArchiveFormat.LARGEST_CONTENT));
        FrameCodec.Frame frame = codec.compress(piece, piece.length);
        bytes.write(frame.bytes(), 0, frame.length());
        int length = frame.length() - ArchiveFormat.LENGTH_HEADER;
        frames.add(new ArchiveIndex.Frame(length, piece.length, at == 0 ? entries : 0));
      }
    }
    bytes.write(new ArchiveIndex(ArchiveIndex.SCHEMA, frames, List.of()).toBytes());
    return seal(bytes.toByteArray());
  }

  byte[] sealed() throws IOException {
    return sealed(tar());
  }

  /** The tar with another type in its first header, which the library refuses to write. */
  static byte[] retyped(byte[] tar, char type) {
    byte[] other = tar.clone();
    other[156] = (byte) type;
    Arrays.fill(other, 148, 156, (byte) ' ');
    int sum = 0;
    for (int i = 0; i < 512; i++) {
      sum += other[i] & 0xff;
    }
    byte[] digits = String.format("%06o\0", sum).getBytes(UTF_8);
    System.arraycopy(digits, 0, other, 148, digits.length);
    return other;
  }

  static byte[] sealed(byte[] tar) throws IOException {
    return seal(compress(tar));
  }

  static byte[] compress(byte[] tar) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    try (ZstdOutputStreamNoFinalizer zstd = new ZstdOutputStreamNoFinalizer(frame, 3)) {
      zstd.setChecksum(true);
      zstd.write(tar);
    }
    return frame.toByteArray();
  }

  static byte[] seal(byte[] body) {
    return concat(body, ArchiveFormat.seal(Sha256.digest().digest(body)));
  }

  /** The tar of an archive of one frame that this program wrote. */
  static byte[] decompress(byte[] archive) throws IOException {
    ByteArrayOutputStream tar = new ByteArrayOutputStream();
    try (FrameCodec codec = new FrameCodec()) {
      int at = 0;
      while (ArchiveFormat.number(archive, at) == ArchiveFormat.LENGTH_MAGIC) {
        int start = at + ArchiveFormat.LENGTH_HEADER;
        at = start + ArchiveFormat.number(archive, start - Integer.BYTES);
        tar.writeBytes(codec.decompress(Arrays.copyOfRange(archive, start, at), 1 << 24));
      }
    }
    return tar.toByteArray();
  }

  static byte[] concat(byte[] one, byte[] two) {
    byte[] both = Arrays.copyOf(one, one.length + two.length);
    System.arraycopy(two, 0, both, one.length, two.length);
    return both;
  }
}
