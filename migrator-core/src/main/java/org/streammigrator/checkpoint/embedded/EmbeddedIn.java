package org.streammigrator.checkpoint.embedded;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import java.io.IOException;

/** The kinds of log files that embed absolute paths: a version line, then JSON objects. */
public enum EmbeddedIn {
  /**
   * The log of a file source ({@code sources/<id>}, Spark's {@code FileStreamSourceLog}) or of a
   * file sink ({@code _spark_metadata}, {@code FileStreamSinkLog}): {@code path} of each line.
   */
  FILE_LOG(PathForm.URI_ENCODED) {
    @Override
    boolean embeds(JsonParser value, int depth) throws IOException {
      return depth == 1 && "path".equals(value.currentName());
    }
  },

  /**
   * The log in which a Delta source tracks the schema ({@code _schema_log_<tableId>}, Delta's
   * {@code PersistedMetadata}): {@code sourceMetadataPath}.
   */
  SCHEMA_LOG(PathForm.PLAIN) {
    @Override
    boolean embeds(JsonParser value, int depth) throws IOException {
      return depth == 1 && "sourceMetadataPath".equals(value.currentName());
    }
  },

  /**
   * The metadata of a stateful operator, version 2 ({@code state/<op>/_metadata/v2/<batch>},
   * Spark's {@code StateStoreMetadataV2}): {@code stateSchemaFilePaths} of each store; before the
   * release of Spark 4.0 {@code stateSchemaFilePath}.
   */
  OPERATOR_METADATA(PathForm.PLAIN) {
    @Override
    boolean embeds(JsonParser value, int depth) throws IOException {
      JsonStreamContext context = value.getParsingContext();
      String name =
          context.inArray() ? context.getParent().getCurrentName() : context.getCurrentName();
      return "stateSchemaFilePaths".equals(name) || "stateSchemaFilePath".equals(name);
    }
  };

  private final PathForm form;

  EmbeddedIn(PathForm form) {
    this.form = form;
  }

  /** How the paths are spelled. */
  public PathForm form() {
    return form;
  }

  /**
   * Whether a text in a line is an embedded path.
   *
   * @param value a parser that stands at the text
   * @param depth how many objects and arrays are open there
   */
  abstract boolean embeds(JsonParser value, int depth) throws IOException;
}
