#!/usr/bin/env bash
# Measures a verified copy of a local checkpoint with 20,000 deltas (200 partitions, 100 versions, 4 KiB each, `.crc`
# siblings) by `./migrator apply` (relocate, copy: all), as whole processes, against
#   rclone copy + rclone check            and            cp -a + sha256sum of both sides
# and says what relocating only the live files saves. The commands take turns in one run.
#
#   benchmarks/copy.sh [ROUNDS [DIRECTORY]]     (default 5 rounds in /dev/shm; needs rclone)
set -euo pipefail

home="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
rounds="${1:-5}"
scratch="$(mktemp -d "${2:-/dev/shm}/copy.XXXXXX")"
trap 'rm -rf "$scratch"' EXIT
unset AWS_CA_BUNDLE # Debian's rclone fails with it
[ -z "${JAVA_HOME:-}" ] || PATH="$JAVA_HOME/bin:$PATH"

java "$home/benchmarks/CheckpointMaker.java" "$scratch/old" 200 100 4096
plan() {
  cat >"$scratch/$1.yaml" <<YAML
version: 1
name: $1
streams:
  - {name: s, strategy: relocate, copy: $1, checkpoint: {from: "$scratch/old", to: "$scratch/new-$1"}}
YAML
}
plan all
plan live

migrator_all() { "$home/migrator" apply "$scratch/all.yaml" >"$scratch/out" 2>&1 || { cat "$scratch/out" >&2; exit 1; }; }
migrator_live() { "$home/migrator" apply "$scratch/live.yaml" >"$scratch/out" 2>&1 || { cat "$scratch/out" >&2; exit 1; }; }
by_rclone() {
  rclone --config /dev/null copy -q --transfers 16 --checkers 16 "$scratch/old" "$scratch/rclone"
  rclone --config /dev/null check -q --checkers 16 "$scratch/old" "$scratch/rclone"
}
by_cp() {
  cp -a "$scratch/old" "$scratch/cp"
  cmp <(cd "$scratch/old" && find . -type f -print0 | sort -z | xargs -0 sha256sum) \
    <(cd "$scratch/cp" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
}
tidy() { rm -rf "$scratch"/{new-all,new-live,rclone,cp} "$scratch"/.new-* "$scratch"/*.journal; }

TIMEFORMAT=%R
migrator_live # warms the launcher
tidy
for ((i = 1; i <= rounds; i++)); do
  for way in by_cp by_rclone migrator_all migrator_live; do
    { time "$way"; } 2>>"$scratch/$way.times"
    if [ "$i" = "$rounds" ]; then
      case "$way" in
        migrator_all) diff -r "$scratch/old" "$scratch/new-all" ;;
        migrator_live)
          echo "live: $(find "$scratch/new-live" -type f | wc -l) of $(find "$scratch/old" -type f | wc -l) files," \
            "$(du -sb --apparent-size "$scratch/new-live" | cut -f1) of $(du -sb --apparent-size "$scratch/old" | cut -f1) bytes" ;;
      esac
    fi
    tidy
  done
done
median() { sort -n "$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
base="$(median "$scratch/migrator_all.times")"
echo "medians of $rounds rounds; load $(cut -d' ' -f1 /proc/loadavg)"
for way in by_cp by_rclone migrator_all migrator_live; do
  printf '%-14s %6.2f s  %5.2f times migrator (all)\n' "$way" "$(median "$scratch/$way.times")" \
    "$(awk -v a="$(median "$scratch/$way.times")" -v b="$base" 'BEGIN {print a / b}')"
done
