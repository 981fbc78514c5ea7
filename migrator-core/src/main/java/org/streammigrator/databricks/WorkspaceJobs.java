package org.streammigrator.databricks;

import static java.util.Objects.requireNonNull;

import com.databricks.sdk.core.ApiClient;
import com.databricks.sdk.core.DatabricksError;
import com.databricks.sdk.core.DatabricksException;
import com.databricks.sdk.core.error.platform.NotFound;
import com.databricks.sdk.core.http.Request;
import com.databricks.sdk.mixin.JobsExt;
import com.databricks.sdk.service.jobs.BaseJob;
import com.databricks.sdk.service.jobs.BaseRun;
import com.databricks.sdk.service.jobs.CancelRun;
import com.databricks.sdk.service.jobs.GetRunRequest;
import com.databricks.sdk.service.jobs.ListJobsRequest;
import com.databricks.sdk.service.jobs.ListRunsRequest;
import com.databricks.sdk.service.jobs.RunNow;
import com.databricks.sdk.service.jobs.RunNowResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The jobs of a workspace by Databricks' SDK, which sends a request again that was answered with
 * 429 or 503 (after {@code Retry-After}) or not at all, four times in all.
 *
 * <p>Settings are read and written as they are on the wire: the SDK's classes would drop what they
 * do not know, and a job would not get back what it had.
 */
public final class WorkspaceJobs implements Jobs {
  private static final String API = "/api/2.2/jobs/";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Workspace workspace;
  private final ApiClient client;
  private final JobsExt jobs;

  private WorkspaceJobs(Workspace workspace, ApiClient client) {
    this.workspace = workspace;
    this.client = client;
    this.jobs = new JobsExt(client);
  }

  /**
   * The jobs of a workspace.
   *
   * @param name how messages name the workspace
   * @param settings host and credentials where they are not the environment's: {@code
   *     databricks.host}, {@code databricks.profile} and so on, as for volumes
   * @param waits how it waits before it sends a request again
   * @throws IOException if no workspace or credential is named, or a setting cannot be used
   */
  public static Jobs of(String name, Map<String, String> settings, Waits waits) throws IOException {
    return of(name, settings, waits, Workspace.TIMEOUT_SECONDS);
  }

  /** The same with another limit for an answer. */
  static Jobs of(String name, Map<String, String> settings, Waits waits, int timeoutSeconds)
      throws IOException {
    requireNonNull(name, "name");
    requireNonNull(waits, "waits");
    Workspace workspace = Workspace.of(name, settings, timeoutSeconds);
    return new WorkspaceJobs(workspace, workspace.client(waits));
  }

  @Override
  public String host() {
    return workspace.host();
  }

  @Override
  public JobDefinition job(JobReference reference) throws IOException {
    return reference instanceof JobReference.ByName byName
        ? definition(new JobReference.ById(named(byName)))
        : definition((JobReference.ById) reference);
  }

  private long named(JobReference.ByName reference) throws IOException {
    List<Long> ids =
        ask(
            reference.toString(),
            () -> {
              List<Long> found = new ArrayList<>();
              // The API compares names without regard to case.
              for (BaseJob job :
                  jobs.list(
                      new ListJobsRequest().setName(reference.name()).setExpandTasks(false))) {
                if (job.getSettings() != null
                    && reference.name().equals(job.getSettings().getName())) {
                  found.add(job.getJobId());
                }
              }
              return found;
            });
    if (ids.size() != 1) {
      throw new JobsApiException(
          host()
              + (ids.isEmpty()
                  ? ": there is no " + reference + ", or it is not shown to this user"
                  : ": more than one job has the name '"
                      + reference.name()
                      + "' ("
                      + ids
                      + "); name it by its id"),
          ids.isEmpty(),
          null);
    }
    return ids.get(0);
  }

  private JobDefinition definition(JobReference.ById reference) throws IOException {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    String token = "";
    do {
      Request request =
          request("GET", "get", null).withQueryParam("job_id", Long.toString(reference.id()));
      if (!token.isEmpty()) {
        request.withQueryParam("page_token", token);
      }
      JsonNode page = ask(reference.toString(), () -> json(request));
      page.path("settings").properties().forEach(each -> add(settings, each));
      token = page.path("next_page_token").asText("");
    } while (!token.isEmpty());
    return new JobDefinition(reference.id(), settings.path("name").asText(""), settings);
  }

