package org.streammigrator.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds contradictions in what a stream says of its jobs. */
final class JobChecks {
  private static final List<String> SWITCHES =
      List.of("parameter", "taskParameter", "environment", "sparkConf");

  private final Problems problems;
  private final Map<String, Origin> started = new HashMap<>();

  JobChecks(Problems problems) {
    this.problems = problems;
  }

  void check(YamlMap stream) {
    stream.map("job").ifPresent(this::checkJob);
    stream.map("cutover").ifPresent(this::checkCutover);
  }

  private void checkJob(YamlMap job) {
    Optional<YamlScalar> stop = scalar(job, "stop");
    boolean isCommand = stop.filter(how -> how.text().equals(JobStop.COMMAND.label())).isPresent();
    if (isCommand && job.get("command").isEmpty()) {
      problems.add(stop.get().origin(), "stop: command needs the command: add command: ...");
    }
    checkNamed(job);
  }

  private void checkCutover(YamlMap cutover) {
    checkNamed(cutover);
    checkStart(cutover);
    List<String> given = SWITCHES.stream().filter(key -> cutover.get(key).isPresent()).toList();
    if (given.size() > 1) {
      problems.add(
          cutover.get(given.get(1)).orElseThrow().origin(),
          "one setting is switched to the new checkpoint: keep one of " + String.join(", ", given));
    }
    if (cutover.get("taskParameter").isPresent() && cutover.get("task").isEmpty()) {
      problems.add(
          cutover.get("taskParameter").orElseThrow().origin(),
          "taskParameter needs the task: add task: KEY");
    }
  }

  /** A job that several streams share is started once all of them are switched. */
  private void checkStart(YamlMap cutover) {
    boolean starts =
        scalar(cutover, "start").filter(start -> start.text().equals("true")).isPresent();
    Optional<YamlScalar> job = scalar(cutover, "id").or(() -> scalar(cutover, "name"));
    if (!starts || job.isEmpty() || job.get().kind() == YamlScalar.Kind.OPEN) {
      return;
    }
    String workspace = scalar(cutover, "workspace").map(YamlScalar::text).orElse("");
    Origin first = started.putIfAbsent(workspace + "\n" + job.get().text(), job.get().origin());
    if (first != null) {
      problems.add(
          job.get().origin(),
          "the cutover in line "
              + first.line()
              + " starts this job, too: let only one stream do it, which is switched last");
    }
  }

  private void checkNamed(YamlMap job) {
    if (job.get("id").isPresent() && job.get("name").isPresent()) {
      problems.add(job.origin(), "a job is named by its id or by its name, one of them");
    }
    scalar(job, "id")
        .filter(id -> id.kind() != YamlScalar.Kind.OPEN && !id.text().matches("[0-9]{1,18}"))
        .ifPresent(
            id ->
                problems.add(
                    id.origin(), "a job's id is a number; for its name there is the key name"));
  }

  private static Optional<YamlScalar> scalar(YamlMap map, String key) {
    return map.get(key).filter(YamlScalar.class::isInstance).map(YamlScalar.class::cast);
  }
}
