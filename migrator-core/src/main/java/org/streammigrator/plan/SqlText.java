package org.streammigrator.plan;

import static java.util.Objects.requireNonNull;

/** SQL in a plan, and where it stands. Equality is by the SQL. */
public final class SqlText {
  private final String sql;
  private final int line;

  /**
   * @param line the line of the plan in which it begins, from 1
   */
  public SqlText(String sql, int line) {
    this.sql = requireNonNull(sql, "sql");
    this.line = line;
  }

  /** The SQL. */
  public String sql() {
    return sql;
  }

  /** The line of the plan in which it begins, from 1. */
  public int line() {
    return line;
  }

  @Override
  public String toString() {
    return sql;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SqlText that && sql.equals(that.sql);
  }

  @Override
  public int hashCode() {
    return sql.hashCode();
  }
}
