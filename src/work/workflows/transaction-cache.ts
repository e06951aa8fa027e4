import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { KnownForms } from './names.ts';
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

type Checked = { row: queries.WorkflowRow; forms: KnownForms };
/** The workflow whose names each transaction has checked, with the fields of its forms. */
const checked = new WeakMap<object, Checked>();

/** Caches the fields of the forms in a workflow for the listeners that compare values with their targets. */
export function cacheFields({ db }: Pick<Scope, 'db'>, found: Checked): void {
  checked.set(db, found);
}

/** Returns the workflow whose names the transaction has checked. */
export function cachedFields({ db }: Pick<Scope, 'db'>, id: string): Checked {
  const found = checked.get(db);
  if (found?.row.id !== id) throw new Error(`the names in the workflow ${id} are not checked before its values`);
  return found;
}
