#!/usr/bin/env bash
# Measures verified copies to and from an S3 server (s3proxy on this machine) by `./migrator apply` (relocate, copy: all), as whole
# processes, as a multiple of rclone copy + rclone check: a checkpoint with 20,000 deltas of 4 KiB (200 partitions, no
# `.crc` siblings, as object stores have none), and one with 20 files of 64 MiB.
#
#   benchmarks/s3.sh [ROUNDS [DIRECTORY]]     (default 3 rounds in /dev/shm; needs rclone, and about 8 GiB of room)
set -euo pipefail

home="$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
rounds="${1:-3}"
partitions="${PARTITIONS:-200}"
scratch="$(mktemp -d "${2:-/dev/shm}/s3.XXXXXX")"
server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
unset AWS_CA_BUNDLE # Debian's rclone fails with it
[ -z "${JAVA_HOME:-}" ] || PATH="$JAVA_HOME/bin:$PATH"

classpath="$home/src-test-fixtures/s3proxy/target/s3proxy.classpath"
[ -f "$classpath" ] || (cd "$home/src-test-fixtures/s3proxy" && mvn -q -B -ntp generate-resources)
port=18093
cat >"$scratch/s3proxy.conf" <<CONF
s3proxy.endpoint=http://127.0.0.1:$port
s3proxy.authorization=aws-v2-or-v4
s3proxy.identity=AKIDTEST
s3proxy.credential=SECRETTEST
jclouds.provider=filesystem-nio2
jclouds.filesystem.basedir=$scratch/data
CONF
mkdir "$scratch/data" "$scratch/conf"
echo '<configuration><root level="OFF"/></configuration>' >"$scratch/logback.xml"
java -Xmx2g -Dlogback.configurationFile="$scratch/logback.xml" -cp "$(<"$classpath")" \
  org.gaul.s3proxy.Main --properties "$scratch/s3proxy.conf" >"$scratch/server.log" 2>&1 &
server=$!
export AWS_ACCESS_KEY_ID=AKIDTEST AWS_SECRET_ACCESS_KEY=SECRETTEST
cat >"$scratch/conf/core-site.xml" <<XML
<configuration>
  <property><name>fs.s3a.endpoint</name><value>http://127.0.0.1:$port</value></property>
  <property><name>fs.s3a.endpoint.region</name><value>us-east-1</value></property>
  <property><name>fs.s3a.path.style.access</name><value>true</value></property>
  <property><name>fs.s3a.connection.ssl.enabled</name><value>false</value></property>
</configuration>
XML
export HADOOP_CONF_DIR="$scratch/conf"
remote() {
  rclone --config /dev/null --s3-provider Other --s3-env-auth --s3-endpoint "http://127.0.0.1:$port" "$@"
}
until remote mkdir :s3:bench 2>/dev/null; do sleep 0.2; done

java "$home/benchmarks/CheckpointMaker.java" "$scratch/small" "$partitions" 100 4096
java "$home/benchmarks/CheckpointMaker.java" "$scratch/large" 20 1 $((64 << 20))
find "$scratch/small" "$scratch/large" -name '.*.crc' -delete
plan() { # NAME FROM TO
  cat >"$scratch/$1.yaml" <<YAML
version: 1
name: $1
streams:
  - {name: s, strategy: relocate, copy: all, checkpoint: {from: "$2", to: "$3"}}
YAML
}
by_migrator() { "$home/migrator" apply "$scratch/$1.yaml" >"$scratch/out" 2>&1 || { cat "$scratch/out" >&2; exit 1; }; }
by_rclone() { # FROM TO
  remote copy -q --s3-no-check-bucket --transfers 16 --checkers 32 "$1" "$2"
  remote check -q --checkers 32 "$1" "$2"
}
tidy() {
  rm -rf "$scratch"/data/bench/{up,.up.*} "$scratch"/{down,rclone} "$scratch"/.down.* "$scratch"/*.journal
}

TIMEFORMAT=%R
for size in small large; do
  plan "up-$size" "$scratch/$size" s3a://bench/up
  plan "down-$size" s3a://bench/rclone "$scratch/down"
  for ((i = 0; i <= rounds; i++)); do # round 0 warms the server and the launcher, and compares what arrived
    rm -rf "$scratch/data/bench/rclone"
    { time by_rclone "$scratch/$size" :s3:bench/rclone; } 2>>"$scratch/up-$size.rclone.$((i > 0))"
    { time by_migrator "up-$size"; } 2>>"$scratch/up-$size.migrator.$((i > 0))"
    [ "$i" -gt 0 ] || remote check -q --download :s3:bench/up "$scratch/$size"
    tidy
    { time by_rclone :s3:bench/rclone "$scratch/rclone"; } 2>>"$scratch/down-$size.rclone.$((i > 0))"
    tidy
    { time by_migrator "down-$size"; } 2>>"$scratch/down-$size.migrator.$((i > 0))"
    [ "$i" -gt 0 ] || diff -r "$scratch/$size" "$scratch/down"
    tidy
  done
done
median() { sort -n "$1" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
echo "medians of $rounds rounds; load $(cut -d' ' -f1 /proc/loadavg)"
for what in up-small down-small up-large down-large; do
  printf '%-11s rclone %7.2f s  migrator %7.2f s  %5.2f times rclone\n' "$what" \
    "$(median "$scratch/$what.rclone.1")" "$(median "$scratch/$what.migrator.1")" \
    "$(awk -v a="$(median "$scratch/$what.migrator.1")" -v b="$(median "$scratch/$what.rclone.1")" 'BEGIN {print a / b}')"
done
