package org.streammigrator.databricks;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.http.HttpEntity;
import org.apache.http.client.methods.RequestBuilder;
import org.streammigrator.storage.Location;

/**
 * The bytes of a file in a volume from an offset on. One whose connection breaks is asked for again
 * from where it broke, of the same state of the file only.
 */
final class VolumeBody extends InputStream {
  private final FilesApi api;
  private final Location file;
  private FilesApi.Answer answer;
  private InputStream body;
  private String modified;
  private long at;

  /**
   * Asks for the bytes.
   *
   * @param offset at least 0
   * @throws FilesApiException 416 if the offset is at or beyond the end
   */
  VolumeBody(FilesApi api, Location file, long offset) throws IOException {
    this.api = api;
    this.file = file;
    this.at = offset;
    request();
  }

  private void request() throws IOException {
    RequestBuilder request = api.files("GET", file).setHeader("Accept", "application/octet-stream");
    if (at > 0) {
      request.setHeader("Range", "bytes=" + at + "-");
    }
    if (modified != null) {
      request.setHeader("If-Unmodified-Since", modified);
    }
    answer = api.send(request, file);
    modified = answer.header("Last-Modified").orElse(modified);
    HttpEntity entity = answer.response().getEntity();
    body = entity == null ? InputStream.nullInputStream() : entity.getContent();
    if (at > 0 && answer.status() != 206) {
      skipToOffset();
    }
  }

  /** A server need not know ranges. */
  private void skipToOffset() throws IOException {
    try {
      body.skipNBytes(at);
    } catch (EOFException beyondTheEnd) {
      body = InputStream.nullInputStream();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        int read = body.read(buffer, offset, length);
        at += Math.max(read, 0);
        return read;
      } catch (IOException broken) {
        if (attempt == api.retries().attempts()) {
          throw new IOException(
              file + ": the connection broke off again and again: " + broken.getMessage(), broken);
        }
        answer.close();
        api.retries().pause(attempt, Optional.empty());
        resume();
      }
    }
  }

  private void resume() throws IOException {
    try {
      request();
    } catch (FilesApiException refused) {
      if (refused.status() != 416) {
        throw refused.translated();
      }
      // It broke after the last byte.
      body = InputStream.nullInputStream();
    }
  }

  @Override
  public void close() throws IOException {
    answer.close();
  }
}
