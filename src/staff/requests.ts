import type { FastifyRequest } from 'fastify';
import { clientIp } from '../platform/http/client-ip.ts';
import { type Attempt, unlessKept, withIdempotency } from '../platform/http/idempotency.ts';
import { principalOf } from '../platform/http/scope.ts';
import { serviceTeam } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { across, asStaff, type Origin, type Staff } from './deps.ts';

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

/** Runs what a member of staff asked for, in one transaction, in the service's journal. */
export function acting<T>(staff: Staff, request: FastifyRequest, reason: string, work: (scope: Scope) => Promise<T>): Promise<T> {
  return asStaff(staff, reason, originOf(request), principalOf(request).actor, (scope) =>
    withIdempotency(attemptOf(request), scope.db, () => work(scope)),
  );
}

/** The same for what needs something checked before its transaction: not for a request that was carried out. */
export async function preparedActing<P, T>(
  staff: Staff,
  request: FastifyRequest,
  reason: string,
  prepare: () => Promise<P>,
  work: (scope: Scope, prepared: P) => Promise<T>,
): Promise<T> {
  const notKept = Symbol('not kept');
  const kept = await across(staff, 'an answer that is kept', (db) =>
    unlessKept<T | typeof notKept>(attemptOf(request), db, async () => notKept),
  );
  if (kept !== notKept) return kept;
  const prepared = await prepare();
  return acting(staff, request, reason, (scope) => work(scope, prepared));
}

/** Answers to staff are kept in the service's own name. */
export function attemptOf(request: FastifyRequest): Attempt {
  return { request, team: serviceTeam, actorId: principalOf(request).actor.id, answers: request.server.answers, fingerprint: undefined };
}
