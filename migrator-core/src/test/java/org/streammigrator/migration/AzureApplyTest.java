package org.streammigrator.migration;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.streammigrator.storage.AzureServer;
import org.streammigrator.storage.FaultSample;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

class AzureApplyTest extends StoreApplyContract {
  private static AzureServer server;

  @BeforeAll
  static void start() throws IOException {
    server = AzureServer.get();
  }

  @Override
  protected Location emptyPlace() {
    return server.newContainer();
  }

  @Override
  protected Store store(Location place) {
    return server.stores(place);
  }

  @Override
  protected Map<String, String> settings() {
    return server.settings();
  }

  /** Azurite is slow. */
  @Override
  protected String fixture() {
    return FaultSample.ALL ? super.fixture() : "delta-window-pending-in-sink";
  }

  @Override
  protected int crashes() {
    return FaultSample.ALL ? 2 : 1;
  }

  @Override
  protected String secret() {
    return AzureServer.KEY;
  }
}
