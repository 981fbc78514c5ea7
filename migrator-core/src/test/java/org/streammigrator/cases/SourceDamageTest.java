package org.streammigrator.cases;

/** The same damage to a checkpoint whose sources keep files of their own. */
class SourceDamageTest extends DamageTest {
  @Override
  String tree() {
    String position =
        "{\"iteratorType\":\"AFTER_SEQUENCE_NUMBER\",\"iteratorPosition\":\"49590000000000000001\"}";
    return "metadata = M\n"
        + "offsets/{1,2} = v1\\nH\\n{\"offsetCommitTime\":\"20260327100000123\"}"
        + "\\n{\"version\":1,\"snapshot_id\":77,\"position\":3,\"scan_all_files\":false}"
        + "\\n{\"version\": 1, \"offset\": {\"$timestamp\": {\"t\": 1774605600, \"i\": 0}}}"
        + "\\n{\"metadata\":{\"streamName\":\"s\",\"batchId\":\"2\"},\"shardId-1\":"
        + position
        + "}\\n{\"t\":[8,-84,2,16,5]}\\n{\"snapshotId\":7,\"index\":-1,\"scanSnapshot\":false}\n"
        + "commits/{1,2} = CM\n"
        + "sources/0/0 = v1\\n{\"offsetCommitTime\":\"20260327090000123\"}\n"
        + "sources/1/offsets/0 = {\"version\":1,\"snapshot_id\":7,\"position\":0,"
        + "\"scan_all_files\":true}\n"
        + "sources/2 = {\"version\": 1, \"offset\": {\"$timestamp\": {\"t\": 5, \"i\": 0}}}\n"
        + "sources/3/shard-commit/2/shardId-1 = "
        + position
        + "\nsources/4/0 = v1\\n{\"t\":[8,7,16,1]}\n";
  }
}
