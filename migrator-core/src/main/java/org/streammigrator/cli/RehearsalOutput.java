package org.streammigrator.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.streammigrator.rehearsal.StreamRehearsal;
import org.streammigrator.report.RehearsalText;

/**
 * Tells of rehearsals: in lines for people, or one JSON object a line as an apply does, the last
 * one the result.
 */
record RehearsalOutput(PrintStream out, boolean json) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Says what is done to a stream now. */
  void say(String stream, String words) {
    if (json) {
      out.println(
          MAPPER
              .createObjectNode()
              .put("event", "progress")
              .put("stream", stream)
              .put("message", words));
    } else {
      out.println(stream + "  " + words);
    }
  }

  /** Tells how one stream's rehearsal ended. */
  void tell(StreamRehearsal ended) {
    if (json) {
      ObjectNode event =
          MAPPER.createObjectNode().put("event", "rehearsal").put("stream", ended.name());
      event.set("rehearsal", MAPPER.valueToTree(ended));
      out.println(event);
    } else {
      out.print(RehearsalText.of(ended));
    }
  }

  /** Tells how the command ended, and returns its exit code. */
  int result(String plan, List<StreamRehearsal> ended) {
    int code = exitCode(ended);
    if (json) {
      ObjectNode event =
          MAPPER
              .createObjectNode()
              .put("event", "result")
              .put("schema", "migrator/rehearse/1")
              .put("ok", code == ExitCode.DONE)
              .put("plan", plan)
              .put("exitCode", code);
      event.set("streams", MAPPER.valueToTree(ended));
      out.println(event);
    } else {
      long good = ended.stream().filter(StreamRehearsal::isGood).count();
      long needless =
          ended.stream().filter(one -> one.status() == StreamRehearsal.Status.UNCHANGED).count();
      out.println(
          plan
              + ": "
              + (good - needless)
              + " of "
              + ended.size()
              + " streams are rehearsed"
              + (needless == 0 ? "" : ", " + needless + " had been migrated before"));
    }
    return code;
  }

  private static int exitCode(List<StreamRehearsal> ended) {
    Set<StreamRehearsal.Status> statuses = EnumSet.noneOf(StreamRehearsal.Status.class);
    ended.forEach(one -> statuses.add(one.status()));
    if (statuses.contains(StreamRehearsal.Status.FAILED)) {
      return ExitCode.NOT_VERIFIED;
    }
    if (statuses.contains(StreamRehearsal.Status.STOPPED)) {
      return ExitCode.STOPPED;
    }
    if (!statuses.contains(StreamRehearsal.Status.REFUSED)) {
      return ExitCode.DONE;
    }
    return statuses.size() == 1 ? ExitCode.REFUSED : ExitCode.STOPPED;
  }
}
