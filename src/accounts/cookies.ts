import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieAttributes } from '../platform/http/refresh-cookie.ts';
import type { Accounts } from './deps.ts';

const registration = 'pending_registration';

/** Names the device that registered, until the address is confirmed. */
export function setRegistrationCookie(accounts: Accounts, reply: FastifyReply, device: string): void {
  reply.setCookie(registration, device, { ...cookieAttributes(accounts.settings), path: '/api/v1/security/auth', maxAge: 86_400 });
}

export function registrationCookie(request: FastifyRequest): string | undefined {
  return request.cookies[registration];
}
