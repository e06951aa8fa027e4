import type { FastifyRequest } from 'fastify';
import { clientIp } from '../platform/http/client-ip.ts';
import { principalOf } from '../platform/http/scope.ts';
import type { Scope } from '../platform/scope.ts';
import { asStaff, type Origin, type Staff } from './deps.ts';

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
  return asStaff(staff, reason, originOf(request), principalOf(request).actor, work);
}
