package org.streammigrator.report;

import org.streammigrator.job.ValidateResult;
import org.streammigrator.migration.Proof;

/** A proof as text. */
public final class ProofText {
  private ProofText() {}

  /** The whole ledger. */
  public static String render(Proof proof) {
    StringBuilder text = new StringBuilder("Ledger of plan " + proof.plan() + "\n");
    for (Proof.StreamProof stream : proof.streams()) {
      text.append('\n').append(stream.name()).append(": ");
      if (stream.waitingFor() != null) {
        text.append("waiting for ").append(stream.waitingFor()).append('\n');
        continue;
      }
      text.append(stream.ok() ? "PROVED" : "NOT PROVED").append('\n');
      TextTable table =
          new TextTable()
              .row(
                  "source",
                  "kind",
                  "old batches",
                  "read through",
                  "new batches",
                  "read through",
                  "meet");
      for (Proof.Line line : stream.ledger()) {
        table.row(
            line.source(),
            line.type(),
            line.oldBatches(),
            line.oldThrough(),
            line.newBatches(),
            line.newThrough(),
            line.meets());
      }
      text.append(table.render("  "));
      if (stream.rows() != null) {
        rows(stream.rows(), text);
      }
      text.append(FindingText.render(stream.findings(), "  "));
    }
    return text.toString();
  }

  private static void rows(ValidateResult rows, StringBuilder text) {
    text.append("  rows: ")
        .append(rows.expectedRows())
        .append(" expected, ")
        .append(rows.actualRows())
        .append(" in the sink, ")
        .append(rows.missing())
        .append(" missing, ")
        .append(rows.extra())
        .append(" extra");
    if (rows.duplicateKeys() != null) {
      text.append(", ").append(rows.duplicateKeys()).append(" repeated keys");
    }
    if (rows.nullKeys() != null && rows.nullKeys() > 0) {
      text.append(", ").append(rows.nullKeys()).append(" rows without a key");
    }
    text.append('\n');
    rows.examples().missing().forEach(row -> text.append("    missing: ").append(row).append('\n'));
    rows.examples().extra().forEach(row -> text.append("    extra:   ").append(row).append('\n'));
  }
}
