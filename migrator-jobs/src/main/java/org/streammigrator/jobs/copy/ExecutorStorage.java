package org.streammigrator.jobs.copy;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StorageSettings;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.Stores;

/**
 * Settings of stores as they go to the executors: references such as {@code ${env:NAME}} stay what
 * they are, and are looked up on the machine that opens a store. So no secret is in a task, in a
 * log or in Spark's user interface.
 */
final class ExecutorStorage implements Serializable {
  private static final long serialVersionUID = 1;
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)}");

  /** The stores of this JVM: clients of stores are costly to make, and made for all tasks. */
  private static final Map<String, Store> OPEN = new ConcurrentHashMap<>();

  private final TreeMap<String, TreeMap<String, String>> settings = new TreeMap<>();

  ExecutorStorage(Map<String, Map<String, String>> settings) {
    settings.forEach((prefix, values) -> this.settings.put(prefix, new TreeMap<>(values)));
  }

  /**
   * The stores, with what the references mean here.
   *
   * @throws InvalidJobSpecException if a reference means nothing here
   */
  Store open() {
    return OPEN.computeIfAbsent(settings.toString(), text -> make());
  }

  private Store make() {
    Map<Location, Map<String, String>> resolved = new HashMap<>();
    settings.forEach(
        (prefix, values) -> {
          Map<String, String> plain = new HashMap<>();
          values.forEach((key, value) -> plain.put(key, resolved(prefix, key, value)));
          resolved.put(Location.parse(prefix, Path.of("/")), plain);
        });
    return new Stores(new StorageSettings(resolved));
  }

  private static String resolved(String prefix, String key, String value) {
    Matcher matcher = REFERENCE.matcher(value);
    StringBuilder text = new StringBuilder();
    while (matcher.find()) {
      String name = matcher.group(1);
      String found = name.startsWith("env:") ? System.getenv(name.substring(4)) : null;
      if (found == null) {
        throw new InvalidJobSpecException(
            "storage."
                + prefix
                + "."
                + key
                + ": "
                + matcher.group()
                + (name.startsWith("env:")
                    ? " is not set in the environment of this machine"
                    : " means nothing; only ${env:NAME} is put in"));
      }
      matcher.appendReplacement(text, Matcher.quoteReplacement(found));
    }
    matcher.appendTail(text);
    return text.toString();
  }
}
