package org.streammigrator.jobs;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Map;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * What the driver of a cluster does with a task of a jar: {@code ClusterDriver MAIN ARGUMENTS...}.
 * The session is there before, and the main class is called in its JVM.
 */
public final class ClusterDriver {
  private ClusterDriver() {}

  public static void main(String[] arguments) throws Throwable {
    LocalSpark.open("cluster", Map.of());
    String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
    try {
      Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
    System.out.println("the driver goes on");
  }
}
