package org.streammigrator.plan;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a key of a YAML document on the record component of the same name. The reader and the
 * JSON Schema both follow it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Key {
  /** What the key means; ends up in the JSON Schema. */
  String value();

  /** Whether the key must be there. */
  boolean required() default false;

  /** The text that is read when the key is absent; empty for none. */
  String defaultsTo() default "";

  /** How the value may be written. */
  Form form() default Form.PLAIN;

  /** The least number allowed, for numbers. */
  long min() default Long.MIN_VALUE;

  /** For a component that holds the tree itself: the record it will be read into. */
  Class<? extends Record> tree() default Record.class;

  /** How a value may be written. */
  enum Form {
    /** As its type says. */
    PLAIN,
    /** A list, or its only element. */
    ONE_OR_LIST,
    /** A list of maps, or a map whose keys are the names of its elements. */
    LIST_OR_NAMED,
    /** Text, or a number or boolean taken as the text it is written as. */
    ANY_SCALAR,
    /** A number of bytes, or text with a unit such as 50MiB. */
    SIZE,
    /** Anything; maps and lists become JSON text. */
    JSON_TEXT,
    /** A value, or {@code auto}, which reads as absent. */
    OR_AUTO,
    /** One key of several, the labels of the address's kind, directly in the surrounding map. */
    KIND_AS_KEY,
    /** A secret: only as {@code ${env:NAME}}. */
    SECRET
  }
}
