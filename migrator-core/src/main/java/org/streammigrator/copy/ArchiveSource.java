package org.streammigrator.copy;

/**
 * A checkpoint that goes into an archive.
 *
 * @param name its name in an archive of several; empty in an archive of one
 * @param tree the checkpoint as it was listed
 * @param summary what the manifest says about it
 */
record ArchiveSource(String name, ListedTree tree, CheckpointSummary summary) {

  /** What the names of its tar entries begin with. */
  static String prefix(String name) {
    return name.isEmpty() ? ArchiveFormat.FILES : ArchiveFormat.SEVERAL_FILES + name + "/";
  }

  /** The name of its manifest's tar entry. */
  static String manifestName(String name) {
    return name.isEmpty()
        ? ArchiveFormat.MANIFEST
        : ArchiveFormat.SEVERAL_MANIFESTS + name + ArchiveFormat.JSON;
  }
}
