package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.databricks.JobReference;
import org.streammigrator.databricks.JobRun;
import org.streammigrator.databricks.JobTrigger;
import org.streammigrator.databricks.JobsApiException;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.CutoverPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Store;

/**
 * Tells the new query's job its checkpoint, and starts it where the plan says so.
 *
 * <p>What is changed in the job is journalled before, as it was. May be done again after a crash at
 * any moment: a run is started with a token of the journal's, so that it is started once.
 */
final class Cutover {
  /** The journal's event that tells what is changed in the job. */
  static final String EVENT = "cutover";

  /** The journal's event that tells which run was started. */
  static final String STARTED = "run-started";

  /** The journal's event that tells that a cutover was taken back. */
  static final String UNDONE = "cutover-undone";

  private final Store store;
  private final Journal journal;
  private final JobControl control;
  private final Quiesce.Guard guard;

  Cutover(Store store, Journal journal, JobControl control, Quiesce.Guard guard) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.control = requireNonNull(control, "control");
    this.guard = requireNonNull(guard, "guard");
  }

  /** What was done, in words. */
  record Ended(Step step, String result) {}

  /** Whether the job was told its checkpoint and started. */
  boolean isDone(StreamPlan stream) {
    return done(journal, stream).isPresent();
  }

  /** The last entry of an event since a cutover was taken back. */
  static Optional<JsonNode> last(Journal journal, StreamPlan stream, String event) {
    Optional<JsonNode> last = Optional.empty();
    for (JsonNode entry : journal.since(stream.name())) {
      String now = entry.path("event").asText();
      last = now.equals(UNDONE) ? Optional.empty() : now.equals(event) ? Optional.of(entry) : last;
    }
    return last;
  }

  /** The entry that tells that the job was told its checkpoint and started. */
  static Optional<JsonNode> done(Journal journal, StreamPlan stream) {
    Optional<JsonNode> done = Optional.empty();
    for (JsonNode entry : journal.since(stream.name())) {
      if (entry.path("event").asText().equals(UNDONE)) {
        done = Optional.empty();
      } else if (entry.path("step").asText().equals(Step.Kind.CUTOVER.label())) {
        done = Optional.of(entry);
      }
    }
    return done;
  }

  /** Whether apply is to stop here; what has begun is not held. */
  boolean isHeld(StreamPlan stream) {
    return control.hold() && last(journal, stream, EVENT).isEmpty();
  }

  /**
   * Does it.
   *
   * @throws RefusedException if the old query went on meanwhile, the job runs already, it has no
   *     such setting, or somebody changed the setting meanwhile
   * @throws IOException if the workspace or storage fails
   */
  Ended run(StreamPlan stream, CutoverPlan plan) throws IOException {
    JobControl.Placed placed;
    try {
      placed = control.find(plan);
      Optional<JsonNode> begun = last(journal, stream, EVENT);
      JobSwitch change = begun.isPresent() ? null : begin(stream, plan, placed);
      JsonNode entry = last(journal, stream, EVENT).orElseThrow();
      if (!isOf(entry, placed)) {
        throw new RefusedException(anotherJob("cutover", entry, placed));
      }
      if (begun.isPresent()) {
        // Somebody may have started the old query after a crash.
        oldStands(stream, placed);
      }
      guard.check();
      change(placed, JobSettings.of(entry));
      String started = plan.start() ? start(stream, placed, entry) : "";
      return new Ended(
          JobSteps.cutover(
              stream,
              plan,
              placed,
              change == null ? new JobSwitch(JobSettings.none(), List.of()) : change),
          placed.text() + " is told the new checkpoint" + started);
    } catch (JobsApiException refused) {
      throw new RefusedException(JobSurvey.notFound("cutover", refused));
    }
  }

  /** Makes sure that it may be done, and journals what the job has now. */
  private JobSwitch begin(StreamPlan stream, CutoverPlan plan, JobControl.Placed placed)
      throws IOException {
    JobSwitch change = JobSwitch.of(stream, plan, placed.job());
    oldStands(stream, placed);
    List<JobRun> active = placed.jobs().activeRuns(placed.job().id());
    if (!active.isEmpty()) {
      throw new RefusedException(activeRun(placed, active.get(0)));
    }
    ObjectNode entry =
        Journal.entry(EVENT, stream.name())
            .put("workspace", placed.workspace())
            .put("host", placed.jobs().host())
            .put("job", placed.job().id())
            .put("token", token(stream));
    change.settings().addTo(entry);
    journal.append(entry);
    return change;
  }

  /** The old query may have been started again while the cutover was held. */
  private void oldStands(StreamPlan stream, JobControl.Placed placed) throws IOException {
    String then =
        journal.last(stream.name(), "resolved").orElseThrow().path("oldFingerprint").asText();
    String now;
    try {
      now = Checkpoint.fingerprint(new CheckpointReader(store).list(stream.checkpoint().from()));
    } catch (NoSuchFileException gone) {
      now = "";
    }
    if (!now.equals(then)) {
      throw new RefusedException(
          Finding.error(
              FindingCode.OLD_CHECKPOINT_GROWS,
              stream.checkpoint().from().toString(),
              "it changed since the new checkpoint was made of it: its query went on",
              "roll back, stop the old query, and apply the plan again"));
    }
    Optional<JsonNode> stopped = journal.last(stream.name(), Quiesce.EVENT);
    if (stopped.isPresent() && !isOf(stopped.get(), placed)) {
      JobControl.Placed old =
          control.find(
              stopped.get().path("workspace").asText(),
              new JobReference.ById(stopped.get().path("job").asLong()));
      List<JobRun> active = old.jobs().activeRuns(old.job().id());
      if (!active.isEmpty()) {
        throw new RefusedException(
            Finding.error(
                FindingCode.ACTIVE_RUN,
                "job",
                active.get(0).text() + " of " + old.text() + " was started after it was stopped",
                "stop it, roll back, and apply the plan again"));
      }
    }
  }

  private void change(JobControl.Placed placed, JobSettings change) throws IOException {
    List<String> foreign =
        change.foreign(placed.job().settings()).stream().map(JobValue::text).toList();
    if (!foreign.isEmpty()) {
      throw new RefusedException(
          Finding.error(
              FindingCode.JOB_SETTINGS_CHANGED,
              "cutover",
              "somebody changed "
                  + String.join(", ", foreign)
                  + " of "
                  + placed.text()
                  + " since the cutover began",
              "put it back as it was, and apply the plan again; or roll back"));
    }
    ObjectNode toDo = change.toDo(placed.job().settings());
    if (!toDo.isEmpty()) {
      placed.jobs().update(placed.job().id(), toDo, List.of());
    }
  }

  /** Starts a run; the workspace itself starts those of a continuous job. */
  private String start(StreamPlan stream, JobControl.Placed placed, JsonNode entry)
      throws IOException {
    if (placed.job().trigger().filter(JobTrigger::isContinuous).isPresent()) {
      return ", and the workspace starts it";
    }
    if (last(journal, stream, STARTED).isEmpty()) {
      guard.check();
      Optional<Long> run =
          placed.jobs().runNow(placed.job().id(), entry.path("token").asText(), Map.of());
      ObjectNode started = Journal.entry(STARTED, stream.name());
      run.ifPresent(id -> started.put("run", id));
      journal.append(started);
    }
    JsonNode run = last(journal, stream, STARTED).orElseThrow().path("run");
    return run.isMissingNode() ? ", and started" : ", and run " + run.asText() + " is started";
  }

  /**
   * Drawn from what the journal holds, so that a rerun has the same one and a new attempt another.
   */
  private String token(StreamPlan stream) {
    long before =
        journal.entries().stream()
            .map(entry -> entry.path("event").asText())
            .filter(event -> event.equals(Journal.ROLLED_BACK) || event.equals(UNDONE))
            .count();
    String text =
        journal.directory()
            + "\n"
            + stream.name()
            + "\n"
            + before
            + "\n"
            + journal.last(stream.name(), "resolved").orElseThrow().path("at").asText();
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "migrator-" + HexFormat.of().formatHex(digest, 0, 20);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static boolean isSame(JobControl.Placed one, JobControl.Placed other) {
    return one.job().id() == other.job().id() && one.jobs().host().equals(other.jobs().host());
  }

  static Finding activeRun(JobControl.Placed placed, JobRun run) {
    return Finding.error(
        FindingCode.ACTIVE_RUN,
        "cutover",
        run.text() + " of " + placed.text() + " is active before the job is told its checkpoint",
        "stop it, and pause what starts it");
  }

  /** Whether an entry of the journal is about a job. */
  static boolean isOf(JsonNode entry, JobControl.Placed placed) {
    return entry.path("job").asLong() == placed.job().id()
        && entry.path("host").asText().equals(placed.jobs().host());
  }

  static Finding anotherJob(String key, JsonNode entry, JobControl.Placed placed) {
    return Finding.error(
        FindingCode.JOB_SETTINGS_CHANGED,
        key,
        "apply began with job "
            + entry.path("job").asText()
            + " of "
            + entry.path("host").asText()
            + ", and the plan names "
            + placed.text()
            + " now",
        "put the plan back as it was; or roll back, and apply it as it is now");
  }
}
