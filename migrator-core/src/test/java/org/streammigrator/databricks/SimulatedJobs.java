package org.streammigrator.databricks;

import com.databricks.sdk.service.jobs.CancelRun;
import com.databricks.sdk.service.jobs.RunNow;
import com.databricks.sdk.service.jobs.RunResultState;
import com.databricks.sdk.service.jobs.SubmitRun;
import com.databricks.sdk.service.jobs.UpdateJob;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Jobs and runs of a simulated workspace, as the API's documentation describes them. Time passes
 * with the requests that are served: a run that takes three requests to end is seen ending by who
 * asks three times.
 */
final class SimulatedJobs {
  private static final Map<String, String> KEYS =
      Map.of(
          "tasks", "task_key",
          "job_clusters", "job_cluster_key",
          "environments", "environment_key",
          "parameters", "name");

  private final TreeMap<Long, ObjectNode> jobs = new TreeMap<>();
  private final TreeMap<Long, SimulatedRun> runs = new TreeMap<>();
  private final Map<Long, WorkspaceServer.Query> queries = new HashMap<>();
  private final Map<String, Long> tokens = new HashMap<>();
  private final Map<Long, Integer> idle = new HashMap<>();
  private final String host;
  private JarTask jarTask =
      task -> {
        throw new IOException("there is no cluster");
      };
  private int cancelTakes = 2;
  private int restartTakes = 1;
  private long next = 1001;

  SimulatedJobs(String host) {
    this.host = host;
  }

  synchronized void cancelTakes(int requests) {
    cancelTakes = requests;
  }

  synchronized void restartTakes(int requests) {
    restartTakes = requests;
  }

  synchronized void execute(JarTask task) {
    jarTask = task;
  }

  synchronized void query(long job, WorkspaceServer.Query query) {
    queries.put(job, query);
  }

  synchronized long add(ObjectNode settings) {
    long id = next++;
    jobs.put(id, settings);
    return id;
  }

  synchronized ObjectNode settings(long job) {
    ObjectNode settings = jobs.get(job);
    if (settings == null) {
      throw BadRequest.parameter("Job " + job + " does not exist.");
    }
    return settings.deepCopy();
  }

  synchronized Map<Long, ObjectNode> jobs() {
    return new TreeMap<>(jobs);
  }

  synchronized List<SimulatedRun> runs() {
    return new ArrayList<>(runs.values());
  }

  synchronized SimulatedRun run(long id) {
    SimulatedRun run = runs.get(id);
    if (run == null) {
      throw BadRequest.parameter("Run " + id + " does not exist.");
    }
    return run;
  }

  synchronized List<SimulatedRun> active(long job) {
    return runs.values().stream()
        .filter(run -> run.isActive() && run.job() != null && run.job() == job)
        .toList();
  }

  /** Lets pass what passes while a request is served. */
  synchronized void tick() {
    for (SimulatedRun run : List.copyOf(runs.values())) {
      run.cancelled();
      if (run.isRunning() && run.job() != null) {
        run.served();
        step(run);
      }
    }
    jobs.forEach(
        (id, settings) -> {
          boolean restarts =
              settings.has("continuous")
                  && !settings.at("/continuous/pause_status").asText().equals("PAUSED")
                  && active(id).isEmpty();
          if (!restarts) {
            idle.remove(id);
          } else if (idle.merge(id, 1, Integer::sum) > restartTakes) {
            start(id);
          }
        });
  }

  private void step(SimulatedRun run) {
    WorkspaceServer.Query query = queries.get(run.job());
    if (query != null) {
      try {
        query.step(run).ifPresent(how -> run.end(how, ""));
      } catch (IOException failed) {
        run.end(RunResultState.FAILED, "Workload failed, see run output for details");
        run.error = failed.getMessage();
      }
    }
  }

  synchronized long start(long job) {
    ObjectNode settings = settings(job);
    List<String> tasks = new ArrayList<>();
    settings.path("tasks").forEach(task -> tasks.add(task.path("task_key").asText()));
    long id = next++;
    idle.remove(job);
    runs.put(id, new SimulatedRun(id, job, settings, tasks, url("job/" + job + "/run/" + id)));
    return id;
  }

  synchronized void end(long run, RunResultState how, String message) {
    run(run).end(how, message);
  }

  private String url(String page) {
    return host + "/?o=1#" + page;
  }

