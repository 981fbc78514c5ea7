package org.streammigrator.plan;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A record that may be written as a single value: that of the named component. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface Shorthand {
  /** The component that the single value is. */
  String value();
}
