import type { FastifyRequest } from 'fastify';
import { clientIp } from '../../platform/http/client-ip.ts';
import { writingPublic } from '../../platform/http/scope.ts';
import type { PublicScope } from '../../platform/scope.ts';
import type { Device } from './sign-in/open-session.ts';

export const prefix = '/api/v1/security/auth';
export const tags = ['Account security'];
export const open = { access: { kind: 'public' } } as const;
export const signedIn = { access: { kind: 'user' } } as const;
/** Maximum bytes of a body. Sign-in requests are short. */
export const bodyLimit = 16 * 1024;

export function deviceOf(request: FastifyRequest): Device {
  return { ip: clientIp(request), userAgent: request.headers['user-agent'] };
}

/** Returns a function that opens a public transaction of the request on demand. */
export function publicly(request: FastifyRequest) {
  return <T>(work: (scope: PublicScope) => Promise<T>): Promise<T> => writingPublic(request, work);
}

/** Like `publicly`, with the request data for writes in a single statement. */
export function contextOf(request: FastifyRequest) {
  return { now: request.server.clock(), requestId: request.id, ip: clientIp(request), inPublic: publicly(request) };
}
