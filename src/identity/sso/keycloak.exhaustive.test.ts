import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { type Keycloak, signInAtKeycloak, startKeycloak, withoutKeycloak } from '../../../test/keycloak.ts';
import type { TestResponse } from '../../../test/harness.ts';
import { authPath, cookieOf } from '../../../test/people.ts';
import { connectedTeam, type SsoService, type SsoSession, type SsoTeam, ssoSession, startForSso } from '../../../test/single-sign-on.ts';
import { freePort } from '../../../test/spawned.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import type { JobMetrics } from '../../platform/telemetry/metrics.ts';
import { readMetadataAgain } from './saml/certificate-jobs.ts';
import { openSamlReader } from './saml/reader.ts';

/** A real provider of another project, for both protocols. */
describe('with Keycloak', { skip: withoutKeycloak }, () => {
  let keycloak: Keycloak;
  let service: SsoService;
  before(async () => {
    const port = String(await freePort());
    const settings = { PORT: port, BASE_URL: `http://localhost:${port}` };
    [keycloak, service] = await Promise.all([startKeycloak(), startForSso({ settings, clock: () => new Date() })]);
  });
  after(() => Promise.all([keycloak.stop(), service.stop()]));

  const profileOf = async ({ accessToken }: SsoSession) =>
    (await service.chancery.call('GET', `${authPath}/profile`, { token: accessToken })).body;
  const start = async ({ connection }: SsoTeam) => {
    const answer = await service.chancery.call('GET', `${authPath}/sso/start?connectionId=${connection.id}`);
    assert.equal(answer.status, 302, answer.text);
    return { location: answer.headers.get('location') ?? '', cookie: `sso_state=${cookieOf(answer, 'sso_state')}` };
  };
  const ada = ({ domain }: SsoTeam) => ({
    username: `ada.${domain}`,
    email: `ada@${domain}`,
    firstName: 'Ada',
    lastName: 'Lovelace',
  });

  test('OpenID Connect: sign-in, a rotated key, and back-channel logout', async () => {
    const secret = 'a secret of the client';
    const world = await connectedTeam(service, { issuer: keycloak.issuer, clientId: 'chancery', clientSecret: secret });
    const user = ada(world);
    const id = await keycloak.addUser(user);
    const { id: connection, redirectUri } = world.connection;
    const backchannelLogout = `${service.chancery.url}${authPath}/sso/${connection}/backchannel-logout`;
    await keycloak.addOidcClient({ clientId: 'chancery', secret, redirectUri, backchannelLogout });
    const signIn = async (): Promise<SsoSession> => {
      const { location, cookie } = await start(world);
      const returned = await signInAtKeycloak(location, user.username);
      assert.ok('redirect' in returned);
      const { pathname, search } = new URL(returned.redirect);
      return ssoSession(service, await service.chancery.call('GET', pathname + search, { headers: { cookie } }));
    };
    const first = await signIn();
    const profile = await profileOf(first);
    assert.deepEqual([profile.email, profile.firstName, profile.teamId], [user.email, 'Ada', world.id]);
    await keycloak.rotateKeys();
    const second = await signIn();
    assert.equal(second.sub, first.sub);
    await keycloak.logOut(id);
    await eventually('the logout of both sessions', async () => {
      const answers = await Promise.all(
        [first, second].map(({ accessToken }) => service.chancery.call('GET', `${authPath}/profile`, { token: accessToken })),
      );
      return answers.every(({ status }) => status === 401);
    });
  });

  test('SAML: metadata in both directions, sign-in, and a rotated certificate', async () => {
    const world = await connectedTeam(service, { kind: 'saml', metadataUrl: keycloak.samlMetadata });
    const user = ada(world);
    await keycloak.addUser(user);
    const metadata = await service.chancery.call('GET', new URL(world.connection.clientId).pathname);
    await keycloak.addSamlClient(metadata.text);
    const respond = async (): Promise<{ answer: TestResponse; cookie: string }> => {
      const { location, cookie } = await start(world);
      const returned = await signInAtKeycloak(location, user.username);
      assert.ok('form' in returned);
      const answer = await service.chancery.call('POST', `${authPath}/saml/${world.connection.id}/acs`, {
        body: new URLSearchParams(returned.form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      return { answer, cookie };
    };
    const signIn = async (): Promise<SsoSession> => {
      const { answer, cookie } = await respond();
      assert.equal(answer.status, 303, `${answer.text} ${JSON.stringify(await reasons())}`);
      return ssoSession(service, await service.chancery.call('GET', answer.headers.get('location') ?? '', { headers: { cookie } }));
    };
    const reasons = async () =>
      (await service.chancery.pool.query("SELECT data FROM audit_entry WHERE team_id = $1 AND type = 'sso.answer_refused'", [world.id]))
        .rows;
    const first = await signIn();
    const profile = await profileOf(first);
    assert.deepEqual([profile.email, profile.firstName, profile.lastName], [user.email, 'Ada', 'Lovelace']);
    assert.equal((await signIn()).sub, first.sub);

    await keycloak.rotateKeys();
    assert.equal((await respond()).answer.body?.code, 'sso_response_invalid');
    assert.deepEqual(await reasons(), [{ data: { reason: 'signature' } }]);
    await readMetadata(service);
    assert.equal((await signIn()).sub, first.sub);
  });
});

/** Runs the daily job a day later. */
async function readMetadata({ chancery }: SsoService): Promise<void> {
  const metrics: JobMetrics = { failed: (job) => assert.fail(`${job} failed`), setAside: () => undefined };
  const isolation = new Isolation({ database: chancery.database, log: pino({ level: 'silent' }), metrics });
  const saml = openSamlReader();
  const sso = { saml, checkUrl: (text: string) => ({ ok: true as const, url: text }), fetch: (url: string) => fetch(url) };
  const now = new Date(Date.now() + 2 * 86_400_000);
  await readMetadataAgain({ database: chancery.database, listeners: [], sso }, { now, isolation }).finally(() => saml.close());
}
