package org.streammigrator.jobs.restart;

import java.io.IOException;
import java.util.Optional;

/**
 * One way to damage a checkpoint.
 *
 * @param query the query whose checkpoint it is
 * @param name what is done to it
 * @param action does it
 * @param unseen why no reader of the checkpoint can tell that rows get lost or repeated; empty
 *     where a finding has to say so
 * @param undecided why the checkpoint does not tell whether Spark restarts; empty where it does
 */
record Damage(
    OldQuery query,
    String name,
    Action action,
    Optional<String> unseen,
    Optional<String> undecided) {

  /** What is done to a copy. */
  @FunctionalInterface
  interface Action {
    void on(Damaged copy) throws IOException;
  }

  static Damage of(OldQuery query, String name, Action action) {
    return new Damage(query, name, action, Optional.empty(), Optional.empty());
  }

  static Damage unseen(OldQuery query, String name, String why, Action action) {
    return new Damage(query, name, action, Optional.of(why), Optional.empty());
  }

  static Damage undecided(OldQuery query, String name, String why, Action action) {
    return new Damage(query, name, action, Optional.empty(), Optional.of(why));
  }

  @Override
  public String toString() {
    return query + ": " + name;
  }
}
