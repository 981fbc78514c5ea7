package org.streammigrator.databricks;

import com.databricks.sdk.service.jobs.BaseRun;
import com.databricks.sdk.service.jobs.Run;
import com.databricks.sdk.service.jobs.RunLifeCycleState;
import com.databricks.sdk.service.jobs.RunResultState;
import com.databricks.sdk.service.jobs.RunState;
import com.databricks.sdk.service.jobs.RunTask;
import com.databricks.sdk.service.jobs.RunType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** A run of the simulated workspace. Its lock is the state that it belongs to. */
public final class SimulatedRun {
  private final long id;
  private final Long job;
  private final ObjectNode settings;
  private final List<String> tasks;
  private final String url;
  private final long started = System.currentTimeMillis();
  private RunLifeCycleState state = RunLifeCycleState.RUNNING;
  private RunResultState result;
  private String message = "In run";
  private int requests;
  private int leftToCancel = -1;
  String error;
  String trace;
  Thread thread;

  SimulatedRun(long id, Long job, ObjectNode settings, List<String> tasks, String url) {
    this.id = id;
    this.job = job;
    this.settings = settings;
    this.tasks = tasks;
    this.url = url;
  }

  /** The run's id. */
  public long id() {
    return id;
  }

  /** The job; null of a run that was submitted. */
  Long job() {
    return job;
  }

  /** The settings of its job as they were when it started, or what was submitted. */
  public ObjectNode settings() {
    return settings;
  }

  /** How many requests the workspace has served since it started. */
  public int requests() {
    return requests;
  }

  public boolean isActive() {
    return state == RunLifeCycleState.RUNNING || state == RunLifeCycleState.TERMINATING;
  }

  boolean isRunning() {
    return state == RunLifeCycleState.RUNNING;
  }

  void served() {
    requests++;
  }

  /** Begins to end it. */
  void cancel(int afterRequests) {
    if (isRunning()) {
      state = RunLifeCycleState.TERMINATING;
      message = "Terminating the spark cluster";
      leftToCancel = afterRequests;
      cancelled();
    }
  }

  /** Whether a run that is being cancelled has ended with this request. */
  void cancelled() {
    if (state == RunLifeCycleState.TERMINATING && leftToCancel-- <= 0) {
      end(RunResultState.CANCELED, "Run cancelled.");
    }
  }

  void end(RunResultState how, String says) {
    state = RunLifeCycleState.TERMINATED;
    result = how;
    message = says;
  }

  private RunState runState() {
    return new RunState()
        .setLifeCycleState(state)
        .setResultState(result)
        .setStateMessage(message)
        .setUserCancelledOrTimedout(result == RunResultState.CANCELED);
  }

  private List<RunTask> runTasks() {
    List<RunTask> all = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      all.add(new RunTask().setTaskKey(tasks.get(i)).setRunId(taskRun(i)).setState(runState()));
    }
    return all;
  }

  long taskRun(int index) {
    return id * 1000 + index;
  }

  int tasks() {
    return tasks.size();
  }

  Run asRun() {
    return new Run()
        .setRunId(id)
        .setJobId(job)
        .setRunType(job == null ? RunType.SUBMIT_RUN : RunType.JOB_RUN)
        .setRunPageUrl(url)
        .setStartTime(started)
        .setState(runState())
        .setTasks(runTasks());
  }

  BaseRun asBaseRun() {
    return new BaseRun()
        .setRunId(id)
        .setJobId(job)
        .setRunType(job == null ? RunType.SUBMIT_RUN : RunType.JOB_RUN)
        .setRunPageUrl(url)
        .setStartTime(started)
        .setState(runState());
  }
}
