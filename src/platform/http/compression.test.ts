import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { request } from 'undici';
import { bareServer } from '../../../test/bare-server.ts';
import { type Chancery, sharedChancery, type User } from '../../../test/harness.ts';

const folders = '/api/v1/smartdoc/folders';
let chancery: Chancery;
let owner: User;
/** A folder with JSON above the minimum size for compression, and one below it. */
let [large, small]: any[] = [];
before(async () => {
  chancery = await sharedChancery();
  owner = (await chancery.team()).owner;
  large = await chancery.folder(owner, { metadata: { note: 'Compress me. '.repeat(200) } });
  small = await chancery.folder(owner);
});

type RequestOptions = { method?: 'GET' | 'HEAD' | 'PUT'; headers?: Record<string, string>; body?: string; anonymous?: boolean };
/** undici sends no `Accept-Encoding`, and does not decode bodies. */
async function send(path: string, { method = 'GET', headers = {}, body, anonymous = false }: RequestOptions = {}) {
  const authorization = anonymous ? {} : { authorization: `Bearer ${owner.token}` };
  const answer = await request(`${chancery.url}${path}`, {
    method,
    headers: { ...authorization, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) };
}
const gzip = { 'accept-encoding': 'gzip' };
const encodingOf = async (path: string, sent: RequestOptions = {}) => {
  const { status, headers } = await send(path, { ...sent, headers: { 'accept-encoding': 'gzip, br', ...sent.headers } });
  assert.equal(status, 200, path);
  return headers['content-encoding'];
};

test('JSON is compressed in an accepted encoding, with `Vary`', async () => {
  const plain = await send(`${folders}/${large.id}`);
  assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'accept-encoding']);
  for (const [accepted, encoding, read] of [
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br, gzip', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const) {
    const answer = await send(`${folders}/${large.id}`, { headers: { 'accept-encoding': accepted } });
    assert.equal(answer.headers['content-encoding'], encoding, accepted);
    assert.equal(Number(answer.headers['content-length']), answer.bytes.length);
    assert.ok(answer.bytes.length < plain.bytes.length / 3, `${answer.bytes.length} of ${plain.bytes.length} bytes`);
    assert.deepEqual(read(answer.bytes), plain.bytes);
    assert.match(String(answer.headers.vary), /accept-encoding/);
  }
  assert.equal(await encodingOf(`${folders}/${small.id}`), undefined, 'a body that fits in one packet');
});

test('HEAD returns the headers of GET', async () => {
  const [got, head] = await Promise.all([
    send(`${folders}/${large.id}`, { headers: gzip }),
    send(`${folders}/${large.id}`, { method: 'HEAD', headers: gzip }),
  ]);
  for (const name of ['content-encoding', 'content-length', 'etag', 'vary']) assert.equal(head.headers[name], got.headers[name], name);
  assert.equal(head.bytes.length, 0);
});

