package org.streammigrator.storage;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * Lists a local tree, following symbolic links. Each entry costs one system call, and no path is
 * resolved again. Where there are many directories, several threads read them; the result does not
 * depend on that.
 */
final class LocalWalk {
  private static final int MANY_DIRECTORIES = 64;
  private static final int MOST_THREADS = 8;

  private final Deque<Directory> pending = new ArrayDeque<>();
  private int reading;
  private IOException failure;

  private LocalWalk() {}

  /** A directory that is listed or to be listed. */
  private static final class Directory {
    private final Path path;
    private final Location location;
    private final Directory above;
    private final Object key;
    private final List<StoreEntry> entries = new ArrayList<>();
    private final List<Directory> below = new ArrayList<>();
    private boolean unreadable;

    private Directory(Path path, Location location, Directory above, Object key) {
      this.path = path;
      this.location = location;
      this.above = above;
      this.key = key;
    }

    /** Whether going into a directory of this key would lead round in a circle. */
    private boolean isBelow(Object other) {
      for (Directory at = this; at != null; at = at.above) {
        if (Objects.equals(at.key, other)) {
          return true;
        }
      }
      return false;
    }
  }

  /** A name in a directory; names are sorted before anything is asked about them. */
  private record Name(String text, Path path) {}

  /** Everything below a directory, sorted by path. */
  static List<StoreEntry> of(Path root, Location location) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(root, BasicFileAttributes.class);
    Directory top = new Directory(root, location, null, attributes.fileKey());
    LocalWalk walk = new LocalWalk();
    walk.pending.add(top);
    walk.readAll();
    List<StoreEntry> entries = new ArrayList<>();
    collect(top, entries);
    entries.sort(Comparator.comparing(entry -> entry.location().path()));
    return List.copyOf(entries);
  }

  private void readAll() throws IOException {
    List<Thread> helpers = new ArrayList<>();
    int most = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()) - 1;
    for (Directory next = take(false); next != null; next = take(true)) {
      read(next);
      while (helpers.size() < most && isLong()) {
        Thread helper = new Thread(this::help, "walk-" + helpers.size());
        helper.setDaemon(true);
        helper.start();
        helpers.add(helper);
      }
    }
    synchronized (this) {
      if (failure != null) {
        throw failure;
      }
    }
  }

  private void help() {
    for (Directory next = take(false); next != null; next = take(true)) {
      read(next);
    }
  }

  private synchronized boolean isLong() {
    return pending.size() > MANY_DIRECTORIES;
  }

  /** The next directory; null when all are read. */
  private synchronized Directory take(boolean again) {
    if (again) {
      reading--;
    }
    while (pending.isEmpty() && reading > 0 && failure == null) {
      try {
        wait();
      } catch (InterruptedException interrupted) {
        failure = new IOException("interrupted while listing", interrupted);
      }
    }
    if (pending.isEmpty() || failure != null) {
      notifyAll();
      return null;
    }
    reading++;
    return pending.pollLast();
  }

  private synchronized void add(List<Directory> directories) {
    pending.addAll(directories);
    notifyAll();
  }

  private synchronized void fail(IOException cause) {
    if (failure == null) {
      failure = cause;
    }
    notifyAll();
  }

  private void read(Directory directory) {
    List<Name> names = new ArrayList<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(directory.path)) {
      for (Path path : children) {
        names.add(new Name(path.getFileName().toString(), path));
      }
    } catch (DirectoryIteratorException broken) {
      fail(broken.getCause());
    } catch (IOException unreadable) {
      if (directory.above == null) {
        fail(unreadable);
      }
      directory.unreadable = true;
    }
    names.sort(Comparator.comparing(Name::text));
    for (Name name : names) {
      addChild(directory, name);
    }
    if (!directory.below.isEmpty()) {
      add(directory.below);
    }
  }

  /** Adds what a name stands for, unless it went away meanwhile. */
  private static void addChild(Directory directory, Name name) {
    Location location = directory.location.below(name.text());
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(name.path(), BasicFileAttributes.class);
    } catch (NoSuchFileException gone) {
      if (Files.isSymbolicLink(name.path())) {
        directory.entries.add(other(location));
      }
      return;
    } catch (IOException loopOrDenied) {
      directory.entries.add(other(location));
      return;
    }
    if (attributes.isDirectory() && directory.isBelow(attributes.fileKey())) {
      directory.entries.add(other(location));
      return;
    }
    directory.entries.add(entry(location, attributes));
    if (attributes.isDirectory()) {
      directory.below.add(new Directory(name.path(), location, directory, attributes.fileKey()));
    }
  }

  private static void collect(Directory directory, List<StoreEntry> into) {
    Iterator<Directory> below = directory.below.iterator();
    for (StoreEntry entry : directory.entries) {
      Directory content = entry.isDirectory() ? below.next() : null;
      into.add(content != null && content.unreadable ? other(entry.location()) : entry);
      if (content != null && !content.unreadable) {
        collect(content, into);
      }
    }
  }

  static StoreEntry entry(Location location, BasicFileAttributes attributes) {
    StoreEntry.Kind kind =
        attributes.isDirectory()
            ? StoreEntry.Kind.DIRECTORY
            : attributes.isRegularFile() ? StoreEntry.Kind.FILE : StoreEntry.Kind.OTHER;
    long size = attributes.isRegularFile() ? attributes.size() : 0;
    return new StoreEntry(location, kind, size, attributes.lastModifiedTime().toInstant());
  }

  static StoreEntry other(Location location) {
    return new StoreEntry(location, StoreEntry.Kind.OTHER, 0, Instant.EPOCH);
  }
}
