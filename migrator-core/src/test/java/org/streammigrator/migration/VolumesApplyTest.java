package org.streammigrator.migration;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.streammigrator.databricks.Volumes;
import org.streammigrator.databricks.VolumesServer;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StorageSettings;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.Stores;

class VolumesApplyTest extends StoreApplyContract {
  private VolumesServer server;

  @Override
  protected Location emptyPlace() throws IOException {
    server = new VolumesServer();
    return Location.parse(VolumesServer.VOLUME, Path.of("/"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  protected Store store(Location place) {
    return new Stores(
        new StorageSettings(Map.of(place, server.settings())),
        Map.of("dbfs", new Volumes(this::environment)));
  }

  @Override
  protected Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(server.settings());
    settings.put("databricks.token", "${env:MIGRATOR_TEST_TOKEN}");
    return settings;
  }

  @Override
  protected Optional<String> environment(String name) {
    return name.equals("MIGRATOR_TEST_TOKEN") ? Optional.of(VolumesServer.TOKEN) : Optional.empty();
  }

  @Override
  protected String secret() {
    return VolumesServer.TOKEN;
  }
}
