import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../../../../test/harness.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});
const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${chancery.url}${path}`, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const scriptOf = (page: string) => /src="(\/app\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';

test('each path below /app has the page of the console, with a new nonce and without inline scripts', async () => {
  const [first, second] = [await read('/app'), await read('/app/documents/7?peek=1')];
  assert.deepEqual([first.status, second.status, first.headers.get('cache-control')], [200, 200, 'no-store']);
  const nonces = [first, second].map(({ headers, text }) => {
    const nonce = /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? '';
    assert.ok(text.includes(`nonce="${nonce}"`));
    return nonce;
  });
  assert.notEqual(nonces[0], nonces[1]);
  assert.match(first.text, /<noscript>[^]*href="\/app\/\.\.\/tasks"/, 'the task pages work without scripts');
  assert.doesNotMatch(first.text, /CONSOLE-|<script(?![^>]* src=)/);
  assert.doesNotMatch(first.headers.get('content-security-policy') ?? '', /unsafe/);
});

test('browsers keep the files of the console, which the build compressed', async () => {
  const script = scriptOf((await read('/app')).text);
  const plain = await read(script, { 'accept-encoding': 'identity' });
  assert.deepEqual(
    [plain.status, plain.headers.get('cache-control'), plain.headers.get('content-type')],
    [200, 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8'],
  );
  for (const coding of ['br', 'gzip']) {
    const { headers, text } = await read(script, { 'accept-encoding': coding });
    assert.deepEqual([headers.get('content-encoding'), text === plain.text], [coding, true]);
  }
});

test('a file of another version is missing, so that the browser does not run a page as a script', async () => {
  const { status, headers } = await read('/app/assets/index-OLDHASH1.js');
  assert.deepEqual([status, headers.get('content-type')], [404, 'application/problem+json; charset=utf-8']);
});

test('below a public address with a path, the page names its files and itself with that path', async (t) => {
  const node = await chancery.node('api', { BASE_URL: 'http://localhost:8080/chancery' });
  t.after(() => node.stop());
  const page = await (await fetch(`${node.address}/app`)).text();
  assert.match(page, /<meta name="console-address" content="\/chancery\/app" \/>/);
  assert.match(page, /src="\/chancery\/app\/assets\/[^"]+\.js"/);
});

test('the page has for the console whether visitors can register', async (t) => {
  const node = await chancery.node('api', { REGISTRATION: 'invited' });
  t.after(() => node.stop());
  const pages = [await read('/app'), { text: await (await fetch(`${node.address}/app`)).text() }];
  const found = pages.map(({ text }) => /<meta name="console-registration" content="([^"]*)"/.exec(text)?.[1]);
  assert.deepEqual(found, ['open', 'invited']);
});

test('a browser that opens the address of the service comes to the console', async () => {
  const { status, headers } = await read('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  assert.deepEqual([status, headers.get('location')], [303, '/app']);
});

test('the page for PDF files has an opaque origin, and loads only its two scripts', async () => {
  const { headers, text } = await read('/app/pdf-renderer.html');
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /sandbox allow-scripts$/);
  assert.match(
    policy,
    /^default-src 'none'; script-src \S+\/pdf-frame-\S+\.js \S+\/pdf-renderer-\S+\.js 'wasm-unsafe-eval'; worker-src blob:;/,
  );
  const { headers: script } = await read(scriptOf(text));
  assert.equal(script.get('cross-origin-resource-policy'), 'cross-origin');
  const { headers: other } = await read(scriptOf((await read('/app')).text));
  assert.equal(other.get('cross-origin-resource-policy'), 'same-site');
});
