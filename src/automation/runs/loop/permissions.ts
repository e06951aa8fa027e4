import { can } from '#access';
import { agentOfRun, type AgentRow } from '#agents';
import { isRole, mayAutomate, scopesOfRole } from '#accounts';
import { actorToday, documentsAmong } from '#documents';
import { foldersAmong } from '#folders';
import { interfacesBehindBarriers } from '#forms';
import { tasksBehindBarriers } from '#tasks';
import type { Reader } from '../../../platform/database/database.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import type { Actor } from '../../../platform/scope.ts';

export type TeamReader = { db: Reader; team: string };

/** The current rights of a run: the scopes of its agent that its owner also has. */
export type Rights = {
  agent: AgentRow;
  /**
   * The owner of the run with the current role and the scopes of the run. To read a resource that a call names, the run needs the scope of that
   * resource.
   */
  person: Extract<Actor, { type: 'user' }>;
  scopes: ReadonlySet<string>;
};

/** Why a run has no rights. The agent was deleted; the owner left, is suspended or is a viewer; or the owner has lost access to the agent. */
export type NoRights = 'agent_deleted' | 'owner_inactive' | 'agent_not_usable';

/** Returns the current rights of a run. They end when the owner loses the right to use the agent, also for runs in progress. */
export async function rightsOf({ db, team }: TeamReader, run: { agent_id: string; on_behalf_of: string }): Promise<Rights | NoRights> {
  const { agent, person } = await pipelined({
    agent: () => agentOfRun({ db, team }, run.agent_id, run.on_behalf_of),
    person: () => actorToday({ db, team }, run.on_behalf_of),
  });
  if (agent === undefined) return 'agent_deleted';
  if (person?.type !== 'user' || !isRole(person.role) || !mayAutomate(person.role)) return 'owner_inactive';
  if (!can(person, 'assistant', 'run', agent)) return 'agent_not_usable';
  const ownerScopes = new Set(scopesOfRole(person.role));
  const scopes = new Set(agent.scopes.filter((scope) => ownerScopes.has(scope)));
  return { agent, person: { ...person, scopes }, scopes };
}

/** Thrown if the rights changed during a call. The transaction rolls back, and the call, which is still `ready`, runs again with the new rights. */
export class RightsChanged extends Error {}

/** The rights of a call: those of its run, and its approver with the current role. */
export type CallRights = Rights & { approver: Actor | undefined };
type Approved = { decided_by: string | null };

/** Returns the current rights of a run and the approver of its call. */
export async function callRightsOf(
  reader: TeamReader,
  run: { agent_id: string; on_behalf_of: string },
  { decided_by: by }: Approved,
): Promise<CallRights | NoRights> {
  const { rights, approver } = await pipelined({
    rights: () => rightsOf(reader, run),
    approver: async () => (by === null ? undefined : actorToday(reader, by)),
  });
  return typeof rights === 'string' ? rights : { ...rights, approver };
}

/** Whether a person may start a run of an agent now. */
export async function mayHaveRun(reader: TeamReader, agent: string, person: string): Promise<boolean> {
  return typeof (await rightsOf(reader, { agent_id: agent, on_behalf_of: person })) !== 'string';
}

/**
 * Checks at the end of a transaction that the rights of a call are unchanged, since a tool may have waited for locks. The caller must hold the lock
 * of the run, which every change of rights also acquires. Throws {@link RightsChanged}.
 */
export async function requireSameRights(
  reader: TeamReader,
  run: { agent_id: string; on_behalf_of: string },
  call: Approved,
  then: CallRights,
): Promise<void> {
  const now = await callRightsOf(reader, run, call);
  const same = typeof now !== 'string' && now.agent.version === then.agent.version && now.person.role === then.person.role;
  if (!same || roleOf(now.approver) !== roleOf(then.approver)) throw new RightsChanged();
}

const roleOf = (actor: Actor | undefined): string | undefined => (actor?.type === 'user' ? actor.role : undefined);

/** Collects the identifiers in a value at any depth. Only a complete string counts as an identifier. */
function namedIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') {
    if (isUuid(value)) found.add(value.toLowerCase());
  } else if (Array.isArray(value)) for (const one of value) namedIn(one, found);
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) namedIn(one, found);
  return found;
}

/**
 * Returns filters for resources that are hidden from the agent itself, even if its owner can read them. Hidden are folders and documents with a
 * barrier, tasks about them, and forms that store answers there. An agent with folder limits sees only resources in these folders or about them. This
 * is necessary because administrators configure agents and read their transcripts, and a barrier may exclude an administrator.
 */
export async function sightOf({ db, team }: TeamReader, { folder_ids: roots }: Pick<AgentRow, 'folder_ids'>, ...values: unknown[]) {
  const names = [...values.reduce<Set<string>>((found, value) => namedIn(value, found), new Set())];
  const params = { team, user: null, roots, ids: names };
  const { folders, documents, tasks, interfaces } =
    names.length === 0
      ? { folders: [], documents: [], tasks: [], interfaces: [] }
      : await pipelined({
          folders: () => db.all(foldersAmong, params),
          documents: () => db.all(documentsAmong, params),
          tasks: () => db.all(tasksBehindBarriers, params),
          interfaces: () => db.all(interfacesBehindBarriers, params),
        });
  const placed = [...folders, ...documents];
  const kept = placed.filter(
    ({ excluded, relations, inherited }) => excluded || (roots !== null && relations.length + inherited.length === 0),
  );
  const hidden = new Set([...kept, ...tasks, ...interfaces].map(({ id }) => id));
  const reached = new Set(placed.filter(({ id }) => !hidden.has(id)).map(({ id }) => id));
  /** Whether a value names a hidden resource. */
  const hides = (value: unknown): boolean => [...namedIn(value)].some((id) => hidden.has(id));
  return {
    hides,
    sees: (value: unknown): boolean => !hides(value) && (roots === null || [...namedIn(value)].some((id) => reached.has(id))),
  };
}
