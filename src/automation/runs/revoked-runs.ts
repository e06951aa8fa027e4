import type { Scope } from '../../platform/scope.ts';
import { endRuns } from './end-runs.ts';
import { rightsOf } from './loop/index.ts';
import { lockPeopleOfRuns } from './run-queries.ts';

/**
 * Ends the runs of an agent or of a person that have lost their rights. Each run checks its rights before it acts, but a waiting run would keep its
 * slot or its approval request until then. Also locks runs that keep some rights, so that their current action commits before the rights change or
 * `requireSameRights` detects the change.
 */
export async function endWithoutRights(scope: Scope, of: { agent?: string; person?: string }): Promise<void> {
  const { db, team } = scope;
  for (const run of await db.all(lockPeopleOfRuns, { team, agent: of.agent ?? null, person: of.person ?? null })) {
    const rights = await rightsOf(scope, run);
    if (typeof rights === 'string') await endRuns(scope, { agent: run.agent_id, person: run.on_behalf_of, reason: rights });
  }
}
