/** Time limits of the database layer, in milliseconds. Operators set the first two; tests on a busy machine set longer ones. */
export type DatabaseLimits = {
  /** One statement of a request that only reads. */
  readMs: number;
  /** One statement of a transaction of a request. */
  writeMs: number;
  /** One statement of background work. */
  systemMs: number;
  /** One statement of a batch of several requests. It is longer than for a read, because it waits for locked rows. */
  batchMs: number;
  /** One statement after a commit: a notification. */
  notifyMs: number;
  /** How long a request waits for its turn. */
  waitMs: number;
  /** Opening a connection, or waiting for a free one in the pool. */
  connectMs: number;
};

const defaults: DatabaseLimits = {
  readMs: 5_000,
  writeMs: 15_000,
  systemMs: 30_000,
  batchMs: 10_000,
  notifyMs: 5_000,
  waitMs: 10_000,
  connectMs: 5_000,
};

/** Adds the defaults to limits of which some are given. */
export const databaseLimits = (given: Partial<DatabaseLimits> = {}): DatabaseLimits => ({ ...defaults, ...given });
