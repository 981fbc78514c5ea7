package org.streammigrator.jobs.session;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system without its processes: without the native library that one starts
 * {@code chmod}, {@code ls} and {@code readlink} for every file, which is most of what a small
 * streaming batch on a local disk costs. Same files, same bytes, same permissions. Symbolic links
 * are followed.
 */
final class NioRawLocalFileSystem extends RawLocalFileSystem {

  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    // Java has no name for the sticky bit; what Spark and Delta set never has it.
    Files.setPosixFilePermissions(
        pathToFile(path).toPath(),
        PosixFilePermissions.fromString(
            new FsPermission(permission.toShort()).toString().substring(0, 9)));
  }

  @Override
  public FileStatus getFileLinkStatus(Path path) throws IOException {
    return getFileStatus(path);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    Path qualified = makeQualified(path);
    try {
      PosixFileAttributes attributes =
          Files.readAttributes(pathToFile(path).toPath(), PosixFileAttributes.class);
      return new FileStatus(
          attributes.size(),
          attributes.isDirectory(),
          1,
          getDefaultBlockSize(qualified),
          attributes.lastModifiedTime().toMillis(),
          attributes.lastAccessTime().toMillis(),
          FsPermission.valueOf("-" + PosixFilePermissions.toString(attributes.permissions())),
          attributes.owner().getName(),
          attributes.group().getName(),
          qualified);
    } catch (NoSuchFileException e) {
      FileNotFoundException missing = new FileNotFoundException("File " + path + " does not exist");
      missing.initCause(e);
      throw missing;
    }
  }
}
