package org.streammigrator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfinedStoreTest {
  @TempDir private Path directory;

  @Test
  void nothingElsewhereIsWrittenMovedOrDeleted() throws IOException {
    Location place = Location.of(directory.resolve("scratch"));
    Location out = Location.of(directory.resolve("scratchy/x"));
    Files.createDirectories(directory.resolve("scratchy"));
    Files.writeString(directory.resolve("scratchy/x"), "1");
    Store store = new ConfinedStore(new LocalStore(), place);
    store.createDirectory(place);
    Location in = place.child("a/b");
    store.write(in, Content.of(new byte[] {1}), Optional.empty());
    store.writeLater(place.child("a/c"), Content.of(new byte[] {2}), Optional.empty());
    store.settle(place);
    StoreEntry there = store.stat(in).orElseThrow();
    Location other = out.parent().orElseThrow().child("y");
    Map<String, ThrowingCallable> attempts =
        Map.of(
            "write", () -> store.write(other, Content.of(new byte[0]), Optional.empty()),
            "later", () -> store.writeLater(other, Content.of(new byte[0]), Optional.empty()),
            "copy", () -> store.copyWithin(there, other, Optional.empty()),
            "directory", () -> store.createDirectory(other),
            "out", () -> store.publish(place.child("a"), other),
            "into", () -> store.publish(out, place.child("z")),
            "delete", () -> store.delete(out),
            "all", () -> store.deleteAll(List.of(in, out)),
            "above", () -> store.delete(Location.of(directory)));
    attempts.forEach(
        (name, attempt) ->
            assertThatThrownBy(attempt).as(name).isInstanceOf(IllegalStateException.class));
    assertThat(store.readAll(out)).containsExactly('1');
    assertThat(store.stat(other)).isEmpty();
    assertThat(store.stat(in)).isPresent();
    store.publish(place.child("a"), place.child("z"));
    store.deleteAll(List.of(place.child("z/b"), place.child("z/c")));
    assertThat(store.list(place.child("z"))).isEmpty();
  }
}
