import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { type Chancery, startChancery, type TestTeam } from '../../../test/harness.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { linkRotated } from './events.ts';
import { enterByLink } from './visitor.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
let now = new Date();

before(async () => {
  chancery = await startChancery({ role: 'api', clock: () => now });
  team = await chancery.team('Discreet & Partners');
});
after(() => chancery.stop());

const inBoth = (en: string, de: string) => ({ en, de });
const form = {
  title: inBoth('Intake', 'Aufnahme'),
  description: inBoth('Tell us', 'Erzählen Sie'),
  type: 'form',
  fields: [
    {
      id: 'matter',
      type: 'select',
      label: inBoth('Matter', 'Sache'),
      required: true,
      options: [{ id: 'nda', label: inBoth('NDA', 'Geheimhaltung') }],
    },
    { id: 'score', type: 'hidden', default: 'risk-7' },
    { id: 'country', type: 'country', label: inBoth('Country', 'Land'), default: 'DE' },
  ],
  calendar: {
    timeZone: 'Europe/Berlin',
    durationMin: 30,
    slotIntervalMin: 15,
    minNoticeMin: 60,
    maxDaysAhead: 30,
    weekly: { mon: [['09:00', '17:00']] },
    capacity: 3,
    feedDetails: true,
  },
  config: {
    requireAltcha: true,
    createsDocument: true,
    startsTemplate: 'nda-approval',
    retainDays: 30,
    uploads: { accept: ['image/png'] },
  },
  publicSettings: { submitLabel: inBoth('Send', 'Senden'), locale: 'en', locales: ['en', 'de'] },
};

