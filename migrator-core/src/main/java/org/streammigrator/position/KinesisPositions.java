package org.streammigrator.position;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.ShardCommits;
import org.streammigrator.checkpoint.source.KinesisOffset;
import org.streammigrator.checkpoint.source.KinesisShard;
import org.streammigrator.facts.KinesisFacts;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of Kinesis sources. In the open connectors a batch's offset says where each shard
 * stands at its beginning; where it ended is in its shard commits, and a restart after the batch
 * reads those ({@code KinesisSource.prevBatchShardInfo} of qubole, {@code
 * KinesisV2MicrobatchStream.latestOffset} of awslabs). Their option takes the same JSON ({@code
 * InitialKinesisPosition.fromCheckpointJson}), but a shard that it does not name starts "now", so
 * that it is exact only if it names every shard of the stream.
 */
final class KinesisPositions {
  private final RecordedSource source;
  private final KinesisOffset offset;
  private final List<Finding> findings = new ArrayList<>();
  private final SortedMap<String, KinesisShard> shards = new TreeMap<>();

  /** Where the shards stand: at the end of the batch, or at its beginning. */
  private boolean atEnd = true;

  private KinesisPositions(RecordedSource source, KinesisOffset offset) {
    this.source = source;
    this.offset = offset;
    shards.putAll(offset.shards());
  }

  static SourcePosition of(RecordedSource source, KinesisOffset offset) {
    return new KinesisPositions(source, offset).position();
  }

  private SourcePosition position() {
    if (offset.batch().isPresent()) {
      readCommits(offset.batch().getAsLong());
    }
    boolean allNamed = compareWithStream();
    String consumed =
        shards.entrySet().stream()
                .map(shard -> shard.getKey() + " " + shard.getValue())
                .collect(Collectors.joining(", "))
            + (atEnd ? "" : " (at the beginning of the batch)");
    Map<String, String> options =
        allNamed && atEnd && offset.batch().isPresent() && !Finding.anyError(findings)
            ? Map.of(optionName(), json().toString())
            : Map.of();
    if (options.isEmpty() && findings.isEmpty()) {
      findings.add(
          Finding.warning(
              FindingCode.INEXACT_POSITION,
              source.subject(),
              "a starting position that does not name every shard of the stream starts the others"
                  + " now and loses what they hold; which shards there are is not known",
              "use strategy seed or relocate, or give the stream's shards as facts"));
    }
    return new SourcePosition(
        source.id(),
        offset.kind(),
        options.isEmpty() ? Exactness.NOT_EXPRESSIBLE : Exactness.EXACT,
        options,
        consumed,
        offset.batch().isPresent() ? json() : offset.json(),
        explanation(options),
        findings);
  }

  private String explanation(Map<String, String> options) {
    if (offset.batch().isEmpty()) {
      return "the numbers are the last read ones; initialPosition takes no sequence numbers, so that"
          + " only the checkpoint itself says this position";
    }
    if (!options.isEmpty()) {
      return "each shard goes on after the last sequence number that its batch committed, and the"
          + " stream has no other shards; those that came since start at their oldest record";
    }
    return atEnd
        ? "each shard goes on after the last sequence number that its batch committed; the"
            + " connector's starting position is exact only if it names every shard"
        : "the offset says where the batch began; where it ended is missing, so that starting there"
            + " reads the batch again";
  }

  /** awslabs wants two fields more, and its options have a prefix. */
  private String optionName() {
    return offset.shards().values().stream().anyMatch(shard -> shard.json().has("isLast"))
        ? "kinesis.startingPosition"
        : "startingposition";
  }

