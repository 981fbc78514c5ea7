package org.streammigrator.plan;

/** What is taken as proof that a copied file is right. */
public enum CopyVerify implements Choice {
  /** The store's own checksum, where it compared one; else reading back. */
  CHECKSUM,
  /** Reading every file back. */
  READ
}
