import { memberRemoved } from '#teams';
import { on } from '../../platform/journal/listeners.ts';
import { record } from '../../platform/journal/record.ts';
import { batchCancelled } from './events.ts';
import * as queries from './queries.ts';

/** Cancels the running batches of a leaving member, because they use the member's rights. Transfers all batches to the successor. */
export const leaverListener = on(memberRemoved, async (scope, { targetId: user, data: { successorId: to } }) => {
  const { team, now: at } = scope;
  for (const { id } of await scope.db.all(queries.lockRunningOf, { team, user })) {
    await scope.db.all(queries.cancelRows, { team, id });
    await scope.db.all(queries.endBatch, { team, id, status: 'cancelled', at });
    const counted = await scope.db.first(queries.findBatch, { team, id, person: null });
    if (counted) await record(scope, batchCancelled, id, { rows: counted.rows, done: counted.done, failed: counted.failed });
  }
  scope.db.send(queries.handOver, { team, from: user, to });
});
