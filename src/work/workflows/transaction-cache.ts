import type { ReadScope, Scope } from '../../platform/scope.ts';
import type * as queries from './queries.ts';

/** The workflow that each transaction has started. */
const started = new WeakMap<object, queries.WorkflowRow>();

/**
 * Caches the row of the workflow that a transaction starts, for the listeners of its event. Without the cache each listener would read the workflow
 * again.
 */
export function cacheRow({ db }: Scope, row: queries.WorkflowRow): void {
  started.set(db, row);
}

/** Returns the cached row of the workflow that the transaction has started. */
export function cachedRow({ db }: Pick<ReadScope | Scope, 'db'>, id: string): queries.WorkflowRow | undefined {
  const row = started.get(db);
  return row?.id === id ? row : undefined;
}