  /** {@code jobs/update}. */
  synchronized void update(UpdateJob request, JsonNode body) {
    ObjectNode settings = settings(required(request.getJobId(), "job_id"));
    if (request.getFieldsToRemove() != null) {
      request.getFieldsToRemove().forEach(settings::remove);
    }
    body.path("new_settings").fields().forEachRemaining(each -> set(settings, each));
    int triggers = 0;
    for (String trigger : List.of("continuous", "schedule", "trigger")) {
      triggers += settings.has(trigger) ? 1 : 0;
    }
    if (triggers > 1) {
      throw BadRequest.parameter("Only one of schedule, trigger and continuous can be used.");
    }
    if (settings.has("continuous") && settings.path("max_concurrent_runs").asLong(1) > 1) {
      throw BadRequest.parameter("Continuous jobs must have max_concurrent_runs of 1.");
    }
    jobs.put(request.getJobId(), settings);
  }

  /** Whole settings are replaced, and of arrays whole entries with the same key. */
  private static void set(ObjectNode settings, Map.Entry<String, JsonNode> each) {
    String key = KEYS.get(each.getKey());
    if (key == null || !settings.path(each.getKey()).isArray()) {
      settings.set(each.getKey(), each.getValue().deepCopy());
      return;
    }
    ArrayNode array = (ArrayNode) settings.get(each.getKey());
    for (JsonNode entry : each.getValue()) {
      int at = -1;
      for (int i = 0; i < array.size(); i++) {
        at = array.get(i).path(key).equals(entry.path(key)) ? i : at;
      }
      if (at < 0) {
        array.add(entry.deepCopy());
      } else {
        array.set(at, entry.deepCopy());
      }
    }
  }

  /** {@code jobs/run-now}. */
  synchronized SimulatedRun runNow(RunNow request) {
    long job = required(request.getJobId(), "job_id");
    ObjectNode settings = settings(job);
    return once(
        request.getIdempotencyToken(),
        () -> {
          boolean continuous =
              settings.has("continuous")
                  && !settings.at("/continuous/pause_status").asText().equals("PAUSED");
          if (continuous) {
            throw new BadRequest(
                409, "RESOURCE_CONFLICT", "A concurrent trigger of the continuous job is at work.");
          }
          boolean full = active(job).size() >= settings.path("max_concurrent_runs").asLong(1);
          SimulatedRun run = run(start(job));
          if (full) {
            run.end(
                RunResultState.MAXIMUM_CONCURRENT_RUNS_REACHED,
                "The run was skipped because the job already has as many runs as it may have.");
          }
          return run;
        });
  }

  /** {@code jobs/runs/cancel}. */
  synchronized void cancel(CancelRun request) {
    SimulatedRun run = run(required(request.getRunId(), "run_id"));
    run.cancel(cancelTakes);
    if (run.thread != null) {
      run.thread.interrupt();
    }
  }

  /** {@code jobs/runs/submit}. */
  synchronized SimulatedRun submit(SubmitRun request, ObjectNode body) {
    List<JarTask.Submitted> tasks = SubmittedTasks.of(body);
    return once(
        request.getIdempotencyToken(),
        () -> {
          long id = next++;
          List<String> keys = tasks.stream().map(t -> t.task().path("task_key").asText()).toList();
          SimulatedRun run = new SimulatedRun(id, null, body, keys, url("job/0/run/" + id));
          runs.put(id, run);
          JarTask cluster = jarTask;
          run.thread = new Thread(() -> execute(run, tasks, cluster), "cluster-of-" + id);
          run.thread.setDaemon(true);
          run.thread.start();
          return run;
        });
  }

  private void execute(SimulatedRun run, List<JarTask.Submitted> tasks, JarTask cluster) {
    Exception failure = null;
    try {
      for (JarTask.Submitted task : tasks) {
        cluster.run(task);
      }
    } catch (Exception failed) {
      failure = failed;
    }
    synchronized (this) {
      if (!run.isRunning()) {
        return;
      }
      if (failure == null) {
        run.end(RunResultState.SUCCESS, "");
        return;
      }
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      run.error = String.valueOf(failure.getMessage());
      run.trace = trace.toString();
      run.end(RunResultState.FAILED, "Workload failed, see run output for details");
    }
  }

  private interface Begin {
    SimulatedRun run();
  }

  private SimulatedRun once(String token, Begin begin) {
    if (token != null && token.length() > 64) {
      throw BadRequest.parameter("The idempotency token must have at most 64 characters.");
    }
    if (token != null && tokens.containsKey(token)) {
      return run(tokens.get(token));
    }
    SimulatedRun run = begin.run();
    Optional.ofNullable(token).ifPresent(known -> tokens.put(known, run.id()));
    return run;
  }

  private static long required(Long value, String name) {
    if (value == null) {
      throw BadRequest.parameter("Missing required field: " + name);
    }
    return value;
  }
}
