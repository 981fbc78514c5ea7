package org.streammigrator.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Locale;
import org.streammigrator.copy.Damage;
import org.streammigrator.copy.Sampling;
import org.streammigrator.copy.Verification;
import org.streammigrator.storage.Location;

/** What {@code migrator verify} found. */
@JsonPropertyOrder({"schema", "target", "kind", "ok", "files", "bytes", "sample", "damage"})
public record VerifyReport(
    String schema,
    String target,
    String kind,
    boolean ok,
    long files,
    long bytes,
    @JsonInclude(JsonInclude.Include.NON_NULL) Sample sample,
    List<Damage> damage) {

  /**
   * What a sample left out.
   *
   * @param share the share of the files that was asked for
   * @param seed what chose them
   * @param skippedFiles the number of files whose bytes were not looked at
   * @param skippedBytes the number of bytes in them
   * @param notLookedAt what else was not looked at
   */
  @JsonPropertyOrder({"share", "seed", "skippedFiles", "skippedBytes", "notLookedAt"})
  public record Sample(
      String share, long seed, long skippedFiles, long skippedBytes, String notLookedAt) {}

  public VerifyReport {
    damage = List.copyOf(damage);
  }

  /** The report on an archive. */
  public static VerifyReport ofArchive(Location archive, Verification verification) {
    return of(archive, "archive", verification, null);
  }

  /** The report on a copy. */
  public static VerifyReport ofCopy(Location copy, Verification verification) {
    return of(copy, "copy", verification, null);
  }

  /** The report on a sample of an archive or a copy. */
  public static VerifyReport ofSample(
      Location target, String kind, Sampling sampling, Sampling.Result result) {
    String rest =
        result.whole()
            ? "nothing: it has no index and was read whole"
            : kind.equals("archive")
                ? others(result, "the bytes of the other files, and ")
                    + "the closing checksum of the archive"
                : others(
                    result, "the bytes of the other files; their names and sizes are as listed");
    return of(
        target,
        kind,
        result.verification(),
        new Sample(
            sampling.share().toPlainString() + "%",
            sampling.seed(),
            result.skippedFiles(),
            result.skippedBytes(),
            rest));
  }

  private static String others(Sampling.Result result, String left) {
    return result.skippedFiles() == 0 ? "" : left;
  }

  private static VerifyReport of(
      Location target, String kind, Verification verification, Sample sample) {
    return new VerifyReport(
        "migrator/verify/1",
        target.toString(),
        kind,
        verification.ok(),
        verification.files(),
        verification.bytes(),
        sample,
        verification.damage());
  }

  private String notLookedAt() {
    if (sample.skippedFiles() == 0) {
      return sample.notLookedAt().isEmpty() ? "nothing" : sample.notLookedAt();
    }
    return sample.skippedFiles()
        + " files of "
        + sample.skippedBytes()
        + " bytes; "
        + sample.notLookedAt();
  }

  /** The report for people. */
  @JsonIgnore
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(ok ? (sample == null ? "Intact: " : "Sample intact: ") : "Damaged: ")
        .append(target)
        .append(" (")
        .append(kind)
        .append(')');
    text.append("\n  files   ").append(files).append("\n  bytes   ").append(bytes);
    if (sample != null) {
      text.append("\n  sample  ")
          .append(sample.share())
          .append(" of the files, seed ")
          .append(sample.seed())
          .append("\n  not looked at: ")
          .append(notLookedAt());
    }
    for (Damage each : damage) {
      text.append("\n  ")
          .append(each.kind().name().toLowerCase(Locale.ROOT))
          .append("  ")
          .append(each.path())
          .append(": ")
          .append(each.message());
    }
    return text.toString();
  }
}
