import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createTextLookup } from '#webhooks';
import { type DnsServer, startDnsServer } from '../../../test/dns-server.ts';
import { type TestResponse, type Chancery, startChancery, type TestTeam } from '../../../test/harness.ts';
import { type Forger, startForger } from '../../../test/identity-provider.ts';
import { authPath, mailsTo } from '../../../test/people.ts';
import { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import type { JobMetrics } from '../../platform/telemetry/metrics.ts';
import { checkDomains } from './domain-jobs.ts';

const sso = '/api/v1/team/sso';
let chancery: Chancery;
let dns: DnsServer;
let provider: Forger;
/** The TXT records of the DNS, by name. */
const texts = new Map<string, string[]>();
let domains = 0;

before(async () => {
  dns = await startDnsServer();
  dns.answer = ({ name, type }) => ({ addresses: type === 'A' ? ['127.0.0.1'] : [], texts: texts.get(name) ?? [] });
  provider = await startForger();
  chancery = await startChancery({ role: 'api', settings: { SSO_DNS_SERVERS: dns.address } });
});
after(async () => {
  await chancery.stop();
  await Promise.all([dns.close(), provider.close()]);
});

const ok = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};

type Connected = TestTeam & { domain: string; id: string; connection: string; record: { name: string; value: string } };

/** Creates a team with a verified domain. */
async function connected(): Promise<Connected> {
  const team = await chancery.team();
  const domain = `checked${(domains += 1)}.example`;
  const body = { issuer: provider.issuer, clientId: 'chancery', clientSecret: 'a secret of the client', domains: [domain] };
  const { id, domains: made } = ok(await chancery.call('POST', sso, { token: team.owner.token, body }));
  const [{ record }] = made;
  texts.set(record.name, [record.value]);
  ok(await chancery.call('POST', `${sso}/${id}/verify-domains`, { token: team.owner.token }));
  return { ...team, domain, connection: id, record };
}

/** Runs the check with a clock that many days ahead. */
async function check(days: number): Promise<void> {
  const metrics: JobMetrics = { failed: (job) => assert.fail(`${job} failed`), setAside: () => undefined };
  const isolation = new Isolation({ database: chancery.database, log: pino({ level: 'silent' }), metrics });
  const options = { database: chancery.database, listeners: [], lookupText: createTextLookup([dns.address]) };
  await checkDomains(options, { now: new Date(Date.now() + days * 86_400_000), isolation });
}

const isVerified = async ({ owner, connection }: Connected): Promise<boolean> =>
  ok(await chancery.call('GET', `${sso}/${connection}`, { token: owner.token })).domains[0].verified;
const subjectsTo = async (email: string) => (await mailsTo(chancery, email)).map(({ subject }) => subject).toSorted();
const domainsOfActs = async (team: TestTeam, type: string) => {
  const { rows } = await chancery.pool.query('SELECT data FROM audit_entry WHERE team_id = $1 AND type = $2 ORDER BY id', [team.id, type]);
  return rows.map(({ data }) => data.domain);
};

test('a missing record is reported once; after 14 days the domain is unverified, which is reported too', async () => {
  const team = await connected();
  const admin = await chancery.user(team, { role: 'admin' });
  const member = await chancery.user(team);
  await check(1.1);
  assert.deepEqual(await subjectsTo(team.owner.email), []);

  texts.delete(team.record.name);
  await check(2.2);
  await check(3.3);
  const missing = `DNS record of ${team.domain} is missing`;
  for (const { email } of [team.owner, admin]) assert.deepEqual(await subjectsTo(email), [missing]);
  const [{ text } = { text: '' }] = await mailsTo(chancery, admin.email);
  assert.ok(text.includes(team.record.name) && text.includes(team.record.value), text);
  await check(16.1);
  assert.equal(await isVerified(team), true);

  await check(17.2);
  assert.equal(await isVerified(team), false);
  for (const { email } of [team.owner, admin])
    assert.deepEqual(await subjectsTo(email), [missing, `${team.domain} is no longer verified`].toSorted());
  assert.deepEqual(await subjectsTo(member.email), []);
  assert.deepEqual(await domainsOfActs(team, 'sso.domain_proof_missing'), [team.domain]);
  assert.deepEqual(await domainsOfActs(team, 'sso.domain_expired'), [team.domain]);
  const started = await chancery.call('GET', `${authPath}/sso/start?email=ada@${team.domain}`);
  assert.deepEqual([started.status, started.body.code], [404, 'sso_not_configured']);

  texts.set(team.record.name, [team.record.value]);
  ok(await chancery.call('POST', `${sso}/${team.connection}/verify-domains`, { token: team.owner.token }));
  await check(18.3);
  assert.equal(await isVerified(team), true);
});

test('a record that is back restarts the 14 days', async () => {
  const team = await connected();
  const { name, value } = team.record;
  texts.delete(name);
  await check(2);
  texts.set(name, ['v=spf1 -all', value]);
  await check(4);
  texts.delete(name);
  await check(6);
  await check(17);
  assert.equal(await isVerified(team), true);
  assert.equal((await subjectsTo(team.owner.email)).length, 2);
});

test('nothing changes while no name server answers', async () => {
  const team = await connected();
  const { answer } = dns;
  dns.answer = () => 'failed';
  try {
    await check(2);
    await check(30);
  } finally {
    dns.answer = answer;
  }
  assert.deepEqual([await isVerified(team), await subjectsTo(team.owner.email)], [true, []]);
});
