package org.streammigrator.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.position.Resume;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.position.SourcePosition;
import org.streammigrator.storage.FaultSample;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.verdict.Inspection;
import org.streammigrator.verdict.Inspector;

/**
 * Damages every file of a small checkpoint in every way: nothing throws, and no damage turns into
 * another EXACT position without a finding that the undamaged checkpoint does not have.
 */
class DamageTest {
  private final long seed = Long.getLong("migrator.seed", System.nanoTime());

  @TempDir private Path root;

  private Path checkpoint;
  private Resume undamaged;
  private Inspection healthy;

  /** What is damaged. */
  String tree() {
    return "metadata = M\n"
        + "offsets/{1,2} = v1\\nH\\n{\"t\":{\"0\":120,\"1\":7}}\\n{\"logOffset\":1}\n"
        + "commits/{1,2} = CM\n"
        + "sources/1/{0,1} = v1\\n{\"path\":\"file:///in/a\",\"timestamp\":1,\"batchId\":0}\n"
        + "state/0/0/{1..3}.delta = x\n"
        + "state/0/_metadata/metadata = v1\\n{\"operatorInfo\":{\"operatorId\":0,"
        + "\"operatorName\":\"globalLimit\"}}\n";
  }

  @BeforeEach
  void makeCheckpoint() throws IOException {
    TreeFile.expand(tree(), root);
    checkpoint = root.resolve("chk");
    for (Path file : files()) {
      Files.write(
          file.resolveSibling("." + file.getFileName() + ".crc"),
          HadoopCrc.of(Files.readAllBytes(file)));
    }
    undamaged = resume(read());
    healthy = Inspector.inspect(read(), Map.of());
    assertThat(healthy.restartable()).isTrue();
    assertThat(undamaged.sources().get(0).exactness()).isEqualTo(Exactness.EXACT);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> walk = Files.walk(checkpoint)) {
      return walk.filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().endsWith(".crc"))
          .sorted()
          .toList();
    }
  }

  private Checkpoint read() throws IOException {
    return new CheckpointReader(new LocalStore()).read(Location.of(checkpoint));
  }

  private static Resume resume(Checkpoint read) {
    return new ResumePositions(read, Facts.NONE, Map.of()).compute();
  }

  private void check(String what) throws IOException {
    Checkpoint read = read();
    Inspection inspection = Inspector.inspect(read, Map.of());
    Resume resume = resume(read);
    assertThat(inspection.checkpoint()).isNotBlank();
    List<Finding> news = new ArrayList<>(resume.findings());
    resume.sources().forEach(source -> news.addAll(source.findings()));
    news.removeAll(undamaged.findings());
    undamaged.sources().forEach(source -> news.removeAll(source.findings()));
    if (news.isEmpty()) {
      assertThat(exact(resume)).as(what + ", seed " + seed).isEqualTo(exact(undamaged));
    }
  }

  private static List<String> exact(Resume resume) {
    return resume.sources().stream()
        .filter(source -> source.exactness() == Exactness.EXACT)
        .map(source -> source.id() + source.type() + source.options())
        .toList();
  }

  @Test
  void truncationAtEveryLength() throws IOException {
    for (Path file : files()) {
      byte[] bytes = Files.readAllBytes(file);
      for (int length : FaultSample.between(0, bytes.length - 1, 15)) {
        Files.write(file, Arrays.copyOf(bytes, length));
        check(file + " cut to " + length);
      }
      Files.write(file, bytes);
    }
  }

  @Test
  void everyBitFlipped() throws IOException {
    for (Path file : files()) {
      byte[] bytes = Files.readAllBytes(file);
      for (int bit : FaultSample.between(0, bytes.length * 8 - 1, 25)) {
        byte[] flipped = bytes.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        Files.write(file, flipped);
        check(file + " bit " + bit);
      }
      Files.write(file, bytes);
    }
  }

  @Test
  void randomBytesInsteadOfAFile() throws IOException {
    Random random = new Random(seed);
    for (Path file : files()) {
      byte[] bytes = Files.readAllBytes(file);
      for (int i = 0; i < (FaultSample.ALL ? 40 : 6); i++) {
        byte[] noise = new byte[random.nextInt(80)];
        random.nextBytes(noise);
        Files.write(file, noise);
        check(file + " noise");
      }
      Files.write(file, bytes);
    }
  }

  @Test
  void everyFileMissing() throws IOException {
    Set<Path> all = Set.copyOf(files());
    for (Path file : all) {
      byte[] bytes = Files.readAllBytes(file);
      Files.delete(file);
      check(file + " gone");
      Files.createDirectory(file);
      check(file + " a directory");
      Files.delete(file);
      Files.write(file, bytes);
    }
  }

  @Test
  void positionsNameTheirSources() {
    List<String> ids = undamaged.sources().stream().map(SourcePosition::id).toList();
    assertThat(ids).hasSizeGreaterThan(1);
    for (int i = 0; i < ids.size(); i++) {
      assertThat(ids.get(i)).isEqualTo(Integer.toString(i));
    }
  }
}