  private ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.set("metadata", offset.json().get("metadata"));
    shards.forEach((id, shard) -> json.set(id, withoutId(shard)));
    return json;
  }

  /** A commit file names its shard inside; an offset does so outside, and has texts only. */
  private static ObjectNode withoutId(KinesisShard shard) {
    ObjectNode plain = JsonNodeFactory.instance.objectNode();
    shard
        .json()
        .properties()
        .forEach(
            field -> {
              if (!field.getKey().equals("shardId")) {
                plain.put(field.getKey(), field.getValue().asText());
              }
            });
    return plain;
  }

  private void readCommits(long batch) {
    Optional<ShardCommits> commits = source.directory().shardCommits();
    if (commits.isEmpty()) {
      atEnd = false;
      findings.add(
          Finding.warning(
              FindingCode.SOURCE_STATE_ELSEWHERE,
              source.subject(),
              "how far batch "
                  + batch
                  + " read is not in the checkpoint (no sources/"
                  + source.id()
                  + "/shard-commit): the connector keeps it in a DynamoDB table"
                  + " (kinesis.metadataCommitterType) or under another path (kinesis.metadataPath,"
                  + " executor.metadata.path). The checkpoint directory alone is not enough",
              "move that table or path together with the checkpoint"));
      return;
    }
    List<String> missing = new ArrayList<>();
    SortedMap<String, String> committed = commits.get().of(batch);
    offset
        .shards()
        .forEach(
            (id, shard) -> {
              if (shard.ended()) {
                return;
              }
              Optional<KinesisShard> end =
                  Optional.ofNullable(committed.get(id)).flatMap(KinesisShard::ofCommit);
              end.ifPresent(position -> shards.put(id, position));
              if (end.isEmpty()) {
                missing.add(id);
              }
            });
    if (committed.isEmpty() || !missing.isEmpty()) {
      atEnd = false;
      findings.add(missing(commits.get(), batch, committed.isEmpty() ? List.of() : missing));
    }
  }

  private Finding missing(ShardCommits commits, long batch, List<String> shardIds) {
    String what =
        shardIds.isEmpty()
            ? commits.directory() + "/" + batch + " is missing"
            : commits.directory()
                + "/"
                + batch
                + " has no readable entry for "
                + String.join(", ", shardIds);
    return Finding.error(
        FindingCode.KINESIS_SHARD_COMMIT_MISSING,
        source.subject(),
        "the offset names batch "
            + batch
            + ", and "
            + what
            + (commits.batches().isEmpty()
                ? " (there are none)"
                : " (there are "
                    + commits.batches().first()
                    + ".."
                    + commits.batches().last()
                    + ")")
            + ": where the batch ended is lost, and a restart after it stops with \"does not exist\""
            + " or \"Unable to fetch committed metadata\", or begins shards anew",
        "restore it from a copy of the checkpoint; otherwise start at the batch's beginning, which is"
            + " printed, with a MERGE at the sink");
  }

  /** Whether the position names every shard that the stream is known to have. */
  private boolean compareWithStream() {
    KinesisFacts stream = source.facts().kinesis().get(offset.stream());
    if (stream == null) {
      return false;
    }
    List<String> gone =
        shards.entrySet().stream()
            .filter(shard -> !shard.getValue().ended())
            .map(Map.Entry::getKey)
            .filter(id -> !stream.parents().containsKey(id))
            .toList();
    if (!gone.isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.KINESIS_SHARD_GONE,
              source.subject(),
              "the stream "
                  + offset.stream()
                  + " has not got "
                  + String.join(", ", gone)
                  + " any more: closed, and aged out before all of it was read; what was left in it"
                  + " is lost",
              "get it from elsewhere, or accept the loss with failOnDataLoss=false"));
    }
    return stream.parents().keySet().stream()
        .filter(id -> !offset.shards().containsKey(id))
        .map(id -> add(id, stream))
        .reduce(true, Boolean::logicalAnd);
  }

  /** Adds a shard that the offset does not name; false if it may be new or done already. */
  private boolean add(String id, KinesisFacts stream) {
    Optional<String> recorded =
        stream.ancestors(id).stream().filter(offset.shards()::containsKey).findFirst();
    if (recorded.isEmpty()) {
      boolean ancestor =
          offset.shards().keySet().stream().anyMatch(s -> stream.ancestors(s).contains(id));
      if (ancestor) {
        shards.put(id, start(KinesisShard.END));
        return true;
      }
    } else {
      shards.put(id, start("TRIM_HORIZON"));
    }
    findings.add(
        Finding.warning(
            FindingCode.KINESIS_NEW_SHARD,
            source.subject(),
            id
                + (recorded.isPresent()
                    ? ", which came from " + recorded.get() + ", appeared after the batch;"
                    : " is not in the offset: it is new, or was read to its end before. If it is new,")
                + " nothing of it is read, and a restart starts it where the query's starting position"
                + " says, which by default is \"now\"",
            "start it at TRIM_HORIZON; restart an old checkpoint with a starting position of"
                + " TRIM_HORIZON, too"));
    return recorded.isPresent();
  }

  private KinesisShard start(String type) {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("iteratorType", type).put("iteratorPosition", "");
    if (optionName().startsWith("kinesis.")) {
      json.put("subSequenceNumber", "-1").put("isLast", "true");
    }
    return new KinesisShard(json, type, "");
  }
}
