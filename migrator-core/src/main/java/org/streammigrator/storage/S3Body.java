package org.streammigrator.storage;

import java.io.FilterInputStream;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** A body that is not read to its end is dropped with its connection, not read for nothing. */
final class S3Body extends FilterInputStream {
  private final ResponseInputStream<GetObjectResponse> body;
  private final Location file;
  private boolean ended;

  S3Body(ResponseInputStream<GetObjectResponse> body, Location file) {
    super(body);
    this.body = body;
    this.file = file;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    try {
      int read = body.read(buffer, offset, length);
      ended |= read < 0;
      return read;
    } catch (SdkException failure) {
      throw S3Failures.of(file, failure);
    }
  }

  @Override
  public void close() throws IOException {
    if (ended) {
      body.close();
    } else {
      body.abort();
    }
  }
}
