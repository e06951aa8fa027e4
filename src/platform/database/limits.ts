/** Time limits of the database layer, in milliseconds. Operators set the first two. Tests on a busy machine set longer ones. */
export type DatabaseLimits = {
  /** Limit of one read statement of a request. */
  readMs: number;
  /** Limit of one statement in a transaction of a request. */
  writeMs: number;
  /** Limit of one statement of background work. */
  systemMs: number;
  /** Limit of one statement in a batch of several requests. It is longer than the limit of a read, because the statement may wait for row locks. */
  batchMs: number;
  /** Limit of one statement that follows a commit, such as a notification. */
  notifyMs: number;
  /** Maximum wait of a request for a connection. */
  waitMs: number;
  /** Limit for opening a connection, or waiting for a free one in the pool. */
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

/** Adds the defaults to the given limits. */
export const databaseLimits = (given: Partial<DatabaseLimits> = {}): DatabaseLimits => ({ ...defaults, ...given });
