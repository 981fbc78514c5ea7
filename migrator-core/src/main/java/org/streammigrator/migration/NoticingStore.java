package org.streammigrator.migration;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;
import org.streammigrator.storage.UnservedPlaceException;

/**
 * Remembers that the store failed to answer. Whoever looks at a checkpoint takes a file that cannot
 * be read for a damaged one and goes on; before something is done on the strength of what was seen,
 * {@link #check} tells a damaged file from a store that did not answer.
 */
final class NoticingStore extends ForwardingStore {
  private interface Call<T> {
    T run() throws IOException;
  }

  private IOException failure;

  NoticingStore(Store store) {
    super(store);
  }

  /**
   * Forgets what was noticed.
   *
   * @throws IOException the first failure since the last check; what is not there, or may not be
   *     read, is an answer and no failure
   */
  synchronized void check() throws IOException {
    IOException first = failure;
    failure = null;
    if (first != null) {
      throw first;
    }
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    return noticing(() -> super.list(directory));
  }

  @Override
  public List<StoreEntry> list(Location directory, Predicate<String> wanted) throws IOException {
    return noticing(() -> super.list(directory, wanted));
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    return noticing(() -> super.walk(directory));
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    return noticing(() -> super.stat(location));
  }

  @Override
  public byte[] readAll(Location file) throws IOException {
    return noticing(() -> super.readAll(file));
  }

  @Override
  public InputStream open(Location file) throws IOException {
    return noticing(noticing(() -> super.open(file)));
  }

  @Override
  public InputStream open(Location file, long offset) throws IOException {
    return noticing(noticing(() -> super.open(file, offset)));
  }

  private InputStream noticing(InputStream stream) {
    return new FilterInputStream(stream) {
      @Override
      public int read() throws IOException {
        return noticing(in::read);
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        return noticing(() -> in.read(buffer, offset, length));
      }
    };
  }

  private <T> T noticing(Call<T> call) throws IOException {
    try {
      return call.run();
    } catch (NoSuchFileException
        | NotDirectoryException
        | AccessDeniedException
        | UnservedPlaceException answer) {
      throw answer;
    } catch (IOException unanswered) {
      notice(unanswered);
      throw unanswered;
    }
  }

  private synchronized void notice(IOException unanswered) {
    if (failure == null) {
      failure = unanswered;
    }
  }
}