async function published(members: object = {}): Promise<any> {
  const made = await chancery.call('POST', `${path}/`, { token: team.owner.token, body: { ...form, ...members } });
  assert.equal(made.status, 201, made.text);
  const answer = await chancery.call('POST', `${path}/${made.body.id}/publish`, { token: team.owner.token, body: { revision: 1 } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
const seen = (token: string, query = '', headers: Record<string, string> = {}) =>
  chancery.call('GET', `${path}/public/${token}${query}`, { headers });
const act = (id: string, what: string, body?: unknown) =>
  chancery.call('POST', `${path}/${id}/${what}`, { token: team.owner.token, ...(body ? { body } : {}) });

test('a public form shows the data that a page needs, and nothing about the team', async () => {
  const { id, publicToken } = await published();
  const { status, body, text } = await seen(publicToken);
  assert.equal(status, 200, text);
  assert.deepEqual(body, {
    id,
    title: 'Intake',
    description: 'Tell us',
    type: 'form',
    calendar: { timeZone: 'Europe/Berlin', durationMin: 30, slotIntervalMin: 15, minNoticeMin: 60, maxDaysAhead: 30 },
    config: { requireAltcha: true, uploads: { maxSizeMb: 20, accept: ['image/png'] }, drafts: false },
    fields: [
      { id: 'matter', type: 'select', label: 'Matter', required: true, options: [{ id: 'nda', label: 'NDA' }] },
      { id: 'score', type: 'hidden' },
      { id: 'country', type: 'country', label: 'Country', default: 'DE' },
    ],
    publicSettings: { submitLabel: 'Send', theme: 'auto', showProgress: true, allowPdf: true, locale: 'en', locales: ['en', 'de'] },
  });
  for (const secret of [team.id, team.owner.id, 'Discreet', 'risk-7', 'private.ics', 'nda-approval'])
    assert.ok(!text.includes(secret), secret);
});

test('texts are in the requested language, else in that of the browser, else in the default', async () => {
  const { publicToken } = await published();
  const title = async (query: string, accepted?: string) => {
    const answer = await seen(publicToken, query, accepted === undefined ? {} : { 'accept-language': accepted });
    assert.equal(answer.headers.get('vary'), 'Accept-Language, Origin');
    return [answer.body.title, answer.headers.get('content-language'), answer.body.publicSettings.locale];
  };
  assert.deepEqual(await title(''), ['Intake', 'en', 'en']);
  assert.deepEqual(await title('?locale=de'), ['Aufnahme', 'de', 'de']);
  assert.deepEqual(await title('', 'fr;q=0.9, de-AT;q=0.8'), ['Aufnahme', 'de', 'de']);
  assert.deepEqual(await title('?locale=ja', 'de'), ['Aufnahme', 'de', 'de']);
  assert.deepEqual(await title('?locale=ja'), ['Intake', 'en', 'en']);
});

test('the API channel has the fields and the schema of its data, and does not accept a public token', async () => {
  const { id, publicToken, apiToken } = await published();
  const { status, body, text } = await chancery.call('GET', `${path}/api/${apiToken}?locale=de`);
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(body).toSorted(), ['description', 'fields', 'id', 'publicSettings', 'title', 'type']);
  assert.deepEqual([body.id, body.title], [id, 'Aufnahme']);
  const { jsonSchema } = body.publicSettings;
  assert.deepEqual([jsonSchema.$schema, jsonSchema.required], ['https://json-schema.org/draft/2020-12/schema', ['matter']]);
  assert.deepEqual(jsonSchema.properties.matter, { title: 'Sache', oneOf: [{ const: 'nda', title: 'Geheimhaltung' }] });
  for (const at of [`public/${apiToken}`, `api/${publicToken}`])
    assert.equal((await chancery.call('GET', `${path}/${at}`)).body.code, 'interface_not_found');
});

test('every invalid link gets the same response, which does not contain the token', async () => {
  const outcomes: Record<string, string> = { 'of nothing': 'A'.repeat(64), 'too short': 'short', odd: '%00' };
  const rotated = await published();
  const renewed = (await act(rotated.id, 'rotate-token', { channel: 'public' })).body;
  assert.equal((await seen(renewed.publicToken)).status, 200);
  assert.equal(renewed.apiToken, rotated.apiToken, 'the other channel keeps its token');
  outcomes.replaced = rotated.publicToken;
  const deleted = await published();
  await chancery.call('DELETE', `${path}/${deleted.id}`, { token: team.owner.token });
  outcomes.deleted = deleted.publicToken;
  const suspended = await published();
  await chancery.pool.query("UPDATE interface SET suspended_at = now(), suspended_reason = 'abuse' WHERE id = $1", [suspended.id]);
  outcomes.suspended = suspended.publicToken;
  const other = await chancery.team();
  const theirs = await chancery.call('POST', `${path}/`, { token: other.owner.token, body: form });
  const { publicToken } = (
    await chancery.call('POST', `${path}/${theirs.body.id}/publish`, { token: other.owner.token, body: { revision: 1 } })
  ).body;
  await chancery.pool.query("UPDATE team SET status = 'closed' WHERE team_id = $1", [other.id]);
  outcomes['of a closed team'] = publicToken;
  for (const [why, token] of Object.entries(outcomes)) {
    const { status, body, text } = await seen(token);
    assert.deepEqual([status, body.code], [404, 'interface_not_found'], why);
    const { request_id: _, trace_id: __, ...said } = body;
    const { request_id: ___, trace_id: ____, ...same } = (await seen('B'.repeat(64))).body;
    assert.deepEqual(said, same, why);
    assert.ok(!text.includes(token), why);
  }
  for (const at of [`public/${renewed.publicToken}/nothing`, `api/${renewed.apiToken}/nothing`]) {
    const { status, body } = await chancery.call('GET', `${path}/${at}`, { unchecked: true });
    assert.deepEqual([status, /\{token\}/.test(body.instance)], [404, true]);
  }
});

test('a form that is closed, not open yet or over gets 410, and a full form gets 409', async () => {
  const code = async (token: string) => {
    const { status, body } = await seen(token);
    return `${status} ${body.code ?? ''}`.trim();
  };
  const settings = form.publicSettings;
  const closed = await published();
  await act(closed.id, 'close');
  assert.equal(await code(closed.publicToken), '410 interface_closed');
  const timed = await published({
    publicSettings: { ...settings, opensAt: '2031-01-01T00:00:00.000Z', closesAt: '2031-01-02T00:00:00.000Z' },
  });
  const states = [];
  const today = now;
  for (const at of ['2030-12-31T23:59:59.999Z', '2031-01-01T00:00:00.000Z', '2031-01-01T23:59:59.999Z', '2031-01-02T00:00:00.000Z']) {
    now = new Date(at);
    states.push(await code(timed.publicToken));
  }
  now = today;
  assert.deepEqual(states, ['410 interface_closed', '200', '200', '410 interface_closed']);
  const full = await published({ publicSettings: { ...settings, maxSubmissions: 2 } });
  assert.equal(await code(full.publicToken), '200');
  await chancery.pool.query('UPDATE interface_count SET taken = 2 WHERE interface_id = $1', [full.id]);
  assert.equal(await code(full.publicToken), '409 interface_full');
  const codeForApi = async (token: string) => (await chancery.call('GET', `${path}/api/${token}`)).body.code;
  assert.deepEqual([await codeForApi(full.apiToken), await codeForApi(closed.apiToken)], ['interface_full', 'interface_closed']);
});

test('a visitor of a link acts only in its team, and the journal records a visitor', async () => {
  const { id, apiToken } = await published();
  const session = randomUUIDv7();
  await chancery.database.withoutTeam(async (db) => {
    const context = { db, now: new Date(), requestId: 'by-a-link', listeners: [] };
    const { scope, visited } = await enterByLink(context, { channel: 'api', token: apiToken }, session);
    assert.deepEqual([visited.id, visited.version, scope.team], [id, 1, team.id]);
    await recordAudit(scope, linkRotated, id, { channel: 'api' });
  });
  const { rows } = await chancery.pool.query("SELECT actor_type, actor_id FROM audit_entry WHERE request_id = 'by-a-link'");
  assert.deepEqual(rows, [{ actor_type: 'visitor', actor_id: session }]);
});

test('a field with 10,000 options is shown, and accepts only one of them', async () => {
  const options = Array.from({ length: 10_000 }, (_, place) => ({ id: `o${place}`, label: `Option ${place}` }));
  const { publicToken, publicUrl } = await published({
    fields: [{ id: 'many', type: 'select', label: 'Which?', options }],
    config: {},
    publicSettings: {},
  });
  assert.equal((await seen(publicToken)).body.fields[0].options.length, 10_000);
  const page = await chancery.call('GET', new URL(publicUrl).pathname);
  assert.equal(page.status, 200);
  assert.ok(page.text.includes('Option 9999'));
  const answer = (many: string) => chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data: { many } } });
  assert.equal((await answer('o9999')).status, 200);
  assert.deepEqual((await answer('o10000')).body.errors?.[0]?.rule, 'option');
});

