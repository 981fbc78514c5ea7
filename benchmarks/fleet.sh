#!/usr/bin/env bash
# Measures `migrator plan` of fleets of 100 and 1,000 streams on the local disk, as a whole process with a heap of 256 MB:
# the time per 100 streams, which is to be the same for both, and the most memory that the process had.
#
#   benchmarks/fleet.sh [ROUNDS]     (default 5)
set -euo pipefail

home="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
rounds="${1:-5}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

"$home/migrator" --version >/dev/null # builds, if nothing is built yet
cli=("$(command -v java)" -Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseG1GC -Dfile.encoding=UTF-8
  -cp "$home/migrator-core/target/migrator-core-0.1.0.jar:$(<"$home/migrator-core/target/runtime.classpath")"
  org.streammigrator.cli.Cli)

# Copies of checkpoints that real queries wrote, each with a query id of its own.
kinds=(rate rate-micro-batch delta-version-boundary delta-initial-snapshot window-rocksdb)
for streams in 100 1000; do
  root="$scratch/$streams"
  mkdir -p "$root/chk"
  for ((number = 0; number < streams; number++)); do
    name="$(printf 'stream%04d' "$number")"
    cp -r "$home/src-test-fixtures/checkpoints/${kinds[number % 5]}/checkpoint" "$root/chk/$name"
    printf '{"id":"00000000-0000-4000-8000-%012d"}' "$number" >"$root/chk/$name/metadata"
    rm -f "$root/chk/$name/.metadata.crc"
  done
  printf '%s\n' 'version: 1' 'name: fleet' 'streams:' "  - foreach: {glob: \"$root/chk/*\"}" \
    '    strategy: relocate' "    checkpoint: {from: \"\${path}\", to: \"$root/new/\${name}\"}" >"$root/plan.yaml"
done

TIMEFORMAT='%R'
for ((round = 0; round <= rounds; round++)); do # round 0 warms the file cache and is not counted
  for streams in 100 1000; do
    root="$scratch/$streams"
    seconds="$({ time "${cli[@]}" plan "$root/plan.yaml" >"$root/out" 2>"$root/err"; } 2>&1)" || {
      cat "$root/err" >&2
      exit 1
    }
    [ "$round" -eq 0 ] || echo "$seconds" >>"$root/times"
  done
done

for streams in 100 1000; do
  root="$scratch/$streams"
  python3 - "$streams" "$root/times" "${cli[@]}" plan "$root/plan.yaml" <<'PYTHON'
import resource, subprocess, sys
streams, times, command = int(sys.argv[1]), sorted(float(line) for line in open(sys.argv[2])), sys.argv[3:]
subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
median = times[len(times) // 2]
print(f"{streams:5} streams  {median:7.3f} s  {median * 100 / streams:6.3f} s for 100  {memory:4.0f} MB resident at most")
PYTHON
done
