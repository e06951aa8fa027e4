import { type Held, nothingHeld, emergencyOnly, type Via, viaOf } from '../platform/reasons.ts';
import { type Actor, readsOnly, runsTeam } from '../platform/scope.ts';

type Level = 'read' | 'write';

/** How the actor stands to a document: facts the queries give. */
export type DocumentFacts = {
  user_id: string;
  /** The strongest share of its folder or of one above, for the actor or the whole team. */
  shared: Level | null;
  /** What was given to the actor for this document alone, by reason. */
  given_share: Level | null;
  given_task: Level | null;
  /** The versions that the actor has decided on, and keeps. */
  given_record: readonly number[] | null;
  /**
   * Whether a barrier keeps the actor out, whether they are inside of one by emergency access only, and whether a confined
   * client's folders hold it.
   */
  closed: boolean;
  emergency_only: boolean;
  within: boolean;
};

/**
 * What may be done with a document: `write` to change it and add versions; `all` what is its owner's and administrators' too.
 * `placed`: whether it may also be moved and binned, which takes writing in its folder. `versions`: the only ones that are
 * open, where it is kept as a record. `held`: see `FolderAccess`.
 */
export type DocumentAccess = { level: Level | 'all'; via: Via; placed: boolean; versions?: readonly number[]; held?: Held };

/** What the actor may do with a document; undefined where it is to them as if it were not there. A barrier beats every grant. */
export function accessToDocument(actor: Actor, facts: DocumentFacts): DocumentAccess | undefined {
  if (actor.type === 'system') return { level: 'all', via: 'system', placed: true };
  if (facts.closed) return undefined;
  if (actor.type === 'client' || actor.type === 'agent') {
    if (actor.folderIds !== undefined && !facts.within) return undefined;
    return { level: 'write', via: 'client', placed: true };
  }
  if (actor.type !== 'user') return undefined;
  const access = accessOfPerson(actor, facts);
  return access && facts.emergency_only ? { ...access, ...emergencyOnly } : access;
}

function accessOfPerson(actor: Extract<Actor, { type: 'user' }>, facts: DocumentFacts): DocumentAccess | undefined {
  const via = viaOf(actor, {
    owns: facts.user_id === actor.id,
    share: facts.shared !== null || facts.given_share !== null,
    task: facts.given_task !== null,
    record: facts.given_record !== null,
  });
  if (via === undefined) return undefined;
  if (!readsOnly(actor) && via === 'owner') return { level: 'all', via, placed: true };
  const levels = [facts.shared, facts.given_share, facts.given_task];
  const given = { level: levels.includes('write') ? 'write' : 'read', placed: facts.shared === 'write' } as const;
  if (runsTeam(actor)) return { level: 'all', via, placed: true, held: via === 'role' ? nothingHeld : given };
  if (via === 'record') return { level: 'read', via, placed: false, versions: facts.given_record ?? [] };
  if (readsOnly(actor)) return { level: 'read', via, placed: false };
  return { ...given, via };
}

/**
 * What the actor may let others do with a document, by a task or a workflow: what they may themself by ownership, a share or
 * their role. Access by a task, a record or an emergency is theirs alone; viewers give nothing.
 */
export function givenToOthers(actor: Actor, facts: DocumentFacts): Level | undefined {
  if (readsOnly(actor) || facts.emergency_only) return undefined;
  const access = accessToDocument(actor, { ...facts, given_task: null, given_record: null });
  if (!access) return undefined;
  if ('scopes' in actor && !actor.scopes.has('documents:write')) return actor.scopes.has('documents:read') ? 'read' : undefined;
  return access.level === 'read' ? 'read' : 'write';
}
