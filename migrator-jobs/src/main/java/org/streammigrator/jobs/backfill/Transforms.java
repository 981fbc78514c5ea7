package org.streammigrator.jobs.backfill;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.InvalidJobSpecException;

/** Finds the class that a spec names. */
final class Transforms {
  private Transforms() {}

  /**
   * Makes an instance; its jar goes to the executors, too.
   *
   * @throws InvalidJobSpecException if there is no such class, or it is none that can be used
   */
  static BackfillTransform load(SparkSession spark, BackfillSpec.Transform transform) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    if (transform.jar() != null) {
      Path jar = Path.of(transform.jar());
      if (!Files.isRegularFile(jar)) {
        throw new InvalidJobSpecException("transform.jar: there is no file " + jar);
      }
      spark.sparkContext().addJar(jar.toUri().toString());
      try {
        loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, loader);
      } catch (MalformedURLException impossible) {
        throw new IllegalStateException(impossible);
      }
      Thread.currentThread().setContextClassLoader(loader);
    }
    String name = transform.className();
    try {
      Class<?> type = Class.forName(name, true, loader);
      if (!BackfillTransform.class.isAssignableFrom(type)) {
        throw new InvalidJobSpecException(
            "transform.className: %s does not implement %s"
                .formatted(name, BackfillTransform.class.getName()));
      }
      return (BackfillTransform) type.getConstructor().newInstance();
    } catch (ClassNotFoundException absent) {
      throw new InvalidJobSpecException(
          "transform.className: there is no class %s%s"
              .formatted(name, transform.jar() == null ? "; name its jar" : " in its jar"),
          absent);
    } catch (ReflectiveOperationException | LinkageError unusable) {
      throw new InvalidJobSpecException(
          "transform.className: %s cannot be made: %s".formatted(name, unusable), unusable);
    }
  }
}
