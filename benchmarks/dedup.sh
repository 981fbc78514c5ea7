#!/usr/bin/env bash
# Measures the job `dedup` on a table of ten million rows in 200 files, of which five hold 1 % of their keys twice, against
#   the usual whole-table rewrite (row_number() = 1, insert overwrite)     and     a naive MERGE that deletes
# each in a JVM of its own, on its own copy of the table, by turns: the table without deletion vectors, the table with them,
# and the job once more with a heap of 1 GB. Prints seconds without the start of Spark,
# those of the processor (which other work changes less), and megabytes written.
#
#   benchmarks/dedup.sh [ROUNDS [ROWS [DIRECTORY]]]     (default 3 rounds, 10000000 rows, in /tmp; needs 4 GB there)
set -euo pipefail

home="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
rounds="${1:-3}"
rows="${2:-10000000}"
scratch="$(mktemp -d "${3:-/tmp}/dedup.XXXXXX")"
trap 'rm -rf "$scratch"' EXIT

source "$home/benchmarks/spark.bash"
benchmark() { # HEAP ARGUMENTS
  run_java "$1" org.streammigrator.jobs.dedup.DedupBenchmark "${@:2}"
}

uptime
for vectors in false true; do
  benchmark 2g make "$scratch/base" "$rows" 200 "$vectors"
  for ((i = 1; i <= rounds; i++)); do
    for run in "2g dedup" "1g dedup" "2g overwrite" "2g merge"; do
      read -r heap way <<<"$run"
      cp -al "$scratch/base" "$scratch/table" # files of a table are never changed, so links do
      echo "vectors=$vectors heap=$heap $(benchmark "$heap" "$way" "$scratch/table" | tail -1 |
        awk '{printf "%s: %.1f s, %.1f s of processor time, %.1f MB written, %d rows, %d keys", $1, $2 / 1000, $3 / 1000, $4 / 1e6, $5, $6}')"
      rm -rf "$scratch/table"
    done
  done
  rm -rf "$scratch/base"
done
uptime
