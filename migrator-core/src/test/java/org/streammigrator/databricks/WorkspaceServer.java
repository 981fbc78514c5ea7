package org.streammigrator.databricks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.databricks.sdk.core.utils.SerDeUtils;
import com.databricks.sdk.service.jobs.BaseJob;
import com.databricks.sdk.service.jobs.CancelRun;
import com.databricks.sdk.service.jobs.Job;
import com.databricks.sdk.service.jobs.JobSettings;
import com.databricks.sdk.service.jobs.ListJobsResponse;
import com.databricks.sdk.service.jobs.ListRunsResponse;
import com.databricks.sdk.service.jobs.RunNow;
import com.databricks.sdk.service.jobs.RunNowResponse;
import com.databricks.sdk.service.jobs.RunOutput;
import com.databricks.sdk.service.jobs.RunResultState;
import com.databricks.sdk.service.jobs.SubmitRun;
import com.databricks.sdk.service.jobs.SubmitRunResponse;
import com.databricks.sdk.service.jobs.UpdateJob;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * A workspace: its Jobs API with a memory, and a volume ({@link VolumesServer}). What it takes and
 * gives are the classes of Databricks' SDK for it; a field that those do not have, and a call that
 * the API does not have, are refused.
 */
public final class WorkspaceServer implements AutoCloseable {
  private static final String API = "/api/2.2/jobs/";

  /** Small, so that ordinary tests need several pages. */
  private static final int PAGE = 2;

