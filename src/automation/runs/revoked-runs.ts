import type { Scope } from '../../platform/scope.ts';
import { endRuns } from './end-runs.ts';
import { rightsOf } from './loop/index.ts';
import { holdPeopleOfRuns } from './run-queries.ts';

/**
 * Ends the runs of an agent, or for a person, that have no rights any more. Each looks at them by itself before it does anything; one that
 * waits for its model or for an answer would go on to hold its place, or its question, until then. Others keep some of their rights: all are
 * locked, so that what one of them is doing is committed before the rights change, or sees by `requireSameRights` that they have.
 */
export async function endWithoutRights(scope: Scope, of: { agent?: string; person?: string }): Promise<void> {
  const { db, team } = scope;
  for (const run of await db.all(holdPeopleOfRuns, { team, agent: of.agent ?? null, person: of.person ?? null })) {
    const rights = await rightsOf(scope, run);
    if (typeof rights === 'string') await endRuns(scope, { agent: run.agent_id, person: run.on_behalf_of, reason: rights });
  }
}
