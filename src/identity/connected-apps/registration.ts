import { randomUUIDv7 } from 'node:crypto';
import type { ConnectedApps } from './context.ts';
import { cleanName } from './names.ts';
import { connectedAppProblems } from './problems.ts';
import * as queries from './queries.ts';
import { mayBeNamed, placeOf } from './redirects.ts';
import type { Registered, Registration } from './schemas.ts';

/** Maximum number of registered apps. Unused apps are deleted after a day. */
const most = 20_000;
const grantTypes = ['authorization_code', 'refresh_token'];

/**
 * Registers an app as a public client, without a secret, even if it requests an authentication method. It
 * stores only the usable redirect addresses and returns the registered values (RFC 7591 sections 2 and
 * 3.2.1). Throws 400 `invalid_redirect_uri`, `invalid_client_metadata`, 429 or 503 `temporarily_unavailable`.
 */
export async function register(
  { database, accounts: { throttle } }: ConnectedApps,
  said: Registration,
  ip: string | undefined,
): Promise<Registered> {
  const given = [...new Set(said.redirect_uris)];
  const redirectUris = given.filter(mayBeNamed);
  if (redirectUris.length === 0)
    throw connectedAppProblems.invalid_redirect_uri(
      given.length === 0
        ? 'redirect_uris is missing.'
        : 'None of redirect_uris can be used. Send an https address, an http address of this machine (http://127.0.0.1/…), or one with a scheme of your app (com.example.app:/…).',
    );
  if (said.grant_types && !said.grant_types.includes('authorization_code'))
    throw connectedAppProblems.invalid_client_metadata('grant_types must include authorization_code.');
  if (said.response_types && !said.response_types.includes('code'))
    throw connectedAppProblems.invalid_client_metadata('response_types must include code.');
  const name = cleanName(said.client_name) ?? placeOf(redirectUris[0] ?? '').host;
  const id = randomUUIDv7();
  const at = new Date(database.clock.now());
  await database.withoutTeam(async (tx) => {
    await throttle.spend(tx, throttle.connectedApp('registered', ip));
    if (!(await tx.first(queries.insertApp, { id, name, redirectUris, at, most })))
      throw connectedAppProblems.temporarily_unavailable('Too many registered apps. Try again later, or publish a metadata document.');
  });
  return {
    client_id: id,
    client_id_issued_at: Math.floor(at.getTime() / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: grantTypes,
    response_types: ['code'],
  };
}
