#!/usr/bin/env bash
# Measures the job `backfill` on a source of 100 days, a commit each: hourly windows of one day against those of all days, and
# the overlap of one day merged into the table by its keys, with the day as the job's windows against without (then Delta cannot
# tell which files matter). Each in a JVM of its own, by turns, for two sizes; all days once more with a heap of 1 GB.
# Prints seconds without the start of Spark, and those of the processor (which other work changes less).
#
#   benchmarks/backfill.sh [ROUNDS [ROWS [DIRECTORY]]]     (default 3 rounds, 10000000 rows and a tenth of that, in /tmp)
set -euo pipefail

home="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
rounds="${1:-3}"
rows="${2:-10000000}"
scratch="$(mktemp -d "${3:-/tmp}/backfill.XXXXXX")"
trap 'rm -rf "$scratch"' EXIT

source "$home/benchmarks/spark.bash"
benchmark() { # HEAP ARGUMENTS
  run_java "$1" org.streammigrator.jobs.backfill.BackfillBenchmark "${@:2}"
}

uptime
for size in "$((rows / 10))" "$rows"; do
  benchmark 2g make "$scratch/$size" "$size"
  for ((i = 1; i <= rounds; i++)); do
    for run in "2g day" "2g all" "1g all" "2g scoped" "2g unscoped"; do
      read -r heap way <<<"$run"
      echo "rows=$size heap=$heap $(benchmark "$heap" "$way" "$scratch/$size" | tail -1 |
        awk '{printf "%s: %.1f s, %.1f s of processor time, %d rows read, %d inserted, %d ignored", $1, $2 / 1000, $3 / 1000, $4, $5, $6}')"
      rm -rf "$scratch/$size"/gold-*
    done
  done
  rm -rf "${scratch:?}/$size"
done
uptime
