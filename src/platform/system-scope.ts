import type { Database } from './database/database.ts';
import type { EventListener, Scope } from './scope.ts';

/** What the work of the service itself needs. */
export type SystemDependencies = { database: Database; listeners: readonly EventListener[]; clock: () => Date };

/** Runs `work` in a transaction of a team, as the service itself. `requestId` names the work in the audit journal. */
export function inTeamAsSystem<T>(
  { database, listeners, clock }: SystemDependencies,
  team: string,
  requestId: string,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  return database.inTeam(team, (db) => work({ db, team, actor: { type: 'system' }, now: clock(), requestId, listeners }));
}
