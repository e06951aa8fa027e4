import type { Scope } from '../../../platform/scope.ts';
import { endpointsBy } from './queries.ts';

/** The endpoints that a person has made and that get events: where they lie, the person may have chosen for themself. */
export async function endpointsMadeBy(scope: Scope, account: string): Promise<{ kind: 'endpoint'; name: string; now: 'goes on' }[]> {
  const found = await scope.db.all(endpointsBy, { team: scope.team, account });
  return found.map(({ name }) => ({ kind: 'endpoint', name, now: 'goes on' }));
}
