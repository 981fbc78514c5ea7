package org.streammigrator.databricks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreContract;
import org.streammigrator.storage.StoreEntry;
import org.streammigrator.storage.UnservedPlaceException;

class VolumeStoreTest extends StoreContract {
  private static final Location VOLUME = Location.parse(VolumesServer.VOLUME, Path.of("/"));
  private static final AtomicInteger PLACES = new AtomicInteger();
  private static VolumesServer server;
  private static Store store;

  @BeforeAll
  static void start() throws IOException {
    server = new VolumesServer();
    store = VolumeStore.of(VOLUME, server.settings());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected Store store() {
    return store;
  }

  @Override
  protected Location emptyPlace() {
    return at(VolumesServer.VOLUME + "/place " + PLACES.incrementAndGet());
  }

  private static Location at(String text) {
    return Location.parse(text, Path.of("/"));
  }

  private static Location written(Location file, byte[] bytes) throws IOException {
    store.write(file, Content.of(bytes), Optional.empty());
    return file;
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  void asksForEveryPage() throws IOException {
    Location place = emptyPlace();
    for (int i = 0; i < 50; i++) {
      written(place.child("d/" + i), new byte[i]);
    }
    assertThat(store.list(place.child("d"))).hasSize(50);
    assertThat(store.walk(place)).hasSize(51);
    assertThat(store.stat(place.child("d/49")).orElseThrow().size()).isEqualTo(49);
    store.deleteAll(store.list(place.child("d")).stream().map(StoreEntry::location).toList());
    assertThat(store.list(place.child("d"))).isEmpty();
  }

  @Test
  void walksManyDirectoriesWithoutAskingTooMuchAtOnce() throws IOException {
    Location place = emptyPlace();
    for (int i = 0; i < 40; i++) {
      written(place.child("state/" + i + "/left/1.delta"), new byte[1]);
    }
    assertThat(store.walk(place)).hasSize(121);
    assertThat(server.mostAtOnce()).isLessThanOrEqualTo(10);
  }

  /** The path is encoded once, whatever is in it. */
  @Test
  void namesTheFileThatIsMeant() throws IOException {
    Location place = emptyPlace();
    written(place.child("k=%20v"), new byte[] {1});
    written(place.child("k= v"), new byte[] {2});
    assertThat(store.readAll(place.child("k=%20v"))).containsExactly(1);
    assertThat(store.readAll(place.child("k= v"))).containsExactly(2);
    assertThat(server.requests())
        .anyMatch(line -> line.startsWith("PUT files/") && line.contains("k%3D%2520v?overwrite"));
  }

  @Test
  void waitsAsLongAsTheServerAsks() throws IOException {
    Location place = emptyPlace();
    server.trouble("PUT", 429, "1", "{\"error_code\":\"RESOURCE_EXHAUSTED\"}");
    long start = System.nanoTime();
    Location file = written(place.child("file"), random(100_000));
    assertThat(System.nanoTime() - start).isGreaterThan(999_000_000L);
    assertThat(store.readAll(file)).isEqualTo(random(100_000));
  }

  /** Above what is kept in memory, too: an upload that is sent again is sent whole. */
  @Test
  void sendsTheWholeFileAgain() throws IOException {
    Location place = emptyPlace();
    server.trouble("PUT", 503, null, "");
    server.trouble("PUT", 500, null, "<html>");
    server.trouble("PUT", 0, null, "");
    byte[] bytes = random((9 << 20) + 5);
    assertThat(store.readAll(written(place.child("file"), bytes))).isEqualTo(bytes);
    assertThat(server.requests().stream().filter(line -> line.contains("/file?")))
        .hasSizeGreaterThanOrEqualTo(4);
  }

  /** It was this very upload that made the file: the caller compares the bytes. */
  @Test
  void saysThatAFileIsThereWhenTheAnswerWasLost() throws IOException {
    Location file = emptyPlace().child("file");
    server.trouble("PUT", 1, null, "");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> written(file, random(10)));
    assertThat(store.readAll(file)).isEqualTo(random(10));
    server.trouble("DELETE", 1, null, "");
    store.delete(file);
    assertThat(store.stat(file)).isEmpty();
  }

  @Test
  void goesOnReadingWhereTheConnectionBroke() throws IOException {
    byte[] bytes = random(1 << 20);
    Location file = written(emptyPlace().child("file"), bytes);
    for (int i = 0; i < 3; i++) {
      server.trouble("GET files", 2, null, "");
    }
    assertThat(store.readAll(file)).isEqualTo(bytes);
    server.trouble("GET files", 2, null, "");
    try (InputStream in = store.open(file, 1000)) {
      assertThat(in.readAllBytes()).isEqualTo(java.util.Arrays.copyOfRange(bytes, 1000, 1 << 20));
    }
  }

  @Test
  void noticesThatAFileChangedWhileItWasRead() throws IOException {
    Location file = written(emptyPlace().child("file"), random(1 << 20));
    server.trouble("GET files", 2, null, "");
    try (InputStream in = store.open(file)) {
      in.readNBytes(10);
      store.delete(file);
      written(file, random(1 << 20));
      assertThatIOException().isThrownBy(in::readAllBytes).withMessageContaining("has changed");
    }
  }

  @Test
  void givesUpInTheEnd() throws IOException {
    Map<String, String> settings = server.settings();
    settings.put("databricks.attempts", "2");
    Store impatient = VolumeStore.of(VOLUME, settings);
    Location file = emptyPlace().child("file");
    for (int i = 0; i < 2; i++) {
      server.trouble("HEAD", 503, null, "");
    }
    assertThatIOException()
        .isThrownBy(() -> impatient.stat(file))
        .withMessageContaining("503")
        .withMessageContaining(file.toString());
    VolumesServer other = new VolumesServer();
    settings.put("databricks.host", other.host());
    Store gone = VolumeStore.of(VOLUME, settings);
    other.close();
    assertThatIOException()
        .isThrownBy(() -> gone.stat(file))
        .withMessageContaining("did not answer")
        .withMessageContaining(other.host());
  }

  @Test
  void tellsAWrongTokenWithoutRepeatingIt() throws IOException {
    Map<String, String> settings = server.settings();
    settings.put("databricks.token", "dapiWRONG");
    Store denied = VolumeStore.of(VOLUME, settings);
    assertThatExceptionOfType(AccessDeniedException.class)
        .isThrownBy(() -> denied.list(VOLUME))
        .satisfies(
            failure -> {
              assertThat(failure.getReason()).contains("403", "PERMISSION_DENIED", "***");
              for (Throwable each = failure; each != null; each = each.getCause()) {
                assertThat(each.toString()).doesNotContain("dapiWRONG");
              }
            });
  }

  @Test
  void tellsOtherCredentialsAndOtherHosts() throws IOException {
    Location file = emptyPlace().child("file");
    server.trouble("HEAD", 401, null, "");
    assertThatExceptionOfType(AccessDeniedException.class)
        .isThrownBy(() -> store.stat(file))
        .withMessageContaining("does not accept the credentials");
    server.trouble("HEAD", 302, null, "");
    assertThatIOException()
        .isThrownBy(() -> store.stat(file))
        .withMessageContaining("is it the URL of a Databricks workspace?");
    server.trouble("GET directories", 200, null, "<html>login</html>");
    assertThatIOException()
        .isThrownBy(() -> store.list(file))
        .withMessageContaining("does not answer as the Files API");
  }

  @Test
  void tellsAVolumeThatIsNotThere() {
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.list(at("/Volumes/main/ops/other/x")));
  }

