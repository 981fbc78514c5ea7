package org.streammigrator.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
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

/**
 * Shows what an apply does while it does it. Each stream has an output of its own; each of their
 * lines is printed by one call, so that those of several streams do not mix.
 */
sealed interface ApplyOutput extends ApplyEvents {

  /** What has been written, for all outputs of an apply together. */
  Written sum();

  @Override
  default void written(String stream, long files, long bytes) {
    sum().files.add(files);
    sum().bytes.add(bytes);
  }

  /** The end of the whole apply. */
  void result(String plan, int exitCode, List<StreamOutcome> outcomes);

  /** Files and bytes of new checkpoints that have been written. */
  final class Written {
    private final LongAdder files = new LongAdder();
    private final LongAdder bytes = new LongAdder();
  }

  /** How many streams ended in which way, in the order of the ways. */
  private static Map<StreamOutcome.Status, List<String>> byStatus(List<StreamOutcome> outcomes) {
    Map<StreamOutcome.Status, List<String>> names = new EnumMap<>(StreamOutcome.Status.class);
    for (StreamOutcome outcome : outcomes) {
      names.computeIfAbsent(outcome.status(), status -> new ArrayList<>()).add(outcome.name());
    }
    return names;
  }

  /** Lines for people. */
  record Text(PrintStream out, Consumer<String> chunks, CopyProgress progress, Written sum)
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
      if (outcomes.size() > 1) {
        out.print(summary(outcomes));
      }
    }

    private String summary(List<StreamOutcome> outcomes) {
      Map<StreamOutcome.Status, List<String>> names = byStatus(outcomes);
      StringBuilder text = new StringBuilder("  ");
      names.forEach(
          (status, of) -> text.append(of.size()).append(' ').append(status.label()).append(", "));
      text.setLength(text.length() - 2);
      text.append("; ").append(sum.files).append(" files, ");
      text.append(sum.bytes).append(" bytes written\n");
      names.forEach(
          (status, of) -> {
            if (status != StreamOutcome.Status.DONE && status != StreamOutcome.Status.UNCHANGED) {
              text.append("  ").append(status.label()).append(": ");
              text.append(String.join(", ", of)).append('\n');
            }
          });
      return text.toString();
    }
  }

  /** Progress as JSON, with the name of the stream whose step it is. */
  final class ProgressLines implements Consumer<Progress> {
    private final PrintStream out;
    private final String stream;

    ProgressLines(PrintStream out, String stream) {
      this.out = out;
      this.stream = stream;
    }

    @Override
    public void accept(Progress progress) {
      out.println(ProgressEvents.event(progress).put("stream", stream));
    }
  }

  /** One JSON object a line, the last one the result. */
  record Json(PrintStream out, String stream, boolean chunks, CopyProgress progress, Written sum)
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
      ObjectNode event = event("step-started", stream);
      event.set("step", MAPPER.valueToTree(step));
      out.println(event);
    }

    @Override
    public void chunk(ChunkEvent chunk) {
      if (chunks) {
        out.println(chunk.event().put("stream", stream));
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
      ObjectNode counts = MAPPER.createObjectNode();
      byStatus(outcomes).forEach((status, names) -> counts.put(status.label(), names.size()));
      event.set(
          "summary",
          MAPPER
              .createObjectNode()
              .put("streams", outcomes.size())
              .put("files", sum.files.sum())
              .put("bytes", sum.bytes.sum())
              .set("outcomes", counts));
      out.println(event);
    }
  }
}
