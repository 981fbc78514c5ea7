package org.streammigrator.copy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A manifest as JSON, token by token: it may list very many files. */
final class ManifestJson {
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(1 << 20)
                  .maxNameLength(1 << 16)
                  .maxNestingDepth(100)
                  .build())
          .build();

  private ManifestJson() {}

  static void write(Manifest manifest, OutputStream out) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.setPrettyPrinter(onePerLine());
      json.writeStartObject();
      json.writeStringField("schema", Manifest.SCHEMA);
      json.writeStringField("toolVersion", manifest.toolVersion());
      json.writeStringField("checkpoint", manifest.checkpoint());
      json.writeObjectFieldStart("summary");
      json.writeStringField("queryId", manifest.summary().queryId());
      writeNumber(json, "lastPlanned", manifest.summary().lastPlanned());
      writeNumber(json, "lastCommitted", manifest.summary().lastCommitted());
      json.writeEndObject();
      json.writeArrayFieldStart("files");
      InstantText times = new InstantText();
      for (ManifestFile file : manifest.files()) {
        json.writeStartObject();
        json.writeStringField("path", file.path());
        json.writeNumberField("size", file.size());
        json.writeStringField("sha256", file.sha256());
        json.writeStringField("modified", times.of(file.modified()));
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("emptyDirectories");
      for (String directory : manifest.emptyDirectories()) {
        json.writeString(directory);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  static Manifest read(InputStream in) throws IOException {
    try (JsonParser json = JSON.createParser(in)) {
      json.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      return new Reader(json).manifest();
    } catch (JsonProcessingException invalid) {
      throw new InvalidManifestException("the manifest is no valid JSON: " + invalid.getMessage());
    }
  }

  private static DefaultPrettyPrinter onePerLine() {
    return new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.NONE)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""))
        .withArrayIndenter(new DefaultIndenter("", "\n"))
        .withObjectIndenter(DefaultPrettyPrinter.NopIndenter.instance);
  }

  private static void writeNumber(JsonGenerator json, String name, Long value) throws IOException {
    if (value == null) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, value);
    }
  }

  private static final class Reader {
    private final JsonParser json;
    private final List<ManifestFile> files = new ArrayList<>();
    private final List<String> emptyDirectories = new ArrayList<>();
    private String schema;
    private String toolVersion;
    private String checkpoint;
    private CheckpointSummary summary;
    private boolean filesSeen;

    Reader(JsonParser json) {
      this.json = json;
    }

    Manifest manifest() throws IOException {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new InvalidManifestException("the manifest is no JSON object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "schema" -> {
            schema = text(name);
            if (!schema.equals(Manifest.SCHEMA)) {
              throw new InvalidManifestException(
                  "the manifest has the schema '" + schema + "', not '" + Manifest.SCHEMA + "'");
            }
          }
          case "toolVersion" -> toolVersion = text(name);
          case "checkpoint" -> checkpoint = text(name);
          case "summary" -> summary = summary();
          case "files" -> readFiles();
          case "emptyDirectories" -> readEmptyDirectories();
          default -> json.skipChildren();
        }
      }
      if (json.nextToken() != null) {
        throw new InvalidManifestException("something stands after the end of the manifest");
      }
      if (schema == null
          || toolVersion == null
          || checkpoint == null
          || summary == null
          || !filesSeen) {
        throw new InvalidManifestException(
            "the manifest lacks one of schema, toolVersion, checkpoint, summary and files");
      }
      checkPaths();
      return new Manifest(toolVersion, checkpoint, summary, files, emptyDirectories);
    }

    private CheckpointSummary summary() throws IOException {
      expect(JsonToken.START_OBJECT, "summary");
      String queryId = null;
      Long lastPlanned = null;
      Long lastCommitted = null;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        boolean isNull = json.nextToken() == JsonToken.VALUE_NULL;
        switch (name) {
          case "queryId" -> queryId = isNull ? null : text(name);
          case "lastPlanned" -> lastPlanned = isNull ? null : number(name);
          case "lastCommitted" -> lastCommitted = isNull ? null : number(name);
          default -> json.skipChildren();
        }
      }
      return new CheckpointSummary(queryId, lastPlanned, lastCommitted);
    }

    private void readFiles() throws IOException {
      expect(JsonToken.START_ARRAY, "files");
      filesSeen = true;
      while (json.nextToken() != JsonToken.END_ARRAY) {
        expect(JsonToken.START_OBJECT, "files");
        files.add(file());
      }
    }

    private ManifestFile file() throws IOException {
      String path = null;
      Long size = null;
      String sha256 = null;
      Instant modified = null;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "path" -> path = text(name);
          case "size" -> size = number(name);
          case "sha256" -> sha256 = text(name);
          case "modified" -> modified = instant(text(name));
          default -> json.skipChildren();
        }
      }
      if (path == null || size == null || sha256 == null || modified == null) {
        throw new InvalidManifestException(
            "a file of the manifest lacks one of path, size, sha256 and modified: " + path);
      }
      if (size < 0 || !Sha256.isHex(sha256)) {
        throw new InvalidManifestException(
            "a file of the manifest has a wrong size or sha256: " + path);
      }
      return new ManifestFile(path, size, sha256, modified);
    }

    private void readEmptyDirectories() throws IOException {
      expect(JsonToken.START_ARRAY, "emptyDirectories");
      while (json.nextToken() != JsonToken.END_ARRAY) {
        emptyDirectories.add(text("emptyDirectories"));
      }
    }

    private void checkPaths() throws IOException {
      Set<String> paths = new HashSet<>();
      for (ManifestFile file : files) {
        checkPath(file.path(), paths);
      }
      for (String directory : emptyDirectories) {
        checkPath(directory, paths);
      }
    }

    private static void checkPath(String path, Set<String> paths) throws IOException {
      if (RelativePaths.problem(path).isPresent()) {
        throw new InvalidManifestException(
            "the manifest lists '" + path + "': " + RelativePaths.problem(path).get());
      }
      if (!paths.add(path)) {
        throw new InvalidManifestException("the manifest lists '" + path + "' twice");
      }
    }

    private String text(String name) throws IOException {
      expect(JsonToken.VALUE_STRING, name);
      return json.getText();
    }

    private long number(String name) throws IOException {
      expect(JsonToken.VALUE_NUMBER_INT, name);
      return json.getLongValue();
    }

    private static Instant instant(String text) throws IOException {
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException invalid) {
        throw new InvalidManifestException("the manifest has a wrong time: '" + text + "'");
      }
    }

    private void expect(JsonToken token, String name) throws IOException {
      if (json.currentToken() != token) {
        throw new InvalidManifestException("the manifest has a wrong value for '" + name + "'");
      }
    }
  }
}
