package org.streammigrator.plan;

import java.util.Optional;
import java.util.regex.Pattern;
import org.streammigrator.storage.Location;

/**
 * Where a source or a sink is. In the plan file the kind is a key and the address its value: {@code
 * delta: /lake/raw/orders}.
 *
 * @param kind the kind
 * @param text the address as it stands in the plan, interpolated
 * @param location the place, when the kind is a path and the text is not a three-part table name
 */
public record Address<K extends Enum<K> & PlaceKind>(
    K kind, String text, Optional<Location> location) {
  private static final Pattern TABLE_NAME = Pattern.compile("[^./:\\s]+(\\.[^./:\\s]+){2}");

  /** Whether the text is a three-part Unity Catalog name, such as {@code main.sales.orders}. */
  public boolean isTableName() {
    return kind.isPath() && isTableName(text);
  }

  static boolean isTableName(String text) {
    return TABLE_NAME.matcher(text).matches();
  }
}
