import { randomUUID } from 'node:crypto';
import { type Forger, startForger } from '../../identity-provider.ts';
import { type Authenticator, createAuthenticator } from '../../authenticator.ts';
import { authPath as auth, challengeOf, type Registered, registered } from '../../people.ts';
import { newProviderKey, type ProviderKey, signedResponse, validParts } from '../../saml-provider.ts';
import { tokenHash } from '../../../src/platform/crypto/tokens.ts';
import { connectedApp, connectedAppRedirect, authorizationRequestPath } from '../../connected-apps.ts';
import type { ActEntry, ActWorld } from './kit.ts';

type PasskeyOwner = Registered & { authenticator: Authenticator; passkeyId: string };

async function registering(world: ActWorld) {
  const person = await registered(world.chancery);
  const options = (await world.send('POST', `${auth}/passkeys/options`, undefined, { token: person.token })).body;
  const authenticator = createAuthenticator();
  return { ...person, authenticator, body: { name: 'Key', response: authenticator.create(options) } };
}
async function passkeyOwner(world: ActWorld): Promise<PasskeyOwner> {
  const { body, ...person } = await registering(world);
  const made = await world.send('POST', `${auth}/passkeys`, body, { token: person.token });
  return { ...person, passkeyId: made.body.id };
}

const sso = '/api/v1/team/sso';
/** Creates a connection. Deletes the connections of earlier walks, because a team has at most 10. */
async function connection(world: ActWorld): Promise<{ id: string }> {
  const earlier = (await world.made('GET', sso)).filter(({ clientId }: { clientId: string }) => clientId === 'walked');
  for (const { id } of earlier) await world.chancery.call('DELETE', `${sso}/${id}`, { token: world.owner.token });
  return world.made('POST', sso, {
    issuer: 'https://login.example',
    clientId: 'walked',
    clientSecret: 'walked secret',
    domains: ['walked.example'],
  });
}

