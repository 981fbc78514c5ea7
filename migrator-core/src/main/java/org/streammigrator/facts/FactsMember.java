package org.streammigrator.facts;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.finding.DidYouMean;

/**
 * A member of a facts file with the path that leads to it, so that what is wrong can be named.
 *
 * @param path the keys and list indexes from the root
 */
record FactsMember(List<String> path, JsonNode node) {
  FactsMember {
    path = List.copyOf(path);
  }

  /** A member that is not as it has to be. */
  static final class WrongMember extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient List<String> path;

    private WrongMember(List<String> path, String message) {
      super(message);
      this.path = path;
    }

    List<String> path() {
      return path;
    }
  }

  WrongMember wrong(String expected) {
    return new WrongMember(path, "\"" + String.join(".", path) + "\" must be " + expected);
  }

  /** The members of an object whose keys are names of the world outside. */
  List<FactsMember> members() {
    if (!node.isObject()) {
      throw wrong("an object");
    }
    List<FactsMember> members = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      members.add(below(member.getKey(), member.getValue()));
    }
    return members;
  }

  /**
   * The same object. A key that looks like a misspelt known one is an error, and so is an object
   * without any known key. Other keys are left alone: whoever writes such a file may know more than
   * this program asks for.
   */
  FactsMember only(Collection<String> known) {
    List<FactsMember> members = members();
    boolean noneKnown = members.stream().noneMatch(member -> known.contains(member.name()));
    for (FactsMember member : members) {
      boolean misspelt = !DidYouMean.among(member.name(), known).isEmpty();
      if (!known.contains(member.name()) && (noneKnown || misspelt)) {
        throw new WrongMember(
            member.path,
            "unknown key \""
                + String.join(".", member.path)
                + "\"; the keys are "
                + String.join(", ", known)
                + DidYouMean.among(member.name(), known));
      }
    }
    return this;
  }

  /** The elements of a list. */
  List<FactsMember> elements() {
    if (!node.isArray()) {
      throw wrong("a list");
    }
    List<FactsMember> elements = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      elements.add(below(Integer.toString(i), node.get(i)));
    }
    return elements;
  }

  /** The last key of the path. */
  String name() {
    return path.get(path.size() - 1);
  }

  /** A member that may be missing. */
  Optional<FactsMember> get(String key) {
    return node.has(key) ? Optional.of(below(key, node.get(key))) : Optional.empty();
  }

  /** A member that must be there. */
  FactsMember require(String key) {
    return below(key, node.path(key));
  }

  long number() {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw wrong("a 64-bit integer");
    }
    return node.longValue();
  }

  /** The same number, which must not be below another. */
  FactsMember atLeast(long lowest) {
    if (number() < lowest) {
      throw wrong("at least " + lowest + " and is " + number());
    }
    return this;
  }

  /** The same number, which must not be above another. */
  FactsMember atMost(long highest) {
    if (number() > highest) {
      throw wrong("at most " + highest + " and is " + number());
    }
    return this;
  }

  OptionalLong number(String key) {
    Optional<FactsMember> member = get(key);
    return member.isPresent() ? OptionalLong.of(member.get().number()) : OptionalLong.empty();
  }

  String text() {
    if (!node.isTextual()) {
      throw wrong("text");
    }
    return node.asText();
  }

  private FactsMember below(String key, JsonNode value) {
    List<String> longer = new ArrayList<>(path);
    longer.add(key);
    return new FactsMember(longer, value);
  }
}
