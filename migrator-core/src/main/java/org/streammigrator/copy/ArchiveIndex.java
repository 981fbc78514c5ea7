package org.streammigrator.copy;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Where in an archive everything is, so that one file is restored by reading the frames that it
 * lies in.
 *
 * <p>A frame begins with a tar entry, or is the continuation of the file that the frames before it
 * began. The entries are numbered from 0 through the whole archive; those of a checkpoint follow on
 * one another in the order of path.
 *
 * @param schema {@link #SCHEMA}
 * @param frames in their order
 * @param checkpoints in their order
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record ArchiveIndex(String schema, List<Frame> frames, List<Part> checkpoints) {
  static final String SCHEMA = "migrator/archive-index/1";

  private static final byte[] FOOTER_MARK = "MIGINDEX".getBytes(StandardCharsets.US_ASCII);

  /** Bytes at the end of the index by which it is found from the end of the archive. */
  static final int FOOTER_LENGTH = Integer.BYTES + 8;

  /** The largest index that is read, in bytes of JSON. */
  private static final int LARGEST = 1 << 29;

  /** Made when an index is read: an archive is written without it. */
  private static final class Mapper {
    private static final JsonMapper JSON =
        JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
  }

  /**
   * A frame.
   *
   * @param length bytes in the archive, without the length header before it
   * @param content bytes of the tar
   * @param entries how many tar entries begin in it
   */
  @JsonFormat(shape = JsonFormat.Shape.ARRAY)
  @JsonPropertyOrder({"length", "content", "entries"})
  record Frame(int length, int content, int entries) {}

  /**
   * A checkpoint.
   *
   * @param name its name in an archive of several; empty in an archive of one
   * @param checkpoint the location it was archived from
   * @param queryId null if it tells none
   * @param lastCommitted null if it tells none
   * @param files their number
   * @param bytes the number of bytes in them
   * @param firstEntry the number of its first tar entry
   * @param entries how many it has: files and empty directories
   * @param manifestFrame the number of the frame that its manifest begins
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Part(
      String name,
      String checkpoint,
      String queryId,
      Long lastCommitted,
      long files,
      long bytes,
      int firstEntry,
      int entries,
      int manifestFrame) {}

  ArchiveIndex {
    frames = List.copyOf(frames);
    checkpoints = List.copyOf(checkpoints);
  }

  /** The skippable frame that holds the index. */
  byte[] toBytes() throws IOException {
    byte[] json = json();
    byte[] compressed = Zstd.compress(json, ArchiveFormat.LEVEL);
    if (!Arrays.equals(Zstd.decompress(compressed, json.length), json)) {
      throw new IOException("the index of the archive reads as something else");
    }
    int content = compressed.length + FOOTER_LENGTH;
    ByteBuffer bytes = ArchiveFormat.littleEndian(ArchiveFormat.SKIPPABLE_HEADER + content);
    return bytes
        .putInt(ArchiveFormat.INDEX_MAGIC)
        .putInt(content)
        .put(compressed)
        .putInt(bytes.capacity())
        .put(FOOTER_MARK)
        .array();
  }

  private byte[] json() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("schema", schema);
      json.writeArrayFieldStart("checkpoints");
      for (Part part : checkpoints) {
        json.writeStartObject();
        json.writeStringField("name", part.name());
        json.writeStringField("checkpoint", part.checkpoint());
        json.writeStringField("queryId", part.queryId());
        json.writeFieldName("lastCommitted");
        if (part.lastCommitted() == null) {
          json.writeNull();
        } else {
          json.writeNumber(part.lastCommitted());
        }
        json.writeNumberField("files", part.files());
        json.writeNumberField("bytes", part.bytes());
        json.writeNumberField("firstEntry", part.firstEntry());
        json.writeNumberField("entries", part.entries());
        json.writeNumberField("manifestFrame", part.manifestFrame());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("frames");
      for (Frame frame : frames) {
        int[] numbers = {frame.length(), frame.content(), frame.entries()};
        json.writeArray(numbers, 0, numbers.length);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return bytes.toByteArray();
  }

  /** The length of the whole skippable frame, as its last bytes tell; -1 if they are no index's. */
  static int lengthBefore(byte[] bytes, int end) {
    int footer = end - FOOTER_LENGTH;
    return footer >= 0
            && Arrays.equals(bytes, footer + Integer.BYTES, end, FOOTER_MARK, 0, FOOTER_MARK.length)
        ? ArchiveFormat.number(bytes, footer)
        : -1;
  }

  /**
   * Reads what stands after the header of the skippable frame.
   *
   * @throws BrokenArchiveException if it is no index
   */
  static ArchiveIndex of(byte[] content) throws BrokenArchiveException {
    try {
      int length = content.length - FOOTER_LENGTH;
      long size = length < 0 ? -1 : Zstd.getFrameContentSize(content, 0, length);
      if (size < 0 || size > LARGEST) {
        throw damaged("its size");
      }
      byte[] json = new byte[(int) size];
      if (Zstd.decompressByteArray(json, 0, json.length, content, 0, length) != size) {
        throw damaged("its length");
      }
      ArchiveIndex index = Mapper.JSON.readValue(json, ArchiveIndex.class);
      if (!SCHEMA.equals(index.schema())) {
        throw damaged("its schema");
      }
      index.check();
      return index;
    } catch (ZstdException | JsonProcessingException | NullPointerException invalid) {
      throw damaged(invalid.getClass().getSimpleName());
    } catch (BrokenArchiveException broken) {
      throw broken;
    } catch (IOException impossible) {
      throw damaged(impossible.getMessage());
    }
  }

  private void check() throws BrokenArchiveException {
    for (Frame frame : frames) {
      if (frame.length() < 0
          || frame.content() < 0
          || frame.content() > ArchiveFormat.LARGEST_CONTENT
          || frame.entries() < 0) {
        throw damaged("a frame");
      }
    }
    for (Part part : checkpoints) {
      if (part.name() == null
          || part.checkpoint() == null
          || part.firstEntry() < 0
          || part.entries() < 0
          || part.manifestFrame() < 0
          || part.manifestFrame() >= frames.size()) {
        throw damaged("a checkpoint");
      }
    }
  }

  /** The number of the first byte of every frame's length header, and the end of the last one. */
  long[] offsets() {
    long[] offsets = new long[frames.size() + 1];
    for (int i = 0; i < frames.size(); i++) {
      offsets[i + 1] = offsets[i] + ArchiveFormat.LENGTH_HEADER + frames.get(i).length();
    }
    return offsets;
  }

  private static BrokenArchiveException damaged(String what) {
    return new BrokenArchiveException(
        Damage.Kind.UNREADABLE, "the index of the archive is damaged (" + what + ")");
  }
}
