import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from './spawned.ts';
import { eventually } from './webhook-receiver.ts';

const version = '26.7.3';
const home = process.env.KEYCLOAK_PATH ?? join(homedir(), '.cache', 'chancery', `keycloak-${version}`);

function missing(): string | false {
  if (!existsSync(join(home, 'bin', 'kc.sh')))
    return `Keycloak not found: unpack org.keycloak:keycloak-quarkus-dist ${version} of Maven Central, and set KEYCLOAK_PATH`;
  return spawnSync('java', ['-version']).status === 0 ? false : 'java not found: install Java 17 or later';
}
/** Why tests with Keycloak are skipped, or false if they run. */
export const withoutKeycloak: string | false = missing();

export type KeycloakUser = { username: string; email: string; firstName: string; lastName: string };

/** A Keycloak server with one realm, in memory. */
export type Keycloak = {
  /** The issuer of OpenID Connect and the entity ID of SAML. */
  issuer: string;
  samlMetadata: string;
  addUser(user: KeycloakUser): Promise<string>;
  addOidcClient(client: { clientId: string; secret: string; redirectUri: string; backchannelLogout: string }): Promise<void>;
  /** Registers a service by its SAML metadata. */
  addSamlClient(metadata: string): Promise<void>;
  /** Signs with a new key from now on. The old one stays published. */
  rotateKeys(): Promise<void>;
  /** Ends all sessions of a user, as an administrator does. */
  logOut(user: string): Promise<void>;
  stop(): Promise<void>;
};

const password = 'the password of every user';

/** Starts Keycloak. The first start of an installation builds it, which takes a minute of CPU time. */
export async function startKeycloak(): Promise<Keycloak> {
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const options = ['--db', 'dev-mem', '--cache', 'local', '--http-host', '127.0.0.1', '--http-port', String(port), '--hostname', base];
  const child = spawn(join(home, 'bin', 'kc.sh'), ['start-dev', ...options], {
    stdio: 'ignore',
    // The script starts Java as a child, so both get the signal.
    detached: true,
    env: {
      ...process.env,
      JAVA_OPTS_KC_HEAP: '-Xms128m -Xmx512m',
      KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
      KC_BOOTSTRAP_ADMIN_PASSWORD: password,
    },
  });
  const stop = async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const isReady = () =>
    fetch(`${base}/realms/master`).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await eventually('the start of Keycloak', isReady, 900_000);
  } catch (error) {
    await stop();
    throw error;
  }
  const issuer = `${base}/realms/test`;
  const call = administrator(base);
  await call('POST', '/admin/realms', { realm: 'test', enabled: true, sslRequired: 'none' });
  const clients = '/admin/realms/test/clients';
  return {
    issuer,
    samlMetadata: `${issuer}/protocol/saml/descriptor`,
    async addUser(user) {
      const credentials = [{ type: 'password', value: password, temporary: false }];
      const made = await call('POST', '/admin/realms/test/users', { ...user, enabled: true, emailVerified: true, credentials });
      return made.headers.get('location')?.split('/').at(-1) ?? '';
    },
    async addOidcClient({ clientId, secret, redirectUri, backchannelLogout }) {
      const attributes = { 'backchannel.logout.url': backchannelLogout, 'backchannel.logout.session.required': 'true' };
      await call('POST', clients, {
        clientId,
        secret,
        redirectUris: [redirectUri],
        protocol: 'openid-connect',
        publicClient: false,
        attributes,
      });
    },
    async addSamlClient(metadata) {
      const described = await (await call('POST', '/admin/realms/test/client-description-converter', metadata)).json();
      const mapper = (property: string) => ({
        name: property,
        protocol: 'saml',
        protocolMapper: 'saml-user-property-mapper',
        config: { 'user.attribute': property, 'attribute.name': property, 'attribute.nameformat': 'Basic' },
      });
      await call('POST', clients, { ...(described as object), protocolMappers: ['email', 'firstName', 'lastName'].map(mapper) });
    },
    async rotateKeys() {
      const config = { priority: [String(Date.now() - 1_700_000_000_000)], algorithm: ['RS256'] };
      await call('POST', '/admin/realms/test/components', {
        name: `key ${Date.now()}`,
        providerId: 'rsa-generated',
        providerType: 'org.keycloak.keys.KeyProvider',
        config,
      });
    },
    async logOut(user) {
      await call('POST', `/admin/realms/test/users/${user}/logout`, {});
    },
    stop,
  };
}

/** Returns a function that calls the administration of Keycloak. A text is sent as XML. */
function administrator(base: string) {
  return async (method: string, path: string, body: object | string): Promise<Response> => {
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'admin', password });
    const login = await fetch(`${base}/realms/master/protocol/openid-connect/token`, { method: 'POST', body: form });
    const { access_token: token } = (await login.json()) as { access_token: string };
    const isText = typeof body === 'string';
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': isText ? 'application/xml' : 'application/json' },
      body: isText ? body : JSON.stringify(body),
    });
    assert.ok(response.ok, `Keycloak responds to ${path} with ${response.status}: ${response.ok ? '' : await response.text()}`);
    return response;
  };
}

const decoded = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x3a;', ':').replaceAll('&#x2f;', '/');

/** Signs a user in on Keycloak’s pages, and returns its redirect, or the fields of the form that it sends to the service. */
export async function signInAtKeycloak(
  location: string,
  username: string,
): Promise<{ redirect: string } | { form: Record<string, string> }> {
  const first = await fetch(location, { redirect: 'manual' });
  const cookie = first.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  const page = await first.text();
  const [, action = ''] = /<form[^>]+action="([^"]+)"/.exec(page) ?? [];
  assert.notEqual(action, '', `Keycloak shows no sign-in form: ${first.status} ${page.slice(0, 2_000)}`);
  const answer = await fetch(decoded(action), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ username, password, credentialId: '' }),
  });
  const redirect = answer.headers.get('location');
  if (redirect !== null) return { redirect };
  const sent = await answer.text();
  const fields = [...sent.matchAll(/<input[^>]+name="([^"]+)"[^>]+value="([^"]*)"/gi)].map(([, name = '', value = '']) => [
    name,
    decoded(value),
  ]);
  assert.ok(fields.length > 0, `Keycloak sends no form: ${answer.status} ${sent.slice(0, 2_000)}`);
  return { form: Object.fromEntries(fields) as Record<string, string> };
}
