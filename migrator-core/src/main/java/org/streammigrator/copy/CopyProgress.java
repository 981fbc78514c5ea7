package org.streammigrator.copy;

/**
 * Told how far a long piece of work is. Calls come from several threads, those of one phase between
 * its {@link #began} and its {@link #ended}; phases follow each other, and what is told outside of
 * one counts for nothing. What is told changes nothing of the work, and must be quick.
 */
public interface CopyProgress {
  /** Tells nobody. */
  CopyProgress NONE = new CopyProgress() {};

  /** What is being done. */
  enum Phase {
    /** Files are copied. */
    COPY("copy"),
    /** What was written is compared with its checksums. */
    VERIFY("verify"),
    /** Files are packed. */
    ARCHIVE("archive"),
    /** An archive is unpacked. */
    RESTORE("restore");

    private final String label;

    Phase(String label) {
      this.label = label;
    }

    /** One lower-case word. */
    public String label() {
      return label;
    }
  }

  /**
   * A phase begins; one that had begun is over.
   *
   * @param files how many files there are to do, 0 or more
   * @param bytes how many bytes there are in them, 0 or more
   */
  default void began(Phase phase, long files, long bytes) {}

  /**
   * So many more bytes are through. Below 0: so many count no longer, since their file is begun
   * again.
   */
  default void moved(long bytes) {}

  /** So many more files are done, 1 or more. */
  default void done(long files) {}

  /** Something failed, and is tried again. */
  default void retried() {}

  /** The phase is over, or broken off. */
  default void ended() {}
}
