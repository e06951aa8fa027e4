import type { Actor } from '../platform/scope.ts';

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
  /** Whether a wall keeps the actor out, and whether a confined client's folders hold it. */
  closed: boolean;
  within: boolean;
};

/** What opened a document, as the journal says it. */
export type Via = 'owner' | 'share' | 'task' | 'record' | 'role' | 'client' | 'system';

/**
 * What may be done with a document: `write` to change it and add versions; `all` what is its owner's and administrators' too.
 * `placed`: whether it may also be moved and binned, which takes writing in its folder. `versions`: the only ones that are
 * open, where it is kept as a record.
 */
export type DocumentAccess = { level: Level | 'all'; via: Via; placed: boolean; versions?: readonly number[] };

/** What the actor may do with a document; undefined where it is to them as if it were not there. A wall beats every grant. */
export function accessToDocument(actor: Actor, facts: DocumentFacts): DocumentAccess | undefined {
  if (actor.type === 'system') return { level: 'all', via: 'system', placed: true };
  if (facts.closed) return undefined;
  if (actor.type === 'client' || actor.type === 'agent') {
    if (actor.folderIds !== undefined && !facts.within) return undefined;
    return { level: 'write', via: 'client', placed: true };
  }
  return actor.type === 'user' ? accessOfPerson(actor, facts) : undefined;
}

function accessOfPerson(actor: Extract<Actor, { type: 'user' }>, facts: DocumentFacts): DocumentAccess | undefined {
  const manager = actor.role === 'owner' || actor.role === 'admin';
  const via = viaOf(actor, facts, manager);
  if (via === undefined) return undefined;
  if (manager || (via === 'owner' && actor.role !== 'viewer')) return { level: 'all', via, placed: true };
  if (via === 'record') return { level: 'read', via, placed: false, versions: facts.given_record ?? [] };
  if (actor.role === 'viewer') return { level: 'read', via, placed: false };
  const levels = [facts.shared, facts.given_share, facts.given_task];
  return { level: levels.includes('write') ? 'write' : 'read', via, placed: facts.shared === 'write' };
}

/**
 * What the actor may let others do with a document, by a task or a workflow: what they may themself by ownership, a share or
 * their role. What a task opened, or a record kept, is theirs alone; viewers give nothing.
 */
export function givenToOthers(actor: Actor, facts: DocumentFacts): Level | undefined {
  if (actor.type === 'user' && actor.role === 'viewer') return undefined;
  const access = accessToDocument(actor, { ...facts, given_task: null, given_record: null });
  if (!access) return undefined;
  if ('scopes' in actor && !actor.scopes.has('documents:write')) return actor.scopes.has('documents:read') ? 'read' : undefined;
  return access.level === 'read' ? 'read' : 'write';
}

/** The first that holds, of the plainest reason first: what one's role alone opens is the last. */
function viaOf(actor: { id: string }, facts: DocumentFacts, manager: boolean): Via | undefined {
  if (facts.user_id === actor.id) return 'owner';
  if (facts.shared !== null || facts.given_share !== null) return 'share';
  if (facts.given_task !== null) return 'task';
  if (facts.given_record !== null) return 'record';
  return manager ? 'role' : undefined;
}
