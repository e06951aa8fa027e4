import type { FastifyReply, FastifyRequest } from 'fastify';
import { problems } from '../problems.ts';
import type { Principal } from '../scope.ts';
import { type Access, isPersonal, requiredScopes, type TokenAccess } from './access.ts';
import { hasBody } from './body-time.ts';
import { headersNamed } from './header-names.ts';

/** Proves a bearer token: who it belongs to, or nothing when it is expired, revoked, forged or of another audience. */
export type VerifyToken = (token: string, audience: TokenAccess['kind']) => Promise<Principal | undefined> | Principal | undefined;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set on routes whose access needs a credential. */
    principal: Principal | null;
  }
}

const bearer = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/** What a refusal asks for, as RFC 6750 §3 writes it; `error` and what follows it, in the order given. */
export function challengeOf(access: Access, members: Record<string, string> = {}): { 'www-authenticate': string } {
  const shown = access.kind === 'mcp' ? { realm: 'mcp', ...access.challenge, ...members } : { realm: 'api', ...members };
  const written = Object.entries(shown).map(([name, value]) => `${name}="${value}"`);
  return { 'www-authenticate': `Bearer ${written.join(', ')}` };
}

/** The token of the one Authorization header. RFC 6750 §2.1; a query parameter is never looked at. */
function bearerToken(request: FastifyRequest, access: Access): string {
  const header = request.headers.authorization;
  if (header === undefined) {
    throw problems.unauthenticated('Send an access token in the Authorization header: `Authorization: Bearer <token>`.', {
      headers: challengeOf(access),
    });
  }
  const token = bearer.exec(header)?.[1];
  if (token === undefined || token.length > 8_192 || headersNamed(request, 'authorization') > 1) throw notAccepted(access);
  return token;
}

/** The one answer to a credential that is not good, or is no longer. */
export function notAccepted(access: Access = { kind: 'user' }) {
  return problems.invalid_token('The access token is expired, revoked or not meant for this operation. Refresh it or sign in again.', {
    headers: challengeOf(access, { error: 'invalid_token' }),
  });
}

/**
 * The hook that runs before each route that needs a credential: proves the token, then compares the declared scope.
 * What the resource itself allows is the service's business.
 */
export function authenticateHook(access: TokenAccess, verify: VerifyToken) {
  const required = requiredScopes(access);
  const namedScopes = required.map((scope) => `\`${scope}\``).join(' and ');
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const token = bearerToken(request, access);
    const principal = await verify(token, access.kind);
    if (!principal) throw notAccepted(access);
    if (principal.actor.type === 'client' && isPersonal(access)) {
      throw problems.person_required(
        'This operation belongs to a person and has no meaning for an API client. Call it with the token of a person who signed in.',
      );
    }
    if (!required.every((scope) => principal.scopes.has(scope))) {
      throw problems.insufficient_scope(`This operation needs the scope ${namedScopes}, which the token does not carry.`, {
        headers: challengeOf(access, { error: 'insufficient_scope', scope: required.join(' ') }),
      });
    }
    if (access.kind === 'user' && access.roles && principal.actor.type === 'user' && !access.roles.includes(principal.role ?? '')) {
      throw problems.forbidden(`This operation is for the roles ${access.roles.join(', ')} of a team. Yours is ${principal.role}.`);
    }
    request.principal = principal;
  };
}

/**
 * Proves the credential again once a body has come: it may have ended since the headers did, and what is done first may be
 * done outside the transaction of the act.
 */
export function stillGoodHook(access: TokenAccess, verify: VerifyToken) {
  const authenticate = authenticateHook(access, verify);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.principal && hasBody(request)) await authenticate(request, reply);
  };
}

/** The hook of a public operation that is told who asks: without a token nobody, with one that is not good a 401. */
export function optionalCredentialHook(verify: VerifyToken) {
  const authenticate = authenticateHook({ kind: 'user' }, verify);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.headers.authorization !== undefined) await authenticate(request, reply);
  };
}
