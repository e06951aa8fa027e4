import { lockSeen } from '../../platform/database/lock-tracking.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import type { AccessContext, Actor, Scope } from '../../platform/scope.ts';
import type { VersionCheck } from '../../platform/versioned.ts';
import { accessTo, callerOf, can, type ResourceName } from '#access';
import { type AgentRow, agentsNamed, findMain, lockAgent, reachAgent } from './queries.ts';

/** Returns whether the actor can see all agents of the team: by the role, or as an API client without folder restrictions. */
export const seesAllAgents = (actor: Actor): boolean => can(actor, 'assistant', 'view', { relations: [] });

/** Resolves the agent identifier in a path; `main` is an alias of the default agent. Throws 404. */
async function idOf({ db, team }: AccessContext, id: string): Promise<string> {
  const main = id === 'main' ? await db.first(findMain, { team }) : undefined;
  return main?.id ?? pathId(id, 'agent');
}

/** Returns an agent that the actor can see and run. Throws 404 if it is missing or not accessible. `id` may be `main`. */
export async function usableAgent(scope: AccessContext, id: string): Promise<AgentRow> {
  const { db, team, actor } = scope;
  const found = await db.first(reachAgent, { team, id: await idOf(scope, id), ...callerOf(actor) });
  if (!found || !accessTo(actor, 'assistant', found)) throw notFound('agent');
  return found;
}

/** Returns the names of the agents among these identifiers that the actor can see. */
export const agentNames = async ({ db, team, actor }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
  (await db.all(agentsNamed, { team, ids, ...callerOf(actor) })).filter((agent) => accessTo(actor, 'assistant', agent));

/** Like {@link usableAgent}, but locks the agent until the transaction ends. Throws 404 and 412. */
export async function lockedAgent(scope: Scope, id: string, expect: VersionCheck = () => undefined): Promise<AgentRow> {
  const known = await idOf(scope, id);
  const found = await lockSeen(scope.db, lockAgent, { team: scope.team, id: known }, () => usableAgent(scope, known));
  expect(found.version);
  return found;
}

/** Returns the agent of a run, with the relations of the initiator; undefined if the agent was deleted. */
export const agentOfRun = (
  { db, team }: Omit<AccessContext, 'actor'>,
  id: string,
  user: string,
): Promise<(AgentRow & { relations: string[] }) | undefined> => db.first(reachAgent, { team, id, caller: user, person: true });

/** Returns the identifier of the person who changes an agent. API clients cannot change agents. */
export function personOf({ actor }: Scope): string {
  if (actor.type !== 'user') throw new Error('only a person can change an agent');
  return actor.id;
}
