import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Chancery } from './harness.ts';
import { resourceOf } from './mcp.ts';

/* Registers and authorizes connected apps for tests. */

const base = '/api/v1/security/auth/connected-apps';
export const connectedAppRedirect = 'http://localhost:33418/callback';

/** Registers a connected app. Registrations are limited by IP address, and all tests have the same address. */
export async function registerConnectedApp(chancery: Chancery, redirectUris = [connectedAppRedirect]): Promise<string> {
  const body = { client_name: 'Assistant', redirect_uris: redirectUris, client_uri: 'https://ignored.example/' };
  const answer = await chancery.call('POST', '/oauth/register', { body });
  assert.equal(answer.status, 201, answer.text);
  await chancery.pool.query('DELETE FROM throttle');
  return answer.body.client_id;
}

export type AuthorizeQuery = Record<string, string | undefined>;

/** Returns the path of the consent page. */
export function authorizePath(chancery: Chancery, client: string, challenge: string, more: AuthorizeQuery = {}): string {
  const members: AuthorizeQuery = {
    response_type: 'code',
    client_id: client,
    redirect_uri: connectedAppRedirect,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: resourceOf(chancery),
    state: 'opaque',
    ...more,
  };
  const given = Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

/** Opens the consent page; `consentSettings` is the request that its script receives. */
export async function authorize(chancery: Chancery, client: string, challenge: string, more: AuthorizeQuery = {}) {
  const { status, headers, text } = await chancery.call('GET', authorizePath(chancery, client, challenge, more), { unchecked: true });
  const settings = /<script[^>]*id="settings"[^>]*>([\s\S]*?)<\/script>/.exec(text)?.[1];
  return {
    status,
    headers,
    location: headers.get('location'),
    text,
    consentSettings: settings === undefined ? undefined : JSON.parse(settings).consent,
  };
}

export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Registers an app and returns the path of its consent request. */
export async function authorizationRequestPath(chancery: Chancery): Promise<string> {
  return (await authorize(chancery, await registerConnectedApp(chancery), pkce().challenge)).consentSettings.request;
}

/** Registers an app that a user authorizes, and returns the parameters of its token request. */
export async function authorizedApp(
  chancery: Chancery,
  by: { token: string },
  client?: string,
  more: AuthorizeQuery = {},
  changes?: boolean,
) {
  const id = client ?? (await registerConnectedApp(chancery));
  const { verifier, challenge } = pkce();
  const { consentSettings } = await authorize(chancery, id, challenge, more);
  const allowed = await chancery.call('POST', base, { token: by.token, body: { request: consentSettings.request, changes } });
  assert.equal(allowed.status, 201, allowed.text);
  const redirectTo = new URL(allowed.body.redirectTo);
  const form: Record<string, string> = {
    grant_type: 'authorization_code',
    client_id: id,
    code: redirectTo.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: more.redirect_uri ?? connectedAppRedirect,
    resource: resourceOf(chancery),
  };
  return { id: allowed.body.id as string, redirectTo, form };
}

export const tokenBy = (chancery: Chancery, form: Record<string, string>) =>
  chancery.call('POST', '/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });

/** The same, with the tokens of the app. */
export async function connectedApp(
  chancery: Chancery,
  by: { token: string },
  client?: string,
  more: AuthorizeQuery = {},
  changes?: boolean,
) {
  const { id, form } = await authorizedApp(chancery, by, client, more, changes);
  const answer = await tokenBy(chancery, form);
  assert.equal(answer.status, 200, answer.text);
  const { access_token: access, refresh_token: refresh, scope } = answer.body as Record<string, string>;
  return { client: form.client_id ?? '', id, form, access: access ?? '', refresh: refresh ?? '', scope: scope ?? '' };
}

/** Authorizes an app that may also change data. */
export const updateConnectedApp = (chancery: Chancery, by: { token: string }, client?: string) =>
  connectedApp(
    chancery,
    by,
    client,
    { scope: 'documents:read tasks:read tasks:write workflows:read workflows:write registries:read registries:write' },
    true,
  );
