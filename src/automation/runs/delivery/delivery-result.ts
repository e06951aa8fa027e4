import { deliveryStates } from '#webhooks';
import type { ReadScope } from '../../../platform/scope.ts';
import type { RunRow } from '../run-queries.ts';
import type { Run } from '../schemas.ts';

type RunDelivery = NonNullable<Run['delivery']>;
const shown = { pending: 'pending', delivered: 'delivered', failed: 'failed', cancelled: 'failed' } as const;

/**
 * Returns the deliveries of these runs by the identifier of the run, without runs that have no delivery. The status of a webhook comes from the
 * delivery log.
 */
export async function deliveriesOf(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  runs: readonly RunRow[],
): Promise<Map<string, RunDelivery>> {
  const sent = runs.flatMap(({ delivery_endpoint: endpoint, delivery_id: id }) =>
    endpoint === null || id === null ? [] : [{ endpoint, id }],
  );
  const states =
    sent.length === 0
      ? []
      : await db.all(deliveryStates, { team, endpoints: sent.map(({ endpoint }) => endpoint), ids: sent.map(({ id }) => id) });
  const stateOf = new Map(states.map((state) => [state.id, state]));
  const deliveries = new Map<string, RunDelivery>();
  for (const { id, delivery: mode, delivery_status: status, delivery_error: error, delivery_endpoint: endpointId, ...row } of runs) {
    if (mode === null || status === null) continue;
    const common = { mode, ...(endpointId === null ? {} : { endpointId }) };
    const by = row.delivery_id;
    if (by === null)
      deliveries.set(id, { ...common, status: status === 'failed' ? 'failed' : 'pending', ...(error === null ? {} : { error }) });
    else if (mode === 'task') deliveries.set(id, { ...common, status: 'delivered', taskId: by });
    else {
      const state = stateOf.get(by);
      const why = state?.status === 'cancelled' ? (state.error ?? 'cancelled') : state?.error;
      deliveries.set(id, {
        ...common,
        deliveryId: by,
        ...(state ? { status: shown[state.status] } : {}),
        ...(why === null || why === undefined || state?.status === 'delivered' ? {} : { error: why }),
      });
    }
  }
  return deliveries;
}
