import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../../../test/harness.ts';
import { ordinaryUser } from '../../../test/ordinary-user.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const linksIn = (page: string) => [...page.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);

test('the page / describes the service, and all its links work', async () => {
  const { status, headers, text } = await chancery.call('GET', '/', { unchecked: true });
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.match(text, /<h1>Chancery<\/h1>/);
  const links = linksIn(text);
  assert.ok(links.includes('/docs') && links.includes('/dev/mail'), links.join(' '));
  for (const link of links) {
    const there = await fetch(`${chancery.url}${link}`);
    // A worker signs the first checkpoint shortly after the start.
    assert.ok(there.ok || (link === '/tlog/checkpoint' && there.status === 404), `${link} is ${there.status}`);
  }
});

test('the page / lists only served parts: in production no mailbox, and no disabled reference', async (t) => {
  const { url, drop } = await ordinaryUser(chancery.pool, chancery.databaseUrl);
  t.after(drop);
  const node = await chancery.node('api', {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    API_DOCS: 'off',
    AGENT_MODEL_PROTOCOL: 'openai',
    BASE_URL: 'https://api.example.org/chancery',
    METRICS_TOKEN: randomBytes(16).toString('hex'),
  });
  const page = await (await fetch(`${node.address}/`)).text();
  assert.doesNotMatch(page, /\/dev\/|\/docs"|openapi/);
  assert.ok(
    linksIn(page).every((link) => link.startsWith('/chancery/')),
    'links are below the public address',
  );
});
