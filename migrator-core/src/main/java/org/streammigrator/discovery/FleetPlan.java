package org.streammigrator.discovery;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.streammigrator.storage.Location;

/**
 * Writes a plan that relocates what was found, one stream a checkpoint. Each keeps its path below
 * the root, below the target. One that lies inside another one comes to lie beside it. One that
 * Spark could not restart from is written as a comment with its findings' codes, so that it is seen
 * and the others can go. One that reads a Delta table which another one writes waits for it.
 */
public final class FleetPlan {
  /** Names of directories that say no more than that a checkpoint is in them. */
  private static final Set<String> GENERIC =
      Set.of("_checkpoint", "_checkpoints", "checkpoint", "checkpoints", ".checkpoint");

  private final Discovery discovery;
  private final Location target;
  private final TableFlow flow;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Set<String>> waits = new HashMap<>();
  private final Set<String> targets = new TreeSet<>();

  private FleetPlan(Discovery discovery, Location target, TableFlow flow) {
    this.discovery = discovery;
    this.target = target;
    this.flow = flow;
    Set<String> taken = new HashSet<>();
    discovery.checkpoints().forEach(one -> names.put(one.path(), name(one, taken)));
    discovery.checkpoints().stream()
        .filter(one -> one.inside() == null)
        .forEach(one -> targets.add(below(one)));
  }

  /** How many checkpoints of a result become streams and not comments. */
  public static long streams(Discovery discovery) {
    return discovery.checkpoints().stream().filter(FleetPlan::moves).count();
  }

  /**
   * The plan file's text.
   *
   * @param name the plan's name
   * @param target where the checkpoints shall go
   * @param flow which queries read what others write
   */
  public static String text(Discovery discovery, String name, Location target, TableFlow flow) {
    return new FleetPlan(discovery, target, flow).text(name);
  }

  private String text(String name) {
    StringBuilder text = new StringBuilder();
    text.append("# The checkpoints below ")
        .append(comment(discovery.root()))
        .append(".\n# Stop a query before its stream is applied. A batch that is pending needs the")
        .append(" stream's `sink`,\n# which is asked whether it has the batch.\n")
        .append("version: 1\nname: ")
        .append(quoted(name))
        .append("\nstreams:\n");
    discovery.checkpoints().forEach(checkpoint -> text.append(stream(checkpoint)));
    return text.toString();
  }

  private static boolean moves(DiscoveredCheckpoint checkpoint) {
    return checkpoint.health() != Health.ERROR && !checkpoint.path().contains("${");
  }

  private String stream(DiscoveredCheckpoint checkpoint) {
    boolean moves = moves(checkpoint);
    StringBuilder text = new StringBuilder();
    if (!moves) {
      text.append("  # left out: ")
          .append(
              checkpoint.health() == Health.ERROR
                  ? reason(checkpoint)
                  : "its path holds ${, which a plan cannot write")
          .append('\n');
    }
    if (checkpoint.inside() != null) {
      text.append("  # it lies inside ").append(comment(checkpoint.inside())).append('\n');
    }
    List<Long> pending = checkpoint.batches().pending();
    if (!pending.isEmpty()) {
      text.append("  # batch ").append(pending.get(pending.size() - 1)).append(" is pending\n");
    }
    String prefix = moves ? "  " : "  # ";
    text.append(prefix)
        .append("- name: ")
        .append(quoted(names.get(checkpoint.path())))
        .append('\n');
    text.append(prefix).append("  strategy: relocate\n");
    text.append(prefix).append("  checkpoint:\n");
    text.append(prefix).append("    from: ").append(quoted(checkpoint.path())).append('\n');
    text.append(prefix).append("    to: ").append(quoted(to(checkpoint))).append('\n');
    if (moves) {
      text.append(after(checkpoint));
    }
    return text.toString();
  }

  /** Whom a stream waits for, and why. */
  private String after(DiscoveredCheckpoint checkpoint) {
    StringBuilder why = new StringBuilder();
    List<String> writers = new ArrayList<>();
    String name = names.get(checkpoint.path());
    for (TableFlow.Upstream upstream : flow.upstream(checkpoint)) {
      String writer = names.get(upstream.writer().path());
      if (!moves(upstream.writer())) {
        continue;
      }
      boolean isCycle = waitsFor(writer, name);
      why.append("    # it reads the table ")
          .append(comment(upstream.table()))
          .append(isCycle ? ", which is written by " : " after ")
          .append(comment(writer))
          .append(isCycle ? ", which waits for this one already\n" : ", which writes it\n");
      if (!isCycle) {
        writers.add(quoted(writer));
        waits.computeIfAbsent(name, key -> new HashSet<>()).add(writer);
      }
    }
    return writers.isEmpty() ? why.toString() : why + "    after: " + writers + "\n";
  }

  private boolean waitsFor(String name, String other) {
    Set<String> known = new HashSet<>(Set.of(name));
    Deque<String> open = new ArrayDeque<>(List.of(name));
    while (!open.isEmpty()) {
      for (String next : waits.getOrDefault(open.pop(), Set.of())) {
        if (known.add(next)) {
          open.push(next);
        }
      }
    }
    return known.contains(other);
  }

  private static String reason(DiscoveredCheckpoint checkpoint) {
    List<String> codes = checkpoint.worstCodes();
    return codes.isEmpty() ? "Spark could not restart from it" : String.join(", ", codes);
  }

  private String to(DiscoveredCheckpoint checkpoint) {
    String path = below(checkpoint);
    if (checkpoint.inside() != null) {
      String outer =
          discovery.checkpoints().stream()
              .filter(one -> one.relative().equals(outermost(checkpoint)))
              .map(this::below)
              .findFirst()
              .orElse("");
      if (!outer.isEmpty()) {
        path = unique(outer + path.substring(outer.length()).replace('/', '-'), targets);
      }
    }
    return target.child(path).toString();
  }

  /** The outermost of the listed checkpoints around one. */
  private String outermost(DiscoveredCheckpoint checkpoint) {
    String outermost = "";
    for (DiscoveredCheckpoint one : discovery.checkpoints()) {
      boolean around =
          one.relative().equals(".") && !checkpoint.relative().equals(".")
              || checkpoint.relative().startsWith(one.relative() + "/");
      if (around && (outermost.isEmpty() || one.relative().length() < outermost.length())) {
        outermost = one.relative();
      }
    }
    return outermost;
  }

  /** The path below the target, were nothing nested. */
  private String below(DiscoveredCheckpoint checkpoint) {
    boolean rootIsOne =
        discovery.checkpoints().stream().anyMatch(one -> one.relative().equals("."));
    String name = discovery.root().substring(discovery.root().lastIndexOf('/') + 1);
    String root = name.isEmpty() ? "root" : name;
    if (checkpoint.relative().equals(".")) {
      return root;
    }
    return rootIsOne ? root + "/" + checkpoint.relative() : checkpoint.relative();
  }

  private String name(DiscoveredCheckpoint checkpoint, Set<String> taken) {
    String path = below(checkpoint);
    int slash = path.lastIndexOf('/');
    if (slash > 0 && GENERIC.contains(path.substring(slash + 1))) {
      path = path.substring(0, slash);
    }
    return unique(path.replace('/', '.'), taken);
  }

  private static String unique(String wanted, Set<String> taken) {
    String name = wanted;
    for (int number = 2; !taken.add(name); number++) {
      name = wanted + "-" + number;
    }
    return name;
  }

  /** A text on one line of a comment. */
  private static String comment(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /** JSON's strings are strings of YAML, too. */
  private static String quoted(String text) {
    return JsonNodeFactory.instance.textNode(text).toString();
  }
}
