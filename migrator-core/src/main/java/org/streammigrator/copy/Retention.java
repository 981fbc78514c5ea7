package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Until when an archive is to be kept: a note to people and their clean-up jobs, and to {@code
 * release}; this program deletes no archive.
 *
 * <p>The record is a file beside the archive, {@code <archive>.keep-until-<yyyy-mm-dd>.json}, of
 * which the name says all. Several may be there, of which the latest counts: a date is only ever
 * moved to later, nothing is overwritten, and a record that a crash cut short is whole.
 */
public final class Retention {
  private static final String MARK = ".keep-until-";
  private static final String ENDING = ".json";

  private Retention() {}

  /**
   * The last day on which an archive is to be kept, in UTC; empty if nothing says so.
   *
   * @throws java.nio.file.NoSuchFileException if the archive's directory is not there
   */
  public static Optional<LocalDate> of(Store store, Location archive) throws IOException {
    requireNonNull(store, "store");
    Location directory = archive.parent().orElse(archive);
    Optional<LocalDate> latest = Optional.empty();
    String prefix = archive.name() + MARK;
    for (StoreEntry entry :
        store.list(directory, name -> name.startsWith(prefix) && name.endsWith(ENDING))) {
      Optional<LocalDate> date = date(entry.location().name(), prefix);
      if (date.isPresent() && (latest.isEmpty() || date.get().isAfter(latest.get()))) {
        latest = date;
      }
    }
    return latest;
  }

  /** The date in a record's name. */
  private static Optional<LocalDate> date(String name, String prefix) {
    String text = name.substring(prefix.length(), name.length() - ENDING.length());
    try {
      return Optional.of(LocalDate.parse(text));
    } catch (DateTimeException another) {
      return Optional.empty();
    }
  }

  /**
   * Says that an archive is to be kept until the end of a day in UTC; does nothing if it is to be
   * kept as long already.
   *
   * @return until when it is to be kept now
   * @throws IllegalArgumentException if the year has not four digits
   */
  public static LocalDate keep(Store store, Location archive, LocalDate until) throws IOException {
    if (until.getYear() < 1000 || until.getYear() > 9999) {
      throw new IllegalArgumentException(until + " is no date to keep something until");
    }
    Optional<LocalDate> now = of(store, archive);
    if (now.isPresent() && !now.get().isBefore(until)) {
      return now.get();
    }
    String json = "{\"schema\":\"migrator/keep/1\",\"keepUntil\":\"" + until + "\"}\n";
    Location record = archive.parent().orElseThrow().child(archive.name() + MARK + until + ENDING);
    try {
      store.write(record, Content.of(json.getBytes(StandardCharsets.UTF_8)), Optional.empty());
    } catch (FileAlreadyExistsException same) {
      // Another run said the same.
    }
    return until;
  }
}
