package org.streammigrator.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobSchemaTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(JobSchema.generate());

  /** Regenerate with {@code mvn test -pl migrator-core -Dtest=JobSchemaTest -Dplans.write=true}. */
  @Test
  void theCommittedSchemaIsCurrent() throws IOException {
    Path file = DOCS.resolve("job.schema.json");
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));
    String text = MAPPER.writer(printer).writeValueAsString(JobSchema.generate()) + "\n";
    if (Boolean.getBoolean("plans.write")) {
      Files.writeString(file, text);
    }
    assertThat(file)
        .as("made by: mvn test -pl migrator-core -Dtest=JobSchemaTest -Dplans.write=true")
        .hasContent(text);
  }

  static List<String> examples() throws IOException {
    Matcher blocks =
        Pattern.compile("```json\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(DOCS.resolve("jobs.md")));
    List<String> examples = new ArrayList<>();
    while (blocks.find()) {
      if (blocks.group(1).startsWith("{\"schema\":\"migrator/job/1\"")) {
        examples.add(blocks.group(1));
      }
    }
    return examples;
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleOfThePageIsValid(String example) throws IOException {
    assertThat(SCHEMA.validate(MAPPER.readTree(example))).isEmpty();
    assertThat(JobJson.readSpec(example).spec()).isNotNull();
  }

  @Test
  void thePageShowsEveryJobAndNamesEveryKey() throws IOException {
    String page = Files.readString(DOCS.resolve("jobs.md"));
    List<String> shown = new ArrayList<>();
    for (String example : examples()) {
      shown.add(MAPPER.readTree(example).path("job").asText());
    }
    assertThat(shown).containsAll(JobJson.jobs().keySet());
    for (JsonNode job : JobSchema.generate().path("oneOf")) {
      job.path("properties")
          .fieldNames()
          .forEachRemaining(key -> assertThat(page).containsPattern("[`\".]" + key + "[`\".:]"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"schema\":\"migrator/job/1\",\"job\":\"dedup\"}",
        "{\"schema\":\"migrator/job/1\",\"job\":\"dedup\",\"table\":\"/a\",\"keys\":\"id\"}",
        "{\"schema\":\"migrator/job/1\",\"job\":\"dedup\",\"table\":\"/a\",\"keyz\":[\"id\"]}",
        "{\"schema\":\"migrator/job/1\",\"job\":\"dedup\",\"table\":\"/a\",\"dryRun\":\"yes\"}",
        "{\"schema\":\"migrator/job/2\",\"job\":\"dedup\",\"table\":\"/a\",\"keys\":[\"id\"]}",
        "{\"schema\":\"migrator/job/1\",\"job\":\"dedupe\",\"table\":\"/a\",\"keys\":[\"id\"]}",
        "{\"schema\":\"migrator/job/1\",\"job\":\"dedup\",\"table\":\"/a\",\"keys\":[\"id\"],\"runner\":{\"kin\":\"local\"}}"
      })
  void whatTheSchemaRefusesTheReaderRefuses(String spec) throws IOException {
    assertThat(SCHEMA.validate(MAPPER.readTree(spec))).isNotEmpty();
    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> JobJson.readSpec(spec)))
        .isInstanceOf(InvalidJobSpecException.class);
  }
}
