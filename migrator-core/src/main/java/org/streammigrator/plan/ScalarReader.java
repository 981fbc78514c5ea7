package org.streammigrator.plan;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.streammigrator.finding.DidYouMean;
import org.streammigrator.finding.DurationText;
import org.streammigrator.finding.SizeText;
import org.streammigrator.plan.YamlScalar.Kind;
import org.streammigrator.storage.Location;

/** Reads single values. Empty, with a problem, when a value cannot be read. */
final class ScalarReader {
  private static final Pattern SENSITIVE =
      Pattern.compile(
          "(?i)secret|passw|token|credential|signature|\\bsas\\b|jaas|access\\.?key|account\\.?key");

  private final Path base;
  private final Problems problems;

  ScalarReader(Path base, Problems problems) {
    this.base = base;
    this.problems = problems;
  }

  Optional<?> read(Class<?> type, Key.Form form, long min, YamlScalar scalar) {
    if (scalar.kind() == Kind.OPEN) {
      return Optional.empty();
    }
    if (type == String.class) {
      return text(form, scalar);
    } else if (type == SqlText.class) {
      return text(form, scalar).map(sql -> new SqlText(sql, scalar.origin().line()));
    } else if (type == SecretText.class) {
      return secret(form, scalar);
    } else if (type == int.class) {
      return number(scalar, Math.max(min, Integer.MIN_VALUE), Integer.MAX_VALUE)
          .map(BigInteger::intValueExact);
    } else if (form == Key.Form.SIZE) {
      return size(scalar);
    } else if (type == Long.class) {
      return number(scalar, min, Long.MAX_VALUE).map(BigInteger::longValueExact);
    } else if (type == boolean.class || type == Boolean.class) {
      return truth(scalar);
    } else if (type == Duration.class) {
      return duration(scalar);
    } else if (type == Instant.class) {
      return instant(scalar);
    } else if (type == LocalDate.class) {
      return date(scalar);
    } else if (type == Location.class) {
      return location(scalar);
    } else if (type.isEnum()) {
      return choice(type, scalar);
    }
    throw new IllegalStateException("no way to read a " + type);
  }

  private Optional<String> text(Key.Form form, YamlScalar scalar) {
    boolean any = form == Key.Form.ANY_SCALAR || form == Key.Form.JSON_TEXT;
    if (!any && !scalar.isA(Kind.TEXT)) {
      return refuse(
          scalar,
          "expected text, found "
              + scalar.describe()
              + "; if it is meant as text, quote it: \""
              + scalar.shown()
              + "\"");
    }
    if (scalar.text().isBlank() && !any) {
      return refuse(scalar, "expected text, found nothing between the quotes");
    }
    return Optional.of(scalar.text());
  }

  private Optional<SecretText> secret(Key.Form form, YamlScalar scalar) {
    if (form == Key.Form.SECRET && !scalar.isSecret()) {
      return refuse(scalar, "a secret must not stand in a plan: write ${env:NAME}");
    }
    String path = scalar.origin().path();
    int start =
        Math.max(path.lastIndexOf("[\"") + 2, path.endsWith("]") ? 0 : path.lastIndexOf('.') + 1);
    boolean sensitive = !scalar.isSecret() && SENSITIVE.matcher(path.substring(start)).find();
    return Optional.of(new SecretText(scalar.text(), sensitive ? "***" : scalar.shown()));
  }

  private Optional<BigInteger> number(YamlScalar scalar, long min, long max) {
    if (!scalar.isA(Kind.INTEGER) || !scalar.text().matches("[-+]?[0-9]{1,40}")) {
      return refuse(scalar, "expected a whole number, found " + scalar.describe());
    }
    BigInteger value = new BigInteger(scalar.text());
    if (value.compareTo(BigInteger.valueOf(min)) < 0) {
      return refuse(scalar, "must be at least " + min + ", found " + scalar.shown());
    }
    if (value.compareTo(BigInteger.valueOf(max)) > 0) {
      return refuse(scalar, "must be at most " + max + ", found " + scalar.shown());
    }
    return Optional.of(value);
  }

  private Optional<Boolean> truth(YamlScalar scalar) {
    if (scalar.isA(Kind.BOOLEAN) && scalar.text().equalsIgnoreCase("true")) {
      return Optional.of(true);
    }
    if (scalar.isA(Kind.BOOLEAN) && scalar.text().equalsIgnoreCase("false")) {
      return Optional.of(false);
    }
    return refuse(scalar, "expected true or false, found " + scalar.describe());
  }

  private Optional<Duration> duration(YamlScalar scalar) {
    try {
      Optional<Duration> duration = DurationText.parse(scalar.text());
      return duration.isPresent()
          ? duration
          : refuse(
              scalar,
              "expected a duration, such as 250ms, 10s, 5m, 1h or 7d, found " + scalar.describe());
    } catch (ArithmeticException tooLong) {
      return refuse(scalar, "the duration " + scalar.shown() + " is too long");
    }
  }

  private Optional<Long> size(YamlScalar scalar) {
    OptionalLong bytes = SizeText.parse(scalar.text());
    return bytes.isPresent()
        ? Optional.of(bytes.getAsLong())
        : refuse(
            scalar,
            "expected a size, such as 1048576, 500KiB, 50MiB or 1GB, found " + scalar.describe());
  }

  private Optional<Instant> instant(YamlScalar scalar) {
    try {
      return Optional.of(OffsetDateTime.parse(scalar.text()).toInstant());
    } catch (DateTimeException malformed) {
      return refuse(
          scalar,
          "expected a time with its zone, as in 2026-03-27T10:00:00Z, found " + scalar.describe());
    }
  }

  private Optional<LocalDate> date(YamlScalar scalar) {
    try {
      return Optional.of(LocalDate.parse(scalar.text()));
    } catch (DateTimeException malformed) {
      return refuse(scalar, "expected a day, as in 2027-12-31, found " + scalar.describe());
    }
  }

  private Optional<Location> location(YamlScalar scalar) {
    if (!scalar.isA(Kind.TEXT)) {
      return refuse(scalar, "expected a path or a URI, found " + scalar.describe());
    }
    try {
      return Optional.of(Location.parse(scalar.text(), base));
    } catch (IllegalArgumentException invalid) {
      return refuse(scalar, invalid.getMessage() + "; found " + scalar.describe());
    }
  }

  private Optional<?> choice(Class<?> type, YamlScalar scalar) {
    List<String> labels = Types.labels(type);
    int index = labels.indexOf(scalar.text());
    if (index >= 0) {
      return Optional.of(type.getEnumConstants()[index]);
    }
    String suggestion = scalar.isSecret() ? "" : DidYouMean.among(scalar.text(), labels);
    String allowed =
        labels.size() > 30 ? "a code of a finding" : "one of " + String.join(", ", labels);
    return refuse(scalar, "expected " + allowed + ", found " + scalar.describe() + suggestion);
  }

  private <T> Optional<T> refuse(YamlScalar scalar, String message) {
    problems.add(scalar.origin(), message);
    return Optional.empty();
  }
}
