package org.streammigrator.rehearsal;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Takes secrets out of what another program said: values that are known to be secret, and what
 * stands after a word that is usually followed by one.
 */
public final class SecretMask {
  /** What stands for a secret. */
  public static final String MASKED = "***";

  private static final int SHORTEST = 4;

  /** From how many characters on one line of a secret, such as of a key in PEM, is one. */
  private static final int LONG = 12;

  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|[_.-]PWD"
              + "|(^|[_.-])(KEY|SAS)($|[_.-])");

  /** Values of such variables that say how, and are no secrets. */
  private static final Pattern PLAIN = Pattern.compile("(?i)true|false|yes|none|null|[0-9]{1,5}");

  private static final Pattern ASSIGNED =
      Pattern.compile(
          "(?i)((?:secret|token|password|passwd|passphrase|credential|(?<![a-z])pwd"
              + "|(?:access|account|api|private)[._-]?key|(?<![a-z])sig)"
              + "[\\w.-]*\\\\*[\"']?\\s*[=:]\\s*)(?!\"?\\*\\*\\*)(\"[^\"]*\"|'[^']*'|\\\\*[\"']?[^\\s\"',;&]+)");
  private static final Pattern BEARER =
      Pattern.compile("(?i)((?:bearer|basic)\\s+)[\\w.~+/=-]{8,}");
  private static final Pattern USER_INFO = Pattern.compile("(://[^\\s/@:]*:)[^\\s\"']+@");

  private final List<String> values;

  private SecretMask(Collection<String> values) {
    TreeSet<String> all = new TreeSet<>(values);
    for (String value : values) {
      value.lines().filter(line -> line.length() >= LONG).forEach(all::add);
      all.add(value.replace("\n", "\\n"));
    }
    this.values =
        all.stream()
            .filter(value -> value.strip().length() >= SHORTEST)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /**
   * A mask.
   *
   * @param secrets values that are secret; those of fewer than 4 characters would mask half of any
   *     text and are left
   * @param environment variables, of which those count that are called as secrets are
   */
  public static SecretMask of(Collection<String> secrets, Map<String, String> environment) {
    TreeSet<String> values = new TreeSet<>(secrets);
    environment.forEach(
        (name, value) -> {
          if (SECRET_NAME.matcher(name.toUpperCase(Locale.ROOT)).find()
              && !PLAIN.matcher(value).matches()) {
            values.add(value);
          }
        });
    return new SecretMask(values);
  }

  /** The text without the secrets. */
  public String apply(String text) {
    String masked = text.length() < QueryProcess.LONGEST_LINE ? text : withoutBegunSecret(text);
    for (String value : values) {
      masked = masked.replace(value, MASKED);
    }
    masked = ASSIGNED.matcher(masked).replaceAll("$1" + MASKED);
    masked = BEARER.matcher(masked).replaceAll("$1" + MASKED);
    return USER_INFO.matcher(masked).replaceAll("$1" + MASKED + "@");
  }

  /** A line that was cut may end within a secret. */
  private String withoutBegunSecret(String text) {
    for (String value : values) {
      for (int length = value.length() - 1; length >= SHORTEST; length--) {
        if (text.endsWith(value.substring(0, length))) {
          return text.substring(0, text.length() - length) + MASKED;
        }
      }
    }
    return text;
  }
}
