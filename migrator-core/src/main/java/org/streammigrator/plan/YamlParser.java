package org.streammigrator.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.LoadSettingsBuilder;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads YAML into a tree with places, by the core schema of YAML 1.2. Depth and what aliases repeat
 * are bounded, so that no small text becomes a large tree.
 */
final class YamlParser {
  static final int MAX_DEPTH = 50;
  static final int MAX_REPEATED = 20_000;
  private static final int MAX_CODE_POINTS = 10_000_000;
  private static final Origin START = new Origin("", 1, 1);

  private final CoreSchema schema = new CoreSchema();
  private final Map<Anchor, YamlNode> anchors = new HashMap<>();
  private final Set<Anchor> open = new HashSet<>();
  private final Iterator<Event> events;
  private final Problems problems;
  private int repeated;

  private YamlParser(Iterator<Event> events, Problems problems) {
    this.events = events;
    this.problems = problems;
  }

  /** The document's map; empty, with problems, when the text has none. */
  static Optional<YamlMap> parse(String text, Problems problems) {
    try {
      String clean = text.startsWith("\uFEFF") ? text.substring(1) : text;
      Iterator<Event> events = new Parse(settings(clean).build()).parseString(clean).iterator();
      return new YamlParser(events, problems).document();
    } catch (Broken broken) {
      problems.add(broken.origin, broken.getMessage());
    } catch (MarkedYamlEngineException broken) {
      Origin origin =
          broken.getProblemMark().or(broken::getContextMark).map(YamlParser::origin).orElse(START);
      problems.add(origin, "this is not YAML: " + explain(broken));
    } catch (ReaderException broken) {
      problems.add(
          originOf(text, broken.getPosition()),
          String.format(
              Locale.ROOT, "a plan cannot hold the character U+%04X", broken.getCodePoint()));
    } catch (YamlEngineException broken) {
      problems.add(START, "this is not YAML: " + broken.getMessage());
    }
    return Optional.empty();
  }

  /**
   * Settings to read a text in one part: the library reads past its buffer where the first half of
   * a surrogate pair is the last character of a part.
   */
  static LoadSettingsBuilder settings(String text) {
    return LoadSettings.builder()
        .setCodePointLimit(MAX_CODE_POINTS)
        .setBufferSize(text.length() + 1);
  }

  private static String explain(MarkedYamlEngineException broken) {
    String problem = broken.getProblem();
    String context = broken.getContext() == null ? "" : broken.getContext() + ", ";
    String hint = problem.contains("\\t") ? " (indent with blanks, not with tabs)" : "";
    return context + problem + hint;
  }

  private static Origin originOf(String text, int position) {
    String before = text.substring(0, Math.min(Math.max(position, 0), text.length()));
    int line = (int) before.chars().filter(character -> character == '\n').count() + 1;
    int start = before.lastIndexOf('\n') + 1;
    return new Origin("", line, before.codePointCount(start, before.length()) + 1);
  }

  private static Origin origin(Mark mark) {
    return new Origin("", mark.getLine() + 1, mark.getColumn() + 1);
  }

  private static Origin origin(Event event, Origin path) {
    return event.getStartMark().map(YamlParser::origin).orElse(START).withPath(path);
  }

  private Optional<YamlMap> document() {
    Optional<YamlNode> root = Optional.empty();
    while (events.hasNext()) {
      Event event = events.next();
      if (event instanceof DocumentStartEvent) {
        if (root.isPresent()) {
          throw new Broken(
              origin(event, START), "a plan is one YAML document, this is a second one");
        }
        root = Optional.of(node(events.next(), START, 0));
      }
    }
    YamlNode value = root.orElseThrow(() -> new Broken(START, "the file is empty"));
    if (value instanceof YamlMap map) {
      return Optional.of(map);
    }
    boolean empty = value instanceof YamlScalar scalar && scalar.isNull();
    throw new Broken(
        value.origin(),
        empty ? "the file is empty" : "expected a map of keys, found " + value.describe());
  }

  private YamlNode node(Event event, Origin at, int depth) {
    Origin origin = origin(event, at);
    if (depth > MAX_DEPTH) {
      throw new Broken(origin, "nested deeper than " + MAX_DEPTH + " levels");
    }
    if (event instanceof AliasEvent alias) {
      return alias(alias.getAlias(), origin);
    }
    Optional<Anchor> anchor = event instanceof NodeEvent node ? node.getAnchor() : Optional.empty();
    anchor.ifPresent(open::add);
    YamlNode node;
    if (event instanceof ScalarEvent scalar) {
      node = scalar(scalar, origin);
    } else if (event instanceof SequenceStartEvent sequence) {
      checkTag(sequence.getTag(), Tag.SEQ, origin);
      node = list(origin, depth);
    } else if (event instanceof MappingStartEvent mapping) {
      checkTag(mapping.getTag(), Tag.MAP, origin);
      node = map(origin, depth);
    } else {
      throw new IllegalStateException("unexpected event " + event);
    }
    anchor.ifPresent(
        name -> {
          open.remove(name);
          anchors.put(name, node);
        });
    return node;
  }

