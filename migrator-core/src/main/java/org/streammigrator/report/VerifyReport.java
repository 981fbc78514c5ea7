package org.streammigrator.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Locale;
import org.streammigrator.copy.Damage;
import org.streammigrator.copy.Verification;
import org.streammigrator.storage.Location;

/** What {@code migrator verify} found. */
@JsonPropertyOrder({"schema", "target", "kind", "ok", "files", "bytes", "damage"})
public record VerifyReport(
    String schema,
    String target,
    String kind,
    boolean ok,
    long files,
    long bytes,
    List<Damage> damage) {

  public VerifyReport {
    damage = List.copyOf(damage);
  }

  /** The report on an archive. */
  public static VerifyReport ofArchive(Location archive, Verification verification) {
    return of(archive, "archive", verification);
  }

  /** The report on a copy. */
  public static VerifyReport ofCopy(Location copy, Verification verification) {
    return of(copy, "copy", verification);
  }

  private static VerifyReport of(Location target, String kind, Verification verification) {
    return new VerifyReport(
        "migrator/verify/1",
        target.toString(),
        kind,
        verification.ok(),
        verification.files(),
        verification.bytes(),
        verification.damage());
  }

  /** The report for people. */
  @JsonIgnore
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(ok ? "Intact: " : "Damaged: ").append(target).append(" (").append(kind).append(')');
    text.append("\n  files   ").append(files).append("\n  bytes   ").append(bytes);
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