  private static final ObjectMapper SDK = SerDeUtils.createMapper();
  private static final ObjectMapper STRICT =
      SerDeUtils.createMapper()
          .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, true)
          .configure(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL, false);

  private final VolumesServer volumes;
  private final SimulatedJobs jobs;
  private final ConcurrentLinkedQueue<Trouble> troubles = new ConcurrentLinkedQueue<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile IntSupplier breaking = () -> 0;

  /** What a query does while its run is active, once for each request that is served. */
  public interface Query {
    /**
     * A step of it; what is thrown is what the run fails with.
     *
     * @return how the run ends; empty if it goes on
     */
    Optional<RunResultState> step(SimulatedRun run) throws IOException;
  }

  /**
   * What happens at a request.
   *
   * @param startsWith the request: method, call and query
   * @param status the answer instead of what is asked for; 0 to do nothing and drop the connection,
   *     1 to do what is asked and drop it, 2 to serve it after the action
   */
  private record Trouble(
      String startsWith, int status, String retryAfter, String body, Runnable action) {}

  public WorkspaceServer() throws IOException {
    this(VolumesServer.VOLUME);
  }

  /** With another volume. */
  public WorkspaceServer(String volume) throws IOException {
    volumes = new VolumesServer(volume, this::serve);
    jobs = new SimulatedJobs(volumes.host());
  }

  public String host() {
    return volumes.host();
  }

  /** The volume's server, for its own troubles. */
  public VolumesServer volumes() {
    return volumes;
  }

  /** Settings that reach the workspace. */
  public Map<String, String> settings() {
    return volumes.settings();
  }

  /** Makes a job; its settings are those of {@code jobs/create}. */
  public long addJob(String settings) throws IOException {
    STRICT.readValue(settings, JobSettings.class);
    return jobs.add((ObjectNode) SDK.readTree(settings));
  }

  /** The settings of a job as they stand. */
  public ObjectNode settings(long job) {
    return jobs.settings(job);
  }

  /** Changes settings of a job, as somebody else does. */
  public void change(long job, String settings) throws IOException {
    ObjectNode body = SDK.createObjectNode().put("job_id", job);
    body.set("new_settings", SDK.readTree(settings));
    jobs.update(new UpdateJob().setJobId(job), body);
  }

  /** What the runs of a job do. */
  public void query(long job, Query query) {
    jobs.query(job, query);
  }

  /** What runs the tasks that are submitted. */
  public void execute(JarTask task) {
    jobs.execute(task);
  }

  /** Starts a run, as somebody at the workspace's page does. */
  public long startRun(long job) {
    return jobs.start(job);
  }

  /** Ends a run. */
  public void endRun(long run, RunResultState how, String message) {
    jobs.end(run, how, message);
  }

  /** All runs that there ever were. */
  public List<SimulatedRun> runs() {
    return jobs.runs();
  }

  /** The runs of a job that have not ended. */
  public List<Long> activeRuns(long job) {
    return jobs.active(job).stream().map(SimulatedRun::id).toList();
  }

  /** How many requests are served until a cancelled run has ended. */
  public void cancelTakes(int count) {
    jobs.cancelTakes(count);
  }

  /** How many requests are served until a continuous job has its next run. */
  public void restartTakes(int count) {
    jobs.restartTakes(count);
  }

  /** Answers the next request that fits with a failure. */
  public void trouble(String startsWith, int status, String retryAfter, String body) {
    troubles.add(new Trouble(startsWith, status, retryAfter, body, () -> {}));
  }

  /** Does something right before the next request that fits is served. */
  public void before(String startsWith, Runnable action) {
    troubles.add(new Trouble(startsWith, 2, null, "", action));
  }

  /** Answers the next request that fits late. */
  public void late(String startsWith, long millis) {
    before(startsWith, () -> sleep(millis));
  }

  /**
   * Decides for every request what becomes of it: 0 it is served, 1 it is served and refused
   * afterwards, 2 it is refused.
   */
  public void breakIf(IntSupplier decision) {
    breaking = decision;
  }

  /** Method, call and query of every request for jobs. */
  public List<String> requests() {
    return requests;
  }

  @Override
  public void close() {
    volumes.close();
    jobs.runs().stream().filter(run -> run.thread != null).forEach(run -> run.thread.interrupt());
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getRawPath();
    if (!path.startsWith("/api/")) {
      return false;
    }
    String query = exchange.getRequestURI().getRawQuery();
    String call =
        exchange.getRequestMethod()
            + " "
            + (path.startsWith(API) ? path.substring(API.length()) : path);
    String line = call + (query == null ? "" : "?" + query);
    requests.add(line);
    byte[] body = exchange.getRequestBody().readAllBytes();
    Trouble trouble = next(line);
    if (trouble != null) {
      trouble.action().run();
      if (trouble.status() == 0) {
        return true;
      }
      if (trouble.status() > 2) {
        if (trouble.retryAfter() != null) {
          exchange.getResponseHeaders().set("Retry-After", trouble.retryAfter());
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        VolumesServer.answer(exchange, trouble.status(), trouble.body());
        return true;
      }
    }
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    if (!("Bearer " + VolumesServer.TOKEN).equals(given)) {
      VolumesServer.answer(
          exchange,
          403,
          VolumesServer.error("PERMISSION_DENIED", "Invalid access token: " + given));
      return true;
    }
    int broken = breaking.getAsInt();
    try {
      if (broken == 2) {
        throw gone();
      }
      jobs.tick();
      JsonNode answer = answer(call, parameters(query), body);
      if (broken == 1) {
        throw gone();
      }
      if (trouble == null || trouble.status() != 1) {
        VolumesServer.answer(exchange, 200, answer.toString());
      }
    } catch (BadRequest refused) {
      VolumesServer.answer(
          exchange, refused.status, VolumesServer.error(refused.code, refused.getMessage()));
    }
    return true;
  }

  private static BadRequest gone() {
    return new BadRequest(400, "BAD_REQUEST", "The workspace is out of order.");
  }

  private Trouble next(String line) {
    Trouble trouble = troubles.peek();
    return trouble != null && line.startsWith(trouble.startsWith()) ? troubles.poll() : null;
  }

  private JsonNode answer(String call, Map<String, String> query, byte[] body) {
    return switch (call) {
      case "GET get" -> job(allowed(query, "job_id", "page_token"));
      case "GET list" -> list(allowed(query, "name", "limit", "page_token", "expand_tasks"));
      case "POST update" -> {
        jobs.update(parsed(body, UpdateJob.class), tree(body));
        yield SDK.createObjectNode();
      }
      case "POST run-now" ->
          json(new RunNowResponse().setRunId(jobs.runNow(parsed(body, RunNow.class)).id()));
      case "GET runs/get" ->
          json(
              jobs.run(
                      number(
                          allowed(
                              query,
                              "run_id",
                              "page_token",
                              "include_history",
                              "include_resolved_values"),
                          "run_id"))
                  .asRun());
      case "GET runs/list" ->
          runs(
              allowed(
                  query,
                  "job_id",
                  "active_only",
                  "completed_only",
                  "limit",
                  "page_token",
                  "run_type",
                  "expand_tasks",
                  "start_time_from",
                  "start_time_to"));
      case "POST runs/cancel" -> {
        jobs.cancel(parsed(body, CancelRun.class));
        yield SDK.createObjectNode();
      }
      case "POST runs/submit" ->
          json(
              new SubmitRunResponse()
                  .setRunId(jobs.submit(parsed(body, SubmitRun.class), tree(body)).id()));
      case "GET runs/get-output" -> output(number(allowed(query, "run_id"), "run_id"));
      default -> throw new BadRequest(404, "ENDPOINT_NOT_FOUND", "No API found for '" + call + "'");
    };
  }

  private ObjectNode job(Map<String, String> query) {
    long id = number(query, "job_id");
    ObjectNode settings = jobs.settings(id);
    int from = from(query);
    boolean more = false;
    for (String name : List.of("tasks", "job_clusters", "environments", "parameters")) {
      if (settings.get(name) instanceof ArrayNode all) {
        ArrayNode page = settings.putArray(name);
        for (int i = from; i < Math.min(all.size(), from + PAGE); i++) {
          page.add(all.get(i));
        }
        more |= all.size() > from + PAGE;
      }
    }
    ObjectNode job = (ObjectNode) json(new Job().setJobId(id).setCreatorUserName("a@example.org"));
    job.set("settings", settings);
    if (more) {
      job.put("next_page_token", "+/" + (from + PAGE)).put("has_more", true);
    }
    return job;
  }

  private JsonNode list(Map<String, String> query) {
    limit(query, 100);
    List<BaseJob> all = new ArrayList<>();
    jobs.jobs()
        .forEach(
            (id, settings) -> {
              String name = settings.path("name").asText();
              if (!query.containsKey("name") || query.get("name").equalsIgnoreCase(name)) {
                all.add(new BaseJob().setJobId(id).setSettings(new JobSettings().setName(name)));
              }
            });
    int from = from(query);
    ListJobsResponse page =
        new ListJobsResponse().setJobs(all.subList(from, Math.min(all.size(), from + PAGE)));
    return json(
        all.size() > from + PAGE
            ? page.setNextPageToken("+/" + (from + PAGE)).setHasMore(true)
            : page.setHasMore(false));
  }

  private JsonNode runs(Map<String, String> query) {
    limit(query, 25);
    if (query.containsKey("active_only") && query.containsKey("completed_only")) {
      throw BadRequest.parameter("active_only and completed_only exclude each other.");
    }
    List<SimulatedRun> all =
        jobs.runs().stream()
            .filter(
                run ->
                    !query.containsKey("job_id")
                        || run.job() != null && run.job() == number(query, "job_id"))
            .filter(run -> !"true".equals(query.get("active_only")) || run.isActive())
            .filter(run -> !"true".equals(query.get("completed_only")) || !run.isActive())
            .toList();
    int from = from(query);
    ListRunsResponse page =
        new ListRunsResponse()
            .setRuns(
                all.subList(Math.min(from, all.size()), Math.min(all.size(), from + PAGE)).stream()
                    .map(SimulatedRun::asBaseRun)
                    .toList());
    return json(
        all.size() > from + PAGE
            ? page.setNextPageToken("+/" + (from + PAGE)).setHasMore(true)
            : page.setHasMore(false));
  }

  private JsonNode output(long taskRun) {
    for (SimulatedRun run : jobs.runs()) {
      for (int i = 0; i < run.tasks(); i++) {
        if (run.taskRun(i) == taskRun) {
          return json(
              new RunOutput()
                  .setError(run.error)
                  .setErrorTrace(run.trace)
                  .setMetadata(run.asRun()));
        }
      }
    }
    jobs.run(taskRun);
    throw BadRequest.parameter(
        "Retrieving the output of runs with multiple tasks is not supported. Please retrieve the"
            + " output of each individual task run instead.");
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    if (query != null) {
      for (String each : query.split("&")) {
        int is = each.indexOf('=');
        parameters.put(
            URLDecoder.decode(each.substring(0, is), UTF_8),
            URLDecoder.decode(each.substring(is + 1), UTF_8));
      }
    }
    return parameters;
  }

  private static Map<String, String> allowed(Map<String, String> query, String... names) {
    Set<String> known = Set.of(names);
    query
        .keySet()
        .forEach(
            name -> {
              if (!known.contains(name)) {
                throw BadRequest.malformed("Could not parse request: unknown field " + name);
              }
            });
    return query;
  }

  private static long number(Map<String, String> query, String name) {
    if (!query.getOrDefault(name, "").matches("[0-9]{1,18}")) {
      throw BadRequest.parameter("Missing required field: " + name);
    }
    return Long.parseLong(query.get(name));
  }

  private static void limit(Map<String, String> query, int most) {
    if (query.containsKey("limit")
        && (number(query, "limit") < 1 || number(query, "limit") > most)) {
      throw BadRequest.parameter("limit must be between 1 and " + most + ".");
    }
  }

  private static int from(Map<String, String> query) {
    String token = query.getOrDefault("page_token", "");
    if (token.isEmpty()) {
      return 0;
    }
    if (!token.matches("\\+/[0-9]+")) {
      throw BadRequest.parameter("Invalid page token.");
    }
    return Integer.parseInt(token.substring(2));
  }

  private static <T> T parsed(byte[] body, Class<T> type) {
    try {
      return STRICT.readValue(body, type);
    } catch (IOException malformed) {
      throw BadRequest.malformed("Could not parse request object: " + first(malformed));
    }
  }

  private static String first(IOException malformed) {
    return malformed instanceof JsonProcessingException json
        ? json.getOriginalMessage()
        : String.valueOf(malformed.getMessage());
  }

  private static ObjectNode tree(byte[] body) {
    try {
      return (ObjectNode) SDK.readTree(body);
    } catch (IOException malformed) {
      throw BadRequest.malformed("Could not parse request object.");
    }
  }

  private static JsonNode json(Object answer) {
    return SDK.valueToTree(answer);
  }
}