  private YamlNode alias(Anchor name, Origin origin) {
    if (open.contains(name)) {
      throw new Broken(origin, "the alias *" + name + " stands inside what it repeats");
    }
    YamlNode target = anchors.get(name);
    if (target == null) {
      throw new Broken(origin, "the alias *" + name + " repeats nothing: there is no &" + name);
    }
    return copy(target, origin, origin);
  }

  private YamlNode copy(YamlNode node, Origin path, Origin alias) {
    repeated++;
    if (repeated > MAX_REPEATED) {
      throw new Broken(
          new Origin("", alias.line(), alias.column()),
          "aliases repeat more than " + MAX_REPEATED + " values");
    }
    Origin origin = node.origin().withPath(path);
    if (node instanceof YamlMap map) {
      Map<String, YamlMap.Entry> entries = new LinkedHashMap<>();
      map.entries()
          .forEach(
              (key, entry) ->
                  entries.put(
                      key,
                      new YamlMap.Entry(
                          entry.key().withPath(origin.key(key)),
                          copy(entry.value(), origin.key(key), alias))));
      return new YamlMap(origin, entries);
    }
    if (node instanceof YamlList list) {
      List<YamlNode> items = new ArrayList<>();
      for (YamlNode item : list.items()) {
        items.add(copy(item, origin.index(items.size()), alias));
      }
      return new YamlList(origin, items);
    }
    YamlScalar scalar = (YamlScalar) node;
    return new YamlScalar(origin, scalar.text(), scalar.shown(), scalar.kind());
  }

  private YamlNode list(Origin origin, int depth) {
    List<YamlNode> items = new ArrayList<>();
    for (Event event = events.next();
        !(event instanceof CollectionEndEvent);
        event = events.next()) {
      items.add(node(event, origin.index(items.size()), depth + 1));
    }
    return new YamlList(origin, items);
  }

  private YamlNode map(Origin origin, int depth) {
    Map<String, YamlMap.Entry> entries = new LinkedHashMap<>();
    for (Event event = events.next();
        !(event instanceof CollectionEndEvent);
        event = events.next()) {
      YamlNode key = node(event, origin, depth + 1);
      if (!(key instanceof YamlScalar scalar) || scalar.isNull()) {
        problems.add(key.origin(), "a key must be text, found " + key.describe());
        node(events.next(), origin, depth + 1);
        continue;
      }
      Origin keyOrigin = key.origin().withPath(origin.key(scalar.text()));
      YamlNode value = node(events.next(), keyOrigin, depth + 1);
      YamlMap.Entry first = entries.putIfAbsent(scalar.text(), new YamlMap.Entry(keyOrigin, value));
      if (first != null) {
        problems.add(
            keyOrigin,
            "the key '"
                + scalar.text()
                + "' stands here twice, first in line "
                + first.key().line());
      }
    }
    return new YamlMap(origin, entries);
  }

  private YamlScalar scalar(ScalarEvent event, Origin origin) {
    String text = event.getValue();
    Tag tag =
        event
            .getTag()
            .map(Tag::new)
            .orElseGet(() -> schema.getScalarResolver().resolve(text, event.isPlain()));
    YamlScalar.Kind kind;
    if (tag.equals(Tag.STR)) {
      kind = YamlScalar.Kind.TEXT;
    } else if (tag.equals(Tag.INT)) {
      kind = YamlScalar.Kind.INTEGER;
    } else if (tag.equals(Tag.FLOAT)) {
      kind = YamlScalar.Kind.FLOAT;
    } else if (tag.equals(Tag.BOOL)) {
      kind = YamlScalar.Kind.BOOLEAN;
    } else if (tag.equals(Tag.NULL)) {
      kind = YamlScalar.Kind.NULL;
    } else {
      // A merge key is plain text in YAML 1.2; it is reported as an unknown key. So is ${name}.
      kind = YamlScalar.Kind.TEXT;
      boolean isReference = tag.equals(Tag.ENV_TAG) && event.getTag().isEmpty();
      if (!tag.equals(Tag.MERGE) && !isReference) {
        problems.add(origin, "tags are not understood: remove " + tag.getValue());
      }
    }
    return new YamlScalar(origin, text, text, kind);
  }

  private void checkTag(Optional<String> tag, Tag expected, Origin origin) {
    if (tag.isPresent() && !tag.get().equals(expected.getValue()) && !tag.get().equals("!")) {
      problems.add(origin, "tags are not understood: remove " + tag.get());
    }
  }

  /** Ends the reading: nothing sensible can follow. */
  private static final class Broken extends RuntimeException {
    private final transient Origin origin;

    Broken(Origin origin, String message) {
      super(message, null, false, false);
      this.origin = origin;
    }
  }
}
