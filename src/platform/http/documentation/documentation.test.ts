import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../../../../test/harness.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const get = (path: string) => fetch(`${chancery.url}${path}`, { headers: { accept: '*/*' } });
const linksIn = (text: string) =>
  Array.from(text.matchAll(/ (?:href|src|action)="([^"]+)"/g), ([, link = '']) => link.replaceAll('&amp;', '&'));
const fromProject = /^https:\/\/github\.com\/chancery\/chancery\/blob\/v[\d.]+\/([^#]+)/;

test('every page is linked from /docs, and each link of a page leads to a page, a heading or a file', async () => {
  const texts = new Map<string, string>();
  const waiting = ['/docs'];
  const broken: string[] = [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const answer = await get(path);
    if (answer.status !== 200) broken.push(path);
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') && !path.startsWith('/docs/api');
    const text = isPage ? await answer.text() : '';
    if (!isPage) await answer.body?.cancel();
    texts.set(path, text);
    for (const link of linksIn(text)) {
      const file = fromProject.exec(link)?.[1];
      if (file !== undefined && !existsSync(file)) broken.push(`${path}: ${link}`);
      if (link.startsWith('/')) waiting.push(link.split('#', 1)[0] ?? '');
    }
  }
  for (const [path, text] of texts)
    for (const link of linksIn(text)) {
      const [target = '', fragment] = link.split('#', 2);
      const there = link.startsWith('#') ? text : texts.get(target);
      if (fragment && there && !there.includes(`id="${fragment}"`)) broken.push(`${path}: ${link}`);
    }
  assert.deepEqual(broken, []);
  assert.ok(texts.has('/docs/guides/collect-signatures') && texts.has('/docs/internals/adr'));
  assert.equal((await get('/docs/images/demo-pages.png')).headers.get('content-type'), 'image/png');
  assert.ok(texts.size > 70, `${texts.size} pages`);
});

const found = async (words: string) =>
  Array.from(
    (await (await get(`/docs/search?q=${encodeURIComponent(words)}`)).text()).matchAll(/<li>\s*<a href="([^"]+)"/g),
    ([, link = '']) => link,
  );

test('a search finds sections by the start of words, by words with an error, and only by all words', async () => {
  assert.match((await found('legal hold'))[0] ?? '', /retain-documents/);
  assert.ok((await found('signatur requ')).some((link) => link.startsWith('/docs/guides/collect-signatures')));
  assert.ok((await found('evidnece pack')).some((link) => link.startsWith('/docs/guides/prove-records')));
  assert.deepEqual(await found('evidence xylophone'), []);
  assert.deepEqual(await found(' '), []);
});

test('the searched words are shown as text, and too many are refused', async () => {
  const page = await (await get(`/docs/search?q=${encodeURIComponent('"><script>x</script>')}`)).text();
  assert.doesNotMatch(page, /<script/);
  assert.equal((await get(`/docs/search?q=${'a'.repeat(101)}`)).status, 400);
});

test('a page runs no script and loads nothing from other origins', async () => {
  const answer = await get('/docs/guides/build-forms');
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /script-src|unsafe|https?:/);
});

test('addresses outside of the documentation are 404', async () => {
  for (const path of [
    'nothing',
    'pages.json',
    'guides/nothing',
    '..%2Fpackage.json',
    '%2e%2e/package.json',
    'images/..%2f..%2fpackage.json',
    '__proto__',
  ])
    assert.equal((await get(`/docs/${path}`)).status, 404, path);
});

test('links of pages are below the public address', async () => {
  const node = await chancery.node('api', { BASE_URL: 'https://api.example.org/chancery' });
  const links = linksIn(await (await fetch(`${node.address}/docs/guides/build-forms`)).text());
  assert.ok(links.length > 30);
  assert.deepEqual(
    links.filter((link) => link.startsWith('/') && !link.startsWith('/chancery/docs')),
    [],
  );
});
