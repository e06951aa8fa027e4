import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieAttributes, hostCookie } from '../../../platform/http/refresh-cookie.ts';
import type { Accounts } from '../context.ts';

const registration = (accounts: Accounts) => hostCookie('pending_registration', accounts.settings);

/** Identifies the device that registered until the address is confirmed. */
export function setRegistrationCookie(accounts: Accounts, reply: FastifyReply, device: string): void {
  reply.setCookie(registration(accounts), device, { ...cookieAttributes(accounts.settings), maxAge: 86_400 });
}

export function registrationCookie(accounts: Accounts, request: FastifyRequest): string | undefined {
  return request.cookies[registration(accounts)];
}
