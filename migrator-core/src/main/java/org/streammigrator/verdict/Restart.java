package org.streammigrator.verdict;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/** Collects what the rules find, and which Spark versions each finding stops. */
final class Restart {
  /** The Spark versions that verdicts are given for. */
  static final List<String> VERSIONS = List.of("3.5", "4.0", "4.1", "4.2");

  /** The version that {@code restartable} speaks of. */
  static final String NEWEST = "4.2";

  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> stopped = new HashSet<>();

  /** A finding that stops no version. */
  void note(Finding finding) {
    if (findings.stream().noneMatch(known -> same(known, finding))) {
      findings.add(finding);
    }
  }

  /** Whether something of this kind is said of a subject already. */
  boolean hasNoted(FindingCode code, String subject) {
    return findings.stream()
        .anyMatch(known -> known.code() == code && known.subject().equals(subject));
  }

  /** As equals says; that one is put together at run time, which takes a tenth of a start. */
  private static boolean same(Finding one, Finding other) {
    return one.code() == other.code()
        && one.severity() == other.severity()
        && one.subject().equals(other.subject())
        && one.message().equals(other.message())
        && one.remedy().equals(other.remedy());
  }

  /** A finding that stops every version. */
  void stop(Finding finding) {
    stop(finding, VERSIONS);
  }

  /** A finding that stops the given versions. */
  void stop(Finding finding, List<String> versions) {
    note(finding);
    stopped.addAll(versions);
  }

  List<Finding> findings() {
    return List.copyOf(findings);
  }

  Map<String, Boolean> byVersion() {
    Map<String, Boolean> restartable = new LinkedHashMap<>();
    VERSIONS.forEach(version -> restartable.put(version, !stopped.contains(version)));
    return restartable;
  }
}
