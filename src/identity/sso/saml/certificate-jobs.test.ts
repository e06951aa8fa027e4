import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import type { TestTeam } from '../../../../test/harness.ts';
import { startJsonServer } from '../../../../test/json-server.ts';
import { mailsTo } from '../../../../test/people.ts';
import { metadataXml, newProviderKey, type ProviderKey } from '../../../../test/saml-provider.ts';
import { type SsoService, startForSso } from '../../../../test/single-sign-on.ts';
import { Isolation } from '../../../platform/jobs/isolated-jobs.ts';
import type { JobMetrics } from '../../../platform/telemetry/metrics.ts';
import { noticeEndings, readMetadataAgain } from './certificate-jobs.ts';
import { openSamlReader } from './reader.ts';

const manage = '/api/v1/team/sso';
const dayMs = 86_400_000;
let service: SsoService;
let keys: ProviderKey[];
/** The metadata by path. */
const published = new Map<string, string>();
let provider: Awaited<ReturnType<typeof startJsonServer>>;
const saml = openSamlReader();
let numbers = 0;

before(async () => {
  service = await startForSso();
  keys = await Promise.all(Array.from({ length: 7 }, () => newProviderKey()));
  provider = await startJsonServer(({ path }, response) => {
    response.writeHead(published.has(path) ? 200 : 500).end(published.get(path) ?? '');
  });
});
after(async () => {
  await service.stop();
  await Promise.all([provider.close(), saml.close()]);
});

type Connected = TestTeam & { path: string; id: string; issuer: string };

/** Publishes metadata with the keys of these numbers. */
function publish({ path, issuer }: { path: string; issuer: string }, ...numbersOfKeys: number[]): void {
  const certificates = numbersOfKeys.map((number) => keys[number]?.certificate ?? '');
  published.set(path, metadataXml(issuer, { ssoUrl: 'https://idp.example/sso', certificates }));
}
async function connected(...numbersOfKeys: number[]): Promise<Connected> {
  const team = await service.chancery.team();
  const path = `/metadata/${(numbers += 1)}`;
  const of = { path, issuer: `https://idp${numbers}.example` };
  publish(of, ...numbersOfKeys);
  const body = { kind: 'saml', metadataUrl: `${provider.url}${path}` };
  const made = await service.chancery.call('POST', manage, { token: team.owner.token, body });
  assert.equal(made.status, 201, made.text);
  return { ...team, ...of, id: made.body.id };
}
const read = async ({ id, owner }: Connected): Promise<any> =>
  (await service.chancery.call('GET', `${manage}/${id}`, { token: owner.token })).body;

function runAfter(days: number) {
  const metrics: JobMetrics = { failed: (job) => assert.fail(`${job} failed`), setAside: () => undefined };
  const isolation = new Isolation({ database: service.chancery.database, log: pino({ level: 'silent' }), metrics });
  return { now: new Date(Date.now() + days * dayMs), isolation };
}
const options = () => ({ database: service.chancery.database, listeners: [] });
const readAgain = (days: number) =>
  readMetadataAgain(
    {
      ...options(),
      sso: { saml, checkUrl: (text) => ({ ok: true, url: text }), fetch: (url, init) => fetch(url, { ...init, redirect: 'manual' }) },
    },
    runAfter(days),
  );
const mailsAbout = async ({ owner }: Connected, subject: RegExp) =>
  (await mailsTo(service.chancery, owner.email)).filter((mail) => subject.test(mail.subject));

test('metadata are read once a day; new certificates are added, recorded and reported', async () => {
  const world = await connected(0);
  publish(world, 1);
  await readAgain(0);
  assert.equal((await read(world)).saml.certificates.length, 1, 'not within a day');
  await readAgain(1.1);
  assert.equal((await read(world)).saml.certificates.length, 2);
  assert.equal((await mailsAbout(world, /New certificates/)).length, 1);
  const { rows } = await service.chancery.pool.query(
    "SELECT data->>'by' AS by, actor_type FROM audit_entry WHERE team_id = $1 AND type = 'sso.certificates_changed'",
    [world.owner.team],
  );
  assert.deepEqual(rows, [{ by: 'metadata', actor_type: 'system' }]);
  await readAgain(3);
  assert.equal((await mailsAbout(world, /New certificates/)).length, 1, 'no change, no mail');
});

test('above five certificates, those that the metadata no longer name are removed', async () => {
  const world = await connected(0, 1, 2, 3, 4);
  const stored = (await read(world)).saml.certificates.map(({ sha256 }: any) => sha256);
  publish(world, 5, 6);
  await readAgain(1.1);
  const kept = (await read(world)).saml.certificates.map(({ sha256 }: any) => sha256);
  assert.equal(kept.length, 5);
  assert.equal(kept.filter((one: string) => stored.includes(one)).length, 3);
});

test('metadata of another provider, unreadable ones and an unavailable address change nothing', async () => {
  const world = await connected(0);
  const stored = await read(world);
  const changes = [
    () => publish({ ...world, issuer: 'https://evil.example' }, 1),
    () => published.set(world.path, '<!DOCTYPE x>'),
    () => published.delete(world.path),
  ];
  for (const [index, publishOther] of changes.entries()) {
    publishOther();
    await readAgain(2 + index * 2);
    const now = await read(world);
    assert.deepEqual([now.saml.certificates, now.updatedAt], [stored.saml.certificates, stored.updatedAt]);
    assert.notEqual(now.saml.metadataReadAt, stored.saml.metadataReadAt);
  }
});

test('an administrator gets a mail 30, 7 and 1 days before the last certificate ends, once each, and again after a new one', async () => {
  const world = await connected(0);
  const lifetime = 3_652;
  const mails = async () => (await mailsAbout(world, /expires soon/)).length;
  for (const [days, expected] of [
    [lifetime - 40, 0],
    [lifetime - 29, 1],
    [lifetime - 28, 1],
    [lifetime - 6, 2],
    [lifetime - 0.5, 3],
    [lifetime + 5, 3],
  ] as const) {
    await noticeEndings(options(), runAfter(days));
    assert.equal(await mails(), expected, `${days} days later`);
  }
  const renewed = await service.chancery.call('PATCH', `${manage}/${world.id}`, {
    token: world.owner.token,
    body: { certificates: [keys[1]?.certificate] },
  });
  assert.equal(renewed.status, 200, renewed.text);
  await noticeEndings(options(), runAfter(lifetime - 29));
  assert.equal(await mails(), 4);
});
