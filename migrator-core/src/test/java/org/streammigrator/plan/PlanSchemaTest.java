package org.streammigrator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanSchemaTest {
  private static final Path PLANS = Path.of("..", "plans");
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(PlanSchema.generate());

  static List<com.networknt.schema.Error> schemaErrors(String yaml) {
    Problems problems = new Problems();
    YamlMap root = YamlParser.parse(yaml, problems).orElseThrow();
    return SCHEMA.validate(YamlJson.of(root));
  }

  /**
   * Regenerate with {@code mvn test -pl migrator-core -Dtest=PlanSchemaTest -Dplans.write=true}.
   */
  @Test
  void theCommittedSchemaIsCurrent() throws IOException {
    Path file = PLANS.resolve("plan.schema.json");
    if (Boolean.getBoolean("plans.write")) {
      Files.writeString(file, PlanSchema.text());
    }
    assertThat(file)
        .as("made by: mvn test -pl migrator-core -Dtest=PlanSchemaTest -Dplans.write=true")
        .hasContent(PlanSchema.text());
  }

  @Test
  void theCommittedSchemaOfPoliciesIsCurrent() throws IOException {
    Path file = PLANS.resolve("policy.schema.json");
    String text = PlanSchema.text(PlanSchema.generatePolicy());
    if (Boolean.getBoolean("plans.write")) {
      Files.writeString(file, text);
    }
    assertThat(file)
        .as("made by: mvn test -pl migrator-core -Dtest=PlanSchemaTest -Dplans.write=true")
        .hasContent(text);
  }

  @Test
  void theExamplesOfPoliciesAreValid() throws IOException {
    List<Path> policies;
    try (Stream<Path> files = Files.list(PLANS.resolve("policies"))) {
      policies = files.sorted().toList();
    }
    assertThat(policies).isNotEmpty();
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(PlanSchema.generatePolicy());
    for (Path policy : policies) {
      String text = Files.readString(policy);
      assertThat(PolicyReader.read(text, PLANS, Map.of(), name -> Optional.empty()).problems())
          .as(policy.toString())
          .isEmpty();
      YamlMap root = YamlParser.parse(text, new Problems()).orElseThrow();
      assertThat(schema.validate(YamlJson.of(root))).as(policy.toString()).isEmpty();
    }
  }

  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(PLANS)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleIsValid(Path example) throws IOException {
    String text = Files.readString(example);
    PlanReading reading =
        PlanReader.read(
            text, PLANS, Map.of("env", "prod"), name -> Optional.of("value-of-" + name));
    assertThat(reading.problems()).isEmpty();
    assertThat(schemaErrors(text)).isEmpty();
  }

  @Test
  void thePageBeginsWithAPlanThatIsValidAndNamesEveryKey() throws IOException {
    String page = Files.readString(PLANS.resolve("README.md"));
    int start = page.indexOf("```yaml\n") + "```yaml\n".length();
    String minimal = page.substring(start, page.indexOf("```", start));
    assertThat(PlanTexts.read(minimal).problems()).isEmpty();
    assertThat(schemaErrors(minimal)).isEmpty();
    for (Class<?> record :
        List.of(
            PlanDocument.class,
            StreamPlan.class,
            OperatorPlan.class,
            RunnerPlan.class,
            ReplayPlan.class,
            BackfillPlan.class,
            JobPlan.class,
            CutoverPlan.class,
            ArchivePlan.class,
            WorkspacePlan.class)) {
      for (String key : Types.keys(record)) {
        assertThat(page).containsPattern("[`.]" + key + "[`.]");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("org.streammigrator.plan.PlanTexts#valid")
  void acceptsWhatTheReaderAccepts(String text) {
    assertThat(schemaErrors(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stream: x",
        "name: 5",
        "streams: []",
        "streams: {a: 1}",
        "run: {parallelism: 0}",
        "run: {onFailure: explode}",
        "defaults: {name: x}",
        "defaults: {archive: {format: rar}}",
        "workspaces: {a: {token: literal}}"
      })
  void refusesWhatTheReaderRefuses(String line) {
    String key = line.substring(0, line.indexOf(':'));
    StringBuilder text = new StringBuilder(line).append('\n');
    Map.of(
            "version", "1",
            "name", "n",
            "streams", "[{strategy: seed, checkpoint: {from: /a, to: /b}}]")
        .forEach(
            (name, value) -> {
              if (!name.equals(key)) {
                text.append(name).append(": ").append(value).append('\n');
              }
            });
    assertThat(schemaErrors(text.toString())).isNotEmpty();
    assertThat(PlanTexts.read(text.toString()).problems()).isNotEmpty();
  }
}
