#!/usr/bin/env bash
# Measures `./migrator archive` with its read-back verification, as a whole process, on a checkpoint with 20,000
# state files of 4 KiB and their 20,000 `.crc` siblings (200 partitions of 100 versions), as a multiple of
#   tar --zstd -cf ARCHIVE CHECKPOINT, zstd -dc ARCHIVE, and sha256sum of every file
# Everything lies on a tmpfs, so that no disk is measured. The commands take turns, so that a busy machine slows
# all of them alike.
#
#   benchmarks/archive.sh [ROUNDS]     (default 5)
set -euo pipefail

home="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
rounds="${1:-5}"
scratch="$(mktemp -d -p /dev/shm)"
trap 'rm -rf "$scratch"' EXIT

if [ -n "${JAVA_HOME:-}" ]; then
  PATH="$JAVA_HOME/bin:$PATH"
fi
cat >"$scratch/Generate.java" <<'JAVA'
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32C;

public class Generate {
  public static void main(String[] arguments) throws IOException {
    Path checkpoint = Path.of(arguments[0]);
    Random random = new Random(7);
    for (int partition = 0; partition < 200; partition++) {
      Path store = checkpoint.resolve("state/0/" + partition);
      Files.createDirectories(store);
      for (int version = 1; version <= 100; version++) {
        // Compressed state: nothing that compresses once more.
        byte[] delta = new byte[3800 + random.nextInt(592)];
        random.nextBytes(delta);
        Files.write(store.resolve(version + ".delta"), delta);
        CRC32C crc = new CRC32C();
        ByteBuffer sums = ByteBuffer.allocate(8 + 4 * ((delta.length + 511) / 512));
        sums.put(new byte[] {'c', 'r', 'c', 0}).putInt(512);
        for (int at = 0; at < delta.length; at += 512) {
          crc.reset();
          crc.update(delta, at, Math.min(512, delta.length - at));
          sums.putInt((int) crc.getValue());
        }
        Files.write(store.resolve("." + version + ".delta.crc"), sums.array());
      }
    }
    Files.createDirectories(checkpoint.resolve("offsets"));
    Files.createDirectories(checkpoint.resolve("commits"));
    for (int batch = 0; batch < 100; batch++) {
      Files.writeString(
          checkpoint.resolve("offsets/" + batch),
          "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1774602000000,\"conf\":{"
              + "\"spark.sql.shuffle.partitions\":\"200\"}}\n{\"clicks\":{\"0\":" + batch + "}}");
      Files.writeString(checkpoint.resolve("commits/" + batch), "v1\n{\"nextBatchWatermarkMs\":0}");
    }
    Files.writeString(
        checkpoint.resolve("metadata"), "{\"id\":\"6f1c1c52-6d1c-4c3c-9c55-3f1d4d0a7b11\"}");
  }
}
JAVA
java "$scratch/Generate.java" "$scratch/checkpoint"

by_tar() {
  tar --zstd -cf "$scratch/by-tar" -C "$scratch" checkpoint
  zstd -dcq "$scratch/by-tar" >/dev/null
  find "$scratch/checkpoint" -type f -print0 | xargs -0 sha256sum >/dev/null
  rm "$scratch/by-tar"
}

by_migrator() {
  "$home/migrator" archive "$scratch/checkpoint" --to "$scratch/archives" >/dev/null
  rm -r "$scratch/archives"
}

seconds() {
  local start=$EPOCHREALTIME
  "$@"
  local end=$EPOCHREALTIME
  echo $(((${end/./} - ${start/./}) / 1000))
}

median() {
  sort -n | awk '{ times[NR] = $1 } END { print times[int((NR + 1) / 2)] }'
}

by_tar
by_migrator
for ((round = 1; round <= rounds; round++)); do
  seconds by_tar >>"$scratch/tar.ms"
  seconds by_migrator >>"$scratch/migrator.ms"
done
tar_ms="$(median <"$scratch/tar.ms")"
migrator_ms="$(median <"$scratch/migrator.ms")"
awk -v tar="$tar_ms" -v migrator="$migrator_ms" 'BEGIN {
  printf "tar --zstd, zstd -d, sha256sum  %.3f s\n", tar / 1000
  printf "migrator archive                %.3f s  %.1f times\n", migrator / 1000, migrator / tar
}'
