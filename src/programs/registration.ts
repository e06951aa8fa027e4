import { randomUUIDv7 } from 'node:crypto';
import type { Programs } from './context.ts';
import { cleanName } from './names.ts';
import { programProblems } from './problems.ts';
import * as queries from './queries.ts';
import { mayBeNamed } from './redirects.ts';
import type { Registered, Registration } from './schemas.ts';

/** Programs that can be registered; those that nobody connects go after a day. */
const most = 20_000;
const grantTypes = ['authorization_code', 'refresh_token'];

/**
 * Registers a program of persons, which gets no secret (RFC 7591). Errors: 400 `invalid_redirect_uri`, `invalid_client_metadata`, 429, 503
 * `temporarily_unavailable`.
 */
export async function register(
  { database, accounts: { throttle } }: Programs,
  said: Registration,
  ip: string | undefined,
): Promise<Registered> {
  const redirectUris = [...new Set(said.redirect_uris)];
  const unfit = redirectUris.find((uri) => !mayBeNamed(uri));
  if (redirectUris.length === 0 || unfit !== undefined)
    throw programProblems.invalid_redirect_uri(
      unfit === undefined ? 'redirect_uris is missing.' : `${unfit.slice(0, 200)} is none that a program can be answered at.`,
    );
  if ((said.token_endpoint_auth_method ?? 'none') !== 'none')
    throw programProblems.invalid_client_metadata('token_endpoint_auth_method must be none.');
  if (said.grant_types && !said.grant_types.includes('authorization_code'))
    throw programProblems.invalid_client_metadata('grant_types must have authorization_code.');
  if (said.response_types && !said.response_types.includes('code'))
    throw programProblems.invalid_client_metadata('response_types must have code.');
  const name = cleanName(said.client_name) ?? new URL(redirectUris[0] ?? '').host;
  const id = randomUUIDv7();
  const at = new Date(database.clock.now());
  await database.withoutTeam(async (tx) => {
    await throttle.spend(tx, throttle.program('registered', ip));
    if (!(await tx.first(queries.insertProgram, { id, name, redirectUris, at, most })))
      throw programProblems.temporarily_unavailable('There are too many programs that nobody has connected yet.');
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
