package org.streammigrator.checkpoint.codec;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * Opens compressed state files as Spark does: {@code CompressionCodec.createCodec} with the name
 * that the newest plan pins under {@code spark.sql.streaming.stateStore.compression.codec}, a short
 * name or a class of Spark's. All but zstd are decoded here, in a few lines each, so that a plain
 * inspection loads no library.
 */
public final class StateCodec {
  /** The conf key under which the codec is pinned. */
  public static final String CONF = "spark.sql.streaming.stateStore.compression.codec";

  /** What Spark uses where nothing is pinned (before 3.1 it could not be set). */
  public static final String DEFAULT = "lz4";

  private StateCodec() {}

  /**
   * The uncompressed bytes of a file; damage shows as an {@link IOException} while they are read.
   *
   * @param codec the codec's name as it is pinned
   * @throws IOException if the codec is none of Spark's
   */
  public static InputStream open(String codec, InputStream file) throws IOException {
    InputStream in = new BufferedInputStream(file, 1 << 13);
    return switch (shortName(codec)) {
      case "lz4" -> new Lz4BlockInputStream(in);
      case "snappy" -> new SnappyInputStream(in);
      case "lzf" -> new LzfInputStream(in);
      case "zstd" -> new ZstdInputStreamNoFinalizer(in);
      default -> throw unknown(codec);
    };
  }

  /**
   * A few bytes in the codec's container, not compressed; {@link #open} gives them back.
   *
   * @param bytes 1 to 60 bytes
   * @throws IOException if the codec is none of Spark's
   */
  public static byte[] store(String codec, byte[] bytes) throws IOException {
    StoredBlock.require(bytes);
    return switch (shortName(codec)) {
      case "lz4" -> StoredBlock.lz4(bytes);
      case "snappy" -> StoredBlock.snappy(bytes);
      case "lzf" -> StoredBlock.lzf(bytes);
      case "zstd" -> StoredBlock.zstd(bytes);
      default -> throw unknown(codec);
    };
  }

  private static IOException unknown(String codec) {
    return new IOException("the pinned compression codec " + codec + " is none of Spark's");
  }

  private static String shortName(String codec) {
    return switch (codec) {
      case "org.apache.spark.io.LZ4CompressionCodec" -> "lz4";
      case "org.apache.spark.io.SnappyCompressionCodec" -> "snappy";
      case "org.apache.spark.io.LZFCompressionCodec" -> "lzf";
      case "org.apache.spark.io.ZStdCompressionCodec" -> "zstd";
      default -> codec.toLowerCase(Locale.ROOT);
    };
  }
}
