package org.streammigrator.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Local files that are written and not forced to the disk yet. A few are forced one by one; of many
 * the file system is synced as a whole, once, by {@code sync -f}, which is {@code syncfs(2)}: a
 * force for each file makes the disk write its journal as often.
 */
final class LocalSync {
  private static final int FEW = 64;

  /** File systems of a disk or of memory, of which Linux knows that all is written. */
  private static final Set<String> DISKS = Set.of("btrfs", "ext3", "ext4", "tmpfs", "xfs");

  /** Since Linux 5.8 syncfs tells of writes that failed, as fsync does. */
  private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");

  private final Queue<Path> waiting = new ConcurrentLinkedQueue<>();

  /** Takes a file that is written and closed. */
  void add(Path file) {
    waiting.add(file);
  }

  /** Forces all that wait below a directory, and the directories that they are in. */
  synchronized void settle(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Iterator<Path> each = waiting.iterator(); each.hasNext(); ) {
      Path file = each.next();
      if (file.startsWith(directory)) {
        files.add(file);
        each.remove();
      }
    }
    if (files.size() > FEW && isSynced(directory)) {
      return;
    }
    Set<Path> directories = new TreeSet<>();
    for (Path file : files) {
      force(file);
      for (Path above = file.getParent();
          above.startsWith(directory) && directories.add(above);
          above = above.getParent()) {}
    }
    for (Path each : directories) {
      force(each);
    }
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Syncs the file system of a directory; false if that is not to be had or failed. */
  private static boolean isSynced(Path directory) throws IOException {
    Matcher version = VERSION.matcher(System.getProperty("os.version", ""));
    boolean tells =
        System.getProperty("os.name", "").equals("Linux")
            && version.matches()
            && 100_000 * Integer.parseInt(version.group(1)) + Integer.parseInt(version.group(2))
                >= 500_008
            && DISKS.contains(Files.getFileStore(directory).type());
    if (!tells) {
      return false;
    }
    Process sync;
    try {
      sync =
          new ProcessBuilder("sync", "-f", directory.toString())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException noSuchProgram) {
      return false;
    }
    try {
      return sync.waitFor() == 0;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while files were forced to the disk", interrupted);
    }
  }
}
