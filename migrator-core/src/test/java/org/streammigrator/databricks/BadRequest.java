package org.streammigrator.databricks;

/** A request that the simulated workspace refuses. */
final class BadRequest extends RuntimeException {
  final int status;
  final String code;

  BadRequest(int status, String code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  static BadRequest parameter(String message) {
    return new BadRequest(400, "INVALID_PARAMETER_VALUE", message);
  }

  static BadRequest malformed(String message) {
    return new BadRequest(400, "MALFORMED_REQUEST", message);
  }
}
