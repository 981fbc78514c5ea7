package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * The list of all files of a tree with their checksums, by which an archive or a copy of it is
 * verified.
 *
 * <p>Guarantees: files and directories are sorted by path; equal manifests are written as equal
 * bytes; a manifest that was read has the known schema, relative paths that stay below their root,
 * and no path twice.
 *
 * @param toolVersion the version of the program that made it
 * @param checkpoint the location that was listed, as a URI
 * @param summary what is known of the checkpoint
 * @param files every regular file, hidden ones too
 * @param emptyDirectories every directory below the root that holds nothing
 */
public record Manifest(
    String toolVersion,
    String checkpoint,
    CheckpointSummary summary,
    List<ManifestFile> files,
    List<String> emptyDirectories) {

  /** The schema that is written and the only one that is read. */
  public static final String SCHEMA = "migrator/manifest/1";

  public Manifest {
    requireNonNull(toolVersion, "toolVersion");
    requireNonNull(checkpoint, "checkpoint");
    requireNonNull(summary, "summary");
    files = List.copyOf(files);
    emptyDirectories = List.copyOf(emptyDirectories);
  }

  /**
   * SHA-256 over path, size and checksum of every file, as 64 hexadecimal digits: equal for trees
   * that hold the same files, wherever they lie and however old they are.
   */
  public String fingerprint() {
    MessageDigest digest = Sha256.digest();
    for (ManifestFile file : files) {
      // NUL cannot stand in a path, a line break can.
      String line = file.path() + '\0' + file.size() + '\0' + file.sha256() + '\n';
      digest.update(line.getBytes(StandardCharsets.UTF_8));
    }
    return Sha256.hex(digest);
  }

  /** The number of bytes in all files. */
  public long bytes() {
    return files.stream().mapToLong(ManifestFile::size).sum();
  }

  /** Writes the manifest as JSON, one file a line; does not close the stream. */
  public void writeTo(OutputStream out) throws IOException {
    ManifestJson.write(this, out);
  }

  /**
   * Reads a manifest; fields that are not known are skipped.
   *
   * @throws InvalidManifestException if it is not JSON, not of the known schema, or contradicts
   *     itself
   * @throws IOException if the stream fails
   */
  public static Manifest readFrom(InputStream in) throws IOException {
    return ManifestJson.read(in);
  }
}
