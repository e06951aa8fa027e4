import { memberRemoved } from '#teams';
import { on } from '../platform/journal/listeners.ts';
import { record } from '../platform/journal/record.ts';
import { batchCancelled } from './events.ts';
import * as queries from './queries.ts';

/** What somebody who leaves was having asked of many ends with their leaving: they may be back before the next row, and it is theirs no more. */
export const leaverListener = on(memberRemoved, async (scope, { targetId: user }) => {
  const { team, now: at } = scope;
  for (const { id } of await scope.db.all(queries.lockRunningOf, { team, user })) {
    await scope.db.all(queries.cancelRows, { team, id });
    await scope.db.all(queries.endBatch, { team, id, status: 'cancelled', at });
    const counted = await scope.db.first(queries.findBatch, { team, id, by: null, others: 'all' });
    if (counted) await record(scope, batchCancelled, id, { rows: counted.rows, done: counted.done, failed: counted.failed });
  }
});
