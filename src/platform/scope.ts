import type { Reader, Transaction } from './database/database.ts';
import type { Proof } from './database/credential-check.ts';
import type { DomainEvent } from './journal/domain-event.ts';

/**
 * Who acts. `system` acts without a person: timers, retention. `folderIds` confines a client or agent to these folders and
 * what lies in them; without it the whole team's are open to it. `scopes` go along, since naming a thing takes the scope to read it.
 * A person whom a program acts for has `scopes` as well: what they have allowed it, of what is theirs.
 * A `visitor` has no account: they came by a link, and `id` names their session with it. What they may do is what the link is for.
 */
export type Actor =
  | { type: 'user'; id: string; role?: string }
  | { type: 'user'; id: string; role?: string; scopes: ReadonlySet<string> }
  | { type: 'client' | 'agent'; id: string; scopes: ReadonlySet<string>; folderIds?: readonly string[] }
  | { type: 'staff'; id: string }
  | { type: 'visitor'; id: string }
  | { type: 'system' };

/** Every kind of actor, as answers name it. */
export const actorTypes: readonly Actor['type'][] = ['user', 'client', 'agent', 'staff', 'visitor', 'system'];

/** Owners and administrators see to everything of their team. */
export function isTeamManager(actor: Actor): boolean {
  return actor.type === 'user' && (actor.role === 'owner' || actor.role === 'admin');
}

/** Whether the actor is a program that is confined to folders: what is counted or kept of the whole team is not for it. */
export function isConfined(actor: Actor): boolean {
  return 'folderIds' in actor && actor.folderIds !== undefined;
}

/** The identifier by which barriers know an actor; null for a program, which is a member of no barrier. */
export const userIdOf = (actor: Actor): string | null => (actor.type === 'user' ? actor.id : null);

/** Viewers only read, whatever they own or were given. */
export function readsOnly(actor: Actor): boolean {
  return actor.type === 'user' && actor.role === 'viewer';
}

/** Who asks, as proven by the credential of the request. */
export type Principal = {
  actor: Extract<Actor, { id: string }>;
  /** The team the credential belongs to; staff have none. */
  team: string | undefined;
  role: string | undefined;
  scopes: ReadonlySet<string>;
  /** The session or client behind the credential: what revocation names. */
  sessionId: string;
  /** Unix seconds of the last time the person actively proved who they are. */
  authTime: number;
  /** `aal1` one factor, `aal2` two (NIST SP 800-63B). */
  acr: string;
  /** Unix seconds at which the credential ends. */
  expiresAt: number;
  /** Proves the credential once more, inside the transaction of what is done with it. */
  proof: Proof;
};

/** Who accesses a resource, in which team, and how it is read. */
export type AccessContext = { db: Pick<Reader, 'first' | 'all'>; team: string; actor: Actor };

/** What a use case that reads takes. */
export type ReadScope = {
  db: Reader;
  team: string;
  actor: Actor;
  /** Whom the journal names, where that is not `actor`: a visitor acts by the rights of whoever published what they answer. */
  recordedAs?: Actor;
  now: Date;
  requestId: string;
  ip?: string;
};

/** Hears an event in the transaction of its act: writes rows, does no I/O elsewhere. A rejection undoes the act. */
export type EventListener = ((scope: Scope, event: DomainEvent) => Promise<void>) & {
  /** The one type of events that it hears; without it all. */
  readonly subscribes?: string;
};

/** What a use case that changes something takes: the same inside one open transaction of the team. */
export type Scope = Omit<ReadScope, 'db'> & {
  db: Transaction;
  /** Who hears what is recorded, in the same transaction. */
  listeners: readonly EventListener[];
};

/** A request whose team is not known yet: registration, sign-in, links. */
export type PublicScope = {
  db: Transaction;
  now: Date;
  requestId: string;
  ip?: string;
  listeners: readonly EventListener[];
};

/** Runs work in a transaction of a public request. */
export type RunUnauthenticated = <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T>;

/** The scope of a team, once a public request has found out which one it is. */
export function enterTeam(scope: PublicScope, team: string, actor: Actor): Scope {
  scope.db.enterTeam(team);
  return { ...scope, team, actor };
}

/**
 * To be called before a credential of `holder` ends or may do less, once the holder's row is locked. Whoever ends their own is
 * proven now: at the end of the transaction nobody would be there any more.
 */
export function beforeEnding({ db, actor }: Pick<Scope, 'db' | 'actor'>, ownerId: string): void {
  if (actor.type !== 'system' && actor.id === ownerId) db.prove();
}
