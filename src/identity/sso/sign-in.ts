import {
  conflictOf,
  type Device,
  type Federated,
  linkFederated,
  recordConflict,
  parseEmail,
  requireRecentSignIn,
  type SignedIn,
  signInFederated,
} from '#accounts';
import { compactVerify } from 'jose';
import { equalInConstantTime, tokenHash } from '../../platform/crypto/tokens.ts';
import type { Database } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { enterTeam, type PublicScope, type Scope, type RunUnauthenticated } from '../../platform/scope.ts';
import { answerRefused } from './events.ts';
import { type Begun, stateSeconds } from './browser-state.ts';
import { openSecret, redirectUri } from './connections.ts';
import type { Sso } from './context.ts';
import { ssoProblems } from './problems.ts';
import { openid, UnreachableProvider } from './providers.ts';
import * as queries from './queries.ts';

type SsoOutcome = Awaited<ReturnType<typeof signInFederated>> | 'linked';

const notConfigured = () =>
  ssoProblems.sso_not_configured('No connection matches. Send the `email` of a user whose team has a provider, or a valid `connectionId`.');

/** Returns the redirect of a browser to the provider of a team. Throws 400 `sso_callback_invalid`, 404 `sso_not_configured` or 502. */
export async function begin(
  sso: Sso,
  database: Database,
  input: { email?: string; connectionId?: string; returnTo?: string; prompt?: 'login' },
  now: Date,
): Promise<{ location: string; begun: Begun }> {
  const returnTo = pageToReturnTo(sso, input.returnTo);
  const found = await database.withoutTeam((tx) => lookup(tx, input));
  const connection = found && (await database.reader(found.team_id).first(queries.findConnection, { team: found.team_id, id: found.id }));
  if (!found || !connection) throw notConfigured();
  return toProvider(sso, connection, { ...input, team: found.team_id, returnTo }, now);
}

/** The redirect of a browser to a provider: the team, the parameters for the provider, and the state for the return. */
type ProviderRedirect = { team: string; returnTo: string; email?: string; prompt?: 'login'; link?: Begun['link'] };

async function toProvider(
  sso: Sso,
  connection: queries.ConnectionRow,
  input: ProviderRedirect,
  now: Date,
): Promise<{ location: string; begun: Begun }> {
  const { configuration } = await providerOf(sso, connection);
  const client = await openid();
  const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
  const parameters = {
    redirect_uri: redirectUri(sso, connection.id),
    scope: 'openid email profile',
    response_type: 'code',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(input.email === undefined ? {} : { login_hint: input.email }),
    // With a maximum age of zero the provider authenticates the user again and reports the time in `auth_time`.
    ...(input.prompt === 'login' ? { prompt: 'login', max_age: '0' } : {}),
  };
  const location = pageOf(() => client.buildAuthorizationUrl(configuration, parameters));
  const until = now.getTime() + stateSeconds * 1_000;
  const { team, returnTo, link } = input;
  const begun = { state, nonce, verifier, connection: connection.id, team, returnTo, until, ...(link === undefined ? {} : { link }) };
  return { location: location.href, begun };
}

/** Returns the account and address of a user who may link a provider after a recent sign-in. Throws 401 `reauthentication_required`. */
export async function personToLink(scope: Scope, session: string): Promise<{ account: string; email: string }> {
  const { account_id: account, email } = await requireRecentSignIn(scope, session);
  return { account, email };
}

/**
 * Returns the redirect of a signed-in user’s browser to a provider of their team, to link the account with the provider. Throws 400
 * `sso_callback_invalid`, 404 or 502.
 */
