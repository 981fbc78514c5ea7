package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * One process of one machine, told apart from every other.
 *
 * @param host the machine's name, for people
 * @param machine what tells its running system from every other: the boot id and the pid namespace
 *     where Linux gives them, so that a container is a machine of its own and a restart ends
 *     everything before it
 * @param pid the process id
 * @param start when it started, as the system counts it: a pid is given out again
 */
record ProcessIdentity(String host, String machine, long pid, long start) {

  ProcessIdentity {
    requireNonNull(host, "host");
    requireNonNull(machine, "machine");
  }

  /** This process. */
  static ProcessIdentity current() {
    return Current.IDENTITY;
  }

  /** Whether this process surely has ended; of another machine's nobody here can tell. */
  boolean hasEnded() {
    ProcessIdentity here = current();
    return machine.equals(here.machine) && !(isAlive(pid) && startOf(pid) == start);
  }

  /** The machine in a form that fits into a file name: 12 hexadecimal digits. */
  String machineTag() {
    return UUID.nameUUIDFromBytes(machine.getBytes(StandardCharsets.UTF_8))
        .toString()
        .replace("-", "")
        .substring(0, 12);
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  /** Ticks since the machine's start where {@code /proc} says them, which no clock moves. */
  static long startOf(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // Field 22 of proc(5); the name before it may hold blanks and parentheses.
      return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19]);
    } catch (IOException | RuntimeException notThere) {
      return ProcessHandle.of(pid)
          .flatMap(process -> process.info().startInstant())
          .map(java.time.Instant::getEpochSecond)
          .orElse(0L);
    }
  }

  private static final class Current {
    private static final ProcessIdentity IDENTITY = read();

    private static ProcessIdentity read() {
      long pid = ProcessHandle.current().pid();
      String host = line("/proc/sys/kernel/hostname", System.getenv("HOSTNAME"));
      String boot = line("/proc/sys/kernel/random/boot_id", "");
      return new ProcessIdentity(host, host + "/" + boot + "/" + namespace(), pid, startOf(pid));
    }

    private static String line(String file, String otherwise) {
      try {
        return Files.readString(Path.of(file)).strip();
      } catch (IOException notThere) {
        return otherwise == null ? "unknown" : otherwise;
      }
    }

    private static String namespace() {
      try {
        return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      } catch (IOException | UnsupportedOperationException notThere) {
        return "";
      }
    }
  }
}
