package org.streammigrator.jobs.source;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.SourceSpec;

/** The reader options that a spec gives, with references to environment variables looked up. */
final class ReaderOptions {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)}");

  private ReaderOptions() {}

  /**
   * Resolves them. No message holds a value.
   *
   * @param reserved options that the range itself sets, in lower case
   * @throws InvalidJobSpecException if one is reserved, or a variable is not set
   */
  static Map<String, String> of(SourceSpec spec, Set<String> reserved) {
    Map<String, String> options = new HashMap<>();
    spec.options()
        .forEach(
            (key, value) -> {
              String field = "source %s: options.%s".formatted(spec.name(), key);
              if (reserved.contains(key.toLowerCase(Locale.ROOT))) {
                throw new InvalidJobSpecException(
                    field + " is set by the range itself; leave it out");
              }
              options.put(key, resolved(field, value));
            });
    return options;
  }

  private static String resolved(String field, String value) {
    Matcher matcher = REFERENCE.matcher(value);
    StringBuilder resolved = new StringBuilder();
    while (matcher.find()) {
      String name = matcher.group(1);
      if (!name.startsWith("env:")) {
        throw new InvalidJobSpecException(
            "%s: ${%s} means nothing; only ${env:NAME} is put in".formatted(field, name));
      }
      String found = System.getenv(name.substring(4));
      if (found == null) {
        throw new InvalidJobSpecException(
            "%s: the environment variable %s is not set".formatted(field, name.substring(4)));
      }
      matcher.appendReplacement(resolved, Matcher.quoteReplacement(found));
    }
    return matcher.appendTail(resolved).toString();
  }
}