export async function beginLink(
  sso: Sso,
  database: Database,
  input: { connectionId: string; returnTo?: string },
  who: { team: string; session: string; account: string; email: string },
  now: Date,
): Promise<{ location: string; begun: Begun }> {
  const returnTo = pageToReturnTo(sso, input.returnTo);
  const found = await database.withoutTeam((tx) => lookup(tx, { connectionId: input.connectionId }));
  const connection =
    found?.team_id === who.team && (await database.reader(who.team).first(queries.findConnection, { team: who.team, id: found.id }));
  if (!connection) throw notConfigured();
  const { team, account, session, email } = who;
  return toProvider(sso, connection, { team, returnTo, email, prompt: 'login', link: { account, session } }, now);
}

async function lookup(tx: PublicScope['db'], { email, connectionId }: { email?: string; connectionId?: string }) {
  if (connectionId !== undefined) return isUuid(connectionId) ? tx.first(queries.connectionById, { id: connectionId }) : undefined;
  const key = email === undefined ? undefined : parseEmail(email)?.key;
  return key === undefined ? undefined : tx.first(queries.connectionByDomain, { domain: key.slice(key.indexOf('@') + 1) });
}

/** Returns the page to return to. Only this service and CORS_ORIGINS may receive the result of a sign-in. */
function pageToReturnTo({ accounts: { settings } }: Sso, given: string | undefined): string {
  const own = new URL(settings.baseUrl).origin;
  const text = given ?? '/';
  const page = URL.canParse(text, own) ? new URL(text, own) : undefined;
  if (!page || ![own, ...settings.corsOrigins].includes(page.origin) || page.username !== '' || page.password !== '')
    throw ssoProblems.sso_callback_invalid(
      '`returnTo` must be a path of the service, or an address of BASE_URL or of one of CORS_ORIGINS.',
    );
  page.hash = '';
  return page.href;
}

async function providerOf(sso: Sso, row: queries.ConnectionRow) {
  const client = { id: row.id, version: row.version, issuer: row.issuer, clientId: row.client_id, clientSecret: openSecret(sso, row) };
  try {
    return await sso.providers.of(client);
  } catch {
    throw unavailable();
  }
}

/** Returns the provider’s sign-in page. Throws 502 if the provider has no valid address for it. */
function pageOf(build: () => URL): URL {
  try {
    return build();
  } catch {
    throw unavailable();
  }
}

const unavailable = () =>
  ssoProblems.sso_provider_unavailable('The provider of the team is unavailable or sent an invalid response. Try again later.');

/** Whether a response belongs to the pending sign-in of this browser at this connection. */
export function answers(begun: Begun | undefined, connection: string, state: string | undefined): begun is Begun {
  if (!begun || begun.connection !== connection || state === undefined) return false;
  return equalInConstantTime(tokenHash(begun.state), tokenHash(state));
}

/** The error for a response without a pending sign-in of this browser, or with a used state. */
export const invalidState = () =>
  ssoProblems.sso_state_invalid('The response belongs to no pending sign-in of this browser, or is too old. Start the sign-in again.');

/** Marks a state as used, so that only one of concurrent or repeated responses is accepted. Throws 400 `sso_state_invalid`. */
export async function takeState(database: Database, { state }: Begun): Promise<void> {
  const spent = await database.withoutTeam((tx) => tx.first(queries.spendState, { hash: tokenHash(state), seconds: stateSeconds }));
  if (!spent) throw invalidState();
}

/**
 * Completes a sign-in with the provider’s response. It redeems the code and checks issuer, audience, nonce and
 * times of the ID token (OpenID Connect Core §3.1.3.7). Throws 403 `sso_denied`, `sso_response_invalid` and
 * the errors of {@link signInFederated}, 404 `sso_not_configured`, 429 after many rejected responses, or 502.
 */
