# What the benchmarks of Spark jobs share; sourced by them, with $home and $scratch set.
(cd "$home" && mvn -q -B -pl migrator-core,migrator-jobs test-compile dependency:build-classpath \
  -Dmdep.outputFile="$scratch/classpath" </dev/null)
jobs="$home/migrator-jobs/target"
classpath="$jobs/test-classes:$jobs/classes:$home/migrator-core/target/classes:$(cat "$scratch/classpath")"
mapfile -t options < <(tr -s ' ' '\n' <"$home/migrator-core/target/classes/org/streammigrator/job/spark-jvm.options" | grep .)

run_java() { # HEAP MAIN ARGUMENTS
  java "${options[@]}" "-Xmx$1" -XX:+UseParallelGC -cp "$classpath" "${@:2}"
}
