import { endSessionsAtProvider } from '#accounts';
import { decodeJwt, jwtVerify } from 'jose';
import { tokenHash } from '../../../platform/crypto/tokens.ts';
import type { Database } from '../../../platform/database/database.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { enterTeam, type RunUnauthenticated } from '../../../platform/scope.ts';
import { isSubject } from '../claims.ts';
import { isOidc, type OidcConnection } from '../connection-kinds.ts';
import type { Sso } from '../context.ts';
import { ssoProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { checkRefusals, notConfigured, refused } from '../sign-in.ts';
import { providerOf, unavailable } from './authorize.ts';
import { isUnreachable, reasonOf } from './errors.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const maxAgeSeconds = 120;
const toleranceSeconds = 60;

/** The content of a verified logout token. At least one of `subject` and `idpSession` is present. */
type Logout = { id: string; subject?: string; idpSession?: string };

class InvalidLogout extends Error {
  readonly code = 'ERR_LOGOUT_TOKEN';
}

/**
 * Ends the sessions that a logout token of the provider names (OpenID Connect Back-Channel Logout 1.0 section 2.6). A connection that is inactive or
 * has lost its domains still ends sessions. Throws 400 `logout_token_invalid`, 404, 429 or 502.
 */
export async function endAtProvider(
  sso: Sso,
  database: Database,
  inPublic: RunUnauthenticated,
  { connectionId, token, ip }: { connectionId: string; token: string; ip: string | undefined },
): Promise<void> {
  const found = isUuid(connectionId)
    ? await database.withoutTeam((tx) => tx.first(queries.teamOfConnection, { id: connectionId }))
    : undefined;
  const team = found?.team_id ?? '';
  const row = found && (await database.reader(team).first(queries.findConnection, { team, id: connectionId }));
  if (!row || !isOidc(row)) throw notConfigured();
  await checkRefusals(sso, database, row.id, ip);
  const logout = await readLogout(sso, row, token, database.clock.now()).catch(async (error: unknown) => {
    if (isUnreachable(error)) throw unavailable();
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    await refused(sso, database, inPublic, { team, connection: row.id, ip, reason });
    throw invalidToken('The logout token was rejected. An administrator finds the reason in the audit journal.');
  });
  const { id, ...named } = logout;
  await inPublic(async (outer) => {
    const seconds = maxAgeSeconds + toleranceSeconds;
    const isNew = await outer.db.first(queries.spendState, { hash: tokenHash(`logout ${row.id} ${id}`), seconds });
    if (!isNew) throw invalidToken('The logout token was already used.');
    const scope = enterTeam(outer, team, { type: 'system' });
    // A sign-in through the connection holds this lock until its end, so it is found or comes after the logout.
    await scope.db.all(queries.lockConnection, { team, id: row.id });
    await endSessionsAtProvider(sso.accounts, scope, { connectionId: row.id, issuer: row.issuer, ...named });
  });
}

const invalidToken = (detail: string) => ssoProblems.logout_token_invalid(detail);

async function readLogout(sso: Sso, row: OidcConnection, token: string, now: number): Promise<Logout> {
  // A text of another form is rejected without a request to the provider.
  decodeJwt(token);
  const { keys } = await providerOf(sso, row);
  const { payload } = await jwtVerify(token, keys, {
    issuer: row.issuer,
    audience: row.client_id,
    requiredClaims: ['iat', 'jti'],
    maxTokenAge: maxAgeSeconds,
    clockTolerance: toleranceSeconds,
    currentDate: new Date(now),
  });
  const { jti = '', sub, sid, events } = payload;
  if (payload.nonce !== undefined || !isLogout(events)) throw new InvalidLogout('the token is not a logout token');
  if (!isSubject(jti) || [sub, sid].some((name) => name !== undefined && !(typeof name === 'string' && isSubject(name))))
    throw new InvalidLogout('the token has an unusable identifier');
  if (sub === undefined && sid === undefined) throw new InvalidLogout('the token does not name a session');
  return { id: jti, ...(sub === undefined ? {} : { subject: sub }), ...(typeof sid === 'string' ? { idpSession: sid } : {}) };
}

const isLogout = (events: unknown): boolean =>
  typeof events === 'object' &&
  events !== null &&
  Object.hasOwn(events, logoutEvent) &&
  isObject((events as Record<string, unknown>)[logoutEvent]);
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
