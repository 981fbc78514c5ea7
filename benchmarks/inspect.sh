#!/usr/bin/env bash
# Measures how long `./migrator inspect` takes, as a whole process, on a local checkpoint with 100,000 state
# files (a join: 200 partitions, 4 stores, 125 versions of 46 bytes), as a multiple of
#   find CHECKPOINT -type f -printf '%s %p\n'
# The commands take turns, so that a busy machine slows all of them alike.
#
#   benchmarks/inspect.sh [ROUNDS]     (default 7)
set -euo pipefail

home="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
rounds="${1:-7}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

if [ -n "${JAVA_HOME:-}" ]; then
  PATH="$JAVA_HOME/bin:$PATH"
fi
cat >"$scratch/Generate.java" <<'JAVA'
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

public class Generate {
  public static void main(String[] arguments) throws IOException {
    Path checkpoint = Path.of(arguments[0]);
    // Spark's empty delta: an LZ4 block stream that holds the int -1.
    byte[] delta =
        HexFormat.of()
            .parseHex(
                "4c5a34426c6f636b150400000004000000db804d08ffffffff"
                    + "4c5a34426c6f636b15000000000000000000000000");
    for (int partition = 0; partition < 200; partition++) {
      for (String side : new String[] {"left", "right"}) {
        for (String kind : new String[] {"keyToNumValues", "keyWithIndexToValue"}) {
          Path store = checkpoint.resolve("state/0/" + partition + "/" + side + "-" + kind);
          Files.createDirectories(store);
          for (int version = 1; version <= 125; version++) {
            Files.write(store.resolve(version + ".delta"), delta);
          }
        }
      }
    }
    Files.createDirectories(checkpoint.resolve("offsets"));
    Files.createDirectories(checkpoint.resolve("commits"));
    for (int batch = 24; batch < 125; batch++) {
      Files.writeString(
          checkpoint.resolve("offsets/" + batch),
          "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1774602000000,\"conf\":{"
              + "\"spark.sql.streaming.stateStore.providerClass\":"
              + "\"org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider\","
              + "\"spark.sql.streaming.stateStore.compression.codec\":\"lz4\","
              + "\"spark.sql.shuffle.partitions\":\"200\"}}\n"
              + "{\"clicks\":{\"0\":" + batch + "}}\n{\"views\":{\"0\":" + batch + "}}");
      Files.writeString(checkpoint.resolve("commits/" + batch), "v1\n{\"nextBatchWatermarkMs\":0}");
    }
    Files.writeString(
        checkpoint.resolve("metadata"), "{\"id\":\"6f1c1c52-6d1c-4c3c-9c55-3f1d4d0a7b11\"}");
  }
}
JAVA
checkpoint="$scratch/checkpoint"
java "$scratch/Generate.java" "$checkpoint"
cat >"$scratch/Walk.java" <<'JAVA'
import java.nio.file.Files;
import java.nio.file.Path;

public class Walk {
  public static void main(String[] arguments) throws java.io.IOException {
    long[] bytes = new long[1];
    Files.walkFileTree(
        Path.of(arguments[0]),
        new java.nio.file.SimpleFileVisitor<>() {
          @Override
          public java.nio.file.FileVisitResult visitFile(
              Path file, java.nio.file.attribute.BasicFileAttributes attributes) {
            bytes[0] += attributes.size();
            return java.nio.file.FileVisitResult.CONTINUE;
          }
        });
    System.out.println(bytes[0]);
  }
}
JAVA
javac -d "$scratch" "$scratch/Walk.java"

"$home/migrator" --version >/dev/null # builds, if nothing is built yet
"$home/migrator" inspect "$checkpoint" | sed -n '1,/^Files/p' >"$scratch/first"
grep -q 'can be loaded' "$scratch/first" || { cat "$scratch/first"; exit 1; }

TIMEFORMAT='%R'
seconds() {
  { time "$@" >/dev/null 2>&1; } 2>&1
}
round=0
while [ "$round" -le "$rounds" ]; do # round 0 warms the file cache and is not counted
  find="$(seconds find "$checkpoint" -type f -printf '%s %p\n')"
  walk="$(seconds java -XX:TieredStopAtLevel=1 -cp "$scratch" Walk "$checkpoint")"
  inspect="$(seconds "$home/migrator" inspect "$checkpoint")"
  [ "$round" -eq 0 ] || echo "$find $walk $inspect"
  round=$((round + 1))
done >"$scratch/times"

median() {
  awk -v column="$1" '{ print $column }' "$scratch/times" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
find="$(median 1)"
printf 'find -type f -printf                     %6.3f s\n' "$find"
for line in "2:java, walking the tree only" "3:migrator inspect"; do
  time="$(median "${line%%:*}")"
  printf '%-40s %6.3f s   %4.1f times\n' "${line#*:}" "$time" "$(awk "BEGIN { print $time / $find }")"
done
