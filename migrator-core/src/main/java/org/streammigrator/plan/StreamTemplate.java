package org.streammigrator.plan;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A stream that stands for many: {@link PlanReader#expand} fills it with rows. */
public final class StreamTemplate {
  private static final Set<String> GLOB_NAMES = Set.of("name", "path");

  private final ForeachPlan foreach;
  private final YamlMap raw;
  private final YamlMap defaults;
  private final List<StreamView> siblings;
  private final PlanReader.Context context;

  StreamTemplate(
      ForeachPlan foreach,
      YamlMap raw,
      YamlMap defaults,
      List<StreamView> siblings,
      PlanReader.Context context) {
    this.foreach = requireNonNull(foreach, "foreach");
    this.raw = requireNonNull(raw, "raw");
    this.defaults = requireNonNull(defaults, "defaults");
    this.siblings = List.copyOf(siblings);
    this.context = requireNonNull(context, "context");
  }

  /** What the template is filled with. */
  public ForeachPlan foreach() {
    return foreach;
  }

  Path directory() {
    return context.directory();
  }

  /** The plan's streams that are no templates. */
  List<StreamView> siblings() {
    return siblings;
  }

  /** The stream for one row, interpolated, with defaults, and without its foreach. */
  YamlMap fill(Map<String, String> row, Problems problems) {
    YamlMap body = raw.without("foreach");
    YamlMap filled = context.interpolator(problems).map(body, new Row(row));
    return filled.over(defaults);
  }

  @Override
  public String toString() {
    return "StreamTemplate[" + foreach + "]";
  }

  /** The names that a template may use, without values. */
  static Interpolator.Names openNames(YamlMap raw) {
    boolean columns = raw.map("foreach").flatMap(foreach -> foreach.get("csv")).isPresent();
    return new Interpolator.Names() {
      @Override
      public Optional<String> value(String name) {
        return Optional.empty();
      }

      @Override
      public boolean allows(String name) {
        return GLOB_NAMES.contains(name) || columns && !name.isBlank() && !name.contains(":");
      }
    };
  }

  private record Row(Map<String, String> values) implements Interpolator.Names {
    @Override
    public Optional<String> value(String name) {
      return Optional.ofNullable(values.get(name));
    }

    @Override
    public boolean allows(String name) {
      return values.containsKey(name);
    }
  }
}