  /** More than 100 tasks, clusters, environments or parameters come in pages. */
  private static void add(ObjectNode settings, Map.Entry<String, JsonNode> each) {
    JsonNode there = settings.get(each.getKey());
    if (there instanceof ArrayNode array && each.getValue() instanceof ArrayNode more) {
      array.addAll(more);
    } else {
      settings.set(each.getKey(), each.getValue());
    }
  }

  @Override
  public List<JobRun> activeRuns(long job) throws IOException {
    return ask(
        "the active runs of job " + job,
        () -> {
          List<JobRun> runs = new ArrayList<>();
          ListRunsRequest request =
              new ListRunsRequest().setJobId(job).setActiveOnly(true).setExpandTasks(false);
          for (BaseRun run : jobs.listRuns(request)) {
            runs.add(Runs.of(run));
          }
          return runs.stream().filter(JobRun::isActive).toList();
        });
  }

  @Override
  public JobRun run(long run) throws IOException {
    return ask("run " + run, () -> Runs.of(jobs.getRun(new GetRunRequest().setRunId(run))));
  }

  @Override
  public void cancel(long run) throws IOException {
    ask("the end of run " + run, () -> jobs.cancelRun(new CancelRun().setRunId(run)));
  }

  @Override
  public void update(long job, ObjectNode settings, List<String> removed) throws IOException {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("job_id", job);
    if (!removed.isEmpty()) {
      removed.forEach(body.putArray("fields_to_remove")::add);
    }
    body.set("new_settings", settings);
    ask(
        "new settings for job " + job,
        () -> client.execute(request("POST", "update", body), Void.class));
  }

  @Override
  public Optional<Long> runNow(long job, String token, Map<String, String> parameters)
      throws IOException {
    RunNow request = new RunNow().setJobId(job).setIdempotencyToken(token);
    if (!parameters.isEmpty()) {
      request.setJobParameters(parameters);
    }
    return ask(
        "a run of job " + job,
        () -> {
          RunNowResponse started = jobs.runNow(request).getResponse();
          return Optional.ofNullable(started.getRunId());
        });
  }

  @Override
  public long submit(ObjectNode submission) throws IOException {
    if (submission.path("idempotency_token").asText().isEmpty()) {
      throw new IllegalArgumentException("a submission needs an idempotency_token");
    }
    JsonNode answer = ask("a one-time run", () -> json(request("POST", "runs/submit", submission)));
    if (!answer.path("run_id").canConvertToLong()) {
      throw new IOException(host() + " took a one-time run and does not say which it is");
    }
    return answer.path("run_id").asLong();
  }

  @Override
  public RunOutput output(long taskRun) throws IOException {
    return ask("the output of run " + taskRun, () -> Runs.of(jobs.getRunOutput(taskRun)));
  }

  private Request request(String method, String call, ObjectNode body) {
    Request request =
        body == null
            ? new Request(method, API + call)
            : new Request(method, API + call, body.toString())
                .withHeader("Content-Type", "application/json");
    request.withHeader("Accept", "application/json");
    if (client.workspaceId() != null) {
      request.withHeader("X-Databricks-Workspace-Id", client.workspaceId());
    }
    return request;
  }

  /** An answer as it is on the wire; the SDK makes what it reads by a constructor. */
  private JsonNode json(Request request) throws IOException {
    return JSON.valueToTree(client.execute(request, LinkedHashMap.class));
  }

  /** A call of the SDK. */
  private interface Call<T> {
    T answer() throws IOException;
  }

  /** Whether the same may be answered another way later. */
  private static boolean isPassing(DatabricksException refused) {
    return !(refused instanceof DatabricksError error)
        || error.getStatusCode() >= 500
        || error.getStatusCode() == 429;
  }

  private <T> T ask(String what, Call<T> call) throws IOException {
    try {
      return call.answer();
    } catch (DatabricksException refused) {
      String message = host() + ": " + what + ": " + workspace.text(refused);
      throw isPassing(refused)
          ? new IOException(message, refused)
          : new JobsApiException(message, refused instanceof NotFound, refused);
    } catch (IOException broken) {
      throw new IOException(host() + ": " + what + ": " + workspace.text(broken), broken);
    }
  }
}
