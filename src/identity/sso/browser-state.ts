import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieAttributes } from '../../platform/http/refresh-cookie.ts';
import type { Sso } from './context.ts';

/** The encrypted cookie of a browser that was sent to a provider. Only this browser can complete the sign-in. */
export type Begun = (OidcBegun | SamlBegun) & {
  connection: string;
  team: string;
  returnTo: string;
  /** The account to link, and the session of the request. Absent for a sign-in. */
  link?: { account: string; session: string };
  /** Expiry in Unix milliseconds. */
  until: number;
};

/** The secrets of an authorization request. */
export type OidcBegun = { kind: 'oidc'; state: string; nonce: string; verifier: string };
/** The identifier of an authentication request. */
export type SamlBegun = { kind: 'saml'; request: string };

/** Seconds for the sign-in at the provider. */
export const stateSeconds = 600;
const place = 'sso state cookie';

/**
 * The cookie attributes. `SameSite` is `Lax`, because the response of the provider is a navigation from another site, which would not send a `Strict`
 * cookie.
 */
function attributes({ accounts }: Sso) {
  return { ...cookieAttributes(accounts.settings), sameSite: 'lax' as const };
}
const nameOf = (sso: Sso) => (attributes(sso).secure ? '__Host-sso_state' : 'sso_state');

export function setBegunCookie(sso: Sso, reply: FastifyReply, begun: Begun): void {
  const sealed = sso.keys.states.seal(JSON.stringify(begun), place).toString('base64url');
  reply.setCookie(nameOf(sso), sealed, { ...attributes(sso), maxAge: stateSeconds });
}

export function forgetBegun(sso: Sso, reply: FastifyReply): void {
  reply.setCookie(nameOf(sso), '', { ...attributes(sso), maxAge: 0 });
}

/** Returns the pending sign-in of this browser. Returns undefined if it has expired or the cookie is not from this service. */
export function readBegun(sso: Sso, request: FastifyRequest, now: Date): Begun | undefined {
  const cookie = request.cookies[nameOf(sso)];
  if (cookie === undefined) return undefined;
  try {
    const begun = JSON.parse(sso.keys.states.open(Buffer.from(cookie, 'base64url'), place).toString()) as Begun;
    return begun.until > now.getTime() ? begun : undefined;
  } catch {
    return undefined;
  }
}
