import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pageClient } from '../../../../../test/page-client.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../../test/harness.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;
before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team('Harbour & Lane');
  creator = await chancery.user(team);
});
after(() => chancery.stop());

const path = '/api/v1/interfaces';
const ok = async (method: string, at: string, body?: unknown) => {
  const answer = await chancery.call(method, `${path}/${at}`, { token: creator.token, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const draftOf = (members: object = {}) =>
  ok('POST', '', {
    title: { en: 'Draft of a form', de: 'Entwurf eines Formulars' },
    type: 'form',
    fields: [
      { id: 'name', type: 'text', label: { en: 'Your name', de: 'Ihr Name' }, required: true },
      { id: 'paper', type: 'file', label: { en: 'A paper', de: 'Ein Papier' } },
    ],
    config: { requireAltcha: true, createsDocument: true },
    publicSettings: { locale: 'en', locales: ['en', 'de'], successMessage: 'We have it.', redirectUrl: 'https://www.example.org/' },
    ...members,
  });
const pathIn = (url: string) => new URL(url).pathname;
const { get: page, post, follow } = pageClient(() => chancery);
const send = (at: string, entries: Record<string, string>, file = 'a line of text') => {
  const body = new FormData();
  for (const [name, value] of Object.entries(entries)) body.set(name, value);
  body.set('_file.paper', new Blob([file]), 'paper.txt');
  return post(at, body);
};
const counted = async () => {
  const tables = [
    'submission',
    'submission_session',
    'submission_upload',
    'issued_document',
    'document',
    'job',
    'mail_message',
    'interface_day',
  ];
  const { rows } = await chancery.pool.query(`SELECT ${tables.map((name) => `(SELECT count(*)::int FROM ${name}) AS ${name}`).join(', ')}`);
  return rows[0];
};

test('a preview shows the current draft, validates answers, has a notice on each page, and stores nothing', async () => {
  const { id } = await draftOf();
  const { previewToken, previewUrl, expiresAt } = await ok('POST', `${id}/preview`);
  assert.equal(previewUrl, `${chancery.config.BASE_URL}/preview/${previewToken}`);
  const day = Date.parse(expiresAt) - Date.now();
  assert.ok(day > 23.9 * 3_600_000 && day <= 24 * 3_600_000);
  const kept = await counted();
  const at = pathIn(previewUrl);
  const shown = await page(at);
  assert.equal(shown.status, 200, shown.text);
  assert.match(shown.text, /Your name/);
  assert.match(shown.text, /This is a preview of a draft/);
  assert.doesNotMatch(shown.text, /<script type="module"|altcha/);
  assert.match(shown.headers.get('cache-control') ?? '', /no-store/);
  assert.match(shown.headers.get('x-robots-tag') ?? '', /noindex/);
  assert.match((await page(`${at}?locale=de`)).text, /Vorschau eines Entwurfs/);
  const wrong = await send(at, { name: '', _step: '1', _seen: 'name paper', _key: 'k', _version: '1', _locale: 'en', _go: 'on' });
  assert.equal(wrong.status, 422, 'the name is missing');
  const done = await send(at, { name: 'Ada', _step: '1', _seen: 'name paper', _key: 'k', _version: '1', _locale: 'en', _go: 'on' });
  assert.equal(done.status, 303, done.text);
  assert.deepEqual(done.headers.getSetCookie(), []);
  const thanks = await follow(done);
  assert.match(thanks.text, /We have it\./);
  assert.match(thanks.text, /This is a preview of a draft/);
  assert.doesNotMatch(thanks.text, /www\.example\.org/, 'the page has no redirect');
  assert.deepEqual(await counted(), kept, 'nothing is stored');
  await ok('PUT', id, { fields: [{ id: 'town', type: 'text', label: 'Your town' }] });
  assert.match((await page(at)).text, /Your town/);
});

test('a preview ends after a day, with a newer preview or with the form, and its link opens nothing else', async () => {
  const { id } = await draftOf();
  const first = await ok('POST', `${id}/preview`);
  const second = await ok('POST', `${id}/preview`);
  assert.equal((await page(pathIn(first.previewUrl))).status, 404, 'a newer preview exists');
  assert.equal((await page(pathIn(second.previewUrl))).status, 200);
  for (const method of ['GET', 'POST'] as const)
    for (const place of [`${path}/public/${second.previewToken}`, `${path}/api/${second.previewToken}`])
      assert.equal(
        (await chancery.call(method, method === 'GET' ? place : `${place}/submit`, method === 'GET' ? {} : { body: { data: {} } })).status,
        404,
      );
  assert.equal((await page(`/f/${second.previewToken}`)).status, 404);
  const { publicToken } = await ok('POST', `${id}/publish`, { revision: 1 });
  assert.equal((await page(`/preview/${publicToken}`)).status, 404);
  const links = await ok('GET', `${id}/links`);
  assert.doesNotMatch(JSON.stringify(links), new RegExp(second.previewToken), 'the token is shown once');
  await chancery.pool.query("UPDATE interface_link SET expires_at = now() - interval '1 second' WHERE channel = 'preview'");
  assert.equal((await page(pathIn(second.previewUrl))).status, 404, 'the preview has expired');
  const third = await ok('POST', `${id}/preview`);
  await chancery.call('DELETE', `${path}/${id}`, { token: creator.token });
  assert.equal((await page(pathIn(third.previewUrl))).status, 404, 'the form was deleted');
});

test('a preview works while its creator can edit the form', async () => {
  const { id } = await draftOf();
  const editor = await chancery.user(team);
  const share = await ok('POST', `${id}/shares`, { userId: editor.id, rights: ['edit'] });
  const made = await chancery.call('POST', `${path}/${id}/preview`, { token: editor.token });
  assert.equal(made.status, 200, made.text);
  const at = pathIn(made.body.previewUrl);
  assert.equal((await page(at)).status, 200);
  assert.equal((await chancery.call('DELETE', `${path}/${id}/shares/${share.id}`, { token: creator.token })).status, 204);
  assert.equal((await page(at)).status, 404);
  // An API client can use it while its scopes allow it.
  const apiClient = await chancery.client(team.owner, ['interfaces:read', 'interfaces:write']);
  const viaApi = await chancery.call('POST', `${path}/${id}/preview`, { token: apiClient.token });
  assert.equal((await page(pathIn(viaApi.body.previewUrl))).status, 200);
  const narrowed = { token: team.owner.token, body: { scopes: ['interfaces:read'] } };
  assert.equal((await chancery.call('PATCH', `/api/v1/security/clients/${apiClient.id}`, narrowed)).status, 200);
  assert.equal((await page(pathIn(viaApi.body.previewUrl))).status, 404);
});

test('the preview of a booking form shows the times of its calendar, and books none', async () => {
  const weekly = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['09:00', '12:00']]]));
  const calendar = { timeZone: 'Europe/Berlin', durationMin: 60, weekly };
  const fields = [{ id: 'name', type: 'text', label: 'Name', required: true }];
  const { id } = await ok('POST', '', { title: 'A call', type: 'scheduling', fields, calendar });
  const { previewUrl } = await ok('POST', `${id}/preview`);
  const at = pathIn(previewUrl);
  const times = await page(at);
  assert.equal(times.status, 200, times.text);
  const [, start = ''] = /name="start" value="([^"]+)"/.exec(times.text) ?? [];
  assert.notEqual(start, '', times.text);
  const form = await page(`${at}?start=${encodeURIComponent(start)}`);
  assert.match(form.text, /name="_start"/);
  const done = await send(at, {
    name: 'Ada',
    _step: '1',
    _seen: 'name',
    _key: 'k',
    _version: '1',
    _locale: 'en',
    _go: 'on',
    _start: decodeURIComponent(start),
  });
  assert.equal(done.status, 303, done.text);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM booking');
  assert.equal(rows[0].n, 0);
});
