package org.streammigrator.cases;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.streammigrator.checkpoint.StateFiles;

/**
 * Makes a directory tree from a compact description, one line a file: {@code path = content}.
 *
 * <ul>
 *   <li>A path is below {@code chk/} unless it begins with a slash. {@code {a,b}} and {@code
 *       {1..3}} stand for several paths; leading zeros are kept. {@code \s} is a blank, {@code \e}
 *       an equals sign.
 *   <li>Content: {@code CM}, {@code M}, {@code EMPTY}, {@code DIR}, {@code BYTES n}, {@code ZIP
 *       json} (a zip with an entry {@code metadata}), {@code DELTA keys} (Spark's empty or filled
 *       delta or snapshot), {@code CHANGELOG lineage} (of version 3), {@code SST n} (n bytes with
 *       the end of an SST), {@code LINK target}; else text, with {@code \n}, {@code \r} and {@code
 *       \0}, where a line {@code H} is the header of the cases, {@code H(ts=1,wm=2,shuffle=8)} one
 *       with other values, and {@code TID_A}, {@code TID_B} table ids (in paths, too), and {@code
 *       ROOT} the tree's root.
 *   <li>{@code - path} takes a file away again; {@code #} begins a comment line.
 * </ul>
 */
final class TreeFile {
  static final String TABLE_A = "aaaaaaaa-0000-4000-8000-00000000000a";
  static final String TABLE_B = "bbbbbbbb-0000-4000-8000-00000000000b";
  static final String QUERY = "11111111-2222-4333-8444-555555555555";

  private static final Pattern BRACES = Pattern.compile("\\{([^{}]*)\\}");
  private static final Pattern HEADER =
      Pattern.compile("(?m)^H(?:\\(((?:[a-z]+=[^,)]*,?)*)\\))?(?=\\r?$)");

  private TreeFile() {}

  static void expand(String description, Path root) throws IOException {
    Files.createDirectories(root.resolve("chk"));
    for (String line : description.lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("- ")) {
        for (String path : paths(line.substring(2).strip())) {
          Files.delete(place(root, path));
        }
        continue;
      }
      int equals = line.indexOf(" = ");
      if (equals < 0) {
        throw new IllegalArgumentException("no ' = ' in: " + line);
      }
      for (String path : paths(line.substring(0, equals).strip())) {
        write(place(root, path), line.substring(equals + 3).replace("ROOT", root.toString()));
      }
    }
  }

  private static Path place(Path root, String path) {
    String plain =
        path.replace("\\s", " ")
            .replace("\\e", "=")
            .replace("TID_A", TABLE_A)
            .replace("TID_B", TABLE_B);
    return plain.startsWith("/")
        ? root.resolve(plain.substring(1))
        : root.resolve("chk").resolve(plain);
  }

  private static void write(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    if (content.equals("DIR")) {
      Files.createDirectories(file);
    } else if (content.startsWith("LINK ")) {
      Files.createSymbolicLink(file, Path.of(content.substring(5)));
    } else if (content.startsWith("BYTES ")) {
      Files.write(file, new byte[Integer.parseInt(content.substring(6))]);
    } else if (content.startsWith("ZIP ")) {
      Files.write(file, zip("v1\n" + content.substring(4)));
    } else if (content.equals("DELTA") || content.startsWith("DELTA ")) {
      String keys = content.substring("DELTA".length()).strip();
      Files.write(file, StateFiles.puts(keys.isEmpty() ? new String[0] : keys.split(" ")));
    } else if (content.startsWith("CHANGELOG ")) {
      Files.write(file, StateFiles.changelog(content.substring("CHANGELOG ".length())));
    } else if (content.startsWith("SST ")) {
      Files.write(file, StateFiles.sst(Integer.parseInt(content.substring("SST ".length()))));
    } else {
      Files.write(file, bytes(content));
    }
  }

  /** The bytes that a content line stands for. */
  static byte[] bytes(String content) {
    String text =
        switch (content) {
          case "EMPTY" -> "";
          case "CM" -> "v1\\n{\"nextBatchWatermarkMs\":0}";
          case "M" -> "{\"id\":\"" + QUERY + "\"}";
          default -> content;
        };
    text = text.replace("\\n", "\n").replace("\\r", "\r").replace("\\0", "\0");
    text = text.replace("TID_A", TABLE_A).replace("TID_B", TABLE_B);
    return HEADER
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(header(match.group(1))))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String header(String values) {
    String timestamp = "1700000000000";
    String watermark = "0";
    String shuffle = "4";
    String provider = "HDFSBackedStateStoreProvider";
    for (String value : values == null ? new String[0] : values.split(",")) {
      String right = value.substring(value.indexOf('=') + 1);
      switch (value.substring(0, value.indexOf('='))) {
        case "ts" -> timestamp = right;
        case "wm" -> watermark = right;
        case "shuffle" -> shuffle = right;
        case "provider" -> provider = right;
        default -> throw new IllegalArgumentException("H(" + values + ")");
      }
    }
    return "{\"batchWatermarkMs\":"
        + watermark
        + ",\"batchTimestampMs\":"
        + timestamp
        + ",\"conf\":{\"spark.sql.streaming.stateStore.providerClass\":"
        + "\"org.apache.spark.sql.execution.streaming.state."
        + provider
        + "\""
        + (shuffle.equals("none") ? "" : ",\"spark.sql.shuffle.partitions\":\"" + shuffle + "\"")
        + "}}";
  }

  private static byte[] zip(String metadata) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("CURRENT"));
      zip.write("MANIFEST-000001\n".getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
      zip.putNextEntry(new ZipEntry("metadata"));
      zip.write(metadata.getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    }
    return bytes.toByteArray();
  }

  private static List<String> paths(String pattern) {
    Matcher braces = BRACES.matcher(pattern);
    if (!braces.find()) {
      return List.of(pattern);
    }
    List<String> paths = new ArrayList<>();
    for (String choice : choices(braces.group(1))) {
      paths.addAll(
          paths(pattern.substring(0, braces.start()) + choice + pattern.substring(braces.end())));
    }
    return paths;
  }

  private static List<String> choices(String inner) {
    if (!inner.contains("..")) {
      return List.of(inner.split(","));
    }
    String first = inner.substring(0, inner.indexOf(".."));
    long last = Long.parseLong(inner.substring(inner.indexOf("..") + 2));
    List<String> choices = new ArrayList<>();
    for (long n = Long.parseLong(first); n <= last; n++) {
      choices.add(
          first.startsWith("0") && first.length() > 1
              ? String.format("%0" + first.length() + "d", n)
              : Long.toString(n));
    }
    return choices;
  }
}