export async function complete(
  sso: Sso,
  database: Database,
  inPublic: RunUnauthenticated,
  begun: Begun,
  answer: { search: string; error?: string | undefined },
  device: Device & { language: string },
): Promise<SsoOutcome> {
  // A connection that was deactivated or deleted during the sign-in signs no user in.
  const living = await database.withoutTeam((tx) => tx.first(queries.connectionById, { id: begun.connection }));
  const row = living && (await database.reader(living.team_id).first(queries.findConnection, { team: living.team_id, id: living.id }));
  if (!living || !row) throw notConfigured();
  if (answer.error !== undefined)
    throw ssoProblems.sso_denied('The provider did not sign you in. Start again, or ask the operator of the provider.');
  const { throttle } = sso.accounts;
  const refusedBefore = throttle.refusedAnswer(row.id, device.ip);
  await throttle.check(database.publicReader, refusedBefore);
  const provider = await providerOf(sso, row);
  const vouched = await vouchedFor(sso, { provider, now: database.clock.now() }, row, begun, answer.search).catch(
    async (error: unknown) => {
      if (isUnreachable(error)) throw unavailable();
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      // Attackers can start sign-ins and invent responses. Each adds a permanent journal entry and a request to the provider, so they are counted.
      await throttle.count(database, refusedBefore);
      await inPublic((scope) => recordAudit(enterTeam(scope, begun.team, { type: 'system' }), answerRefused, row.id, { reason }));
      throw ssoProblems.sso_response_invalid(
        'The response of the provider was rejected. Start again. An administrator finds the reason in the audit journal.',
      );
    },
  );
  let who: Federated | undefined;
  const settled = inPublic(async (outer) => {
    const one = { team: begun.team, id: row.id };
    const { db } = enterTeam(outer, begun.team, { type: 'system' });
    // The provider may have taken long, so the current settings of the connection apply, and stay locked until the end.
    db.send(queries.lockConnectionShared, one);
    const now = await db.first(queries.findConnection, one);
    if (!now?.is_active || !hasVerified(now)) throw notConfigured();
    who = { ...believed(vouched, now), team: begun.team, language: device.language };
    if (!begun.link) return signInFederated(sso.accounts, outer, who, device);
    const { account, session } = begun.link;
    await linkFederated(enterTeam(outer, begun.team, { type: 'user', id: account }), session, who);
    return 'linked' as const;
  });
  return settled.catch(async (error: unknown) => {
    const person = who;
    const conflict = person && (await conflictOf(database.reader(person.team), person, error));
    if (conflict) {
      // Counted like rejected responses, because journal entries are permanent.
      await throttle.count(database, refusedBefore);
      await inPublic((outer) => recordConflict(sso.accounts, outer, person, conflict));
    }
    throw error;
  });
}

/** Whether the team has verified a domain. Without one, a connection signs no user in. */
const hasVerified = ({ domains }: queries.ConnectionRow) => domains.some(({ verifiedAt }) => verifiedAt !== undefined);

/** Claims that the protocol library has not checked, of any type. */
type Claims = Record<string, unknown>;
/** The claims of a provider about a user, before the settings of the connection decide which claims to trust. */
type Vouched = Pick<Federated, 'issuer' | 'subject' | 'email' | 'firstName' | 'lastName'> & {
  /** The provider’s claim about the address. */
  said: 'verified' | 'unverified' | 'nothing';
  strong: boolean;
  authTime?: Date;
};

/** Returns the claims that the team trusts by the settings of its connection. */
function believed({ strong, authTime, said, email, ...person }: Vouched, row: queries.ConnectionRow): Omit<Federated, 'team' | 'language'> {
  const counts = said === 'verified' || (said === 'nothing' && row.email_trust === 'domain');
  const secondFactorShown = row.trusts_mfa && strong;
  const owned = new Set(row.domains.filter(({ verifiedAt }) => verifiedAt !== undefined).map(({ domain }) => domain));
  return {
    ...person,
    email: counts ? email : undefined,
    connectionId: row.id,
    proven: {
      amr: secondFactorShown ? ['fed', 'mfa'] : ['fed'],
      acr: secondFactorShown ? 'aal2' : 'aal1',
      ...(authTime === undefined ? {} : { authTime }),
    },
    secondFactorShown,
    role: row.default_role,
    createsAccount: row.jit,
    owns: (domain) => owned.has(domain),
    linksByAddress: row.is_enforced,
  };
}

