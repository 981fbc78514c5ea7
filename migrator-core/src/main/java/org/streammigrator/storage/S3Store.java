package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A bucket of S3 or of a server that speaks its protocol, by the AWS SDK: for small files Hadoop's
 * own file system costs 1.5 to 3 times as much. The client is the one that Hadoop's S3A makes, so
 * that every {@code fs.s3a.*} setting, its retries included, holds here, too.
 *
 * <p>Creating is exclusive ({@code If-None-Match: *}) and all or nothing. Times cannot be set. A
 * directory is what has something below it, or a marker object whose key ends in a slash.
 */
final class S3Store implements Store {
  /** The largest object that one copy request takes. */
  private static final long LARGEST_COPY = 5L << 30;

  private static final StoreTraits TRAITS = new StoreTraits(false, false, true, true);

  private final S3Client client;
  private final String bucket;
  private final S3Encryption encryption;
  private final Optional<S3Shortcut> shortcut;

  private S3Store(
      S3Client client, String bucket, S3Encryption encryption, Optional<S3Shortcut> shortcut) {
    this.shortcut = requireNonNull(shortcut, "shortcut");
    this.client = requireNonNull(client, "client");
    this.bucket = requireNonNull(bucket, "bucket");
    this.encryption = requireNonNull(encryption, "encryption");
  }

  /**
   * The store of a location's bucket.
   *
   * @param settings Hadoop settings, besides those of Hadoop's own files
   * @throws IOException if the settings cannot be used
   */
  static S3Store of(Location location, Map<String, String> settings) throws IOException {
    Configuration configuration = HadoopStore.configuration(settings);
    // A question before every small file doubles its time.
    configuration.setIfUnset("fs.s3a.connection.expect.continue", "false");
    URI uri = URI.create("s3a://" + location.authority());
    FileSystem hadoop = FileSystem.newInstance(uri, configuration);
    if (!(hadoop instanceof S3AFileSystem s3a)) {
      throw new IOException("fs.s3a.impl must be Hadoop's S3A, and is " + hadoop.getClass());
    }
    S3Client client = s3a.getS3AInternals().getAmazonS3Client("migrator");
    String bucket = location.authority();
    S3Encryption encryption = S3Encryption.of(s3a.getConf());
    return new S3Store(client, bucket, encryption, S3Shortcut.of(s3a, client, bucket, encryption));
  }

