package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Verifies some of the files of an archive or a copy.
 *
 * <p>A file is chosen by a hash of the seed and its path: the same seed chooses the same files,
 * each file is as likely as the share says, whatever the others, and runs with other seeds come to
 * all of them. One at least is chosen.
 *
 * @param share the share of the files in percent, above 0 and at most 100
 * @param seed any number
 */
public record Sampling(BigDecimal share, long seed) {
  private static final BigInteger ALL = BigInteger.ONE.shiftLeft(Long.SIZE - 1);
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  /**
   * What was looked at.
   *
   * @param verification the files looked at, and what is wrong with them
   * @param skippedFiles the number of files that were not looked at
   * @param skippedBytes the number of bytes in them
   * @param whole whether everything was read all the same
   */
  public record Result(
      Verification verification, long skippedFiles, long skippedBytes, boolean whole) {}

  public Sampling {
    requireNonNull(share, "share");
    if (share.signum() <= 0 || share.compareTo(HUNDRED) > 0) {
      throw new IllegalArgumentException("a sample is more than 0% and at most 100%");
    }
  }

  /**
   * Reads a share such as {@code 5%} or {@code 0.5%}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Sampling of(String text, long seed) {
    if (!text.matches("[0-9]{1,3}(\\.[0-9]{1,9})?%")) {
      throw new IllegalArgumentException("give a share in percent, as in 5% or 0.5%");
    }
    return new Sampling(new BigDecimal(text.substring(0, text.length() - 1)), seed);
  }

  /**
   * Verifies a sample of an archive. Names, sizes and places of all files are compared between
   * index and manifest; the closing checksum of the archive is not looked at. An archive of the
   * first format has no index, and is verified whole.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   */
  public Result archive(Store store, Location archive) throws IOException {
    List<Damage> damage = new ArrayList<>();
    long[] seen = new long[2];
    long[] all = new long[2];
    try (ArchiveContents contents = ArchiveContents.open(store, archive)) {
      for (String name : contents.names()) {
        Manifest manifest = contents.manifest(name);
        all[0] += manifest.files().size();
        all[1] += manifest.bytes();
        if (!contents.isIndexed()) {
          continue;
        }
        Set<String> chosen = choose(name, manifest.files());
        contents.read(
            name,
            chosen::contains,
            (file, content) -> {
              seen[0]++;
              seen[1] += file.size();
            },
            damage);
      }
      return contents.isIndexed()
          ? new Result(
              new Verification(seen[0], seen[1], damage), all[0] - seen[0], all[1] - seen[1], false)
          : new Result(new Verification(all[0], all[1], damage), 0, 0, true);
    } catch (DamagedException damaged) {
      damage.addAll(damaged.verification().damage());
      return new Result(
          new Verification(seen[0], seen[1], damage), all[0] - seen[0], all[1] - seen[1], false);
    }
  }

  /**
   * Verifies a sample of a copy with its manifest. Names and sizes of all files are compared, bytes
   * of the sample only.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory, or no manifest beside
   */
  public Result copy(Store store, Location copy) throws IOException {
    Manifest manifest;
    try {
      manifest = Manifests.read(store, copy);
    } catch (InvalidManifestException invalid) {
      return new Result(Copies.verify(store, copy), 0, 0, true);
    }
    Set<String> chosen = choose("", manifest.files());
    Map<String, String> trusted = new HashMap<>();
    long skippedBytes = 0;
    for (ManifestFile file : manifest.files()) {
      if (!chosen.contains(file.path())) {
        trusted.put(file.path(), file.sha256());
        skippedBytes += file.size();
      }
    }
    Verification all =
        Copies.verify(
            Listing.of(store, copy),
            manifest,
            1,
            item -> {
              String known = trusted.get(item.path());
              return known == null
                  ? Copies.hash(store, copy, item)
                  : new ManifestFile(item.path(), item.size(), known, item.modified());
            },
            CopyProgress.NONE);
    Verification seen =
        new Verification(chosen.size(), manifest.bytes() - skippedBytes, all.damage());
    return new Result(seen, trusted.size(), skippedBytes, false);
  }

  /** The paths that are looked at. */
  private Set<String> choose(String checkpoint, Collection<ManifestFile> files) {
    long limit =
        new BigDecimal(ALL)
            .multiply(share)
            .divide(HUNDRED, 0, RoundingMode.DOWN)
            .toBigInteger()
            .min(ALL.subtract(BigInteger.ONE))
            .longValueExact();
    boolean everything = share.compareTo(HUNDRED) == 0;
    Set<String> chosen = new HashSet<>();
    String first = null;
    long least = Long.MAX_VALUE;
    MessageDigest digest = Sha256.digest();
    for (ManifestFile file : files) {
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(seed).array());
      digest.update((checkpoint + '\0' + file.path()).getBytes(StandardCharsets.UTF_8));
      long number = ByteBuffer.wrap(digest.digest()).getLong() >>> 1;
      if (everything || number < limit) {
        chosen.add(file.path());
      }
      if (first == null || number < least) {
        first = file.path();
        least = number;
      }
    }
    if (chosen.isEmpty() && first != null) {
      chosen.add(first);
    }
    return chosen;
  }
}
