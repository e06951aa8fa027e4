import type { ReadScope, Scope } from '../platform/scope.ts';
import type * as queries from './queries.ts';

/** The workflow that a transaction starts: whoever hears of it needs not read it again. */
const inHand = new WeakMap<object, queries.WorkflowRow>();

/** Says which workflow the transaction has under its lock, as it is from here on. */
export function noteInHand({ db }: Scope, row: queries.WorkflowRow): void {
  inHand.set(db, row);
}

/** A workflow that the transaction has under its lock and has said so. */
export function rowInHand({ db }: Pick<ReadScope | Scope, 'db'>, id: string): queries.WorkflowRow | undefined {
  const known = inHand.get(db);
  return known?.id === id ? known : undefined;
}
