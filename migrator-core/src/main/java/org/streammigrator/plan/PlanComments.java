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
  private static final int MAX_CODE_POINTS = 10_000_000;

  private PlanComments() {}

  /**
   * The same text with nothing in its comments.
   *
   * @return empty if the comments cannot be told from the rest
   */
  public static Optional<String> emptied(String text) {
    LoadSettings settings =
        LoadSettings.builder().setParseComments(true).setCodePointLimit(MAX_CODE_POINTS).build();
    boolean marked = text.startsWith("\uFEFF");
    List<String> lines = new ArrayList<>(List.of(text.substring(marked ? 1 : 0).split("\n", -1)));
    try {
      for (Event event : new Parse(settings).parseString(text.substring(marked ? 1 : 0))) {
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
