import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { isAccessible } from '../../../../test/accessible.ts';
import { startBrowser, withoutBrowser } from '../../../../test/browser.ts';
import { type Chancery, sharedChancery, type User } from '../../../../test/harness.ts';
import { publishForm } from '../../../../test/published-forms.ts';
import { desktop, keep, phone } from '../../../../test/visits.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';

const withoutSites: string | false =
  withoutBrowser || (spawnSync('openssl', ['version']).status !== 0 && 'this machine has no openssl to create a certificate for a site');
const interfaces = '/api/v1/interfaces';
let chancery: Chancery;
let owner: User;
before(async () => {
  chancery = await sharedChancery();
  ({ owner } = await chancery.team('Harbour & Lane'));
});

test('allowed sites are https origins with name and port, at most twenty, without characters that extend the policy', async () => {
  const make = (embedOrigins: string[]) =>
    chancery.call('POST', `${interfaces}/`, {
      token: owner.token,
      body: { title: 'Framed', type: 'form', publicSettings: { embedOrigins } },
    });
  for (const origin of [
    'https://www.example.org',
    'https://example.org:8443',
    'https://127.0.0.1',
    'https://[::1]:8443',
    'https://localhost',
  ])
    assert.equal((await make([origin])).status, 201, origin);
  for (const origin of [
    'http://example.org',
    'https://example.org/',
    'https://*.example.org',
    'https://*',
    "https://a.example;script-src'*'",
    'https://a.example https://b.example',
    'https://a.example,https://b.example',
    'https://user@example.org',
    'https://',
    'https://-',
    'data:text/html,x',
    '*',
    "'self'",
  ])
    assert.equal((await make([origin])).status, 400, origin);
  const many = Array.from({ length: 21 }, (_, n) => `https://s${n}.example`);
  assert.deepEqual([(await make(many)).status, (await make(many.slice(1))).status], [400, 201]);
});

test('only the allowed sites of a form can frame its page; its script is small, and other pages cannot be framed', async () => {
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const policyOf = async (at: string) => (await fetch(`${chancery.url}${at}`)).headers.get('content-security-policy') ?? '';
  const open = await publishForm(chancery, owner, {
    title: 'Open',
    fields,
    publicSettings: { embedOrigins: ['https://a.example', 'https://b.example:8443'] },
  });
  assert.match(await policyOf(`/f/${open.publicToken}`), /frame-ancestors https:\/\/a\.example https:\/\/b\.example:8443$/);
  const shut = await publishForm(chancery, owner, { title: 'Shut', fields });
  for (const at of [`/f/${shut.publicToken}`, `/f/${'A'.repeat(64)}`, '/verify/x'])
    assert.match(await policyOf(at), /frame-ancestors 'none'/, at);
  const script = await fetch(`${chancery.url}/embed.js`);
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/);
  assert.equal(script.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.ok(gzipSync(await script.text()).length < 1_000);
});

test('pages of allowed sites can call the public operations of the form without credentials; other sites and operations are denied', async () => {
  const [site, second] = ['https://a.example', 'https://b.example:8443'];
  const { id, publicToken } = await publishForm(chancery, owner, {
    title: 'Called',
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
    publicSettings: { embedOrigins: ['https://A.example:443', second] },
  });
  const at = `${interfaces}/public/${publicToken}`;
  const call = (method: string, path: string, origin: string, more: { body?: object; headers?: Record<string, string> } = {}) =>
    chancery.call(method, path, { ...more, headers: { origin, ...more.headers }, unchecked: true });
  const asking = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,x-submission-session' };
  const shown = ({ headers }: { headers: Headers }) => [
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
  ];
  for (const origin of [site, second]) {
    const preflight = await call('OPTIONS', `${at}/submit`, origin, { headers: asking });
    assert.deepEqual([preflight.status, ...shown(preflight)], [204, origin, null]);
    assert.equal(preflight.headers.get('access-control-max-age'), '600');
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/);
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'Content-Type, Idempotency-Key, X-Submission-Session');
    const answers = [
      await call('GET', at, origin),
      await call('POST', `${at}/submit`, origin, { body: { data: { name: 'Ada' } } }),
      await call('POST', `${at}/submit`, origin, { body: { data: { name: 5 } } }),
      await call('GET', `${at}/nothing`, origin),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 422, 404],
    );
    for (const answer of answers) {
      assert.deepEqual(shown(answer), [origin, null]);
      assert.match(answer.headers.get('vary') ?? '', /origin/i);
      assert.match(answer.headers.get('access-control-expose-headers') ?? '', /Retry-After.*X-Submission-Session/);
    }
  }
  for (const origin of [
    'https://evil.example',
    'http://a.example',
    'https://a.example.evil.example',
    'https://b.example',
    'null',
    `${site}/`,
  ])
    for (const answer of [await call('GET', at, origin), await call('OPTIONS', `${at}/submit`, origin, { headers: asking })]) {
      assert.deepEqual(shown(answer), [null, null], origin);
      assert.equal(answer.headers.get('access-control-max-age'), null);
      assert.match(answer.headers.get('vary') ?? '', /origin/i);
    }
  const { apiToken } = (await chancery.call('GET', `${interfaces}/${id}/links`, { token: owner.token })).body;
  for (const path of [
    `${interfaces}/api/${apiToken}`,
    `${interfaces}/public/${'A'.repeat(64)}`,
    `/f/${publicToken}`,
    `${interfaces}/${id}`,
  ])
    assert.deepEqual(shown(await call('GET', path, site)), [null, null], path);
});

