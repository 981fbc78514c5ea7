package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.Writer;
import java.util.function.UnaryOperator;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Elements and texts, escaped and with what is in no XML made visible. Secrets are taken out of
 * texts; out of an attribute by {@link #said}.
 */
final class Markup {
  private final XMLStreamWriter xml;
  private final UnaryOperator<String> mask;

  Markup(Writer out, UnaryOperator<String> mask) {
    this.mask = requireNonNull(mask, "mask");
    try {
      this.xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
    } catch (XMLStreamException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Something that is written. */
  private interface Write {
    void run() throws XMLStreamException;
  }

  private static void run(Write write) throws IOException {
    try {
      write.run();
    } catch (XMLStreamException failure) {
      throw failure.getNestedException() instanceof IOException cause
          ? cause
          : new IOException(failure.getMessage(), failure);
    }
  }

  /** Writes {@code <!DOCTYPE html>}. */
  void htmlDoctype() throws IOException {
    run(() -> xml.writeDTD("<!DOCTYPE html>\n"));
  }

  /** Writes the head of an XML file. */
  void xmlDeclaration() throws IOException {
    run(() -> xml.writeStartDocument("UTF-8", "1.0"));
    line();
  }

  /** Writes a comment of our own, which must not hold two hyphens. */
  void comment(String text) throws IOException {
    run(() -> xml.writeComment(text));
    line();
  }

  /**
   * Begins an element.
   *
   * @param attributes names and values in turn; one whose value is null is left out
   */
  Markup open(String name, String... attributes) throws IOException {
    run(
        () -> {
          xml.writeStartElement(name);
          for (int i = 0; i < attributes.length; i += 2) {
            if (attributes[i + 1] != null) {
              xml.writeAttribute(attributes[i], ReportWords.printable(attributes[i + 1]));
            }
          }
        });
    return this;
  }

  /** Writes an element that has no content and needs no end. */
  Markup empty(String name, String... attributes) throws IOException {
    run(
        () -> {
          xml.writeEmptyElement(name);
          for (int i = 0; i < attributes.length; i += 2) {
            xml.writeAttribute(attributes[i], ReportWords.printable(attributes[i + 1]));
          }
        });
    return this;
  }

  /** Writes an element that holds a text. */
  Markup leaf(String name, String text, String... attributes) throws IOException {
    return open(name, attributes).text(text).close();
  }

  /** Writes a text. */
  Markup text(String text) throws IOException {
    run(() -> xml.writeCharacters(ReportWords.printable(mask.apply(text))));
    return this;
  }

  /** Writes a text of our own, as it is but for the escapes. */
  void own(String text) throws IOException {
    run(() -> xml.writeCharacters(text));
  }

  /** Ends the innermost elements. */
  Markup close(int elements) throws IOException {
    for (int i = 0; i < elements; i++) {
      run(xml::writeEndElement);
    }
    return this;
  }

  Markup close() throws IOException {
    return close(1);
  }

  /** Begins a new line, for those who read the source. */
  Markup line() throws IOException {
    run(() -> xml.writeCharacters("\n"));
    return this;
  }

  void flush() throws IOException {
    run(xml::flush);
  }

  /** A text for an attribute, without secrets. */
  String said(String text) {
    return mask.apply(text);
  }
}