async function vouchedFor(
  sso: Sso,
  { provider, now }: { provider: Awaited<ReturnType<typeof providerOf>>; now: number },
  row: queries.ConnectionRow,
  begun: Begun,
  search: string,
): Promise<Vouched> {
  const client = await openid();
  const { configuration, keys } = provider;
  const tokens = await judged(
    client.authorizationCodeGrant(configuration, new URL(`${redirectUri(sso, row.id)}${search}`), {
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
    strong: saysSecondFactor(claims),
    ...authTime,
  };
}

/** Values of `email_verified` by provider, and of `xms_edov`, by which Entra ID reports that the owner of the address’s domain is verified. */
const verifiedValues: Record<string, readonly unknown[]> = { email_verified: [true, 'true'], xms_edov: [true, 1, '1', 'true'] };

const saysVerified = (claims: Claims): boolean => Object.entries(verifiedValues).some(([name, values]) => values.includes(claims[name]));

/** Whether claims deny the address: `email_verified` or `xms_edov` has another value, or Entra ID reports a guest (`acct` 1). */
const deniesAddress = (claims: Claims): boolean =>
  [1, '1'].includes(claims.acct as string | number) ||
  Object.entries(verifiedValues).some(([name, values]) => claims[name] !== undefined && !values.includes(claims[name]));

/**
 * Whether a text can identify a user at a provider (OpenID Connect Core §2: at most 255 characters). It rejects empty values, because a provider may
 * use an optional property, and all users without a value would be one user.
 */
const isSubject = (text: string) => text !== '' && text.length <= 255 && text.isWellFormed() && !/\p{Cc}/u.test(text);

class UnusableSubject extends Error {
  readonly code = 'ERR_SUBJECT';
}

class OtherParty extends Error {
  readonly code = 'ERR_AUTHORIZED_PARTY';
}

class UnreadableAnswer extends Error {
  readonly code = 'ERR_UNREADABLE';
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof UnreachableProvider || (error instanceof Error && error.cause instanceof UnreachableProvider);

/** Awaits the result of a protocol library. Converts errors without a known code, such as for an invalid key, to {@link UnreadableAnswer}. */
const judged = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause: unknown) => {
    const isKnownCause = reasonOf(cause) !== undefined || isUnreachable(cause);
    throw isKnownCause ? cause : new UnreadableAnswer('the response of the provider cannot be read', { cause });
  });

/** Values for a second factor at providers: RFC 8176, NIST, the Extended Authentication Profile, PAPE. */
const strongContexts = new Set(['aal2', 'aal3', 'mfa', 'phr', 'phrh', 'http://schemas.openid.net/pape/policies/2007/06/multi-factor']);

function saysSecondFactor({ amr, acr }: Claims): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || (typeof acr === 'string' && strongContexts.has(acr));
}

/** Returns the code of the protocol library for a rejected response. Undefined for an error of this service. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^(OAUTH|WWW|ERR_|UND_|E[A-Z]+$)/.test(error.code) ? error.code : undefined;
}

/** Returns the address that gives a page the result of a sign-in, in the fragment, which browsers do not send to servers. */
export function landing(
  begun: Begun,
  outcome: SignedIn | { challengeId: string; expiresIn: number; methods: string[] } | 'linked' | Problematic,
): string {
  const page = new URL(begun.returnTo);
  const fragment = new URLSearchParams();
  if (outcome === 'linked') fragment.set('linked', 'true');
  else if ('code' in outcome) {
    fragment.set('error', outcome.code);
    fragment.set('error_description', outcome.detail);
  } else if ('challengeId' in outcome) {
    fragment.set('challengeId', outcome.challengeId);
    fragment.set('expiresIn', String(outcome.expiresIn));
    fragment.set('methods', outcome.methods.join(','));
  }
  page.hash = fragment.toString();
  return page.href;
}

type Problematic = { code: string; detail: string };
