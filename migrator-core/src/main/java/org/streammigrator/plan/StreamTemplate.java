package org.streammigrator.plan;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A stream that stands for many: {@link TemplateExpansion} fills it with rows. */
public final class StreamTemplate {
  private static final Set<String> GLOB_NAMES = Set.of("name", "path", "below");

  private final ForeachPlan foreach;
  private final YamlMap raw;
  private final YamlMap defaults;
  private final List<YamlMap> written;
  private final PlanReader.Context context;

  StreamTemplate(
      ForeachPlan foreach,
      YamlMap raw,
      YamlMap defaults,
      List<YamlMap> written,
      PlanReader.Context context) {
    this.foreach = requireNonNull(foreach, "foreach");
    this.raw = requireNonNull(raw, "raw");
    this.defaults = requireNonNull(defaults, "defaults");
    this.written = List.copyOf(written);
    this.context = requireNonNull(context, "context");
  }

  /** What the template is filled with. */
  public ForeachPlan foreach() {
    return foreach;
  }

  /** The plan file's own directory, which relative paths stand in. */
  public Path directory() {
    return context.directory();
  }

  /** The plan's streams that are no templates, without the defaults. */
  List<YamlMap> written() {
    return written;
  }

  YamlMap defaults() {
    return defaults;
  }

  /** Where it says what it is filled with. */
  Origin origin() {
    YamlNode given = raw.get("foreach").orElse(raw);
    if (given instanceof YamlMap map) {
      return map.get("glob").or(() -> map.get("csv")).orElse(map).origin();
    }
    return given.origin();
  }

  /** The stream for one row, interpolated, without the defaults and without its foreach. */
  YamlMap fill(TemplateRow row, Problems problems) {
    return context.interpolator(problems).map(raw.without("foreach"), new Row(row.values()));
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
