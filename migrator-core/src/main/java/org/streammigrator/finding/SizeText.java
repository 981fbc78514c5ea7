package org.streammigrator.finding;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of bytes as users write them: a whole number, and a unit where it is not bytes: {@code
 * KiB}, {@code MiB}, {@code GiB} (powers of 1024) or {@code KB}, {@code MB}, {@code GB} (of 1000).
 */
public final class SizeText {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,15}) ?(|B|KiB|MiB|GiB|KB|MB|GB)");

  private SizeText() {}

  /** Reads a size; empty if the text is not written so, or is no number of 1 to 2^63-1 bytes. */
  public static OptionalLong parse(String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    long unit = unit(matcher.group(2));
    return number < 1 || number > Long.MAX_VALUE / unit
        ? OptionalLong.empty()
        : OptionalLong.of(number * unit);
  }

  private static long unit(String name) {
    return switch (name) {
      case "KiB" -> 1L << 10;
      case "MiB" -> 1L << 20;
      case "GiB" -> 1L << 30;
      case "KB" -> 1_000;
      case "MB" -> 1_000_000;
      case "GB" -> 1_000_000_000;
      default -> 1;
    };
  }
}