test('circular conditions and slow patterns are rejected when a definition is saved', async () => {
  const text = (id: string, more: object) => ({ id, type: 'text', label: id, ...more });
  const saved = (fields: object[]) =>
    chancery.call('POST', `${path}/`, { token: team.owner.token, body: { title: 'Form', type: 'form', fields } });
  const circle = ['a', 'b', 'c'].map((id, place) => text(id, { visibleIf: { field: 'abc'[(place + 1) % 3], empty: false } }));
  const refused = await saved(circle);
  assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].rule], [422, 'interface_invalid', 'cycle']);
  for (const pattern of ['(?=a)b', '(a)\\1', '('])
    assert.equal((await saved([text('a', { validation: { pattern } })])).status, 422, pattern);
  const { publicToken } = await published({
    fields: [text('evil', { validation: { pattern: '^(a+)+$', maxLength: 20_000 } })],
    config: {},
    publicSettings: {},
  });
  const body = { data: { evil: `${'a'.repeat(19_999)}!` } };
  const used = await cpuTimeOf(async () => {
    const answer = await chancery.call('POST', `${path}/public/${publicToken}/submit`, { body });
    assert.deepEqual([answer.status, answer.body.errors?.[0]?.rule], [422, 'pattern']);
  });
  assert.ok(used < 30_000, `${used} ms`);
});