const sendForm = (world: ActWorld, path: string, form: Record<string, string>) =>
  world.chancery.call('POST', path, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** Creates a SAML connection with a verified domain, in a team of its own. */
async function samlConnection({ chancery }: ActWorld): Promise<{ connection: any; key: ProviderKey }> {
  const [key, { owner }] = [await newProviderKey(), await chancery.team()];
  const body = { kind: 'saml', issuer: 'https://saml.example', ssoUrl: 'https://saml.example/sso', certificates: [key.certificate] };
  const { body: made } = await chancery.call('POST', sso, { token: owner.token, body });
  await chancery.pool.query("INSERT INTO sso_domain (team_id, connection_id, domain, proof, verified_at) VALUES ($1, $2, $3, 'x', now())", [
    owner.team,
    made.id,
    `${made.id}.example`,
  ]);
  return { connection: made, key };
}

let provider: Promise<Forger> | undefined;
const opened = new Map<string, Promise<{ id: string; issuer: string }>>();
/** Returns a connection to a provider that stops with its process. A team gets only one, because connections are limited. */
function openConnection(world: ActWorld): Promise<{ id: string; issuer: string }> {
  const made = opened.get(world.owner.team) ?? connectProvider(world);
  opened.set(world.owner.team, made);
  return made;
}
async function connectProvider(world: ActWorld): Promise<{ id: string; issuer: string }> {
  const { issuer } = await (provider ??= startForger({ keepsAlive: false }));
  const { id } = await world.made('POST', sso, { issuer, clientId: 'chancery', clientSecret: 'walked secret' });
  await world.chancery.pool.query(
    "INSERT INTO sso_domain (team_id, connection_id, domain, proof, verified_at) VALUES ($1, $2, $3, 'x', now())",
    [world.owner.team, id, `${id}.example`],
  );
  return { id, issuer };
}

/** Actions on passkeys and single sign-on. */
export const passkeyActs: Record<string, ActEntry> = {
  [`POST ${sso}`]: {
    entries: ['sso.connection_created'],
    prepare: async (world) => () =>
      world.send('POST', sso, { issuer: 'https://login.example', clientId: 'walked', clientSecret: 'walked secret' }),
  },
  [`PATCH ${sso}/{id}`]: {
    entries: ['sso.connection_updated'],
    async prepare(world) {
      const { id } = await connection(world);
      return () => world.send('PATCH', `${sso}/${id}`, { trustMfa: true });
    },
  },
  [`DELETE ${sso}/{id}`]: {
    entries: ['sso.connection_deleted'],
    async prepare(world) {
      const { id } = await connection(world);
      return () => world.send('DELETE', `${sso}/${id}`);
    },
  },
  [`DELETE ${sso}/{id}/identities/{userId}`]: {
    entries: ['identity.unlinked'],
    async prepare(world) {
      const { id, issuer } = await openConnection(world);
      const { id: userId } = await world.chancery.user(world.owner.team);
      await world.chancery.pool.query(
        `INSERT INTO federated_identity (team_id, id, issuer, subject, account_id, connection_id, created_at, last_used_at)
         VALUES ($1, gen_random_uuid(), $2, $5, $3, $4, now(), now())`,
        [world.owner.team, issuer, userId, id, `subject of ${userId}`],
      );
      return () => world.send('DELETE', `${sso}/${id}/identities/${userId}`);
    },
  },
  [`DELETE ${auth}/identities/{id}`]: {
    entries: ['identity.unlinked'],
    async prepare(world) {
      const { token, id: account, team } = await registered(world.chancery);
      const id = randomUUID();
      await world.chancery.pool.query(
        `INSERT INTO federated_identity (team_id, id, issuer, subject, account_id, connection_id, created_at, last_used_at)
         VALUES ($1, $2, 'https://login.example', 'walked', $3, gen_random_uuid(), now(), now())`,
        [team, id, account],
      );
      return () => world.send('DELETE', `${auth}/identities/${id}`, undefined, { token });
    },
  },
  'DELETE /api/v1/team/members/{userId}/identities/{id}': {
    entries: ['identity.unlinked'],
    async prepare(world) {
      const { id: userId } = await world.chancery.user(world.owner.team);
      const id = randomUUID();
      await world.chancery.pool.query(
        `INSERT INTO federated_identity (team_id, id, issuer, subject, account_id, connection_id, created_at, last_used_at)
         VALUES ($1, $2, 'https://login.example', $4, $3, gen_random_uuid(), now(), now())`,
        [world.owner.team, id, userId, `subject of ${userId}`],
      );
      return () => world.send('DELETE', `/api/v1/team/members/${userId}/identities/${id}`);
    },
  },
  // The operation sends the browser to the provider. The callback creates the link.
  [`POST ${auth}/sso/link`]: {
    entries: [],
    async prepare(world) {
      const { id } = await openConnection(world);
      return () => world.send('POST', `${auth}/sso/link`, { connectionId: id });
    },
  },
  // The provider names an unknown user, so no session ends. src/identity/sso/oidc tests `logout.at_provider`.
  [`POST ${auth}/sso/{connectionId}/backchannel-logout`]: {
    entries: [],
    async prepare(world) {
      const { id, issuer } = await openConnection(world);
      const now = Math.floor(Date.now() / 1_000);
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const claims = { iss: issuer, aud: 'chancery', iat: now, exp: now + 60, jti: randomUUID(), sub: 'unknown', events };
      const token = (await provider)?.sign(claims, 'logout+jwt');
      return async () => sendForm(world, `${auth}/sso/${id}/backchannel-logout`, { logout_token: (await token) ?? '' });
    },
  },
  // The browser completes the sign-in at the next address.
  [`POST ${auth}/saml/{id}/acs`]: {
    entries: [],
    async prepare(world) {
      const { connection: made, key } = await samlConnection(world);
      const request = `_${randomUUID()}`;
      await world.chancery.pool.query("INSERT INTO saml_request VALUES ($1, $2, now() + interval '10 minutes')", [
        tokenHash(request),
        made.id,
      ]);
      const parts = validParts({ issuer: made.issuer, audience: made.clientId, recipient: made.redirectUri, request });
      const response = Buffer.from(signedResponse(parts, { key })).toString('base64');
      return () => sendForm(world, `${auth}/saml/${made.id}/acs`, { SAMLResponse: response });
    },
  },
  // A successful verification writes `sso.domain_verified`: src/identity/sso/sso.test.ts tests it.
  [`POST ${sso}/{id}/verify-domains`]: {
    entries: [],
    async prepare(world) {
      const { id } = await connection(world);
      return () => world.send('POST', `${sso}/${id}/verify-domains`);
    },
  },
  // The app belongs to no team yet.
  'POST /oauth/register': {
    entries: [],
    prepare: async (world) => () => world.send('POST', '/oauth/register', { redirect_uris: [connectedAppRedirect] }),
  },
  // A query that changes nothing.
  [`POST ${auth}/connected-apps/preview`]: {
    entries: [],
    async prepare(world) {
      const request = await authorizationRequestPath(world.chancery);
      return () => world.send('POST', `${auth}/connected-apps/preview`, { request });
    },
  },
  [`POST ${auth}/connected-apps`]: {
    entries: ['program.connected'],
    async prepare(world) {
      const request = await authorizationRequestPath(world.chancery);
      return () => world.send('POST', `${auth}/connected-apps`, { request });
    },
  },
  [`PATCH ${auth}/connected-apps/{id}`]: {
    entries: ['program.updated'],
    async prepare(world) {
      const { id } = await connectedApp(world.chancery, world.owner);
      return () => world.send('PATCH', `${auth}/connected-apps/${id}`, { approvalPolicy: null });
    },
  },
  [`DELETE ${auth}/connected-apps/{id}`]: {
    entries: ['session.revoked'],
    async prepare(world) {
      const { id } = await connectedApp(world.chancery, world.owner);
      return () => world.send('DELETE', `${auth}/connected-apps/${id}`);
    },
  },
  // Creating options is not an action. Their use is.
  [`POST ${auth}/passkeys/options`]: {
    entries: [],
    async prepare(world) {
      const { token } = await registered(world.chancery);
      return () => world.send('POST', `${auth}/passkeys/options`, undefined, { token });
    },
  },
  [`POST ${auth}/passkeys`]: {
    entries: ['passkey.registered', 'twofactor.enabled'],
    async prepare(world) {
      const { token, body } = await registering(world);
      return () => world.send('POST', `${auth}/passkeys`, body, { token });
    },
  },
  [`PATCH ${auth}/passkeys/{id}`]: {
    entries: ['passkey.renamed'],
    async prepare(world) {
      const { token, passkeyId } = await passkeyOwner(world);
      return () => world.send('PATCH', `${auth}/passkeys/${passkeyId}`, { name: 'Drawer' }, { token });
    },
  },
  [`DELETE ${auth}/passkeys/{id}`]: {
    entries: ['passkey.removed', 'twofactor.disabled'],
    async prepare(world) {
      const { token, passkeyId } = await passkeyOwner(world);
      return () => world.send('DELETE', `${auth}/passkeys/${passkeyId}`, undefined, { token });
    },
  },
  [`POST ${auth}/passkeys/login/options`]: {
    entries: [],
    prepare: async (world) => () => world.send('POST', `${auth}/passkeys/login/options`),
  },
  [`POST ${auth}/passkeys/login`]: {
    entries: ['login.new_device', 'login.succeeded'],
    async prepare(world) {
      const { authenticator } = await passkeyOwner(world);
      const options = (await world.send('POST', `${auth}/passkeys/login/options`)).body;
      const headers = { 'user-agent': 'Another browser' };
      return () => world.send('POST', `${auth}/passkeys/login`, { response: authenticator.get(options) }, { headers });
    },
  },
  [`POST ${auth}/verify-passkey/options`]: {
    entries: [],
    async prepare(world) {
      const challengeId = await challengeOf(world.chancery, (await passkeyOwner(world)).email);
      return () => world.send('POST', `${auth}/verify-passkey/options`, { challengeId });
    },
  },
  [`POST ${auth}/verify-passkey`]: {
    entries: ['login.succeeded'],
    async prepare(world) {
      const { authenticator, email } = await passkeyOwner(world);
      const challengeId = await challengeOf(world.chancery, email);
      const options = (await world.send('POST', `${auth}/verify-passkey/options`, { challengeId })).body;
      return () => world.send('POST', `${auth}/verify-passkey`, { challengeId, response: authenticator.get(options) });
    },
  },
  [`POST ${auth}/reauthenticate/options`]: {
    entries: [],
    async prepare(world) {
      const { token } = await passkeyOwner(world);
      return () => world.send('POST', `${auth}/reauthenticate/options`, undefined, { token });
    },
  },
};
