import type { FastifyRequest } from 'fastify';
import type { Database, Transaction } from '../database/database.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import type { EventListener } from '../journal/listeners.ts';
import { problems } from '../problems.ts';
import type { Principal, PublicScope, ReadScope, Scope } from '../scope.ts';
import { clientIp } from './client-ip.ts';
import { type Answers, type IdempotentAttempt, unlessKept, withIdempotency } from './idempotency.ts';
import { proven } from './with-credential-check.ts';

declare module 'fastify' {
  interface FastifyInstance {
    database: Database;
    listeners: readonly EventListener[];
    answers: Answers;
    /** The time of day; a parameter so that tests hold it still. */
    clock: () => Date;
  }
}

/** Under what an answer is kept, where that is not the request as a whole. */
type StoredResponsePart = Partial<Pick<IdempotentAttempt, 'fingerprint' | 'part'>>;

/** Who asks; the authentication hook has proven it. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw problems.unauthenticated('Send an access token in the Authorization header.');
  return request.principal;
}

function teamOf(principal: Principal): string {
  if (principal.team === undefined) throw problems.forbidden('This operation belongs to a team; the token has none.');
  return principal.team;
}

/** The scope of a request that reads: each statement is a transaction of its own. */
export function reading(request: FastifyRequest): ReadScope {
  const principal = principalOf(request);
  const team = teamOf(principal);
  return {
    db: request.server.database.reader(team),
    team,
    actor: principal.actor,
    now: request.server.clock(),
    requestId: request.id,
    ip: clientIp(request),
  };
}

/**
 * Runs a use case that changes something, in one transaction of the caller's team, which is committed only while the
 * credential of the request stands. With an `Idempotency-Key` the answer is kept in the same transaction, so that a repeated
 * request gets it again and nothing happens twice.
 * `work` returns JSON or nothing: what it returns is what a replay returns.
 */
export function writing<T>(request: FastifyRequest, work: (scope: Scope) => Promise<T>, kept: StoredResponsePart = {}): Promise<T> {
  const attempt = attemptOf(request, kept);
  return writingPart(request, (scope) => withIdempotency(attempt, scope.db, () => work(scope)));
}

/**
 * The same for a part of an answer that is sent over a long time, in a transaction of its own: nothing is kept under an
 * `Idempotency-Key`, so that what is asked again is looked at again.
 */
export function writingPart<T>(request: FastifyRequest, work: (scope: Scope) => Promise<T>): Promise<T> {
  const principal = principalOf(request);
  const team = teamOf(principal);
  const { database, listeners } = request.server;
  const act = (db: Transaction): Promise<T> =>
    work({
      db,
      team,
      actor: principal.actor,
      now: request.server.clock(),
      requestId: request.id,
      ip: clientIp(request),
      listeners,
    });
  return proven(() => retryOnConflict(() => database.inTeam(team, act, principal.proof)));
}

/**
 * The same for a use case that needs something made or checked before its transaction, such as a hash or a code that is good
 * once: a request that is repeated under its `Idempotency-Key` gets its answer without that.
 */
export async function preparedWriting<P, T>(
  request: FastifyRequest,
  prepare: () => Promise<P>,
  work: (scope: Scope, prepared: P) => Promise<T>,
  kept: StoredResponsePart = {},
): Promise<T> {
  if (request.headers['idempotency-key'] !== undefined) {
    const attempt = attemptOf(request, kept);
    const look = (db: Transaction) => unlessKept<T | typeof notKept>(attempt, db, async () => notKept);
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
    answers: request.server.answers,
    fingerprint: undefined,
    ...kept,
  };
}

/**
 * Runs a use case of a caller who needs no credential, in one transaction that sees no team until it enters one. A credential
 * that was sent all the same is proven in it. Give the team that the request is about where it is known before: many requests to one
 * team then delay no other.
 */
export function writingPublic<T>(request: FastifyRequest, work: (scope: PublicScope) => Promise<T>, team?: string): Promise<T> {
  const { database, listeners } = request.server;
  const act = (db: Transaction): Promise<T> =>
    work({ db, now: request.server.clock(), requestId: request.id, ip: clientIp(request), listeners });
  return proven(() => retryOnConflict(() => database.withoutTeam(act, request.principal?.proof, team)));
}
