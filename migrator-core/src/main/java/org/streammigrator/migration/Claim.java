package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An operator's claim to a place, as its file says it. The name alone, {@code
 * <machine>-<pid>-<start>-<random>}, tells whether the process is alive: a claim that a crash cut
 * short is one, too.
 *
 * @param name unique
 * @param user who runs it; null if the file does not say
 * @param host the machine's name; null if the file does not say
 * @param job the job that runs it; null if none
 * @param plan the plan's name; null if the file does not say
 * @param started an ISO instant; null if the file does not say
 */
record Claim(String name, String user, String host, String job, String plan, String started) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern NAME =
      Pattern.compile("([0-9a-f]{12})-([0-9]{1,18})-([0-9]{1,18})-[0-9a-f]{12}");

  /** The claims that this process holds now: what else bears its name was left behind. */
  static final Set<String> HELD = ConcurrentHashMap.newKeySet();

  Claim {
    requireNonNull(name, "name");
  }

  /** A claim of this process with a name of its own. */
  static Claim ofThisProcess(String plan, Instant now) {
    ProcessIdentity process = ProcessIdentity.current();
    String random = java.util.UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    return new Claim(
        process.machineTag() + "-" + process.pid() + "-" + process.start() + "-" + random,
        System.getProperty("user.name"),
        process.host(),
        jobOfEnvironment(),
        plan,
        now.toString());
  }

  private static String jobOfEnvironment() {
    for (String variable :
        new String[] {"DATABRICKS_RUN_ID", "DATABRICKS_JOB_ID", "MIGRATOR_JOB_ID"}) {
      String value = System.getenv(variable);
      if (value != null && !value.isBlank()) {
        return variable + "=" + value;
      }
    }
    return null;
  }

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** What a claim's file says; of one that was cut short only the name is known. */
  static Claim read(String name, byte[] file) {
    JsonNode json;
    try {
      json = Optional.ofNullable(MAPPER.readTree(file)).orElse(MAPPER.createObjectNode());
    } catch (JsonProcessingException cutShort) {
      json = MAPPER.createObjectNode();
    } catch (java.io.IOException impossible) {
      throw new java.io.UncheckedIOException(impossible);
    }
    return new Claim(
        name,
        json.path("user").asText(null),
        json.path("host").asText(null),
        json.path("job").asText(null),
        json.path("plan").asText(null),
        json.path("started").asText(null));
  }

  byte[] toJson() {
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("schema", "migrator/claim/1")
            .put("user", user)
            .put("host", host)
            .put("pid", ProcessIdentity.current().pid())
            .put("job", job)
            .put("plan", plan)
            .put("started", started);
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Whether whoever made it has surely ended without taking it back. */
  boolean isDead() {
    ProcessIdentity here = ProcessIdentity.current();
    Matcher parts = NAME.matcher(name);
    if (!parts.matches() || !parts.group(1).equals(here.machineTag())) {
      return false;
    }
    long pid = Long.parseLong(parts.group(2));
    long start = Long.parseLong(parts.group(3));
    if (pid == here.pid() && start == here.start()) {
      return !HELD.contains(name);
    }
    return new ProcessIdentity(here.host(), here.machine(), pid, start).hasEnded();
  }

  /** The holder in words. */
  String holder() {
    Matcher parts = NAME.matcher(name);
    String pid = parts.matches() ? parts.group(2) : "unknown";
    return (user == null ? "someone" : user)
        + " on "
        + (host == null ? "an unknown machine" : host)
        + " (process "
        + pid
        + (job == null ? "" : ", " + job)
        + (plan == null ? "" : ", plan " + plan)
        + ")"
        + (started == null ? "" : " since " + started);
  }
}
