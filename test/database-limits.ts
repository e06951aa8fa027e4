import type { DatabaseLimits } from '../src/platform/database/limits.ts';

/** Limits that no busy machine meets. A test of a limit sets its own. */
export const testDatabaseLimits: Partial<DatabaseLimits> = {
  readMs: 120_000,
  writeMs: 120_000,
  systemMs: 120_000,
  batchMs: 120_000,
  notifyMs: 120_000,
  waitMs: 120_000,
  connectMs: 60_000,
};
