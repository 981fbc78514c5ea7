package org.streammigrator.copy;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.copy.Damage.Kind;

/**
 * The frames of an archive in their order, decompressed by several threads ahead of whoever asks
 * for them. What is wrong is told after the frames before it were given.
 */
final class FrameSource {
  private final InputStream in;
  private final FrameCodec codec;
  private final OrderedWork<byte[]> work;
  private final List<ArchiveIndex.Frame> frames = new ArrayList<>();
  private byte[] index;
  private IOException failure;
  private int given = -1;

  FrameSource(InputStream in, FrameCodec codec, Workers workers) {
    this.in = in;
    this.codec = codec;
    this.work = new OrderedWork<>(workers);
  }

  /** The content of the next frame; null after the last one. */
  byte[] next() throws IOException {
    while (index == null && failure == null && !work.isFull()) {
      try {
        readAhead();
      } catch (IOException broken) {
        failure = broken;
      }
    }
    if (!work.isEmpty()) {
      byte[] content = work.next();
      given++;
      frames.set(given, new ArchiveIndex.Frame(frames.get(given).length(), content.length, 0));
      return content;
    }
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  /** The number of the frame that was given last. */
  int given() {
    return given;
  }

  /** Lengths of the frames that were given. */
  List<ArchiveIndex.Frame> frames() {
    return frames;
  }

  /** The content of the index; asked after the last frame. */
  byte[] index() {
    return index;
  }

  private void readAhead() throws IOException {
    byte[] header = in.readNBytes(ArchiveFormat.SKIPPABLE_HEADER);
    if (header.length < ArchiveFormat.SKIPPABLE_HEADER) {
      throw truncated();
    }
    int magic = ArchiveFormat.number(header, 0);
    int length = ArchiveFormat.number(header, Integer.BYTES);
    if (magic == ArchiveFormat.INDEX_MAGIC && length >= 0) {
      byte[] content = in.readNBytes(length);
      if (content.length < length) {
        throw truncated();
      }
      index = content;
      return;
    }
    if (magic != ArchiveFormat.LENGTH_MAGIC || length != Integer.BYTES) {
      throw new BrokenArchiveException(
          Kind.UNREADABLE, "something else stands where the length of a frame should");
    }
    byte[] said = in.readNBytes(Integer.BYTES);
    int frameLength = said.length < Integer.BYTES ? 0 : ArchiveFormat.number(said, 0);
    if (said.length == Integer.BYTES
        && (frameLength < 0 || frameLength > 2 * ArchiveFormat.LARGEST_CONTENT)) {
      throw new BrokenArchiveException(
          Kind.UNREADABLE, "a frame claims to be longer than any can be");
    }
    byte[] frame = in.readNBytes(frameLength);
    if (said.length < Integer.BYTES || frame.length < frameLength) {
      throw truncated();
    }
    frames.add(new ArchiveIndex.Frame(frameLength, 0, 0));
    work.add(() -> codec.decompress(frame, ArchiveFormat.LARGEST_CONTENT));
  }

  private static BrokenArchiveException truncated() {
    return new BrokenArchiveException(
        Kind.TRUNCATED, "the archive ends in the middle of its compressed data");
  }
}
