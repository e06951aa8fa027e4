import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestResponse, type Chancery, startChancery, type TestTeam } from '../../../test/harness.ts';
import { type ReceivedRequest, startJsonServer } from '../../../test/json-server.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

const path = '/api/v1/interfaces';
const address = { id: 'where', type: 'address', label: 'Where?' };
let bundled: Chancery;
let outside: Chancery;
let provider: Awaited<ReturnType<typeof startJsonServer>>;

before(async () => {
  provider = await startJsonServer(({ body }: ReceivedRequest) => ({ suggestions: [{ value: `${JSON.parse(body).query} 1`, data: {} }] }));
  bundled = await startChancery({ role: 'api', settings: { SUGGEST_PER_MINUTE: '0' } });
  outside = await startChancery({
    role: 'api',
    settings: {
      SUGGEST_PROVIDER: 'dadata',
      SUGGEST_URL: provider.url,
      SUGGEST_AUTHORIZATION: 'Token 0123',
      TEAM_SUGGESTIONS_PER_HOUR: '24',
      TRUSTED_PROXIES: '127.0.0.1',
    },
  });
});
after(async () => {
  await Promise.all([bundled.stop(), outside.stop()]);
  await provider.close();
});

async function published(chancery: Chancery, team: TestTeam, members: object = {}): Promise<string> {
  const ask = async (at: string, body: unknown) => {
    const answer = await chancery.call('POST', `${path}/${at}`, { token: team.owner.token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const { id } = await ask('', { title: 'Intake', type: 'form', fields: [address], ...members });
  return (await ask(`${id}/publish`, { revision: 1 })).publicToken;
}
const suggest = (chancery: Chancery, token: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
  chancery.call('GET', `${path}/public/${token}/suggest?${new URLSearchParams(query).toString()}`, { headers });
const values = ({ body }: { body: { suggestions: { value: string }[] } }) => body.suggestions.map(({ value }) => value);

test('without a provider, the bundled list is used, in the requested language of the form', async () => {
  const token = await published(bundled, await bundled.team(), { publicSettings: { locale: 'en', locales: ['en', 'de'] } });
  const answer = await suggest(bundled, token, { q: 'köln', locale: 'de' });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(values(answer)[0], 'Köln, Deutschland');
  assert.deepEqual(Object.keys(answer.body.suggestions[0]).toSorted(), ['data', 'unrestrictedValue', 'value']);
  assert.equal(values(await suggest(bundled, token, { q: 'KOLN' }))[0], 'Köln, Germany');
  assert.equal(values(await suggest(bundled, token, { q: 'koln' }, { 'accept-language': 'fr, de;q=0.8' }))[0], 'Köln, Deutschland');
  assert.equal(values(await suggest(bundled, token, { q: 'sa' })).length, 5);
  assert.equal(values(await suggest(bundled, token, { q: 'sa', count: '20' })).length, 20);
});

test('too little text gives no suggestions; too much text or an invalid count is rejected', async () => {
  const token = await published(bundled, await bundled.team());
  for (const query of [{}, { q: '' }, { q: ' b ' }, { q: '\u0000\u0000' }, { q: '🙂' }])
    assert.deepEqual((await suggest(bundled, token, query as Record<string, string>)).body, { suggestions: [] });
  for (const query of [{ q: 'x'.repeat(201) }, { q: 'berlin', count: '0' }, { q: 'berlin', count: '21' }, { q: 'berlin', count: 'all' }])
    assert.equal((await suggest(bundled, token, query as Record<string, string>)).status, 400);
  assert.equal((await suggest(bundled, token, { q: 'x'.repeat(200) })).status, 200);
});

test('a form without an address field, a closed, full or unknown form gives no suggestions', async () => {
  const team = await bundled.team();
  const codeOf = async (token: string) => (await suggest(bundled, token, { q: 'berlin' })).body.code;
  assert.equal(
    await codeOf(await published(bundled, team, { fields: [{ id: 'name', type: 'text', label: 'Name' }] })),
    'suggestions_disabled',
  );
  assert.equal(await codeOf(await published(bundled, team, { publicSettings: { closesAt: '2020-01-01T00:00:00Z' } })), 'interface_closed');
  assert.equal(await codeOf('A'.repeat(64)), 'interface_not_found');
  const full = await published(bundled, team, { publicSettings: { maxSubmissions: 1 } });
  await bundled.pool.query('UPDATE interface_count SET taken = 1 WHERE team_id = $1', [team.id]);
  assert.equal(await codeOf(full), 'interface_full');
});

test('the provider receives the text and nothing about the visitor', async () => {
  const token = await published(outside, await outside.team());
  const answer = await suggest(
    outside,
    token,
    { q: '  Unter   den Linden ' },
    {
      cookie: 'submission=secret',
      authorization: 'Bearer secret',
      'x-forwarded-for': '203.0.113.7',
      'x-submission-session': 'secret',
      referer: 'https://intranet.example/secret',
      'user-agent': 'Visitor/1',
    },
  );
  assert.deepEqual(values(answer), ['Unter den Linden 1']);
  const [one] = provider.requests;
  assert.deepEqual(JSON.parse(one?.body ?? ''), { query: 'Unter den Linden', count: 5, language: 'en' });
  assert.doesNotMatch(JSON.stringify(one), /secret|203\.0\.113|Visitor|intranet/);
});

test('one address can send 60 requests a minute, and a team has an hourly budget at its provider', async () => {
  const [team, other] = [await outside.team(), await outside.team()];
  const [token, theirs] = [await published(outside, team), await published(outside, other)];
  const from = (ip: string, q: string, at = token) => suggest(outside, at, { q }, { 'x-forwarded-for': ip });
  const answers = await Promise.all(Array.from({ length: 62 }, () => from('203.0.113.9', 'Berlin')));
  // On a busy machine, not all requests share one provider request, and some meet the budget instead.
  const refusedFor = ({ status, body }: TestResponse) => (status === 429 ? body.detail : '');
  assert.equal(answers.filter((answer) => /60 requests in a minute/.test(refusedFor(answer))).length, 2);
  // Exceeds the steady rate of the budget. Usage is counted within a second.
  let refused = await from('203.0.113.10', 'Hamburg 0');
  await eventually('the budget to be used up', async () => {
    refused = await from(`198.51.100.${Math.floor(Math.random() * 250)}`, `Hamburg ${Math.random()}`);
    return refused.status === 429;
  });
  assert.doesNotMatch(refused.text, /quota|suggestions`|operator|team/i, 'the error does not disclose the budget of the team');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await from('203.0.113.10', 'Berlin')).status, 200, 'cached responses do not count');
  assert.equal((await from('203.0.113.10', 'Bremen', theirs)).status, 200, 'another team has its own budget');
  const usage = await outside.call('GET', '/api/v1/team/usage', { token: team.owner.token });
  const { used, limit } = usage.body.quotas.find(({ name }: { name: string }) => name === 'suggestions');
  assert.ok(used > 0 && limit === 24);
});
