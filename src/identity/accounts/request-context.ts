import type { FastifyRequest } from 'fastify';
import { clientIp } from '../../platform/http/client-ip.ts';
import { writingPublic } from '../../platform/http/scope.ts';
import type { PublicScope } from '../../platform/scope.ts';
import type { Device } from './sign-in/open-session.ts';

export const prefix = '/api/v1/security/auth';
export const tags = ['Account security'];
export const open = { access: { kind: 'public' } } as const;
export const signedIn = { access: { kind: 'user' } } as const;
/** Bytes of a body: what signs people in is short. */
export const bodyLimit = 16 * 1024;

export function deviceOf(request: FastifyRequest): Device {
  return { ip: clientIp(request), userAgent: request.headers['user-agent'] };
}

/** Opens a public transaction of the request, when a use case asks for one. */
export function publicly(request: FastifyRequest) {
  return <T>(work: (scope: PublicScope) => Promise<T>): Promise<T> => writingPublic(request, work);
}

/** The same with what else is known of the request, for what is written without a transaction's several exchanges. */
export function contextOf(request: FastifyRequest) {
  return { now: request.server.clock(), requestId: request.id, ip: clientIp(request), inPublic: publicly(request) };
}