/** Starts sites of other organisations on separate ports, with self-signed certificates. */
async function startSites(pages: string[]): Promise<{ origins: string[]; put(at: number, page: string): void; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'chancery-sites-'));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'site.key'];
  const made = spawnSync('openssl', ['req', '-x509', ...key, '-out', 'site.pem', '-days', '2', '-subj', '/CN=site'], { cwd: folder });
  assert.equal(made.status, 0);
  const tls = { key: readFileSync(join(folder, 'site.key')), cert: readFileSync(join(folder, 'site.pem')) };
  rmSync(folder, { recursive: true });
  const servers: Server[] = pages.map((_, at) =>
    createServer(tls, (_request, response) => response.setHeader('content-type', 'text/html').end(pages[at])),
  );
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origins: servers.map((server) => `https://127.0.0.1:${(server.address() as AddressInfo).port}`),
    put: (at, page) => void (pages[at] = page),
    close: () => servers.forEach((server) => server.close().closeAllConnections()),
  };
}

const heightOf = (page: Page) => page.locator('iframe').evaluate((frame) => frame.getBoundingClientRect().height);
const heightInside = (page: Page) =>
  page
    .frameLocator('iframe')
    .locator('body')
    .evaluate((body) => body.getBoundingClientRect().height);

test('a form in a frame has the height of its contents; a site that is not allowed cannot show it', { skip: withoutSites }, async (t) => {
  const sites = await startSites(['', '']);
  const [allowed = '', refused = ''] = sites.origins;
  const fields = [
    {
      id: 'matter',
      type: 'radio',
      label: 'Matter',
      options: [
        { id: 'a', label: 'One' },
        { id: 'b', label: 'More' },
      ],
    },
    ...Array.from({ length: 12 }, (_, n) => ({
      id: `f${n}`,
      type: 'textarea',
      label: `More ${n}`,
      visibleIf: { field: 'matter', eq: 'b' },
    })),
  ];
  const { id, publicToken } = await publishForm(chancery, owner, { title: 'Framed', fields, publicSettings: { embedOrigins: [allowed] } });
  const embed = `<!doctype html><title>Site</title><body><script async src="${chancery.url}/embed.js" data-form="${publicToken}" data-title="Ask us"></script>`;
  sites.put(0, embed);
  sites.put(1, embed);
  const browser = await startBrowser();
  t.after(async () => {
    await browser.close();
    sites.close();
  });
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const fits = (what: string) =>
    eventually(what, async () => Math.abs((await heightOf(page)) - (await heightInside(page))) <= 1 && (await heightOf(page)) !== 600);
  await page.setViewportSize(phone);
  await page.goto(allowed);
  assert.equal(await page.locator('iframe').getAttribute('title'), 'Ask us');
  await fits('the frame has the height of the form');
  const frame = page.frames()[1] ?? assert.fail('the page has a frame');
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    await isAccessible(frame, `a form in a frame of ${size.width}`);
    await keep(page, `frame-${size.width}`);
  }
  await fits('the frame has the height of the form in a wider site');
  const short = await heightOf(page);
  await page.frameLocator('iframe').getByLabel('More', { exact: true }).check();
  await eventually('the frame grows', async () => (await heightOf(page)) > short + 600);
  await fits('and has the height of the form');
  await page.frameLocator('iframe').getByLabel('One', { exact: true }).check();
  await eventually('the frame shrinks', async () => (await heightOf(page)) < short + 100);
  const inside = page.frameLocator('iframe');
  await inside.getByRole('button', { name: 'Send' }).click();
  await inside.getByRole('heading', { name: 'Thank you' }).waitFor();
  await fits('the next page has the height of its contents');
  const { rows } = await chancery.pool.query('SELECT data FROM submission WHERE interface_id = $1', [id]);
  assert.deepEqual(rows, [{ data: { matter: 'a' } }], 'sent without a cookie, from within the frame');
  const height = await heightOf(page);
  const called = `fetch('${chancery.url}${interfaces}/public/${publicToken}/submit', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { matter: 'a' } }) }).then((answer) => answer.status + ' ' + answer.headers.has('x-request-id'), () => 'refused')`;
  assert.match(await page.evaluate<string>(called), /^200 true/);
  // Heights from other senders are ignored, from the site itself and from another frame of it.
  await page.evaluate(`new Promise((resolve) => {
    const other = document.body.appendChild(document.createElement('iframe'));
    addEventListener('message', ({ data }) => data === 'told' && resolve(other.remove()));
    postMessage({ type: 'chancery:height', height: 7 }, '*');
    other.srcdoc = '<script>parent.postMessage({type:"chancery:height",height:7},"*");parent.postMessage("told","*")</scr' + 'ipt>';
  })`);
  assert.equal(await heightOf(page), height);

  const said: string[] = [];
  const stranger = await context.newPage();
  stranger.on('console', (message) => said.push(message.text()));
  await stranger.goto(refused);
  await eventually('the frame is blocked', async () => said.some((text) => /frame-ancestors/.test(text)));
  assert.equal(await stranger.evaluate(called), 'refused');
  assert.equal(await heightOf(stranger), 600, 'the blocked page gets no data of the form');
  assert.equal(await stranger.frameLocator('iframe').locator('form').count(), 0);
});
