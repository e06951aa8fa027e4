import type { FastifyRequest } from 'fastify';
import type { Transaction } from '../../platform/database/database.ts';
import { clientIp } from '../../platform/http/client-ip.ts';
import { type IdempotentAttempt, unlessStored, withIdempotency } from '../../platform/http/idempotency.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { serviceTeam } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { across, asStaff, type Origin, type Staff } from './context.ts';

export const prefix = '/api/v1/security/auth/staff';
export const open = { access: { kind: 'public' } } as const;
export const byStaff = { access: { kind: 'staff' } } as const;
export const bodyLimit = 16 * 1024;

export function originOf(request: FastifyRequest): Origin {
  const [ip, userAgent] = [clientIp(request), request.headers['user-agent']];
  return {
    now: request.server.clock(),
    requestId: request.id,
    ...(ip === undefined ? {} : { ip }),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
}

/** Runs a staff request in one transaction, recorded in the journal of the service. It commits only while the session is valid. */
export function acting<T>(staff: Staff, request: FastifyRequest, reason: string, work: (scope: Scope) => Promise<T>): Promise<T> {
  const { actor, proof } = principalOf(request);
  const act = (scope: Scope) => withIdempotency(attemptOf(request), scope.db, () => work(scope));
  return asStaff(staff, reason, originOf(request), actor, act, proof);
}

/** Like `acting`, with checks before the transaction. The checks are skipped if the request was already executed. */
export async function preparedActing<P, T>(
  staff: Staff,
  request: FastifyRequest,
  reason: string,
  prepare: () => Promise<P>,
  work: (scope: Scope, prepared: P) => Promise<T>,
): Promise<T> {
  if (request.headers['idempotency-key'] !== undefined) {
    const look = (db: Transaction) => unlessStored<T | typeof notKept>(attemptOf(request), db, async () => notKept);
    const kept = await across(staff, 'a stored response', look, principalOf(request).proof);
    if (kept !== notKept) return kept;
  }
  const prepared = await prepare();
  return acting(staff, request, reason, (scope) => work(scope, prepared));
}

const notKept = Symbol('not kept');

/** Idempotent responses to staff are stored under the team of the service. */
export function attemptOf(request: FastifyRequest): IdempotentAttempt {
  return {
    request,
    team: serviceTeam,
    actorId: principalOf(request).actor.id,
    cipher: request.server.responseCipher,
    fingerprint: undefined,
  };
}
