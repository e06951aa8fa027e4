import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bareServer } from '../../../test/bare-server.ts';
import { Type } from 'typebox';
import { describeApi } from './openapi/document.ts';
import { collectDescriptionTexts } from './openapi/texts.ts';
import type { App } from './server.ts';

const baseUrl = 'https://api.example.com';
const deprecated = { since: '2026-03-01', sunset: '2026-12-01', successor: '/notes' };
const open = { access: { kind: 'public' as const } };

function toyApp(): App {
  const app = bareServer({ baseUrl });
  const texts = collectDescriptionTexts([
    { operations: { oldNotes: { text: 'Lists the notes of before.' }, notes: { text: 'Lists the notes.' } } },
  ]);
  describeApi(app, {
    title: 'Toy',
    version: '1.0.0',
    description: 'A toy',
    baseUrl,
    tags: [],
    events: () => [],
    texts: async () => texts,
  });
  app.register(async () => {
    const response = { 200: Type.Array(Type.String()) };
    app.get('/old-notes', { config: { ...open, deprecated }, schema: { operationId: 'oldNotes', response } }, (_request, reply) => {
      reply.header('link', '</old-notes?cursor=a>; rel="next"');
      return [];
    });
    app.get('/notes', { config: open, schema: { operationId: 'notes', response } }, () => []);
  });
  return app;
}

let app: App;
before(async () => {
  app = toyApp();
  await app.ready();
});
after(() => app.close());

test('each response of a deprecated operation contains its deprecation, its removal and its replacement', async () => {
  for (const url of ['/old-notes', '/old-notes?unknown=1']) {
    const { headers, statusCode } = await app.inject({ url });
    assert.equal(statusCode, url.includes('?') ? 400 : 200);
    assert.equal(headers.deprecation, '@1772323200', 'RFC 9745 §2: a date of structured fields');
    assert.equal(headers.sunset, 'Tue, 01 Dec 2026 00:00:00 GMT', 'RFC 8594 §3: an HTTP date');
    assert.match(String(headers.link), /<https:\/\/api\.example\.com\/notes>; rel="successor-version"$/);
  }
  assert.match(
    String((await app.inject({ url: '/old-notes' })).headers.link),
    /^<\/old-notes\?cursor=a>; rel="next", </,
    'other links stay',
  );
  const { headers } = await app.inject({ url: '/notes' });
  assert.deepEqual([headers.deprecation, headers.sunset, headers.link], [undefined, undefined, undefined]);
});

test('the description marks it and contains the same', async () => {
  const { paths } = (await app.described()) as { paths: Record<string, Record<string, any>> };
  const old = paths['/old-notes']?.get;
  assert.equal(old.deprecated, true);
  assert.match(old.description, /Deprecated since 2026-03-01\. It stays available until 2026-12-01 at least\. Use `\/notes` instead\./);
  for (const name of ['Deprecation', 'Sunset', 'Link']) assert.ok(old.responses['200'].headers[name], name);
  assert.equal(paths['/notes']?.get.deprecated, undefined);
});

test('an operation cannot be removed earlier than promised, or on an invalid date', async () => {
  for (const wrong of [{ since: '2026-03-01', sunset: '2026-04-01' }, { since: 'March' }]) {
    const other = toyApp();
    other.register(async () => {
      other.get('/soon', { config: { ...open, deprecated: wrong }, schema: { operationId: 'soon' } }, () => []);
    });
    await assert.rejects(async () => other.ready(), /180 days|an invalid date/);
    await other.close();
  }
});
