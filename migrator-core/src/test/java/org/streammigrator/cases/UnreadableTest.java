package org.streammigrator.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What this user may not read is damage like any other; root may read everything. */
class UnreadableTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path root;

  @BeforeEach
  void makeCheckpoint() throws IOException {
    assumeFalse(System.getProperty("user.name").equals("root"), "root may read everything");
    TreeFile.expand(
        "metadata = M\noffsets/{1,2} = v1\\nH\\n{\"t\":{\"0\":7}}\ncommits/{1,2} = CM\n", root);
  }

  private JsonNode inspect(String path, String permissions) throws IOException {
    Path denied = root.resolve("chk").resolve(path);
    Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("---------"));
    try {
      CommandRun run = CommandRun.of(root, List.of("inspect", "chk", "-o", "json"));
      assertThat(run.exit()).as(run.out() + run.err()).isZero();
      return MAPPER.readTree(run.out());
    } finally {
      Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString(permissions));
    }
  }

  @Test
  void aFileStopsARestart() throws IOException {
    JsonNode json = inspect("offsets/2", "rw-r--r--");
    assertThat(JsonSubset.findings(json)).contains("UNREADABLE:error");
    assertThat(json.get("restartable").asBoolean()).isFalse();
    assertThat(json.at("/batches/lastCommitted").asLong()).isEqualTo(2);
  }

  @Test
  void aDirectoryStopsARestart() throws IOException {
    JsonNode json = inspect("offsets", "rwxr-xr-x");
    assertThat(JsonSubset.findings(json)).contains("UNREADABLE:error");
    assertThat(json.get("restartable").asBoolean()).isFalse();
  }

  @Test
  void theCheckpointItselfIsAClearError() throws IOException {
    Path denied = root.resolve("chk");
    Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("---------"));
    CommandRun run = CommandRun.of(root, List.of("inspect", "chk", "-o", "json"));
    Files.setPosixFilePermissions(denied, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(run.exit()).isEqualTo(5);
    assertThat(run.err()).contains("permission");
  }
}
