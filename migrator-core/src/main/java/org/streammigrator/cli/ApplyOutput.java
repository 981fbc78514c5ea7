package org.streammigrator.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Consumer;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.finding.Finding;
import org.streammigrator.job.ChunkEvent;
import org.streammigrator.migration.ApplyEvents;
import org.streammigrator.migration.Step;
import org.streammigrator.migration.StreamOutcome;
import org.streammigrator.report.FindingText;
import org.streammigrator.report.Progress;
import org.streammigrator.report.ProgressEvents;

/** Shows what an apply does while it does it. */
sealed interface ApplyOutput extends ApplyEvents {

  /** The end of the whole apply. */
  void result(String plan, int exitCode, List<StreamOutcome> outcomes);

  /** Lines for people. */
  record Text(PrintStream out, Consumer<String> chunks, CopyProgress progress)
      implements ApplyOutput {
    @Override
    public void finding(String stream, Finding finding) {
      out.print(FindingText.render(List.of(finding), stream + "  "));
    }

    @Override
    public void stepStarted(String stream, Step step) {
      out.println(stream + "  " + step.kind().label() + ": " + step.description());
    }

    @Override
    public void chunk(ChunkEvent chunk) {
      chunks.accept(chunk.text());
    }

    @Override
    public void stepDone(String stream, Step step, String result) {
      out.println(stream + "  " + step.kind().label() + " done: " + result);
    }

    @Override
    public void streamEnded(StreamOutcome outcome) {
      out.println(outcome.name() + "  " + outcome.status().label() + ": " + outcome.message());
    }

    @Override
    public void result(String plan, int exitCode, List<StreamOutcome> outcomes) {
      long finished = outcomes.stream().filter(StreamOutcome::finished).count();
      out.println(plan + ": " + finished + " of " + outcomes.size() + " streams are migrated");
    }
  }

  /** Progress as JSON, with the name of the stream whose step it is. */
  final class ProgressLines implements Consumer<Progress> {
    private final PrintStream out;
    private volatile String stream = "";

    ProgressLines(PrintStream out) {
      this.out = out;
    }

    @Override
    public void accept(Progress progress) {
      out.println(ProgressEvents.event(progress).put("stream", stream));
    }
  }

  /** One JSON object a line, the last one the result. */
  record Json(PrintStream out, ProgressLines lines, boolean chunks, CopyProgress progress)
      implements ApplyOutput {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ObjectNode event(String event, String stream) {
      return MAPPER.createObjectNode().put("event", event).put("stream", stream);
    }

    @Override
    public void finding(String stream, Finding finding) {
      ObjectNode event = event("finding", stream);
      event.set("finding", MAPPER.valueToTree(finding));
      out.println(event);
    }

    @Override
    public void stepStarted(String stream, Step step) {
      lines.stream = stream;
      ObjectNode event = event("step-started", stream);
      event.set("step", MAPPER.valueToTree(step));
      out.println(event);
    }

    @Override
    public void chunk(ChunkEvent chunk) {
      if (chunks) {
        out.println(chunk.event().put("stream", lines.stream));
      }
    }

    @Override
    public void stepDone(String stream, Step step, String result) {
      out.println(
          event("step-done", stream)
              .put("id", step.id())
              .put("kind", step.kind().label())
              .put("result", result));
    }

    @Override
    public void streamEnded(StreamOutcome outcome) {
      out.println(
          event("progress", outcome.name())
              .put("status", outcome.status().label())
              .put("message", outcome.message()));
    }

    @Override
    public void result(String plan, int exitCode, List<StreamOutcome> outcomes) {
      ObjectNode event =
          MAPPER
              .createObjectNode()
              .put("event", "result")
              .put("ok", exitCode == ExitCode.DONE)
              .put("plan", plan)
              .put("exitCode", exitCode);
      if (exitCode == ExitCode.WAITING) {
        event.put(
            "waitingFor",
            outcomes.stream()
                .filter(StreamOutcome::isWaiting)
                .map(StreamOutcome::message)
                .findFirst()
                .orElse(""));
      }
      event.set("streams", MAPPER.valueToTree(outcomes));
      out.println(event);
    }
  }
}