  @Test
  void refusesWhatIsTooLargeBeforeItIsSent() throws IOException {
    Store small =
        new VolumeStore(
            new FilesApi(
                Workspace.of(VOLUME, server.settings()), Retries.of(VOLUME, server.settings())),
            1000);
    Location file = emptyPlace().child("file");
    int before = server.requests().size();
    assertThatIOException()
        .isThrownBy(() -> small.write(file, Content.of(new byte[1001]), Optional.empty()))
        .withMessageContaining("larger than 1000 bytes");
    assertThat(server.requests()).hasSize(before);
    small.write(file, Content.of(new byte[1000]), Optional.empty());
  }

  @Test
  void leavesNothingInTheTemporaryDirectory() throws IOException {
    written(emptyPlace().child("file"), new byte[9 << 20]);
    try (var left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(left.filter(path -> path.getFileName().toString().startsWith("migrator-upload")))
          .isEmpty();
    }
  }

  @Test
  void takesOAuthAndProfiles(@TempDir Path directory) throws IOException {
    Map<String, String> machine =
        Map.of(
            "databricks.host", server.host(),
            "databricks.client_id", "client",
            "databricks.client_secret", "clientSECRET");
    assertThat(VolumeStore.of(VOLUME, machine).list(VOLUME)).isNotNull();

    Path file = directory.resolve("databrickscfg");
    Files.write(
        file,
        List.of("[ops]", "host = " + server.host(), "token = " + VolumesServer.TOKEN, "[none]"));
    Map<String, String> profile = new HashMap<>();
    profile.put("databricks.config_file", file.toString());
    profile.put("databricks.profile", "ops");
    assertThat(VolumeStore.of(VOLUME, profile).list(VOLUME)).isNotNull();

    profile.put("databricks.profile", "missing");
    assertThatIOException()
        .isThrownBy(() -> VolumeStore.of(VOLUME, profile))
        .withMessageContaining("has no missing profile configured");
    Map<String, String> wrong = new HashMap<>(machine);
    wrong.put("databricks.client_secret", "wrongSECRET");
    assertThatIOException()
        .isThrownBy(() -> VolumeStore.of(VOLUME, wrong).list(VOLUME))
        .satisfies(failure -> assertThat(failure.toString()).doesNotContain("wrongSECRET"));
  }

  @Test
  void refusesSettingsThatItDoesNotKnow() {
    for (String setting : List.of("databricks.tokn", "fs.s3a.endpoint", "databricks.attempts")) {
      Map<String, String> settings = server.settings();
      settings.put(setting, "0");
      assertThatIOException()
          .isThrownBy(() -> VolumeStore.of(VOLUME, settings))
          .withMessageContaining("databricks.attempts");
    }
  }

  @Test
  void goesThroughTheMountWhereThereIsOneAndNoWorkspace() throws IOException {
    Volumes onCluster = new Volumes(name -> Optional.empty(), Path.of("/Volumes/main")::equals);
    Volumes withHost =
        new Volumes(
            name -> name.equals("DATABRICKS_HOST") ? Optional.of("x") : Optional.empty(),
            path -> true);
    Location place = at("/Volumes/main/ops/chk/a");
    assertThat(onCluster.make(place, Map.of()).traits(place).wholeOrNothing()).isFalse();
    assertThat(onCluster.make(place, server.settings())).isInstanceOf(VolumeStore.class);
    assertThat(withHost.make(place, server.settings())).isInstanceOf(VolumeStore.class);
    for (String other : List.of("dbfs:/mnt/a", "/Volumes/a/b", "dbfs:/Volumes")) {
      assertThatExceptionOfType(UnservedPlaceException.class)
          .isThrownBy(() -> onCluster.make(at(other), Map.of()))
          .withMessageContaining("abfss://");
    }
  }
}
