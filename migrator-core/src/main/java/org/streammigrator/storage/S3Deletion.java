package org.streammigrator.storage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;

/** Deletes many objects with few requests. */
final class S3Deletion {
  private static final int LARGEST = 1000;

  private S3Deletion() {}

  /** Deletes objects, which need not be there. */
  static void deleteAll(S3Client client, String bucket, Collection<Location> locations)
      throws IOException {
    List<ObjectIdentifier> keys = new ArrayList<>();
    for (Location location : locations) {
      keys.add(ObjectIdentifier.builder().key(S3Store.key(location)).build());
    }
    for (int from = 0; from < keys.size(); from += LARGEST) {
      List<ObjectIdentifier> part = keys.subList(from, Math.min(keys.size(), from + LARGEST));
      DeleteObjectsResponse response =
          S3Failures.translated(
              locations.iterator().next(),
              () ->
                  client.deleteObjects(
                      r -> r.bucket(bucket).delete(d -> d.objects(part).quiet(true))));
      if (!response.errors().isEmpty()) {
        throw new IOException(
            "s3a://"
                + bucket
                + "/"
                + response.errors().get(0).key()
                + " could not be deleted: "
                + response.errors().get(0).code());
      }
    }
  }
}
