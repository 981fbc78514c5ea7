package org.streammigrator.archival;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.FaultSample;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreTraits;

/** Several checkpoints in an archive, lists, samples, single files, and single batches. */
class PartOfArchiveTest {
  private static final Instant NOW = ArchivalWorld.END.plusSeconds(3600);

  @TempDir private Path directory;
  private ArchivalWorld world;

  @BeforeEach
  void begin() throws IOException {
    world = new ArchivalWorld(directory);
    world.checkpoint("chk/a b%20ü");
    byte[] large = new byte[3_500_000];
    new Random(5).nextBytes(large);
    Files.createDirectories(directory.resolve("chk/a b%20ü/sources/0"));
    Files.write(directory.resolve("chk/a b%20ü/sources/0/large"), large);
    Files.createDirectories(directory.resolve("chk/a b%20ü/state"));
  }

  private String archive(String... checkpoints) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("archive"));
    arguments.addAll(List.of(checkpoints));
    arguments.addAll(List.of("--to", "archive"));
    return world.json(0, NOW, arguments.toArray(String[]::new)).get("archive").asText();
  }

  private static Map<String, String> withoutManifests(Map<String, String> files) {
    Map<String, String> own = new TreeMap<>(files);
    own.keySet().removeIf(path -> path.endsWith(".migrator-manifest.json"));
    return own;
  }

  @Test
  void severalGoIntoOneArchiveAndComeBack() throws IOException {
    world.checkpoint("other/a b%20ü");
    world.checkpoint("chk/c");
    String archive = archive("chk/a b%20ü", "other/a b%20ü/", "chk/c");
    assertThat(archive).matches(".*/archive/checkpoints-[0-9a-f]{12}\\.tar\\.zst");
    assertThat(
            world
                .json(0, NOW, "archive", "chk/a b%20ü", "other/a b%20ü", "chk/c", "--to", "archive")
                .get("existed")
                .asBoolean())
        .isTrue();
    assertThat(world.run(NOW, "verify", archive)).as(world.printed).isZero();
    JsonNode list = world.json(0, NOW, "archive", "--list", archive);
    assertThat(list.get("schema").asText()).isEqualTo("migrator/archive-list/1");
    assertThat(list.get("checkpoints").findValuesAsText("name"))
        .containsExactly("a b%20ü", "a b%20ü-2", "c");
    assertThat(list.get("checkpoints").findValuesAsText("checkpoint"))
        .containsExactly(
            world.root + "/chk/a b%20ü", world.root + "/other/a b%20ü", world.root + "/chk/c");
    assertThat(list.get("checkpoints").get(2).get("entries").findValuesAsText("path"))
        .containsExactly(
            "commits/0",
            "commits/1",
            "commits/2",
            "metadata",
            "offsets/0",
            "offsets/1",
            "offsets/2");
    assertThat(list.get("checkpoints").get(0).get("emptyDirectories").get(0).asText())
        .isEqualTo("state");
    assertThat(list.get("keepUntil").isNull()).isTrue();
    assertThat(world.run(NOW, "archive", "--list", archive)).isZero();
    assertThat(world.printed).contains("from " + world.root + "/chk/c", "offsets/2", "state/");

    assertThat(world.run(NOW, "restore", archive, "--to", "back")).as(world.printed).isZero();
    assertThat(withoutManifests(world.files("back/a b%20ü"))).isEqualTo(world.files("chk/a b%20ü"));
    assertThat(world.files("back/a b%20ü-2")).isEqualTo(world.files("other/a b%20ü"));
    assertThat(world.files("back/c")).isEqualTo(world.files("chk/c"));
    assertThat(world.run(NOW, "verify", "back/c")).as(world.printed).isZero();

    assertThat(world.run(NOW, "restore", archive, "--checkpoint", "c", "--to", "only")).isZero();
    assertThat(world.files("only")).isEqualTo(world.files("chk/c"));
    assertThat(world.run(NOW, "restore", archive, "--checkpoint", "d", "--to", "none"))
        .isEqualTo(2);
    assertThat(world.printed).contains("a b%20ü-2");
    assertThat(world.run(NOW, "restore", archive, "--file", "metadata", "--to", "m")).isEqualTo(2);
    assertThat(
            world.run(
                NOW, "restore", archive, "--checkpoint", "c", "--file", "metadata", "--to", "m"))
        .isZero();
    assertThat(directory.resolve("m")).hasSameTextualContentAs(directory.resolve("chk/c/metadata"));
    assertThat(world.run(NOW, "archive", "chk/c", "chk/c/", "--to", "archive")).isEqualTo(2);
    assertThat(world.run(NOW, "restore", archive, "--batch", "1", "--to", "b")).isEqualTo(2);
    assertThat(world.run(NOW, "restore", archive, "--checkpoint", "c", "--batch", "1", "--to", "b"))
        .as(world.printed)
        .isZero();
    assertThat(directory.resolve("b/commits/1")).exists();
    assertThat(directory.resolve("b/commits/2")).doesNotExist();
  }

  @Test
  void oneFileIsRestoredWithItsTime() throws IOException {
    String archive = archive("chk/a b%20ü");
    for (String path : List.of("sources/0/large", "offsets/1")) {
      assertThat(world.run(NOW, "restore", archive, "--file", path, "--to", "out/" + path))
          .as(world.printed)
          .isZero();
      Path target = directory.resolve("out/" + path);
      Path source = directory.resolve("chk/a b%20ü/" + path);
      assertThat(target).hasSameBinaryContentAs(source);
      assertThat(Files.getLastModifiedTime(target)).isEqualTo(Files.getLastModifiedTime(source));
    }
    assertThat(world.run(NOW, "restore", archive, "--file", "offsets/1", "--to", "out/offsets/1"))
        .isEqualTo(3);
    assertThat(world.run(NOW, "restore", archive, "--file", "../x", "--to", "y")).isEqualTo(2);
    assertThat(world.run(NOW, "restore", archive, "--file", "state", "--to", "y")).isEqualTo(2);
  }

  @Test
  void aSampleSaysWhatItDidNotLookAt() throws IOException {
    for (int number = 0; number < 400; number++) {
      world.write("chk/a b%20ü/state/0/0/" + number + ".delta", "x".repeat(number), NOW);
    }
    String archive = archive("chk/a b%20ü");
    JsonNode one = world.json(0, NOW, "verify", archive, "--sample", "5%");
    long seen = one.get("files").asLong();
    assertThat(seen).isBetween(5L, 50L);
    assertThat(one.get("sample").get("skippedFiles").asLong()).isEqualTo(408 - seen);
    assertThat(one.get("sample").get("notLookedAt").asText()).contains("closing checksum");
    assertThat(world.json(0, NOW, "verify", archive, "--sample", "5%", "--seed", "0"))
        .isEqualTo(one);
    assertThat(world.json(0, NOW, "verify", archive, "--sample", "5%", "--seed", "9"))
        .isNotEqualTo(one);
    JsonNode all = world.json(0, NOW, "verify", archive, "--sample", "100%");
    assertThat(all.get("files").asLong()).isEqualTo(408);
    assertThat(all.get("sample").get("notLookedAt").asText())
        .isEqualTo("the closing checksum of the archive");
    assertThat(
            world.json(0, NOW, "verify", archive, "--sample", "0.000000001%").get("files").asLong())
        .isEqualTo(1);
    for (String wrong : List.of("0%", "101%", "5", "-1%", "a%")) {
      assertThat(world.run(NOW, "verify", archive, "--sample", wrong)).as(wrong).isEqualTo(2);
    }
    assertThat(world.run(NOW, "verify", archive, "--sample", "5%")).isZero();
    assertThat(world.printed).contains("Sample intact", "not looked at");

    // Damage in the only large file is found exactly by the samples that look there.
    Path file = Path.of(archive.substring(5));
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    assertThat(world.run(NOW, "verify", archive, "--sample", "100%")).isEqualTo(6);
    assertThat(world.printed).contains("sources/0/large");
    assertThat(world.run(NOW, "restore", archive, "--file", "sources/0/large", "--to", "l"))
        .isEqualTo(6);
    assertThat(directory.resolve("l")).doesNotExist();
    assertThat(directory.toFile().list()).doesNotContain(".l.migrator-staging");
    Store mounted =
        new ForwardingStore(world.store) {
          @Override
          public StoreTraits traits(Location location) {
            return new StoreTraits(false, false, false, false);
          }
        };
    String[] large = {"restore", archive, "--file", "sources/0/large", "--to", "l"};
    assertThat(world.run(mounted, NOW, large)).isEqualTo(6);
    assertThat(directory.resolve("l")).doesNotExist();
    assertThat(world.run(NOW, "restore", archive, "--file", "metadata", "--to", "l")).isZero();
  }

  @Test
  void aSampleOfACopyComparesAllNamesAndSizes() throws IOException {
    String archive = archive("chk/a b%20ü");
    assertThat(world.run(NOW, "restore", archive, "--to", "back")).isZero();
    JsonNode sample = world.json(0, NOW, "verify", "back", "--sample", "10%");
    assertThat(sample.get("kind").asText()).isEqualTo("copy");
    Files.delete(directory.resolve("back/offsets/1"));
    Files.writeString(directory.resolve("back/offsets/2"), "longer than it was".repeat(20), UTF_8);
    assertThat(world.json(6, NOW, "verify", "back", "--sample", "0.1%").get("damage")).hasSize(2);
  }

  @Test
  void everyCutAndEveryFlipOfTheEndIsTold() throws IOException {
    Files.delete(directory.resolve("chk/a b%20ü/sources/0/large"));
    String archive = archive("chk/a b%20ü");
    Path file = Path.of(archive.substring(5));
    byte[] bytes = Files.readAllBytes(file);
    for (int length : FaultSample.between(0, bytes.length - 1, 25)) {
      Files.write(file, Arrays.copyOf(bytes, length));
      for (String command : List.of("--list", "")) {
        int code =
            command.isEmpty()
                ? world.run(NOW, "verify", archive, "--sample", "100%")
                : world.run(NOW, "archive", "--list", archive);
        assertThat(code).as(length + ": " + world.printed).isEqualTo(6);
      }
    }
    for (int at : FaultSample.between(0, bytes.length - 33, 60)) {
      byte[] flipped = bytes.clone();
      flipped[at] ^= 0x10;
      Files.write(file, flipped);
      // Names, manifests and bytes are compared; unused bits of frames are for the closing
      // checksum.
      assertThat(world.run(NOW, "verify", archive, "--sample", "100%")).isIn(0, 6);
      assertThat(world.run(NOW, "verify", archive)).as("byte " + at).isEqualTo(6);
    }
  }

  @Test
  void aBatchIsRestoredAsItStood() throws IOException {
    String archive = archive("chk/a b%20ü");
    JsonNode restored = world.json(0, NOW, "restore", archive, "--batch", "1", "--to", "asof");
    assertThat(restored.get("batch").asLong()).isEqualTo(1);
    assertThat(restored.get("findings").findValuesAsText("code"))
        .containsExactly("ARCHIVE_BEHIND_SINK");
    JsonNode inspection = world.json(0, NOW, "inspect", "asof");
    assertThat(inspection.get("batches").get("lastCommitted").asLong()).isEqualTo(1);
    assertThat(inspection.get("batches").get("pending")).isEmpty();
    assertThat(inspection.get("restartable").asBoolean()).isTrue();
    assertThat(directory.resolve("asof/sources/0/large")).exists();
    assertThat(world.run(NOW, "verify", "asof")).as(world.printed).isZero();
    assertThat(
            world.json(0, NOW, "restore", archive, "--batch", "2", "--to", "last").get("findings"))
        .isEmpty();
    assertThat(world.run(NOW, "restore", archive, "--batch", "3", "--to", "none")).isEqualTo(3);
    assertThat(world.printed).contains("BATCH_NOT_IN_ARCHIVE", "offsets/3");
    assertThat(directory.resolve("none")).doesNotExist();
    assertThat(directory.toFile().list()).doesNotContain(".none.migrator-staging");
    assertThat(world.run(NOW, "restore", archive, "--batch", "-1", "--to", "none")).isEqualTo(2);
  }

  @Test
  void aBatchWhoseStateOrPlanIsNotThereIsRefused() throws IOException {
    Path fixture = Path.of("../src-test-fixtures/checkpoints/window-hdfs/checkpoint");
    try (var files = Files.walk(fixture)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = directory.resolve("stateful").resolve(fixture.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    long last =
        world.json(0, NOW, "inspect", "stateful").get("batches").get("lastCommitted").asLong();
    String archive = archive("stateful");
    JsonNode whole = world.json(0, NOW, "restore", archive, "--batch", "" + last, "--to", "whole");
    assertThat(whole.get("batch").asLong()).isEqualTo(last);
    assertThat(world.run(NOW, "restore", archive, "--batch", "" + (last - 1), "--to", "before"))
        .as(world.printed)
        .isZero();
    JsonNode before = world.json(0, NOW, "inspect", "before", "--deep");
    assertThat(before.get("state").get(0).get("requiredVersion").asLong()).isEqualTo(last);
    assertThat(before.get("state").get(0).get("loadable").asBoolean()).isTrue();
    // One state file of that version less, in one partition.
    Files.delete(directory.resolve("stateful/state/0/1/" + last + ".delta"));
    archive = archive("stateful");
    assertThat(world.run(NOW, "restore", archive, "--batch", "" + (last - 1), "--to", "no"))
        .isEqualTo(3);
    assertThat(world.printed).contains("STATE_FILE_MISSING");
    Files.delete(directory.resolve("stateful/offsets/" + (last - 2)));
    archive = archive("stateful");
    assertThat(world.run(NOW, "restore", archive, "--batch", "" + (last - 1), "--to", "no"))
        .isEqualTo(3);
    assertThat(directory.resolve("no")).doesNotExist();
  }
}
