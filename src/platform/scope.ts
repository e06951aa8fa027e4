import type { Reader, Transaction } from './database/database.ts';
import type { Proof } from './database/credential-check.ts';
import type { DomainEvent } from './journal/domain-event.ts';

/**
 * The actor of an action. `system` acts for no user, for example in timers and retention.
 * `folderIds` limits a client or agent to these folders and their subfolders; without it the actor can access the whole team.
 * `scopes` are the granted scopes, because a response may name a resource only if the actor has the scope to read it.
 * A user on whose behalf a connected app acts has `scopes` too: the scopes that the user granted to the app.
 * A `directory` provisions users and groups over SCIM.
 * A `visitor` has no account. `id` is the session of the link that they opened, and the link determines their rights.
 */
export type Actor =
  | { type: 'user'; id: string; role?: string }
  | { type: 'user'; id: string; role?: string; scopes: ReadonlySet<string> }
  | { type: 'client' | 'agent'; id: string; scopes: ReadonlySet<string>; folderIds?: readonly string[] }
  | { type: 'staff'; id: string }
  | { type: 'visitor'; id: string }
  | { type: 'directory'; id: string }
  | { type: 'system' };

/** All types of actors, as responses name them. */
export const actorTypes: readonly Actor['type'][] = ['user', 'client', 'agent', 'staff', 'visitor', 'directory', 'system'];

/** True for owners and administrators, who may access everything in their team. */
export function isTeamManager(actor: Actor): boolean {
  return actor.type === 'user' && (actor.role === 'owner' || actor.role === 'admin');
}

/** True for a client or agent that is limited to folders. It cannot read resources or totals of the whole team. */
export function isConfined(actor: Actor): boolean {
  return 'folderIds' in actor && actor.folderIds !== undefined;
}

/** Returns the user identifier that barriers check; null for other actors, which cannot be barrier members. */
export const userIdOf = (actor: Actor): string | null => (actor.type === 'user' ? actor.id : null);

/** True for viewers and auditors, who can only read, even resources that they own. */
export function readsOnly(actor: Actor): boolean {
  return actor.type === 'user' && (actor.role === 'viewer' || actor.role === 'auditor');
}

/** The authenticated caller of a request. */
export type Principal = {
  actor: Extract<Actor, { id: string }>;
  /** The team of the credential; staff have none. */
  team: string | undefined;
  role: string | undefined;
  scopes: ReadonlySet<string>;
  /** The session or client of the credential, for revocation. */
  sessionId: string;
  /** Unix seconds of the last active authentication of the user. */
  authTime: number;
  /** The level of the authentication (NIST SP 800-63B). `aal1`: one factor. `aal2`: two factors. */
  acr: string;
  /** Whether the team requires a second factor and the user signed in without one. The scopes are then those of the own profile. */
  lacksSecondFactor?: boolean;
  /** Unix seconds at which the credential expires. */
  expiresAt: number;
  /** Checks the credential again inside the transaction of the action. */
  proof: Proof;
};

/** The actor, the team and the database reader of an access check. */
export type AccessContext = { db: Pick<Reader, 'first' | 'all'>; team: string; actor: Actor };

/** The context of a use case that reads. */
export type ReadScope = {
  db: Reader;
  team: string;
  actor: Actor;
  /** The actor in the journal, if it differs from `actor`. A visitor acts with the rights of the member who published the form. */
  recordedAs?: Actor;
  now: Date;
  requestId: string;
  ip?: string;
};

/** Handles an event in the transaction of its action: it may write rows but do no other I/O. An error rolls the action back. */
export type EventListener = ((scope: Scope, event: DomainEvent) => Promise<void>) & {
  /** The only event type that the listener receives; if unset, all types. */
  readonly subscribes?: string;
};

/** The context of a use case that changes data: a read context with an open transaction of the team. */
export type Scope = Omit<ReadScope, 'db'> & {
  db: Transaction;
  /** The listeners for events of this transaction. */
  listeners: readonly EventListener[];
};

/** The context of a request before its team is known: registration, sign-in, links. */
export type PublicScope = {
  db: Transaction;
  now: Date;
  requestId: string;
  ip?: string;
  listeners: readonly EventListener[];
};

/** Runs work in a transaction of an unauthenticated request. */
export type RunUnauthenticated = <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T>;

/** The scope of a team, and of the person who acts, once a public request knows them. */
export function enterTeam(scope: PublicScope, team: string, actor: Actor): Scope {
  scope.db.enterTeam(team, actor.type === 'user' ? actor.id : undefined);
  return { ...scope, team, actor };
}

/**
 * Checks the credential of an actor who is about to end or restrict this credential. Call it after you lock the row of the owner. A check at the end
 * of the transaction would no longer find the credential.
 */
export function beforeEnding({ db, actor }: Pick<Scope, 'db' | 'actor'>, ownerId: string): void {
  if (actor.type !== 'system' && actor.id === ownerId) db.prove();
}
