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
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(^|[_.-])KEY($|[_.-])|SAS");
  private static final Pattern ASSIGNED =
      Pattern.compile(
          "(?i)((?:secret|token|password|passwd|passphrase|access[._-]?key|account[._-]?key|sig)"
              + "[\\w.-]*[\"']?\\s*[=:]\\s*[\"']?)(?!\\*\\*\\*)[^\\s\"',;&]+");
  private static final Pattern BEARER = Pattern.compile("(?i)(bearer\\s+)[\\w.~+/=-]+");
  private static final Pattern USER_INFO = Pattern.compile("(://[^\\s/@:]*:)[^\\s/@]+@");

  private final List<String> values;

  private SecretMask(Collection<String> values) {
    this.values =
        new TreeSet<>(values)
            .stream()
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
          if (SECRET_NAME.matcher(name.toUpperCase(Locale.ROOT)).find()) {
            values.add(value);
          }
        });
    return new SecretMask(values);
  }

  /** The text without the secrets. */
  public String apply(String text) {
    String masked = text;
    for (String value : values) {
      masked = masked.replace(value, MASKED);
    }
    masked = ASSIGNED.matcher(masked).replaceAll("$1" + MASKED);
    masked = BEARER.matcher(masked).replaceAll("$1" + MASKED);
    return USER_INFO.matcher(masked).replaceAll("$1" + MASKED + "@");
  }
}
