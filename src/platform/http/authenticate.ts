import type { FastifyReply, FastifyRequest } from 'fastify';
import { problems } from '../problems.ts';
import type { Principal } from '../scope.ts';
import { type Access, isPersonal, requiredScopes, type TokenAccess } from './access.ts';
import { hasBody } from './body-time.ts';
import { headersNamed } from './header-names.ts';

/** Verifies a bearer token. Returns its principal, or undefined if it is expired, revoked, forged or has another audience. */
export type VerifyToken = (token: string, audience: TokenAccess['kind']) => Promise<Principal | undefined> | Principal | undefined;

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller. Set on routes whose access requires a credential. */
    principal: Principal | null;
  }
}

const bearer = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/** Returns the challenge of a rejection in the form of RFC 6750 §3, with the members in the given order. */
export function challengeOf(access: Access, members: Record<string, string> = {}): { 'www-authenticate': string } {
  const shown = access.kind === 'mcp' ? { realm: 'mcp', ...access.challenge, ...members } : { realm: 'api', ...members };
  const written = Object.entries(shown).map(([name, value]) => `${name}="${value}"`);
  return { 'www-authenticate': `Bearer ${written.join(', ')}` };
}

/** Returns the token of the only Authorization header (RFC 6750 §2.1). Query parameters are never read. */
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

/** Returns the error for an invalid or expired credential. */
export function notAccepted(access: Access = { kind: 'user' }) {
  return problems.invalid_token('The access token is expired, revoked or not meant for this operation. Refresh it or sign in again.', {
    headers: challengeOf(access, { error: 'invalid_token' }),
  });
}

/** Returns the error for a token without the scopes of an operation. */
export function scopeMissing(detail: string, required: readonly string[], access: Access = { kind: 'user' }) {
  return problems.insufficient_scope(detail, { headers: challengeOf(access, { error: 'insufficient_scope', scope: required.join(' ') }) });
}

/**
 * Returns the hook for routes that require a credential. It verifies the token and compares the scopes.
 * The service checks the access to the resource itself.
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
        'This operation acts on the signed-in user, so an API client cannot call it. Use the token of a user.',
      );
    }
    if (principal.lacksSecondFactor && !required.every((scope) => principal.scopes.has(scope)))
      throw problems.second_factor_required(
        'The team requires a second factor. Sign in with it, or set it up: POST /api/v1/security/auth/2fa/enable-init, or a passkey.',
      );
    const isAlsoFor = access.kind === 'user' && principal.actor.type === 'user' && access.alsoFor?.includes(principal.role ?? '') === true;
    if (!required.every((scope) => principal.scopes.has(scope) || (isAlsoFor && scope === access.scope))) {
      throw scopeMissing(
        principal.actor.type === 'user'
          ? `This operation needs the scope ${namedScopes}, which your role or the app that acts for you does not have. Ask the owner or an administrator of the team.`
          : `This operation needs the scope ${namedScopes}, which the token does not have. Get a token with this scope.`,
        required,
        access,
      );
    }
    if (access.kind === 'user' && access.roles && principal.actor.type === 'user' && !access.roles.includes(principal.role ?? '')) {
      throw problems.forbidden(
        `This operation requires one of the roles ${access.roles.join(', ')} of a team. Yours is ${principal.role}.`,
      );
    }
    request.principal = principal;
  };
}

/**
 * Returns a hook that verifies the credential again after the body arrived. The credential may have ended in the meantime, and an operation can begin
 * its work outside the transaction of the action.
 */
export function recheckTokenHook(access: TokenAccess, verify: VerifyToken) {
  const authenticate = authenticateHook(access, verify);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.principal && hasBody(request)) await authenticate(request, reply);
  };
}

/** Returns the hook of a public operation with an optional caller. Without a token there is no caller; an invalid token gets 401. */
export function optionalCredentialHook(verify: VerifyToken) {
  const authenticate = authenticateHook({ kind: 'user' }, verify);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.headers.authorization !== undefined) await authenticate(request, reply);
  };
}
