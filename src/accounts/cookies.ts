import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountProblems } from './problems.ts';
import type { Accounts } from './deps.ts';

const thirtyDays = 30 * 86_400;

function https(accounts: Accounts): boolean {
  return accounts.settings.baseUrl.startsWith('https:');
}

/** `__Host-` binds the cookie to this very host over https (RFC 6265bis §4.1.3.2); plain http cannot have it. */
function cookieName(accounts: Accounts): string {
  return https(accounts) ? '__Host-refresh_token' : 'refresh_token';
}

function attributes(accounts: Accounts) {
  return { path: '/', httpOnly: true, secure: https(accounts), sameSite: 'strict' as const };
}

export function setRefreshCookie(accounts: Accounts, reply: FastifyReply, token: string): void {
  reply.setCookie(cookieName(accounts), token, { ...attributes(accounts), maxAge: thirtyDays });
}

export function clearRefreshCookie(accounts: Accounts, reply: FastifyReply): void {
  reply.setCookie(cookieName(accounts), '', { ...attributes(accounts), maxAge: 0 });
}

export function refreshCookie(accounts: Accounts, request: FastifyRequest): string | undefined {
  return request.cookies[cookieName(accounts)];
}

const registration = 'pending_registration';

/** Names the device that registered, until the address is confirmed. */
export function setRegistrationCookie(accounts: Accounts, reply: FastifyReply, device: string): void {
  reply.setCookie(registration, device, { ...attributes(accounts), path: '/api/v1/security/auth', maxAge: 86_400 });
}

export function registrationCookie(request: FastifyRequest): string | undefined {
  return request.cookies[registration];
}

/**
 * A request that only a cookie speaks for must come from a page of ours: a browser says so in `Origin` or
 * `Sec-Fetch-Site`; without either it is no browser.
 */
export function refuseForeignPage(accounts: Accounts, request: FastifyRequest): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const own = [new URL(accounts.settings.baseUrl).origin, ...accounts.settings.corsOrigins];
  if (origin === undefined ? site === undefined || ['same-origin', 'same-site', 'none'].includes(site) : own.includes(origin)) return;
  throw accountProblems.cross_origin_refused(
    'This page may not use the sign-in of another: call from a page of the service, or list the origin in CORS_ORIGINS.',
  );
}
