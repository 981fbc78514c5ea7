package org.streammigrator.migration;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.S3Server;
import org.streammigrator.storage.Store;

class S3ApplyTest extends StoreApplyContract {
  private static S3Server server;

  @BeforeAll
  static void start() throws IOException {
    server = S3Server.get();
  }

  @Override
  protected Location emptyPlace() throws IOException {
    return server.newBucket();
  }

  @Override
  protected Store store(Location place) {
    return server.stores(place);
  }

  @Override
  protected Map<String, String> settings() {
    return server.settings();
  }

  @Override
  protected String secret() {
    return "SECRETTEST";
  }
}
