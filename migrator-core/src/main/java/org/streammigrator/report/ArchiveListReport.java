package org.streammigrator.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import org.streammigrator.copy.ArchiveListing;
import org.streammigrator.copy.Manifest;

/** What {@code migrator archive --list} shows. */
@JsonPropertyOrder({"schema", "archive", "size", "files", "bytes", "keepUntil", "checkpoints"})
public record ArchiveListReport(
    String schema,
    String archive,
    long size,
    long files,
    long bytes,
    String keepUntil,
    List<Part> checkpoints) {

  /**
   * A checkpoint in an archive.
   *
   * @param name its name; empty in an archive of one
   * @param checkpoint where it was archived from
   */
  @JsonPropertyOrder({
    "name",
    "checkpoint",
    "queryId",
    "lastPlanned",
    "lastCommitted",
    "files",
    "bytes",
    "entries",
    "emptyDirectories"
  })
  public record Part(
      String name,
      String checkpoint,
      String queryId,
      Long lastPlanned,
      Long lastCommitted,
      long files,
      long bytes,
      List<Entry> entries,
      List<String> emptyDirectories) {}

  /** A file in an archive. */
  @JsonPropertyOrder({"path", "size", "modified", "sha256"})
  public record Entry(String path, long size, String modified, String sha256) {}

  public ArchiveListReport {
    checkpoints = List.copyOf(checkpoints);
  }

  /** The report of a listing. */
  public static ArchiveListReport of(ArchiveListing listing) {
    return new ArchiveListReport(
        "migrator/archive-list/1",
        listing.archive().toString(),
        listing.size(),
        listing.files(),
        listing.bytes(),
        listing.keepUntil().map(LocalDate::toString).orElse(null),
        listing.checkpoints().stream().map(ArchiveListReport::part).toList());
  }

  private static Part part(ArchiveListing.Part part) {
    Manifest manifest = part.manifest();
    return new Part(
        part.name(),
        manifest.checkpoint(),
        manifest.summary().queryId(),
        manifest.summary().lastPlanned(),
        manifest.summary().lastCommitted(),
        manifest.files().size(),
        manifest.bytes(),
        manifest.files().stream()
            .map(
                file ->
                    new Entry(file.path(), file.size(), file.modified().toString(), file.sha256()))
            .toList(),
        manifest.emptyDirectories());
  }

  /** The report for people. */
  @JsonIgnore
  public String text() {
    StringBuilder text = new StringBuilder(archive);
    text.append("\n  size    ").append(size).append(" bytes, of ").append(bytes);
    text.append("\n  keep    ")
        .append(keepUntil == null ? "nothing says until when" : "until " + keepUntil);
    for (Part part : checkpoints) {
      text.append("\n\n").append(part.name().isEmpty() ? "" : part.name() + ", from ");
      text.append(part.checkpoint());
      text.append("\n  query   ").append(part.queryId() == null ? "not known" : part.queryId());
      text.append("\n  batch   ")
          .append(part.lastCommitted() == null ? "none committed" : part.lastCommitted());
      text.append("\n  files   ").append(part.files()).append(" of ").append(part.bytes());
      text.append(" bytes\n");
      for (Entry entry : part.entries()) {
        text.append(
            String.format(
                Locale.ROOT, "\n%12d  %-30s  %s", entry.size(), entry.modified(), entry.path()));
      }
      for (String directory : part.emptyDirectories()) {
        text.append(String.format(Locale.ROOT, "\n%12s  %-30s  %s/", "", "", directory));
      }
    }
    return text.toString();
  }
}
