package org.streammigrator.job;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

/** Instants in JSON, as {@code 2026-03-27T10:00:00Z}. */
public final class Instants {
  private Instants() {}

  /** What a mapper has to be given. */
  public static Module module() {
    SimpleModule instants = new SimpleModule();
    instants.addSerializer(
        new StdSerializer<>(Instant.class) {
          @Override
          public void serialize(Instant value, JsonGenerator generator, SerializerProvider provider)
              throws IOException {
            generator.writeString(value.toString());
          }
        });
    instants.addDeserializer(
        Instant.class,
        new JsonDeserializer<>() {
          @Override
          public Instant deserialize(JsonParser parser, DeserializationContext context)
              throws IOException {
            String text = parser.getText();
            try {
              return Instant.parse(text);
            } catch (DateTimeException e) {
              throw context.weirdStringException(
                  text, Instant.class, "no instant such as 2026-03-27T10:00:00Z");
            }
          }
        });
    return instants;
  }
}
