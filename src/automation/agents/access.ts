import { lockSeen } from '../../platform/database/lock-tracking.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import type { AccessContext, Actor, Scope } from '../../platform/scope.ts';
import type { VersionCheck } from '../../platform/versioned.ts';
import { accessTo, callerOf, can } from '#access';
import { type AgentRow, findMain, lockAgent, reachAgent } from './queries.ts';

/** Whether the actor views all agents of the team, by the role or as a program that is not confined. */
export const seesAllAgents = (actor: Actor): boolean => can(actor, 'assistant', 'view', { relations: [] });

/** The identifier of an agent that a path names: `main` is an alias. Errors: 404. */
async function idOf({ db, team }: AccessContext, id: string): Promise<string> {
  const main = id === 'main' ? await db.first(findMain, { team }) : undefined;
  return main?.id ?? pathId(id, 'agent');
}

/** An agent that the actor may use, which is to see it and to have it run; the same 404 for one that is missing. `id` may be `main`. */
export async function usableAgent(scope: AccessContext, id: string): Promise<AgentRow> {
  const { db, team, actor } = scope;
  const found = await db.first(reachAgent, { team, id: await idOf(scope, id), ...callerOf(actor) });
  if (!found || !accessTo(actor, 'assistant', found)) throw notFound('agent');
  return found;
}

/** The same, locked until the transaction ends: whoever changes, stops or deletes it waits. Errors: 404, 412. */
export async function lockedAgent(scope: Scope, id: string, expect: VersionCheck = () => undefined): Promise<AgentRow> {
  const known = await idOf(scope, id);
  const found = await lockSeen(scope.db, lockAgent, { team: scope.team, id: known }, () => usableAgent(scope, known));
  expect(found.version);
  return found;
}

/** The agent of a run, with the relations of the initiator. Undefined after its deletion. */
export const agentOfRun = (
  { db, team }: Omit<AccessContext, 'actor'>,
  id: string,
  user: string,
): Promise<(AgentRow & { relations: string[] }) | undefined> => db.first(reachAgent, { team, id, caller: user, person: true });

/** Who changes an agent: the operations are for persons. */
export function personOf({ actor }: Scope): string {
  if (actor.type !== 'user') throw new Error('agents are administered by persons');
  return actor.id;
}
