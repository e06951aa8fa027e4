import assert from 'node:assert/strict';
import { createHash, randomUUIDv7 } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser, withoutBrowser } from '../../../../test/browser.ts';
import { type Chancery, startChancery } from '../../../../test/harness.ts';
import { visitsOf } from '../../../../test/visits.ts';
import { hashOfCode, newCode } from '../../../renditions/codes.ts';

let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

const document = Buffer.from('%PDF-1.7 what was agreed');

/** A document that was issued, with a code, by a team of this name. */
async function issued(name = 'Müller & Söhne <Recht>'): Promise<string> {
  const { id: team } = await chancery.team(name);
  const [id, code] = [randomUUIDv7(), newCode()];
  await chancery.pool.query(
    `INSERT INTO rendition (team_id, id, kind, about, status, code_hash, issued_at) VALUES ($1, $2, 'note', $3, 'ready', $4, '2026-11-20T10:00Z')`,
    [team, id, randomUUIDv7(), hashOfCode(code)],
  );
  await chancery.pool.query(`INSERT INTO rendition_file (team_id, id, storage_key, size, sha256, pages) VALUES ($1, $2, $3, $4, $5, 1)`, [
    team,
    id,
    randomUUIDv7(),
    document.length,
    createHash('sha256').update(document).digest('hex'),
  ]);
  return code;
}

const get = (path: string, headers = {}) => chancery.call('GET', path, { headers: { accept: 'text/html', ...headers }, unchecked: true });

test('the page of a code says that there is such a document, and of which team; none says that there is none', async () => {
  const code = await issued();
  const { status, headers, text } = await get(`/verify/${code.toLowerCase()}`);
  assert.equal(status, 200);
  assert.match(text, /A document with this code exists/);
  assert.match(text, /Müller &amp; Söhne &lt;Recht&gt;/);
  assert.deepEqual(
    [headers.get('cache-control'), headers.get('referrer-policy'), headers.get('x-robots-tag')],
    ['no-store', 'no-referrer', 'noindex, nofollow'],
  );
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; style-src 'nonce-/);
  assert.match(policy, /form-action 'self'; frame-ancestors 'none'$/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
  const none = await get(`/verify/${newCode()}`, { 'accept-language': 'de' });
  assert.deepEqual([none.status, /lang="de"/.test(none.text)], [404, true]);
  assert.match(none.text, /Ein Dokument mit diesem Code gibt es nicht/);
});

test('pages are sent from themselves alone: what comes from another site, or says nothing of where it comes from, is refused', async () => {
  const code = await issued();
  const send = (headers: Record<string, string>) =>
    fetch(`${chancery.url}/verify/${code}`, { method: 'POST', headers, body: new URLSearchParams({ sha256: '0'.repeat(64) }) });
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site' },
    {},
  ]) {
    const answer = await send(headers as Record<string, string>);
    const text = await answer.text();
    assert.equal(answer.status, 403, JSON.stringify(headers));
    assert.match(text, /This page was opened from elsewhere/);
  }
  for (const headers of [{ origin: chancery.url }, { origin: 'null', 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])
    assert.equal((await send(headers as Record<string, string>)).status, 200, JSON.stringify(headers));
});

test('bad forms are refused as pages, and never fail', async () => {
  const code = await issued();
  const headers = { origin: chancery.url };
  const send = async (body: string | URLSearchParams | FormData, type?: string) => {
    const answer = await fetch(`${chancery.url}/verify/${code}`, {
      method: 'POST',
      headers: { ...headers, ...(type ? { 'content-type': type } : {}) },
      body,
    });
    return [answer.status, answer.headers.get('content-type')];
  };
  const page = 'text/html; charset=utf-8';
  assert.deepEqual(await send(new URLSearchParams({ sha256: 'no' })), [400, page]);
  assert.deepEqual(await send(new FormData()), [400, page]);
  assert.deepEqual(
    await send('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ncut', 'multipart/form-data; boundary=x'),
    [400, page],
  );
  assert.deepEqual(await send('no boundary', 'multipart/form-data'), [400, page]);
  assert.deepEqual(await send('{}', 'application/json'), [415, page]);
  assert.deepEqual(await send('[1]', 'application/json'), [400, page]);
  assert.deepEqual(await send(new URLSearchParams({ a: 'b'.repeat(2 ** 21) })), [413, page]);
});

describe('in a browser', { skip: withoutBrowser }, () => {
  let browser: Browser;
  const { visit, end } = visitsOf(
    () => browser,
    () => chancery.url,
  );
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser.close());
  afterEach(end);

  for (const javaScriptEnabled of [true, false]) {
    test(`a file is compared ${javaScriptEnabled ? 'by its fingerprint, and stays on the device' : 'without a script'}`, async () => {
      const code = await issued();
      const page = await visit('/verify', { javaScriptEnabled });
      await page.getByLabel('Verification code').fill(code);
      await page.getByRole('button', { name: 'Look it up' }).click();
      await page.getByRole('heading', { name: 'A document with this code exists' }).waitFor();
      const sent: number[] = [];
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.postDataBuffer()?.length ?? 0));
      const compare = async (buffer: Buffer) => {
        await page.getByLabel('Choose the PDF').setInputFiles({ name: 'contract.pdf', mimeType: 'application/pdf', buffer });
        await page.getByRole('button', { name: 'Compare' }).click();
      };
      await compare(Buffer.concat([document, Buffer.from(' ')]));
      await page.getByRole('heading', { name: 'The file is not this document' }).waitFor();
      await compare(document);
      await page.getByRole('heading', { name: 'The file is genuine' }).waitFor();
      if (javaScriptEnabled)
        assert.ok(
          sent.every((bytes) => bytes < 100),
          'no file was sent',
        );
    });
  }
});
