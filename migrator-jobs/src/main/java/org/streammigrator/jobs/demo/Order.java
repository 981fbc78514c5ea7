package org.streammigrator.jobs.demo;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * One record of the demo's source table.
 *
 * @param orderId 1 or more; the same for exact duplicates only
 * @param amountCents 100 to 25,099
 * @param eventTime when it was ordered, in whole milliseconds
 */
public record Order(
    long orderId, String customer, String product, long amountCents, Instant eventTime) {

  public Order {
    requireNonNull(customer, "customer");
    requireNonNull(product, "product");
    requireNonNull(eventTime, "eventTime");
  }
}
