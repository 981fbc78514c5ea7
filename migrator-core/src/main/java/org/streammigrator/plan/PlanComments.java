package org.streammigrator.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.comments.CommentType;
import org.snakeyaml.engine.v2.events.CommentEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The comments of a plan file, which may say what must not be kept: a password that was tried, a
 * host. The {@code #} of each stays, so that no line, place or meaning changes.
 */
public final class PlanComments {
  private PlanComments() {}

  /**
   * The same text with nothing in its comments.
   *
   * @return empty if the comments cannot be told from the rest
   */
  public static Optional<String> emptied(String text) {
    boolean marked = text.startsWith("\uFEFF");
    String clean = text.substring(marked ? 1 : 0);
    LoadSettings settings = YamlParser.settings(clean).setParseComments(true).build();
    List<String> lines = new ArrayList<>(List.of(clean.split("\n", -1)));
    try {
      for (Event event : new Parse(settings).parseString(clean)) {
        if (event instanceof CommentEvent comment
            && comment.getCommentType() != CommentType.BLANK_LINE) {
          if (event.getStartMark().isEmpty() || !empty(lines, event.getStartMark().get())) {
            return Optional.empty();
          }
        }
      }
    } catch (YamlEngineException notTold) {
      return Optional.empty();
    }
    return Optional.of((marked ? "\uFEFF" : "") + String.join("\n", lines));
  }

  private static boolean empty(List<String> lines, Mark start) {
    String line = lines.get(start.getLine());
    int hash = line.offsetByCodePoints(0, start.getColumn());
    if (hash >= line.length() || line.charAt(hash) != '#') {
      return false;
    }
    lines.set(start.getLine(), line.substring(0, hash + 1) + (line.endsWith("\r") ? "\r" : ""));
    return true;
  }
}
