package org.streammigrator.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.Key.Form;
import org.streammigrator.storage.Location;

/** The migration of one stream, with the plan's defaults merged in. */
public record StreamPlan(
    @Key(
            "The stream's name, unique in the plan; the old checkpoint's last path part when left out.")
        String name,
    @Key(value = "How the stream gets to its new checkpoint.", required = true) Strategy strategy,
    @Key(value = "The old and the new place.", required = true) CheckpointPlan checkpoint,
    @Key("Makes the stream a template over many checkpoints.") Optional<ForeachPlan> foreach,
    @Key("Whether the query id is kept (seed, replay, rewind).") Optional<Identity> identity,
    @Key(value = "The batch to go back to (rewind).", min = 0) Optional<Long> batch,
    @Key(value = "How much is copied (relocate, rewind).", defaultsTo = "live") CopyScope copy,
    @Key(value = "Whether files that only harm are left out (relocate).", defaultsTo = "false")
        boolean repair,
    @Key(value = "The sources of the new query, by position or by name.", form = Form.LIST_OR_NAMED)
        List<SourcePlan> sources,
    @Key(value = "The sink, or the sinks that a foreachBatch writes.", form = Form.ONE_OR_LIST)
        List<SinkPlan> sink,
    @Key("How the new query differs from the old one.") List<ChangePlan> changes,
    @Key("What a checkpoint does not record of the new query.") QueryPlan query,
    @Key("How state is rebuilt (replay).") ReplayPlan replay,
    @Key("How windows are recomputed (backfill).") Optional<BackfillPlan> backfill,
    @Key("Prefixes of paths that moved.") List<RewritePlan> rewrite,
    @Key("The job that runs the old query.") Optional<JobPlan> job,
    @Key("How the new query is started.") Optional<CutoverPlan> cutover,
    @Key("How a rehearsal starts the new query.") Optional<RehearsePlan> rehearse,
    @Key("What is checked in the sink.") ChecksPlan checks,
    @Key(value = "Codes of findings that are taken knowingly.", form = Form.ONE_OR_LIST)
        List<FindingCode> accept,
    @Key("Settings of the session, for jobs and checks, such as timeZone.")
        Map<String, String> conf,
    @Key(value = "The streams that this one waits for.", form = Form.ONE_OR_LIST)
        List<String> after,
    @Key("Where the old checkpoint is packed to.") Optional<ArchivePlan> archive,
    @Key(value = "Where Spark jobs run.", defaultsTo = "local") RunnerPlan runner) {

  /** The keys that belong to one stream and cannot be defaults. */
  static final List<String> OWN_KEYS = List.of("name", "foreach");

  public StreamPlan {
    if (name == null) {
      name = defaultName(checkpoint.from());
    }
  }

  /**
   * Where a source stood in the old checkpoint: its {@code was}, or else its place among the
   * sources of the new query, in which removed ones do not count; empty for a new source.
   *
   * @param index its place in {@link #sources}
   */
  public Optional<String> oldId(int index) {
    SourcePlan source = sources.get(index);
    if (source.isNew()) {
      return Optional.empty();
    }
    long place = sources.subList(0, index).stream().filter(before -> !before.removed()).count();
    return Optional.of(source.was().orElse(Long.toString(place)));
  }

  /**
   * Where a source of the old checkpoint stands in the new one; the same id where nothing maps it.
   *
   * @param oldId its id in the old checkpoint
   */
  public String newId(String oldId) {
    if (sources.stream().allMatch(source -> source.was().isEmpty())) {
      return oldId;
    }
    int position = 0;
    for (int i = 0; i < sources.size(); i++) {
      if (sources.get(i).removed()) {
        continue;
      }
      if (oldId(i).equals(Optional.of(oldId))) {
        return Integer.toString(position);
      }
      position++;
    }
    return oldId;
  }

  static String defaultName(Location from) {
    return from.name().isEmpty() ? from.toString() : from.name();
  }
}
