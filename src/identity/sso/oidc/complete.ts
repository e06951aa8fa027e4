import { compactVerify } from 'jose';
import { equalInConstantTime, tokenHash } from '../../../platform/crypto/tokens.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RunUnauthenticated } from '../../../platform/scope.ts';
import { type Begun, type OidcBegun, stateSeconds } from '../browser-state.ts';
import { isSubject, strongContexts, type Vouched } from '../claims.ts';
import { isOidc, type OidcConnection, redirectUri } from '../connection-kinds.ts';
import type { Sso } from '../context.ts';
import { ssoProblems } from '../problems.ts';
import { spendState } from '../queries.ts';
import { checkRefusals, invalidState, livingConnection, refused, settle, type SsoDevice, type SsoOutcome } from '../sign-in.ts';
import { providerOf, unavailable } from './authorize.ts';
import { isUnreachable, judged, OtherParty, reasonOf, UnusableSubject } from './errors.ts';
import { openid, type Provider } from './providers.ts';

type BegunHere = Begun & OidcBegun;

/** Whether a response belongs to the pending sign-in of this browser at this connection. */
export function answers(begun: Begun | undefined, connection: string, state: string | undefined): begun is BegunHere {
  if (begun?.kind !== 'oidc' || begun.connection !== connection || state === undefined) return false;
  return equalInConstantTime(tokenHash(begun.state), tokenHash(state));
}

/** Marks a state as used, so that only one of concurrent or repeated responses is accepted. Throws 400 `sso_state_invalid`. */
export async function takeState(database: Database, { state }: OidcBegun): Promise<void> {
  const spent = await database.withoutTeam((tx) => tx.first(spendState, { hash: tokenHash(state), seconds: stateSeconds }));
  if (!spent) throw invalidState();
}

/**
 * Completes a sign-in with the provider’s response. It redeems the code and checks issuer, audience, nonce and
 * times of the ID token (OpenID Connect Core §3.1.3.7). Throws 403 `sso_denied`, `sso_response_invalid`,
 * 429 after many rejected responses, 502 and the errors of {@link settle}.
 */
export async function complete(
  sso: Sso,
  database: Database,
  inPublic: RunUnauthenticated,
  begun: BegunHere,
  answer: { search: string; error?: string | undefined },
  device: SsoDevice,
): Promise<SsoOutcome> {
  const { row } = await livingConnection(database, begun.connection, isOidc);
  if (answer.error !== undefined)
    throw ssoProblems.sso_denied('The provider did not sign you in. Start again, or ask the operator of the provider.');
  await checkRefusals(sso, database, row.id, device.ip);
  const provider = await providerOf(sso, row);
  const vouched = await vouchedFor(sso, { provider, now: database.clock.now() }, row, begun, answer.search).catch(
    async (error: unknown) => {
      if (isUnreachable(error)) throw unavailable();
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      throw await refused(sso, database, inPublic, { team: begun.team, connection: row.id, ip: device.ip, reason });
    },
  );
  return settle(sso, database, inPublic, { begun, vouched, device });
}

/** Claims that the protocol library has not checked, of any type. */
type Claims = Record<string, unknown>;

async function vouchedFor(
  sso: Sso,
  { provider, now }: { provider: Provider; now: number },
  row: OidcConnection,
  begun: OidcBegun,
  search: string,
): Promise<Vouched> {
  const client = await openid();
  const { configuration, keys } = provider;
  const tokens = await judged(
    client.authorizationCodeGrant(configuration, new URL(`${redirectUri(sso, row)}${search}`), {
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      pkceCodeVerifier: begun.verifier,
      idTokenExpected: true,
    }),
  );
  const claims: (Claims & { iss: string; sub: string }) | undefined = tokens.claims();
  if (!claims || tokens.id_token === undefined) throw new Error('the token response has no ID token');
  // Checks signatures of ID tokens although they arrive over TLS, so that a proxy cannot replace a token.
  await judged(compactVerify(tokens.id_token, keys));
  // Also for a token with one audience (OpenID Connect Core section 3.1.3.7).
  if (claims.azp !== undefined && claims.azp !== row.client_id) throw new OtherParty('the token was issued to another client');
  if (!isSubject(claims.sub)) throw new UnusableSubject('the ID token has no usable subject');
  // Some providers omit the address from the ID token (OpenID Connect Core §5.4).
  const more: Claims =
    claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await judged(client.fetchUserInfo(configuration, tokens.access_token, claims.sub))
      : {};
  // The verification of an address is a claim beside it. A denial counts in either source.
  const beside = claims.email === undefined ? more : claims;
  const { email } = beside;
  const { given_name: firstName, family_name: lastName } = { ...more, ...claims };
  const authTime = typeof claims.auth_time === 'number' ? { authTime: new Date(Math.min(claims.auth_time * 1_000, now)) } : {};
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' ? email : undefined,
    said: [more, claims].some(deniesAddress) ? 'unverified' : saysVerified(beside) ? 'verified' : 'nothing',
    firstName: typeof firstName === 'string' ? firstName : undefined,
    lastName: typeof lastName === 'string' ? lastName : undefined,
    objectId: identifierIn({ ...more, ...claims }, row.subject_claim ?? 'oid'),
    strong: saysSecondFactor(claims),
    ...authTime,
    ...(typeof claims.sid === 'string' && isSubject(claims.sid) ? { idpSession: claims.sid } : {}),
  };
}

function identifierIn(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && isSubject(value) ? value : undefined;
}

/** Values of `email_verified` by provider, and of `xms_edov`, by which Entra ID reports that the owner of the address’s domain is verified. */
const verifiedValues: Record<string, readonly unknown[]> = { email_verified: [true, 'true'], xms_edov: [true, 1, '1', 'true'] };

const saysVerified = (claims: Claims): boolean => Object.entries(verifiedValues).some(([name, values]) => values.includes(claims[name]));

/** Whether claims deny the address: one of these claims has another value, or Entra ID reports a guest (`acct` 1). */
const deniesAddress = (claims: Claims): boolean =>
  [1, '1'].includes(claims.acct as string | number) ||
  Object.entries(verifiedValues).some(([name, values]) => claims[name] !== undefined && !values.includes(claims[name]));

function saysSecondFactor({ amr, acr }: Claims): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || (typeof acr === 'string' && strongContexts.has(acr));
}
