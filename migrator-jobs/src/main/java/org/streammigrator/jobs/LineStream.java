package org.streammigrator.jobs;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Takes what is written line by line, in UTF-8; blank lines are left out. */
abstract class LineStream extends OutputStream {
  private final ByteArrayOutputStream open = new ByteArrayOutputStream();

  /** Takes a line that is whole. */
  abstract void line(String text);

  @Override
  public final synchronized void write(int one) {
    if (one != '\n') {
      open.write(one);
      return;
    }
    String text = open.toString(StandardCharsets.UTF_8).stripTrailing();
    open.reset();
    if (!text.isEmpty()) {
      line(text);
    }
  }

  @Override
  public final synchronized void write(byte[] bytes, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      write(bytes[i]);
    }
  }

  @Override
  public final void close() {
    write('\n');
  }
}
