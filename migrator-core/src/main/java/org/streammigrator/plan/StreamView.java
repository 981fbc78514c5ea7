package org.streammigrator.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.streammigrator.storage.Location;

/**
 * What the contradictions of a stream are looked for in, taken from the tree: it is there even when
 * the stream could not be read as a whole.
 *
 * @param name the name, or the default for it; of a template it holds open references
 * @param nameOrigin where the name stands, or the stream
 * @param from the old checkpoint
 * @param to the new checkpoint
 * @param toOrigin where the new checkpoint stands
 * @param archive where the old checkpoint is packed to
 * @param archiveOrigin where that stands
 * @param strategy the strategy
 * @param after the streams waited for
 * @param workspaces every mention of a workspace
 * @param moved the old places of {@code rewrite}
 * @param madeFrom from what a template made it, for messages, with a blank before; else empty
 */
record StreamView(
    YamlMap map,
    Optional<String> name,
    Origin nameOrigin,
    Optional<Location> from,
    Optional<Location> to,
    Origin toOrigin,
    Optional<Location> archive,
    Origin archiveOrigin,
    Optional<YamlScalar> strategy,
    List<YamlScalar> after,
    List<YamlScalar> workspaces,
    List<Moved> moved,
    String madeFrom) {

  /**
   * The {@code from} of a rule of {@code rewrite}.
   *
   * @param place what it names
   * @param text where it stands
   */
  record Moved(Location place, YamlScalar text) {}

  static StreamView of(YamlMap map, Path directory, String madeFrom) {
    Optional<YamlMap> checkpoint = map.map("checkpoint");
    Optional<YamlScalar> to = checkpoint.flatMap(places -> scalar(places, "to"));
    Optional<Location> from = checkpoint.flatMap(places -> place(places, "from", directory));
    Optional<YamlScalar> name = scalar(map, "name");
    Optional<YamlMap> packed = map.map("archive");
    List<YamlScalar> workspaces = new ArrayList<>();
    for (String holder : List.of("job", "cutover", "runner")) {
      map.map(holder).flatMap(held -> scalar(held, "workspace")).ifPresent(workspaces::add);
    }
    return new StreamView(
        map,
        name.map(YamlScalar::text).or(() -> from.map(StreamPlan::defaultName)),
        name.map(YamlScalar::origin).orElse(map.origin()),
        from,
        checkpoint.flatMap(places -> place(places, "to", directory)),
        to.map(YamlScalar::origin).orElse(map.origin()),
        packed.flatMap(places -> place(places, "to", directory)),
        packed.flatMap(places -> scalar(places, "to")).map(YamlScalar::origin).orElse(map.origin()),
        scalar(map, "strategy"),
        after(map),
        workspaces,
        moved(map, directory),
        madeFrom);
  }

  private static List<Moved> moved(YamlMap map, Path directory) {
    List<Moved> rules = new ArrayList<>();
    if (map.get("rewrite").orElse(null) instanceof YamlList list) {
      for (YamlNode item : list.items()) {
        if (item instanceof YamlMap rule) {
          scalar(rule, "from")
              .ifPresent(
                  from ->
                      place(rule, "from", directory)
                          .ifPresent(place -> rules.add(new Moved(place, from))));
        }
      }
    }
    return rules;
  }

  boolean isTemplate() {
    return map.get("foreach").isPresent();
  }

  /** Whether this template may make a stream of this name. */
  boolean mayMake(String wanted) {
    StringBuilder pattern = new StringBuilder();
    for (String part : name.orElse("${name}").split("\\$\\{[^}]*}", -1)) {
      pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(part));
    }
    return wanted.matches(pattern.toString());
  }

  private static List<YamlScalar> after(YamlMap map) {
    List<YamlScalar> names = new ArrayList<>();
    map.get("after")
        .ifPresent(
            node -> {
              List<YamlNode> items = node instanceof YamlList list ? list.items() : List.of(node);
              for (YamlNode item : items) {
                if (item instanceof YamlScalar scalar && isSet(scalar)) {
                  names.add(scalar);
                }
              }
            });
    return names;
  }

  private static boolean isSet(YamlScalar scalar) {
    return !scalar.isNull() && scalar.kind() != YamlScalar.Kind.OPEN;
  }

  private static Optional<YamlScalar> scalar(YamlMap map, String key) {
    return map.get(key)
        .filter(YamlScalar.class::isInstance)
        .map(YamlScalar.class::cast)
        .filter(scalar -> !scalar.isNull());
  }

  private static Optional<Location> place(YamlMap map, String key, Path directory) {
    return scalar(map, key)
        .flatMap(
            text ->
                new ScalarReader(directory, new Problems())
                    .read(Location.class, Key.Form.PLAIN, 0, text)
                    .map(Location.class::cast));
  }
}
