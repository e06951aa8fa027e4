import type { FastifyRequest } from 'fastify';
import type { Database, Transaction } from '../database/database.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import type { EventListener } from '../journal/listeners.ts';
import { problems } from '../problems.ts';
import type { Principal, PublicScope, ReadScope, Scope } from '../scope.ts';
import { clientIp } from './client-ip.ts';
import { type ResponseCipher, type IdempotentAttempt, unlessStored, withIdempotency } from './idempotency.ts';
import { proven } from './with-credential-check.ts';

declare module 'fastify' {
  interface FastifyInstance {
    database: Database;
    listeners: readonly EventListener[];
    responseCipher: ResponseCipher;
    /** Returns the current time. Tests replace it. */
    clock: () => Date;
  }
}

/** The part of a request to which a stored response belongs, if it is not the whole request. */
type StoredResponsePart = Partial<Pick<IdempotentAttempt, 'fingerprint' | 'part'>>;

/** Returns the caller from the authentication hook. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw problems.unauthenticated('Send an access token in the Authorization header.');
  return request.principal;
}

function teamOf(principal: Principal): string {
  if (principal.team === undefined)
    throw problems.forbidden('This operation needs a team, but the token has none. Send the token of a user or API client of a team.');
  return principal.team;
}

/** Returns the person of the credential, whose tables the request can access; empty for clients. */
const personOf = ({ actor }: Principal): string => (actor.type === 'user' ? actor.id : '');

/** The scope of a request that reads. Each statement is a separate transaction. */
export function reading(request: FastifyRequest): ReadScope {
  const principal = principalOf(request);
  const team = teamOf(principal);
  return {
    db: request.server.database.reader(team, personOf(principal)),
    team,
    actor: principal.actor,
    now: request.server.clock(),
    requestId: request.id,
    ip: clientIp(request),
  };
}

/**
 * Runs a use case that changes data, in one transaction of the team of the caller. It commits only while the
 * credential of the request is valid. With an `Idempotency-Key` the response is stored in the same transaction, so a repeated
 * request gets the same response without a second change.
 * `work` returns JSON or undefined; a replay returns the same.
 */
export function writing<T>(request: FastifyRequest, work: (scope: Scope) => Promise<T>, kept: StoredResponsePart = {}): Promise<T> {
  const attempt = attemptOf(request, kept);
  return writingPart(request, (scope) => withIdempotency(attempt, scope.db, () => work(scope)));
}

/**
 * Like {@link writing}, for a part of a streamed response, in a separate transaction. Nothing is stored under an
 * `Idempotency-Key`, so a repeated request reads again.
 */
export function writingPart<T>(request: FastifyRequest, work: (scope: Scope) => Promise<T>): Promise<T> {
  const principal = principalOf(request);
  const team = teamOf(principal);
  const { database, listeners } = request.server;
  const act = (db: Transaction): Promise<T> => {
    db.enterPerson(personOf(principal));
    return work({
      db,
      team,
      actor: principal.actor,
      now: request.server.clock(),
      requestId: request.id,
      ip: clientIp(request),
      listeners,
    });
  };
  return proven(() => retryOnConflict(() => database.inTeam(team, act, principal.proof)));
}

/**
 * Like {@link writing}, for a use case with work before its transaction, such as a hash or a single-use
 * code. A request repeated under its `Idempotency-Key` gets its response without that work.
 */
export async function preparedWriting<P, T>(
  request: FastifyRequest,
  prepare: () => Promise<P>,
  work: (scope: Scope, prepared: P) => Promise<T>,
  kept: StoredResponsePart = {},
): Promise<T> {
  if (request.headers['idempotency-key'] !== undefined) {
    const attempt = attemptOf(request, kept);
    const look = (db: Transaction) => unlessStored<T | typeof notKept>(attempt, db, async () => notKept);
    const answer = await proven(() => request.server.database.inTeam(attempt.team, look, principalOf(request).proof));
    if (answer !== notKept) return answer;
  }
  const prepared = await prepare();
  return writing(request, (scope) => work(scope, prepared), kept);
}

const notKept = Symbol('not kept');

function attemptOf(request: FastifyRequest, kept: StoredResponsePart = {}): IdempotentAttempt {
  const principal = principalOf(request);
  return {
    request,
    team: teamOf(principal),
    actorId: principal.actor.id,
    cipher: request.server.responseCipher,
    fingerprint: undefined,
    ...kept,
  };
}

/**
 * Runs a use case without a required credential, in one transaction that sees no team until it enters one. If the caller sent a
 * credential, the transaction checks it. Pass the team if it is known in advance, so that many requests to one
 * team delay no other team.
 */
export function writingPublic<T>(request: FastifyRequest, work: (scope: PublicScope) => Promise<T>, team?: string): Promise<T> {
  const { database, listeners } = request.server;
  const act = (db: Transaction): Promise<T> =>
    work({ db, now: request.server.clock(), requestId: request.id, ip: clientIp(request), listeners });
  return proven(() => retryOnConflict(() => database.withoutTeam(act, request.principal?.proof, team)));
}
