package org.streammigrator.jobs.rows;

import java.util.function.Supplier;
import org.apache.spark.sql.AnalysisException;
import org.streammigrator.job.InvalidJobSpecException;

/** What Spark and Delta throw, as what is wrong with a spec. */
public final class Failures {
  private Failures() {}

  /**
   * Has Spark analyse something. It throws its checked AnalysisException without declaring it.
   *
   * @param field the part of the spec that it is about
   * @throws InvalidJobSpecException if Spark finds it wrong
   */
  public static <T> T ofAnalysis(String field, Supplier<T> analysis) {
    try {
      return analysis.get();
    } catch (Exception e) {
      if (e instanceof AnalysisException) {
        throw new InvalidJobSpecException(field + ": " + firstLine(e), e);
      }
      throw e;
    }
  }

  /** The first line of a message that says something. */
  public static String firstLine(Throwable failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return message.lines().filter(line -> !line.isBlank()).findFirst().orElse("no message");
  }
}
