package org.streammigrator.cases;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Compares JSON with an expectation that names only some of its fields. */
public final class JsonSubset {
  private JsonSubset() {}

  /** Every difference, as a path with both values; lists have to be of one length. */
  public static List<String> differences(JsonNode expected, JsonNode actual) {
    List<String> found = new ArrayList<>();
    compare("", expected, actual, found);
    return found;
  }

  private static void compare(String path, JsonNode expected, JsonNode actual, List<String> found) {
    if (actual == null) {
      found.add(path + ": expected " + expected + ", not there");
    } else if (expected.isObject() && actual.isObject()) {
      for (Map.Entry<String, JsonNode> field : expected.properties()) {
        compare(path + "/" + field.getKey(), field.getValue(), actual.get(field.getKey()), found);
      }
    } else if (expected.isArray() && actual.isArray() && expected.size() == actual.size()) {
      for (int i = 0; i < expected.size(); i++) {
        compare(path + "/" + i, expected.get(i), actual.get(i), found);
      }
    } else if (!same(expected, actual)) {
      found.add(path + ": expected " + expected + ", got " + actual);
    }
  }

  private static boolean same(JsonNode expected, JsonNode actual) {
    return expected.isIntegralNumber() && actual.isIntegralNumber()
        ? expected.bigIntegerValue().equals(actual.bigIntegerValue())
        : expected.equals(actual);
  }

  /** Every finding in a result, wherever it stands, as {@code CODE} and {@code CODE:severity}. */
  public static Set<String> findings(JsonNode result) {
    Set<String> codes = new TreeSet<>();
    for (JsonNode list : result.findValues("findings")) {
      for (JsonNode finding : list) {
        codes.add(finding.path("code").asText());
        codes.add(finding.path("code").asText() + ":" + finding.path("severity").asText());
      }
    }
    return codes;
  }
}
