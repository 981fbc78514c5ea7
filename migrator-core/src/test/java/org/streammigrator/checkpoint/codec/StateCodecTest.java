package org.streammigrator.checkpoint.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import com.ning.compress.lzf.LZFOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import net.jpountz.lz4.LZ4BlockOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xerial.snappy.SnappyOutputStream;

/** What the encoders of Spark write is read back, and damage is named, never anything else. */
class StateCodecTest {
  private final long seed = Long.getLong("migrator.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private static byte[] encode(String codec, byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream encoder =
        switch (codec) {
          case "lz4" -> new LZ4BlockOutputStream(out, 1 << 15);
          case "snappy" -> new SnappyOutputStream(out, 1 << 15);
          case "lzf" -> new LZFOutputStream(out);
          default -> new ZstdOutputStream(out);
        }) {
      encoder.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] decode(String codec, byte[] bytes) throws IOException {
    try (InputStream in = StateCodec.open(codec, new ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    }
  }

  /** Noise, repetitions near and far, and everything between, of lengths around the block sizes. */
  private byte[] content() {
    int length =
        switch (random.nextInt(4)) {
          case 0 -> random.nextInt(20);
          case 1 -> (1 << 15) + random.nextInt(9) - 4;
          case 2 -> random.nextInt(1 << 12);
          default -> random.nextInt(1 << 18);
        };
    byte[] bytes = new byte[length];
    int at = 0;
    while (at < length) {
      int run = Math.min(length - at, 1 + random.nextInt(3000));
      if (at > 0 && random.nextBoolean()) {
        int from = random.nextInt(at);
        for (int i = 0; i < run; i++) {
          bytes[at + i] = bytes[from + i % (at - from)];
        }
      } else if (random.nextBoolean()) {
        Arrays.fill(bytes, at, at + run, (byte) random.nextInt());
      } else {
        byte[] noise = new byte[run];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, bytes, at, run);
      }
      at += run;
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"lz4", "snappy", "lzf", "zstd"})
  void whatWasWrittenIsRead(String codec) throws IOException {
    for (int i = 0; i < 60; i++) {
      byte[] bytes = content();
      assertThat(decode(codec, encode(codec, bytes))).as("seed " + seed).isEqualTo(bytes);
    }
  }

  /** Spark's codec reads streams that were put one after the other. */
  @ParameterizedTest
  @ValueSource(strings = {"lz4", "snappy", "lzf"})
  void streamsMayFollowEachOther(String codec) throws IOException {
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    two.write(encode(codec, new byte[] {1, 2, 3}));
    two.write(encode(codec, new byte[] {4, 5}));
    assertThat(decode(codec, two.toByteArray())).containsExactly(1, 2, 3, 4, 5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lz4", "snappy", "lzf", "zstd"})
  void damageIsAnIoException(String codec) throws IOException {
    for (int i = 0; i < 300; i++) {
      byte[] bytes = content();
      byte[] encoded = encode(codec, bytes);
      byte[] bad =
          switch (random.nextInt(3)) {
            case 0 -> Arrays.copyOf(encoded, random.nextInt(encoded.length + 1));
            case 1 -> flipped(encoded);
            default -> noise();
          };
      try {
        decode(codec, bad);
      } catch (IOException named) {
        assertThat(named).as("seed " + seed).isNotNull();
      }
    }
  }

  private byte[] noise() {
    byte[] noise = new byte[random.nextInt(200)];
    random.nextBytes(noise);
    return noise;
  }

  private byte[] flipped(byte[] encoded) {
    byte[] bad = encoded.clone();
    if (bad.length > 0) {
      bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return bad;
  }

  /** LZ4's blocks carry checksums: a flipped bit in them never goes unnoticed. */
  @Test
  void lz4NoticesEveryFlippedBitOfItsData() throws IOException {
    byte[] bytes = new byte[500];
    random.nextBytes(bytes);
    byte[] encoded = encode("lz4", bytes);
    for (int at = 21; at < encoded.length - 21; at++) {
      byte[] bad = encoded.clone();
      bad[at] ^= 1;
      assertThatThrownBy(() -> decode("lz4", bad)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void namesAreThoseOfSpark() throws IOException {
    byte[] bytes = {1, 2, 3};
    assertThat(decode("org.apache.spark.io.LZ4CompressionCodec", encode("lz4", bytes)))
        .isEqualTo(bytes);
    assertThat(decode("LZF", encode("lzf", bytes))).isEqualTo(bytes);
    assertThatThrownBy(() -> decode("my.Codec", bytes)).hasMessageContaining("my.Codec");
  }
}
