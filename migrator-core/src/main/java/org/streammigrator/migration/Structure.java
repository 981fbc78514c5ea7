package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What has to be as it was for a saved plan to fit: everything about a stream but how far it is. A
 * query that merely went on keeps its structure.
 *
 * @param name the stream's name
 * @param from the old checkpoint
 * @param to the target; null if the plan names none
 * @param queryId the old query's id; null if there is none to read
 * @param sources what the old query reads, by id: the kind, and a Delta table's own id
 * @param conf the session's settings that the old checkpoint pins
 * @param operators the old query's stateful operators: name, provider, partitions
 * @param sinks what the sinks are, by place: a Delta table's own id where it can be read
 * @param target {@code absent}, {@code empty}, {@code occupied} or {@code written by this plan}
 * @param batch the last batch that counts; null if none. It is not compared
 * @param fingerprint of the old checkpoint's files; null if there is none. It is not compared
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonPropertyOrder({
  "name",
  "from",
  "to",
  "queryId",
  "sources",
  "conf",
  "operators",
  "sinks",
  "target",
  "batch",
  "fingerprint"
})
public record Structure(
    String name,
    String from,
    String to,
    String queryId,
    Map<String, String> sources,
    Map<String, String> conf,
    Map<String, String> operators,
    Map<String, String> sinks,
    String target,
    Long batch,
    String fingerprint) {

  /** The target of a plan that has begun to write there, or has finished. */
  static final String OURS = "written by this plan";

  public Structure {
    requireNonNull(name, "name");
    sources = sorted(sources);
    conf = sorted(conf);
    operators = sorted(operators);
    sinks = sorted(sinks);
  }

  private static Map<String, String> sorted(Map<String, String> map) {
    return map == null ? Map.of() : java.util.Collections.unmodifiableMap(new TreeMap<>(map));
  }

  /**
   * What is another now, a line each, with what it was and what it is; empty if this still fits.
   */
  public List<String> changesTo(Structure now) {
    List<String> changes = new ArrayList<>();
    compare("the old checkpoint", from, now.from, changes);
    compare("the target", to, now.to, changes);
    if (now.target.equals(OURS)) {
      return changes;
    }
    compare("the query id", queryId, now.queryId, changes);
    compare("source", sources, now.sources, changes);
    compare("the pinned setting", conf, now.conf, changes);
    compare("stateful operator", operators, now.operators, changes);
    compare("sink", sinks, now.sinks, changes);
    if (now.target.equals("occupied") && !target.equals("occupied")) {
      changes.add(name + ": what is at the target was " + target + ", is occupied");
    }
    return changes;
  }

  private void compare(String what, String was, String is, List<String> changes) {
    if (!Objects.equals(was, is)) {
      changes.add(name + ": " + what + " was " + word(was) + ", is " + word(is));
    }
  }

  private void compare(
      String what, Map<String, String> was, Map<String, String> is, List<String> changes) {
    TreeSet<String> keys = new TreeSet<>(was.keySet());
    keys.addAll(is.keySet());
    keys.forEach(key -> compare(what + " " + key, was.get(key), is.get(key), changes));
  }

  private static String word(String value) {
    return value == null ? "not there" : value;
  }
}
