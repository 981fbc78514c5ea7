package org.streammigrator.plan;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;
import org.streammigrator.storage.Location;

/**
 * A policy of archiving: which checkpoints below which roots are packed to where. Made by {@link
 * PolicyReader}, complete and free of contradictions.
 */
public record ArchivePolicy(
    @Key(value = "The version of this format: 1.", required = true) int version,
    @Key(value = "The policy's name.", required = true) String name,
    @Key(value = "The directories that are searched for checkpoints.", required = true)
        List<PolicyRoot> roots,
    @Key(
            value =
                "Patterns of which a checkpoint has to match one: of its path below the root, or of its name where the pattern has no slash. * and ? stay within a part of the path, ** goes over several. All if left out.",
            form = Form.ONE_OR_LIST)
        List<String> include,
    @Key(value = "Patterns of checkpoints that are left out.", form = Form.ONE_OR_LIST)
        List<String> exclude,
    @Key(
            value =
                "Which checkpoints: superseded (a finished migration went on from it, as one of the journals says) or idle (every one whose last commit is old enough).",
            required = true)
        PolicyChoice choose,
    @Key(
            value = "The journals of plans that say which checkpoints are superseded.",
            form = Form.ONE_OR_LIST)
        List<Location> journals,
    @Key("How long ago the last commit has to be, such as 30d; required with idle.")
        Optional<Duration> olderThan,
    @Key(
            value =
                "The directory that an archive goes into. ${team}, ${root} and ${name} stand for the checkpoint's team, root and name, ${date}, ${year}, ${month} and ${day} for the day of its last commit (UTC).",
            required = true)
        String to,
    @Key("How long an archive is to be kept, counted from when it was written, such as 365d.")
        Optional<Duration> keepFor,
    @Key("Until when an archive is to be kept, such as 2027-12-31.") Optional<LocalDate> keepUntil,
    @Key(value = "How many checkpoints are archived at a time.", defaultsTo = "2", min = 1)
        int parallelism,
    @Key("Hadoop settings by location prefix.") Map<String, Map<String, SecretText>> storage) {

  /** What {@code ${...}} in {@link #to} can stand for. */
  public static final List<String> NAMES =
      List.of("team", "root", "name", "date", "year", "month", "day");

  /** The same with another target. */
  ArchivePolicy withTo(String other) {
    return new ArchivePolicy(
        version,
        name,
        roots,
        include,
        exclude,
        choose,
        journals,
        olderThan,
        other,
        keepFor,
        keepUntil,
        parallelism,
        storage);
  }
}
