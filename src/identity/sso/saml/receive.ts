import { newToken, tokenHash, isToken } from '../../../platform/crypto/tokens.ts';
import type { Database } from '../../../platform/database/database.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import type { RunUnauthenticated } from '../../../platform/scope.ts';
import type { Begun } from '../browser-state.ts';
import type { Vouched } from '../claims.ts';
import { entityId, isSaml, redirectUri, type SamlConnection } from '../connection-kinds.ts';
import type { Sso } from '../context.ts';
import { spendState } from '../queries.ts';
import { checkRefusals, invalidState, livingConnection, notConfigured, refused } from '../sign-in.ts';
import { pemOf } from './certificates.ts';
import { vouchedBy } from './claims.ts';
import * as queries from './queries.ts';
import type { VerifiedAssertion } from './response.ts';
import { reject, RejectedXml } from './xml.ts';

/** Seconds for the redirect of the browser. */
const handleSeconds = 60;
const place = 'saml response';

/** A verified response, until the browser returns with the cookie of its request. */
type Received = { request: string; connection: string; vouched: Vouched };

/**
 * Verifies a response that a provider sent through the browser, and returns the handle with which the same browser completes the sign-in. This request
 * is cross-site, so it has no cookie. Returns undefined for an unsolicited response that the connection lets start a sign-in of this service.
 * Throws 403 `sso_response_invalid`, 404 `sso_not_configured`, 429 or 503.
 */
export async function receiveResponse(
  sso: Sso,
  database: Database,
  inPublic: RunUnauthenticated,
  { connectionId, encoded, ip }: { connectionId: string; encoded: string; ip: string | undefined },
): Promise<string | undefined> {
  if (!isUuid(connectionId)) throw notConfigured();
  const { team, row } = await livingConnection(database, connectionId, isSaml);
  await checkRefusals(sso, database, row.id, ip);
  try {
    const now = database.clock.now();
    const assertion = await verified(sso, team, row, encoded, now);
    const vouched = vouchedBy(assertion, row, now);
    if (assertion.request === undefined && row.saml.allowsIdpInitiated) return undefined;
    return await keep(sso, database, row, { assertion, vouched });
  } catch (error) {
    if (!(error instanceof RejectedXml)) throw error;
    throw await refused(sso, database, inPublic, { team, connection: row.id, ip, reason: error.reason });
  }
}

function verified(sso: Sso, team: string, row: SamlConnection, encoded: string, now: number): Promise<VerifiedAssertion> {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(encoded)) reject('base64');
  return sso.saml.response(team, Buffer.from(encoded, 'base64'), {
    certificates: row.saml.certificates.map(({ certificate }) => pemOf(certificate)),
    issuer: row.issuer,
    audience: entityId(sso, row.id),
    recipient: redirectUri(sso, row),
    nameIdFormat: row.saml.nameIdFormat,
    now,
  });
}

/** Ends the request that an assertion answers, marks the assertion as used, and stores its claims for a minute. */
function keep(
  sso: Sso,
  database: Database,
  { id: connection }: SamlConnection,
  { assertion, vouched }: { assertion: VerifiedAssertion; vouched: Vouched },
): Promise<string> {
  const request = assertion.request ?? reject('unsolicited');
  const handle = newToken();
  const received: Received = { request, connection, vouched };
  const sealed = sso.keys.states.seal(JSON.stringify(received), place);
  return database.withoutTeam(async (tx) => {
    if (!(await tx.first(queries.takeRequest, { hash: tokenHash(request), connection }))) reject('no_open_request');
    const seconds = Math.max(1, Math.ceil((assertion.until - database.clock.now()) / 1_000));
    if (!(await tx.first(spendState, { hash: tokenHash(`assertion ${connection} ${assertion.id}`), seconds }))) reject('used_assertion');
    await tx.all(queries.putResponse, { hash: tokenHash(handle), sealed, seconds: handleSeconds });
    return handle;
  });
}

/**
 * Returns the claims of a received response to the browser whose cookie has its request. A handle works once.
 * Throws 400 `sso_state_invalid`.
 */
export async function takeReceived(
  sso: Sso,
  database: Database,
  begun: Begun | undefined,
  { connectionId, handle }: { connectionId: string; handle: string },
): Promise<{ begun: Begun; vouched: Vouched }> {
  if (begun?.kind !== 'saml' || begun.connection !== connectionId || !isToken(handle)) throw invalidState();
  const taken = await database.withoutTeam((tx) => tx.first(queries.takeResponse, { hash: tokenHash(handle) }));
  if (!taken) throw invalidState();
  const { request, connection, vouched } = JSON.parse(sso.keys.states.open(taken.sealed, place).toString()) as Received;
  if (request !== begun.request || connection !== connectionId) throw invalidState();
  const { authTime, endsAt, ...claims } = vouched;
  // JSON has dates as texts.
  return {
    begun,
    vouched: { ...claims, ...(authTime && { authTime: new Date(authTime) }), ...(endsAt && { endsAt: new Date(endsAt) }) },
  };
}
