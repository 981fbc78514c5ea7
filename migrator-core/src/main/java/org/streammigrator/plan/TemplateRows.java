package org.streammigrator.plan;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Reads what templates are filled with; nothing is written.
 *
 * <p>A glob matches directories, in the order of their paths. {@code *} stands for any characters
 * of one name and {@code ?} for one. Like {@code discover}, it goes into hidden directories and
 * links too, but not into {@code _delta_log} and {@code _spark_metadata}, nor into the directories
 * that belong to a checkpoint. A name that begins with a dot or an underscore is a match only if
 * something of a checkpoint is in it; any other directory is one even if nothing is, so that a
 * damaged checkpoint is not passed over. What this program keeps beside a target never matches.
 */
public final class TemplateRows {
  private static final Set<String> OF_TABLES = Set.of("_delta_log", "_spark_metadata");
  private static final Set<String> SIGNS = Set.of("offsets", "commits", "metadata");
  private static final Set<String> OF_CHECKPOINTS =
      Set.of("offsets", "commits", "sources", "state");
  private static final Pattern OURS = Pattern.compile("\\..*\\.migrator-.*");

  private final Store store;

  public TemplateRows(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /**
   * The rows of a template: {@code name} (last part), {@code path} (the whole) and {@code below}
   * (what follows the part without wildcards) of every match, or the columns of every line.
   *
   * @param directory what a relative pattern stands in
   * @throws UnusableTemplateException if there are none, or it is not to be understood
   * @throws IOException if storage fails
   */
  public List<TemplateRow> of(ForeachPlan foreach, Path directory) throws IOException {
    return foreach.csv().isPresent()
        ? csv(foreach.csv().get())
        : glob(foreach.glob().orElseThrow(), directory);
  }

  private List<TemplateRow> csv(Location file) throws IOException {
    byte[] bytes;
    try {
      bytes = store.readAll(file);
    } catch (NoSuchFileException missing) {
      throw new UnusableTemplateException("there is no file " + file);
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException binary) {
      throw new UnusableTemplateException(file + " is no CSV file: it is not UTF-8 text");
    }
    return CsvText.rows(shown(file), text);
  }

  private List<TemplateRow> glob(String glob, Path directory) throws IOException {
    List<String> parts = new ArrayList<>(List.of(glob.replaceAll("/+$", "").split("/")));
    int first = 0;
    while (first < parts.size() && !isPattern(parts.get(first))) {
      first++;
    }
    boolean noPlace = first <= 2 && glob.matches("[A-Za-z][A-Za-z0-9+.-]*://.*");
    if (first == parts.size() || noPlace) {
      throw new UnusableTemplateException(
          "the pattern " + glob + " needs * or ? in its path, not in what comes before that");
    }
    String before = String.join("/", parts.subList(0, first));
    Location top;
    try {
      top = Location.parse(before.isEmpty() ? glob.startsWith("/") ? "/" : "." : before, directory);
    } catch (IllegalArgumentException invalid) {
      throw new UnusableTemplateException("the pattern " + glob + ": " + invalid.getMessage());
    }
    List<String> patterns = parts.subList(first, parts.size());
    if (patterns.contains("**") || patterns.contains("..")) {
      throw new UnusableTemplateException(
          "the pattern "
              + glob
              + " holds "
              + (patterns.contains("**") ? "**" : "..")
              + ": each part of it stands for one name; migrator discover --write-plan finds"
              + " checkpoints at any depth");
    }
    List<Location> matches = new ArrayList<>();
    match(top, patterns, matches);
    if (matches.isEmpty()) {
      throw new UnusableTemplateException(
          store.stat(top).isEmpty()
              ? "no directory matches " + glob + ": there is nothing at " + shown(top)
              : "no directory matches "
                  + glob
                  + "; only * and ? are wildcards, and each stands within one name");
    }
    return matches.stream()
        .map(
            match ->
                new TemplateRow(
                    shown(match),
                    Map.of(
                        "name",
                        match.name(),
                        "path",
                        shown(match),
                        "below",
                        match.relativeTo(top))))
        .toList();
  }

  private void match(Location directory, List<String> patterns, List<Location> matches)
      throws IOException {
    if (patterns.isEmpty()) {
      matches.add(directory);
      return;
    }
    String pattern = patterns.get(0);
    List<String> rest = patterns.subList(1, patterns.size());
    if (!isPattern(pattern)) {
      Location next = directory.child(pattern);
      if (store.stat(next).filter(StoreEntry::isDirectory).isPresent()) {
        match(next, rest, matches);
      }
      return;
    }
    Pattern names = compiled(pattern);
    List<StoreEntry> entries = list(directory, names);
    boolean inCheckpoint =
        entries.stream().filter(entry -> SIGNS.contains(entry.location().name())).count() > 1;
    for (StoreEntry entry : entries) {
      String name = entry.location().name();
      boolean isOwn =
          inCheckpoint && (OF_CHECKPOINTS.contains(name) || name.startsWith("_schema_log_"));
      if (entry.isDirectory()
          && names.matcher(name).matches()
          && !isOwn
          && !OF_TABLES.contains(name)
          && !OURS.matcher(name).matches()
          && (!rest.isEmpty() || !isHidden(name) || holdsSigns(entry.location()))) {
        match(entry.location(), rest, matches);
      }
    }
  }

  private List<StoreEntry> list(Location directory, Pattern names) throws IOException {
    try {
      return store.list(directory, name -> SIGNS.contains(name) || names.matcher(name).matches());
    } catch (NoSuchFileException | NotDirectoryException nothing) {
      return List.of();
    }
  }

  private boolean holdsSigns(Location directory) throws IOException {
    return !store.list(directory, SIGNS::contains).isEmpty();
  }

  private static boolean isHidden(String name) {
    return name.startsWith(".") || name.startsWith("_");
  }

  private static boolean isPattern(String part) {
    return part.indexOf('*') >= 0 || part.indexOf('?') >= 0;
  }

  private static Pattern compiled(String part) {
    StringBuilder regex = new StringBuilder();
    for (char c : part.toCharArray()) {
      regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  /** A local path as people write it, anything else with its scheme. */
  private static String shown(Location place) {
    return Optional.of(place)
        .filter(one -> one.scheme().equals("file"))
        .map(Location::path)
        .orElseGet(place::toString);
  }
}
