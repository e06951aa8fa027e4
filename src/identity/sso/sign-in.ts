import {
  conflictOf,
  type Device,
  type Federated,
  linkFederated,
  noteConflict,
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
  ssoProblems.sso_not_configured('No team signs in so: give the `email` of somebody whose team does, or the `connectionId` it told you.');

/** Sends a browser to the provider of a team. Errors: 400 `sso_callback_invalid`, 404 `sso_not_configured`, 502. */
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
    // With an age of nothing the provider asks again, and says in `auth_time` when it did.
    ...(input.prompt === 'login' ? { prompt: 'login', max_age: '0' } : {}),
  };
  const location = pageOf(() => client.buildAuthorizationUrl(configuration, parameters));
  const until = now.getTime() + stateSeconds * 1_000;
  const { team, returnTo, link } = input;
  const begun = { state, nonce, verifier, connection: connection.id, team, returnTo, until, ...(link === undefined ? {} : { link }) };
  return { location: location.href, begun };
}

/** The account and address of a person who may link a provider: they have just signed in. Errors: 401 `reauthentication_required`. */
export async function whoLinks(scope: Scope, session: string): Promise<{ account: string; email: string }> {
  const { account_id: account, email } = await requireRecentSignIn(scope, session);
  return { account, email };
}

/** Sends the browser of a person who is signed in to a provider of their team, to link the two. Errors: 400 `sso_callback_invalid`, 404, 502. */
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

/** A page of the service or of CORS_ORIGINS: nobody is sent anywhere else with the outcome of a sign-in. */
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

/** The page to sign in at, where the provider names one that a browser may be sent to. Errors: 502. */
function pageOf(build: () => URL): URL {
  try {
    return build();
  } catch {
    throw unavailable();
  }
}

const unavailable = () =>
  ssoProblems.sso_provider_unavailable('The provider of the team does not answer as it should. Try again in a moment.');

/** Whether an answer is to what this browser has begun, at this connection. */
export function answers(begun: Begun | undefined, connection: string, state: string | undefined): begun is Begun {
  if (!begun || begun.connection !== connection || state === undefined) return false;
  return equalInConstantTime(tokenHash(begun.state), tokenHash(state));
}

/** The one answer to whatever belongs to no sign-in that this browser has begun, or was taken before. */
export const invalidState = () =>
  ssoProblems.sso_state_invalid('This answer belongs to no sign-in that this browser has begun, or is too old. Begin the sign-in again.');

/** Uses a state up: of answers that race, or come again, one is taken. Errors: 400 `sso_state_invalid`. */
export async function takeState(database: Database, { state }: Begun): Promise<void> {
  const spent = await database.withoutTeam((tx) => tx.first(queries.spendState, { hash: tokenHash(state), seconds: stateSeconds }));
  if (!spent) throw invalidState();
}

/**
 * Completes a sign-in by the provider's answer: the code is exchanged, and the ID token must be the issuer's, for this
 * client, of this sign-in and of now (OpenID Connect Core §3.1.3.7). Errors: 403 `sso_denied`, `sso_response_invalid` and
 * those of {@link signInFederated}, 404 `sso_not_configured`, 429 after many that were refused, 502.
 */
export async function complete(
  sso: Sso,
  database: Database,
  inPublic: RunUnauthenticated,
  begun: Begun,
  answer: { search: string; error?: string | undefined },
  device: Device & { language: string },
): Promise<SsoOutcome> {
  // Switched off or deleted meanwhile, a connection signs nobody in.
  const living = await database.withoutTeam((tx) => tx.first(queries.connectionById, { id: begun.connection }));
  const row = living && (await database.reader(living.team_id).first(queries.findConnection, { team: living.team_id, id: living.id }));
  if (!living || !row) throw notConfigured();
  if (answer.error !== undefined) throw ssoProblems.sso_denied('The provider did not sign you in. Begin again, or ask whoever runs it.');
  const { throttle } = sso.accounts;
  const refusedBefore = throttle.refusedAnswer(row.id, device.ip);
  await throttle.check(database.publicReader, refusedBefore);
  const provider = await providerOf(sso, row);
  const vouched = await vouchedFor(sso, { provider, now: database.clock.now() }, row, begun, answer.search).catch(
    async (error: unknown) => {
      if (isUnreachable(error)) throw unavailable();
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      // Anybody can begin a sign-in and make an answer up: the journal forgets nothing, and the provider is asked for each.
      await throttle.count(database, refusedBefore);
      await inPublic((scope) => recordAudit(enterTeam(scope, begun.team, { type: 'system' }), answerRefused, row.id, { reason }));
      throw ssoProblems.sso_response_invalid(
        'The answer of the provider is not accepted. Begin again; an administrator finds why in the audit journal.',
      );
    },
  );
  let who: Federated | undefined;
  const settled = inPublic(async (outer) => {
    const one = { team: begun.team, id: row.id };
    const { db } = enterTeam(outer, begun.team, { type: 'system' });
    // The provider may have taken its time: what the team says of it counts as of now, and stays so until the end.
    db.send(queries.holdConnection, one);
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
      // As of answers that are refused: the journal forgets nothing.
      await throttle.count(database, refusedBefore);
      await inPublic((outer) => noteConflict(sso.accounts, outer, person, conflict));
    }
    throw error;
  });
}

