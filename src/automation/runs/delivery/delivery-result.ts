import { deliveryStates } from '#webhooks';
import type { ReadScope } from '../../../platform/scope.ts';
import type { RunRow } from '../run-queries.ts';
import type { Run } from '../schemas.ts';

type Told = NonNullable<Run['delivery']>;
const shown = { pending: 'pending', delivered: 'delivered', failed: 'failed', cancelled: 'failed' } as const;

/** What came of telling somebody of these runs, by the run: nothing of one that tells nobody. Deliveries stand as the log of webhooks has them. */
export async function whatWasTold({ db, team }: Pick<ReadScope, 'db' | 'team'>, runs: readonly RunRow[]): Promise<Map<string, Told>> {
  const sent = runs.flatMap(({ delivery_endpoint: endpoint, delivery_id: id }) =>
    endpoint === null || id === null ? [] : [{ endpoint, id }],
  );
  const states =
    sent.length === 0
      ? []
      : await db.all(deliveryStates, { team, endpoints: sent.map(({ endpoint }) => endpoint), ids: sent.map(({ id }) => id) });
  const stateOf = new Map(states.map((state) => [state.id, state]));
  const told = new Map<string, Told>();
  for (const { id, delivery: mode, delivery_status: status, delivery_error: error, delivery_endpoint: endpointId, ...row } of runs) {
    if (mode === null || status === null) continue;
    const common = { mode, ...(endpointId === null ? {} : { endpointId }) };
    const by = row.delivery_id;
    if (by === null) told.set(id, { ...common, status: status === 'failed' ? 'failed' : 'pending', ...(error === null ? {} : { error }) });
    else if (mode === 'task') told.set(id, { ...common, status: 'delivered', taskId: by });
    else {
      const state = stateOf.get(by);
      const why = state?.status === 'cancelled' ? (state.error ?? 'cancelled') : state?.error;
      told.set(id, {
        ...common,
        deliveryId: by,
        ...(state ? { status: shown[state.status] } : {}),
        ...(why === null || why === undefined || state?.status === 'delivered' ? {} : { error: why }),
      });
    }
  }
  return told;
}
