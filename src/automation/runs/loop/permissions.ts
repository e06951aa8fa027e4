import { can } from '#access';
import { agentOfRun, type AgentRow } from '#agents';
import { scopesOfRole, isRole } from '#accounts';
import { actorToday, documentsAmong } from '#documents';
import { foldersAmong } from '#folders';
import { interfacesBehindBarriers } from '#forms';
import { tasksBehindBarriers } from '#tasks';
import type { Reader } from '../../../platform/database/database.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import type { Actor } from '../../../platform/scope.ts';

export type Looking = { db: Reader; team: string };

/** What a run may do at this moment: what its agent holds, cut to what whoever it runs for may do. */
export type Rights = {
  agent: AgentRow;
  /** Whoever it runs for, as what they are now, with the scopes of the run: what it names it needs the scope to read. */
  person: Extract<Actor, { type: 'user' }>;
  scopes: ReadonlySet<string>;
};

/** Why a run has no rights: its agent is gone, or whoever it is for has gone, is suspended or only looks on, or may not use the agent any more. */
export type NoRights = 'agent_deleted' | 'owner_inactive' | 'agent_not_usable';

/**
 * The rights of a run as they are now. They end with the right to use the agent: a share of it that is taken back counts for runs that are
 * under way too.
 */
export async function rightsOf({ db, team }: Looking, run: { agent_id: string; on_behalf_of: string }): Promise<Rights | NoRights> {
  const { agent, person } = await pipelined({
    agent: () => agentOfRun({ db, team }, run.agent_id, run.on_behalf_of),
    person: () => actorToday({ db, team }, run.on_behalf_of),
  });
  if (agent === undefined) return 'agent_deleted';
  if (person?.type !== 'user' || !isRole(person.role) || person.role === 'viewer') return 'owner_inactive';
  if (!can(person, 'assistant', 'run', agent)) return 'agent_not_usable';
  const held = new Set(scopesOfRole(person.role));
  const scopes = new Set(agent.scopes.filter((scope) => held.has(scope)));
  return { agent, person: { ...person, scopes }, scopes };
}

/** What was done by rights that are others by now: nothing of it stays, and the call, which is ready still, is carried out by those that there are. */
export class RightsChanged extends Error {}

/** The rights by which a call is carried out: those of its run, and whoever has approved it, as what they are now. */
export type CallRights = Rights & { approver: Actor | undefined };
type Approved = { decided_by: string | null };

/** The rights of a run and of whoever has approved a call of it, as they are now. */
export async function callRightsOf(
  looking: Looking,
  run: { agent_id: string; on_behalf_of: string },
  { decided_by: by }: Approved,
): Promise<CallRights | NoRights> {
  const { rights, approver } = await pipelined({
    rights: () => rightsOf(looking, run),
    approver: async () => (by === null ? undefined : actorToday(looking, by)),
  });
  return typeof rights === 'string' ? rights : { ...rights, approver };
}

/** Whether somebody may have an agent do something today. */
export async function mayHaveRun(looking: Looking, agent: string, person: string): Promise<boolean> {
  return typeof (await rightsOf(looking, { agent_id: agent, on_behalf_of: person })) !== 'string';
}

/**
 * Looks whether the rights by which something was done are still the same, at the end of its transaction, under the lock of the run: a tool may have
 * waited for a lock of others meanwhile. Whoever changes them locks the run, too. Errors: {@link RightsChanged}.
 */
export async function requireSameRights(
  looking: Looking,
  run: { agent_id: string; on_behalf_of: string },
  call: Approved,
  then: CallRights,
): Promise<void> {
  const now = await callRightsOf(looking, run, call);
  const same = typeof now !== 'string' && now.agent.version === then.agent.version && now.person.role === then.person.role;
  if (!same || roleOf(now.approver) !== roleOf(then.approver)) throw new RightsChanged();
}

const roleOf = (actor: Actor | undefined): string | undefined => (actor?.type === 'user' ? actor.role : undefined);

/** Identifiers that a value names as they stand, however deep. */
function namedIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') {
    if (isUuid(value)) found.add(value.toLowerCase());
  } else if (Array.isArray(value)) for (const one of value) namedIn(one, found);
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) namedIn(one, found);
  return found;
}

/**
 * What is in the way of an agent itself, whatever the person may see whom it works for: folders and documents behind a barrier, tasks about
 * these and forms whose answers live there, and of an agent that is confined all that is not about its folders. Those who run the team
 * set an agent up, and read what is said in its runs: from outside of the barrier too.
 */
export async function sightOf({ db, team }: Looking, { folder_ids: roots }: Pick<AgentRow, 'folder_ids'>, ...values: unknown[]) {
  const names = [...values.reduce<Set<string>>((found, value) => namedIn(value, found), new Set())];
  const looking = { team, user: null, roots, ids: names };
  const { folders, documents, tasks, interfaces } =
    names.length === 0
      ? { folders: [], documents: [], tasks: [], interfaces: [] }
      : await pipelined({
          folders: () => db.all(foldersAmong, looking),
          documents: () => db.all(documentsAmong, looking),
          tasks: () => db.all(tasksBehindBarriers, looking),
          interfaces: () => db.all(interfacesBehindBarriers, looking),
        });
  const placed = [...folders, ...documents];
  const kept = placed.filter(
    ({ excluded, relations, inherited }) => excluded || (roots !== null && relations.length + inherited.length === 0),
  );
  const hidden = new Set([...kept, ...tasks, ...interfaces].map(({ id }) => id));
  const reached = new Set(placed.filter(({ id }) => !hidden.has(id)).map(({ id }) => id));
  /** Whether a value names something that is kept from the agent. */
  const hides = (value: unknown): boolean => [...namedIn(value)].some((id) => hidden.has(id));
  return {
    hides,
    sees: (value: unknown): boolean => !hides(value) && (roots === null || [...namedIn(value)].some((id) => reached.has(id))),
  };
}
