import type { Database } from './database/database.ts';
import type { EventListener, Scope } from './scope.ts';

/** The dependencies of work without a caller. */
export type SystemDependencies = { database: Database; listeners: readonly EventListener[]; clock: () => Date };

/** Runs `work` in a transaction of a team with the actor `system`. `requestId` identifies the work in the audit journal. */
export function inTeamAsSystem<T>(
  { database, listeners, clock }: SystemDependencies,
  team: string,
  requestId: string,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  return database.inTeam(team, (db) => work({ db, team, actor: { type: 'system' }, now: clock(), requestId, listeners }));
}