/** Without a domain that is the team’s own a connection signs nobody in. */
const hasVerified = ({ domains }: queries.ConnectionRow) => domains.some(({ verifiedAt }) => verifiedAt !== undefined);

/** Whatever a provider says beside what the protocol's library has checked: of any type. */
type Claims = Record<string, unknown>;
/** The claims of a provider about a person, before the team decides which of them count. */
type Vouched = Pick<Federated, 'issuer' | 'subject' | 'email' | 'firstName' | 'lastName'> & {
  /** The claim of the provider about the address. */
  said: 'verified' | 'unverified' | 'nothing';
  strong: boolean;
  authTime?: Date;
};

/** What of it a team believes, by its connection. */
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
  if (!claims || tokens.id_token === undefined) throw new Error('an ID token was expected and none came');
  // Checks signatures of ID tokens although they come over TLS: a proxy on the way cannot replace a token.
  await judged(compactVerify(tokens.id_token, keys));
  // Also where the token is for one audience (OpenID Connect Core section 3.1.3.7).
  if (claims.azp !== undefined && claims.azp !== row.client_id) throw new OtherParty('the token was issued to another client');
  if (!isSubject(claims.sub)) throw new UnusableSubject('the provider names nobody');
  // Some providers keep the address out of the ID token (OpenID Connect Core §5.4).
  const more: Claims =
    claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await judged(client.fetchUserInfo(configuration, tokens.access_token, claims.sub))
      : {};
  // Whether an address is verified is said beside it; that it is not counts wherever it is said.
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

/** `email_verified` as providers send it, and `xms_edov`, by which Entra ID says that the owner of the address’s domain is verified. */
const verifiedValues: Record<string, readonly unknown[]> = { email_verified: [true, 'true'], xms_edov: [true, 1, '1', 'true'] };

const saysVerified = (claims: Claims): boolean => Object.entries(verifiedValues).some(([name, values]) => values.includes(claims[name]));

/** Whether claims deny that the address is the person’s. One of these has another value, or Entra ID reports a guest (`acct` 1). */
const deniesAddress = (claims: Claims): boolean =>
  [1, '1'].includes(claims.acct as string | number) ||
  Object.entries(verifiedValues).some(([name, values]) => claims[name] !== undefined && !values.includes(claims[name]));

/**
 * Whether a text can be somebody at a provider (OpenID Connect Core §2: 255 characters at most). Of providers that take it from a
 * property that not everybody has, all who lack that would be one person.
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

/** The result of the protocol libraries for an answer. Errors without a code, as for an invalid key, become {@link UnreadableAnswer}. */
const judged = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause: unknown) => {
    const isKnownCause = reasonOf(cause) !== undefined || isUnreachable(cause);
    throw isKnownCause ? cause : new UnreadableAnswer('the answer of the provider cannot be read', { cause });
  });

/** What providers call a sign-in with a second factor: RFC 8176, NIST, the Extended Authentication Profile, PAPE. */
const strongContexts = new Set(['aal2', 'aal3', 'mfa', 'phr', 'phrh', 'http://schemas.openid.net/pape/policies/2007/06/multi-factor']);

function saysSecondFactor({ amr, acr }: Claims): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || (typeof acr === 'string' && strongContexts.has(acr));
}

/** Why the protocol's library did not take an answer, by its code; nothing for what is a fault of this service. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^(OAUTH|WWW|ERR_|UND_|E[A-Z]+$)/.test(error.code) ? error.code : undefined;
}

/** Where a browser goes with what came of a sign-in: in the fragment, which no server sees. */
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
