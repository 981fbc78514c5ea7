package org.streammigrator.migration;

import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.FaultStore.Fault;
import org.streammigrator.storage.LaggingStore;
import org.streammigrator.storage.Store;

/** What can go wrong at a store call. */
enum FaultKind {
  /** The process dies before the call; dying after it is dying before the next one. */
  CRASH("crash", At.CALLS) {
    @Override
    Store at(int call, Store store) {
      return FaultStore.crashingAt(call, Fault.BEFORE, store);
    }
  },
  /** The process dies while a file is written. */
  TORN("crash in a write", At.WRITES) {
    @Override
    Store at(int call, Store store) {
      return FaultStore.crashingAt(call, Fault.TORN, store);
    }
  },
  /** The call fails once, in a process that goes on. */
  FAILS("fails once", At.CALLS) {
    @Override
    Store at(int call, Store store) {
      return FaultStore.failingOnceAt(call, Fault.BEFORE, store);
    }
  },
  /** The call happens and its answer is lost. */
  UNANSWERED("answer lost", At.CALLS) {
    @Override
    Store at(int call, Store store) {
      return FaultStore.failingOnceAt(call, Fault.AFTER, store);
    }
  },
  /** Half of a file is written and then the write fails, in a process that goes on. */
  HALF("half a write", At.WRITES) {
    @Override
    Store at(int call, Store store) {
      return FaultStore.failingOnceAt(call, Fault.TORN, store);
    }
  },
  /** The call happens, its answer is lost, and the store tries it once more. */
  DUPLICATE("duplicate", At.CALLS) {
    @Override
    Store at(int call, Store store) {
      return FaultStore.failingOnceAt(call, Fault.DUPLICATE, store);
    }
  },
  /** Every call fails from there on, in a process that goes on. */
  GONE("fails from there on", At.CALLS) {
    @Override
    Store at(int call, Store store) {
      return FaultStore.failingFrom(call, store);
    }
  },
  /** Nothing can be written from there on, in a process that goes on. */
  FULL("no room from there on", At.WRITES) {
    @Override
    Store at(int call, Store store) {
      return FaultStore.fullFrom(call, store);
    }
  },
  /** The call takes longer than those beside it. */
  LATE("late", At.CALLS) {
    @Override
    Store at(int call, Store store) {
      return FaultStore.lateAt(call, store);
    }
  },
  /** A listing does not show the newest change. */
  LAGS("list lags by one", At.LISTINGS) {
    @Override
    Store at(int call, Store store) {
      return new LaggingStore(call, 1, store);
    }
  },
  /** A listing shows nothing of what this process did. */
  STALE("list lags by all", At.LISTINGS) {
    @Override
    Store at(int call, Store store) {
      return new LaggingStore(call, Integer.MAX_VALUE, store);
    }
  };

  /** Which calls it can befall. */
  enum At {
    CALLS,
    WRITES,
    LISTINGS
  }

  private final String label;
  private final At where;

  FaultKind(String label, At where) {
    this.label = label;
    this.where = where;
  }

  String label() {
    return label;
  }

  At where() {
    return where;
  }

  /** Whether the process ends there. */
  boolean kills() {
    return this == CRASH || this == TORN;
  }

  /** Whether the store keeps failing, so that the run cannot get to its end. */
  boolean stays() {
    return this == GONE || this == FULL;
  }

  /** The store with this fault at call k; the first call is 1. */
  abstract Store at(int call, Store store);

  /** Whether a store of {@link #at} came to its fault. */
  static boolean happened(Store store) {
    return store instanceof FaultStore faulty ? faulty.crashed() : ((LaggingStore) store).lagged();
  }
}