test('a compressed response has a separate entity tag, which conditions accept like the plain one', async () => {
  const plain = String((await send(`${folders}/${large.id}`)).headers.etag);
  const tag = String((await send(`${folders}/${large.id}`, { headers: gzip })).headers.etag);
  assert.equal(tag, plain.replace(/"$/, '-gzip"'));
  for (const known of [plain, tag, `W/${tag}`]) {
    const answer = await send(`${folders}/${large.id}`, { headers: { ...gzip, 'if-none-match': known } });
    assert.deepEqual([answer.status, answer.bytes.length, answer.headers['content-encoding']], [304, 0, undefined], known);
    assert.equal(answer.headers.etag, known === plain ? plain : tag);
    assert.match(String(answer.headers.vary), /accept-encoding/);
  }
  const json = { ...gzip, 'content-type': 'application/json' };
  const change = { method: 'PUT', headers: { ...json, 'if-match': tag }, body: JSON.stringify({ name: 'Changed' }) } as const;
  assert.equal((await send(`${folders}/${large.id}`, change)).status, 200);
  assert.equal((await send(`${folders}/${large.id}`, change)).status, 412, 'the tag belongs to the previous version');
});

describe('the API reference', () => {
  test('takes less than 250 kB for the whole description, and less than 300 kB for a client without Brotli', async () => {
    for (const [accepted, encoding, read, max] of [
      ['br, gzip', 'br', brotliDecompressSync, 250_000],
      ['gzip', 'gzip', gunzipSync, 300_000],
    ] as const) {
      const { headers, bytes } = await send('/openapi.json', { anonymous: true, headers: { 'accept-encoding': accepted } });
      assert.equal(headers['content-encoding'], encoding);
      assert.ok(bytes.length < max, `${bytes.length} bytes`);
      assert.match(JSON.parse(read(bytes).toString()).openapi, /^3\.1/);
    }
  });

  test('takes less than 700 kB for its list and a page with all files, also with a cookie', async () => {
    const sent = { anonymous: true, headers: { 'accept-encoding': 'gzip, br', accept: 'text/html', cookie: 'theme=dark' } };
    const [list, page] = await Promise.all([send('/docs/api', sent), send('/docs/api/documents', sent)]);
    const plain = await send('/docs/api/documents', { anonymous: true, headers: { accept: 'text/html' } });
    const named = Array.from(
      plain.bytes.toString().matchAll(/(?:src|href|data-description)="(\/docs\/api\/[^"]+)"/g),
      ([, path = '']) => path,
    );
    assert.equal(named.length, 5, 'icon, style, two scripts, description');
    const files = await Promise.all(named.map((path) => send(path, sent)));
    const bytes = [list, page, ...files].reduce((sum, one) => sum + one.bytes.length, 0);
    assert.ok(bytes < 700_000, `${bytes} bytes`);
  });

  test('has a separate entity tag for each encoding of a file, and sends 304 without a body', async () => {
    for (const path of ['/openapi.json', '/docs/api/folders/openapi.json', '/docs/api/static/swagger-ui.css']) {
      const plain = await send(path, { anonymous: true });
      const tag = String((await send(path, { anonymous: true, headers: gzip })).headers.etag);
      assert.equal(tag, String(plain.headers.etag).replace(/"$/, '-gzip"'), path);
      assert.match(String(plain.headers.vary), /accept-encoding/, path);
      const known = await send(path, { anonymous: true, headers: { ...gzip, 'if-none-match': tag } });
      assert.deepEqual([known.status, known.bytes.length, known.headers.etag, known.headers['content-encoding']], [304, 0, tag, undefined]);
      assert.match(String(known.headers.vary), /accept-encoding/, path);
    }
  });
});

describe('never compressed, because its size could disclose a secret, is', () => {
  const cookie = { cookie: 'chancery_refresh=x' };
  test('a response to a cookie without a token', async () => {
    assert.equal(await encodingOf('/problems/', { anonymous: true, headers: { accept: 'text/html' } }), 'br');
    assert.equal(await encodingOf('/problems/', { anonymous: true, headers: { accept: 'text/html', ...cookie } }), undefined);
    assert.equal(await encodingOf(`${folders}/${large.id}`, { headers: cookie }), 'br', 'other sites cannot send the access token');
  });
  test('a response with a secret or a new cookie', async () => {
    const app = bareServer();
    const body = { note: 'Compress me. '.repeat(200) };
    const config = { access: { kind: 'public' } } as const;
    app.register(async () => {
      app.get('/plain', { config }, () => body);
      app.get('/cookie', { config }, (_request, reply) => reply.setCookie('a', 'b').send(body));
      const response = { 200: Type.Object({ note: Type.String(), token: Type.Optional(Type.String()) }) };
      app.get('/secret', { config, schema: { response } }, () => body);
    });
    const encodings = ['/plain', '/cookie', '/secret'].map(
      async (url) => (await app.inject({ url, headers: gzip })).headers['content-encoding'],
    );
    assert.deepEqual(await Promise.all(encodings), ['gzip', undefined, undefined]);
    await app.close();
  });
});

test('files are sent uncompressed, completely and in ranges', async () => {
  const document = await chancery.document(owner);
  const form = new FormData();
  form.set('file', new Blob(['A line of text.\n'.repeat(500)], { type: 'text/plain' }), 'lines.txt');
  const uploaded = await chancery.call('POST', `/api/v1/smartdoc/documents/${document.id}/versions`, { token: owner.token, body: form });
  assert.equal(uploaded.status, 201, uploaded.text);
  const path = `/api/v1/smartdoc/documents/${document.id}/content`;
  const whole = await send(path, { headers: gzip });
  assert.deepEqual([whole.status, whole.headers['content-encoding'], whole.bytes.length], [200, undefined, 8_000]);
  const part = await send(path, { headers: { ...gzip, range: 'bytes=16-4000' } });
  assert.deepEqual([part.status, part.headers['content-encoding'], part.bytes.length], [206, undefined, 3_985]);
});
