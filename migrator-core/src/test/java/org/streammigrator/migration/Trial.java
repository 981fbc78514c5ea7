package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * A plan in a world: what it writes when nothing fails, and what has to hold at any moment whatever
 * fails.
 */
final class Trial {
  private static final String PLAN = "plan.yaml";

  private final World world;
  private final Console console;
  private final List<String> arguments;
  private final List<String> targets = new ArrayList<>();
  private final Location journals;
  private final Map<String, String> before;
  private final World.Mark prepared;
  private final World.Mark applied;
  private final Map<String, String> reference;

  /**
   * Prepares a scene and applies its plan once.
   *
   * @param directory where the plan file is put, and the journal
   */
  Trial(Scene scene, World world, Path directory) throws IOException {
    this.world = world;
    this.console = new Console(directory);
    this.arguments = scene.arguments();
    this.journals = Location.of(directory);
    for (String target : scene.targets()) {
      targets.add(Location.parse(target, directory).toString());
    }
    scene.setting().build(world.store(), directory);
    Files.writeString(directory.resolve(PLAN), scene.text(directory));
    before = world.files();
    prepared = world.mark();
    assertThat(run(world.store(), "apply")).as(printed()).isZero();
    applied = world.mark();
    reference = written();
    assertThat(reference.keySet())
        .as("nothing that helps to go on is left")
        .noneMatch(path -> path.contains(".migrator-") && !path.endsWith("-manifest.json"));
    for (String target : targets) {
      assertThat(at(target, reference)).as("what is written at %s", target).isNotEmpty();
    }
  }

  World world() {
    return world;
  }

  /** As it was before anything was done. */
  World.Mark prepared() {
    return prepared;
  }

  /** As it was when the plan had been applied. */
  World.Mark applied() {
    return applied;
  }

  /** What an apply writes, but for the journal. */
  Map<String, String> reference() {
    return reference;
  }

  int run(Store store, String command) {
    List<String> line = new ArrayList<>(List.of(command, PLAN));
    line.addAll(arguments);
    return console.run(store, line.toArray(String[]::new));
  }

  String printed() {
    return console.printed();
  }

  /**
   * Everything that was not there before, but for the journal, after what was there is compared.
   */
  Map<String, String> written() throws IOException {
    Map<String, String> now = new TreeMap<>(world.files());
    before.forEach(
        (path, file) ->
            assertThat(file.equals(now.remove(path))).as("%s is as it was", path).isTrue());
    now.keySet().removeIf(this::isJournal);
    now.replaceAll(this::withoutChance);
    return now;
  }

  /** Everything from which a rerun could start; claims are named at random and left out. */
  Map<String, String> state() throws IOException {
    Map<String, String> now = new TreeMap<>(world.files());
    now.keySet().removeIf(path -> path.contains("lock/") && path.endsWith(".claim.json"));
    now.replaceAll((path, file) -> isJournal(path) ? withoutTime(file) : withoutChance(path, file));
    return now;
  }

  /**
   * The targets that are there, are not whole, and could be started from. Where nothing can be
   * moved, it is the file which is written last that makes one startable.
   */
  List<String> half() throws IOException {
    Map<String, String> now = written();
    List<String> half = new ArrayList<>();
    for (String target : targets) {
      Map<String, String> there = at(target, now);
      Map<String, String> whole = at(target, reference);
      boolean startable = moves() ? !there.isEmpty() : there.containsKey(last(whole));
      if (startable && !there.equals(whole)) {
        half.add(target);
      }
    }
    String checkpoint = targets.get(0);
    boolean started = at(checkpoint, now).equals(at(checkpoint, reference));
    if (started && targets.stream().anyMatch(target -> target.endsWith("/_spark_metadata"))) {
      String log = targets.get(1);
      if (!at(log, now).equals(at(log, reference))) {
        half.add(log + ", after the checkpoint");
      }
    }
    return half;
  }

  /** Spark starts from two offsets files, from one if it is 0, else from metadata alone. */
  private static String last(Map<String, String> checkpoint) {
    long newest =
        checkpoint.keySet().stream()
            .filter(path -> path.matches("offsets/[0-9]+"))
            .mapToLong(path -> Long.parseLong(path.substring("offsets/".length())))
            .max()
            .orElse(-1);
    String before = "offsets/" + (newest - 1);
    return newest < 0 ? "metadata" : checkpoint.containsKey(before) ? before : "offsets/" + newest;
  }

  private static Map<String, String> at(String target, Map<String, String> files) {
    Map<String, String> there = new TreeMap<>();
    files.forEach(
        (path, file) -> {
          if (path.startsWith(target + "/")) {
            there.put(path.substring(target.length() + 1), file);
          }
        });
    return there;
  }

  private boolean moves() throws IOException {
    return world.store().traits(journals).publishes();
  }

  private boolean isJournal(String path) {
    return path.startsWith(journals + "/") && path.matches(".*\\.journal/[0-9]+\\.json");
  }

  /** Times are a result in a checkpoint on a store that keeps them, and nowhere else. */
  private String withoutChance(String path, String file) {
    boolean timed =
        before.containsKey(path) || targets.stream().anyMatch(to -> path.startsWith(to + "/"));
    try {
      return timed && moves() ? file : withoutTime(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String withoutTime(String file) {
    return file.substring(file.indexOf(' '));
  }
}
