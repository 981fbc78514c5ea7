package org.streammigrator.plan;

import java.util.List;

/** A list of a YAML document. */
record YamlList(Origin origin, List<YamlNode> items) implements YamlNode {
  YamlList {
    items = List.copyOf(items);
  }

  @Override
  public String describe() {
    return "a list";
  }
}