  @Override
  public StoreTraits traits(Location location) {
    return TRAITS;
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    String prefix = prefix(directory);
    Map<String, StoreEntry> entries = new TreeMap<>();
    boolean any = false;
    for (ListObjectsV2Response page : pages(directory, prefix, "/")) {
      any |= !page.contents().isEmpty() || !page.commonPrefixes().isEmpty();
      for (S3Object object : page.contents()) {
        if (object.key().length() > prefix.length()) {
          add(entries, directory, object.key().substring(prefix.length()), object);
        }
      }
      page.commonPrefixes()
          .forEach(
              common -> {
                String name =
                    common.prefix().substring(prefix.length(), common.prefix().length() - 1);
                if (!name.isEmpty()) {
                  entries.put(name, directoryAt(directory.below(name)));
                }
              });
    }
    checkFound(any, directory);
    return List.copyOf(entries.values());
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    String prefix = prefix(directory);
    Map<String, StoreEntry> entries = new TreeMap<>();
    boolean any = false;
    for (ListObjectsV2Response page : pages(directory, prefix, null)) {
      any |= !page.contents().isEmpty();
      for (S3Object object : page.contents()) {
        String path = object.key().substring(prefix.length());
        for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
          String above = path.substring(0, slash);
          entries.putIfAbsent(above, directoryAt(directory.below(above)));
        }
        if (!path.isEmpty() && !path.endsWith("/")) {
          add(entries, directory, path, object);
        }
      }
    }
    checkFound(any, directory);
    List<StoreEntry> sorted = new ArrayList<>(entries.values());
    sorted.sort(Comparator.comparing(entry -> entry.location().path()));
    return List.copyOf(sorted);
  }

  private Iterable<ListObjectsV2Response> pages(Location directory, String prefix, String delimiter)
      throws IOException {
    ListObjectsV2Request request =
        ListObjectsV2Request.builder().bucket(bucket).prefix(prefix).delimiter(delimiter).build();
    List<ListObjectsV2Response> pages = new ArrayList<>();
    return S3Failures.translated(
        directory,
        () -> {
          client.listObjectsV2Paginator(request).forEach(pages::add);
          return pages;
        });
  }

  private void checkFound(boolean any, Location directory) throws IOException {
    if (any || directory.path().equals("/")) {
      return;
    }
    if (head(directory).isPresent()) {
      throw new NotDirectoryException(directory.toString());
    }
    throw new NoSuchFileException(directory.toString());
  }

  private static void add(
      Map<String, StoreEntry> entries, Location directory, String path, S3Object object) {
    entries.put(
        path,
        new StoreEntry(
            directory.below(path),
            StoreEntry.Kind.FILE,
            object.size(),
            object.lastModified(),
            Optional.of(object.eTag())));
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    if (location.path().equals("/")) {
      isAnythingBelow(location);
      return Optional.of(directoryAt(location));
    }
    Optional<HeadObjectResponse> head = head(location);
    if (head.isPresent()) {
      return Optional.of(
          new StoreEntry(
              location,
              StoreEntry.Kind.FILE,
              head.get().contentLength(),
              head.get().lastModified(),
              Optional.of(head.get().eTag())));
    }
    return isAnythingBelow(location) ? Optional.of(directoryAt(location)) : Optional.empty();
  }

  private Optional<HeadObjectResponse> head(Location location) throws IOException {
    try {
      return Optional.of(
          S3Failures.translated(
              location, () -> client.headObject(r -> r.bucket(bucket).key(key(location)))));
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    }
  }

  private boolean isAnythingBelow(Location location) throws IOException {
    return S3Failures.translated(
        location,
        () ->
            !client
                .listObjectsV2(r -> r.bucket(bucket).prefix(prefix(location)).maxKeys(1))
                .contents()
                .isEmpty());
  }

  @Override
  public InputStream open(Location file) throws IOException {
    return get(file, null);
  }

  @Override
  public InputStream open(Location file, long offset) throws IOException {
    if (offset == 0) {
      return open(file);
    }
    try {
      return get(file, "bytes=" + offset + "-");
    } catch (S3Failures.RangeException beyondTheEnd) {
      return InputStream.nullInputStream();
    }
  }

  @Override
  public byte[] readAll(Location file) throws IOException {
    Optional<byte[]> bytes =
        file.path().equals("/") ? Optional.empty() : shortcut.flatMap(to -> to.get(key(file)));
    return bytes.isPresent() ? bytes.get() : Store.super.readAll(file);
  }

  private InputStream get(Location file, String range) throws IOException {
    if (file.path().equals("/")) {
      throw new IOException(file + " is a bucket, not a file");
    }
    ResponseInputStream<GetObjectResponse> body =
        S3Failures.translated(
            file, () -> client.getObject(r -> r.bucket(bucket).key(key(file)).range(range)));
    return new S3Body(body, file);
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    S3Upload upload = new S3Upload(client, bucket, file, key(file), encryption, shortcut);
    try {
      content.writeTo(upload);
      return upload.complete();
    } catch (IOException | RuntimeException failure) {
      upload.abort();
      throw failure;
    }
  }

  /** Looks first whether something is at the target: S3's copy request cannot ask for that. */
  @Override
  public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
      throws IOException {
    boolean here = from.location().authority().equals(bucket) && to.authority().equals(bucket);
    if (!here || from.size() > LARGEST_COPY || from.tag().isEmpty()) {
      return Optional.empty();
    }
    if (head(to).isPresent()) {
      throw new FileAlreadyExistsException(to.toString());
    }
    CopyObjectResponse copied;
    try {
      copied =
          S3Failures.translated(
              from.location(),
              () ->
                  client.copyObject(
                      r -> {
                        r.sourceBucket(bucket)
                            .sourceKey(key(from.location()))
                            .copySourceIfMatch(from.tag().get())
                            .destinationBucket(bucket)
                            .destinationKey(key(to));
                        encryption.apply(r);
                      }));
    } catch (FileAlreadyExistsException anotherState) {
      // The one condition of this request is the source's.
      throw new IOException(from.location() + " has changed since it was listed", anotherState);
    }
    String tag = copied.copyObjectResult().eTag();
    return Optional.of(new Receipt(Optional.of(tag), from.tag().get().equals(tag)));
  }

  /** Does nothing: what is written below makes it. */
  @Override
  public void createDirectory(Location directory) {}

  @Override
  public void publish(Location staged, Location target) {
    throw new UnsupportedOperationException("S3 moves nothing: " + target);
  }

  @Override
  public void delete(Location location) throws IOException {
    ListObjectsV2Response below =
        S3Failures.translated(
            location,
            () -> client.listObjectsV2(r -> r.bucket(bucket).prefix(prefix(location)).maxKeys(2)));
    boolean marker = false;
    for (S3Object object : below.contents()) {
      if (!object.key().equals(prefix(location))) {
        throw new DirectoryNotEmptyException(location.toString());
      }
      marker = true;
    }
    deleteKey(location, marker ? prefix(location) : key(location));
  }

  private void deleteKey(Location location, String key) throws IOException {
    S3Failures.translated(location, () -> client.deleteObject(r -> r.bucket(bucket).key(key)));
  }

  @Override
  public void deleteAll(Collection<Location> locations) throws IOException {
    S3Deletion.deleteAll(client, bucket, locations);
  }

  static String key(Location location) {
    return location.path().substring(1);
  }

  private static String prefix(Location directory) {
    return directory.path().equals("/") ? "" : key(directory) + "/";
  }

  private static StoreEntry directoryAt(Location location) {
    return new StoreEntry(location, StoreEntry.Kind.DIRECTORY, 0, Instant.EPOCH);
  }
}
