import assert from 'node:assert/strict';
import { createHash, randomUUIDv7 } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { withoutBrowser } from '../../../../../test/browser.ts';
import { plainPdf } from '../../../../../test/plain-pdf.ts';
import { append, makeSigner, sign } from '../../../../../test/signed-pdf.ts';
import { pageClient } from '../../../../../test/page-client.ts';
import { type Chancery, startChancery } from '../../../../../test/harness.ts';
import { fits, pressUntil, useBrowser } from '../../../../../test/visits.ts';
import { hashOfCode, newCode } from '../../../issued-documents/codes.ts';

let chancery: Chancery;
let folder: string;
let signed: Buffer;
let foreign: Buffer;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-verify-'));
  signed = await sign(plainPdf(['What was agreed']), await makeSigner(folder, 'Olivia'));
  foreign = await sign(plainPdf(['What was agreed']), await makeSigner(folder, 'Rob'));
  const settings = {
    TRUSTED_PROXIES: '127.0.0.1',
    VERIFY_TRUST: join(folder, 'Olivia-ca.pem'),
    STORAGE_URL: `file:${join(folder, 'files')}`,
  };
  chancery = await startChancery({ role: 'api', settings });
});
after(async () => {
  await chancery.stop();
  await rm(folder, { recursive: true, force: true });
});

const document = Buffer.from('%PDF-1.7 what was agreed');

/** Issues a document with a code, for a team with this name. */
async function issued(name = 'Müller & Söhne <Recht>'): Promise<string> {
  const { id: team } = await chancery.team(name);
  const [id, code] = [randomUUIDv7(), newCode()];
  await chancery.pool.query(
    `INSERT INTO issued_document (team_id, id, kind, about, status, code_hash, issued_at) VALUES ($1, $2, 'note', $3, 'ready', $4, '2026-11-20T10:00Z')`,
    [team, id, randomUUIDv7(), hashOfCode(code)],
  );
  await chancery.pool.query(
    `INSERT INTO issued_document_file (team_id, id, storage_key, size, sha256, pages) VALUES ($1, $2, $3, $4, $5, 1)`,
    [team, id, randomUUIDv7(), document.length, createHash('sha256').update(document).digest('hex')],
  );
  return code;
}

const { get, post } = pageClient(() => chancery);

test('the page of a code shows the document and its team, or that no document has the code', async () => {
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
  assert.match(none.text, /Kein Dokument hat diesen Code/);
});

test('the chosen language stays on all pages of a code and a signed file, and the page of a code offers other languages', async () => {
  const code = await issued();
  const chosen = await get('/verify?locale=de');
  assert.match(chosen.text, /<form method="post" action="[^"]*\/verify\?locale=de"/);
  assert.match(chosen.text, /<input type="hidden" name="locale" value="de"/);
  const sent = await fetch(`${chancery.url}/verify?locale=de&code=${code}`, { redirect: 'manual' });
  assert.equal(new URL(sent.headers.get('location') ?? '', chancery.url).search, '?locale=de');
  for (const path of [`/verify/${code}`, `/verify/${newCode()}`]) {
    const { text } = await get(`${path}?locale=de`);
    assert.match(text, /<html\s+lang="de"/);
    assert.match(text, new RegExp(`href="[^"]*${path}\\?locale=ar"`), 'a language menu');
    assert.match(text, /href="[^"]*\/verify\?locale=de"/, 'another code');
  }
  assert.doesNotMatch((await get(`/verify/${code}`)).text, /verify\?locale=|name="locale"/);
});

test('the title of an error page is its heading, for screen readers and tabs', async () => {
  const { status, text } = await get(`/f/${'A'.repeat(64)}`);
  const [title, heading] = [/<title>([^<]*) · Chancery<\/title>/, /<h1[^>]*>\s*([^<]*?)\s*<\/h1>/].map((part) => part.exec(text)?.[1]);
  assert.deepEqual([status, title], [404, heading]);
});

test('forms are only accepted from pages of the service: other or unknown origins are denied', async () => {
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
    assert.match(text, /Request from another site/);
  }
  for (const headers of [{ origin: chancery.url }, { origin: 'null', 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])
    assert.equal((await send(headers as Record<string, string>)).status, 200, JSON.stringify(headers));
});

test('malformed forms are rejected with pages and never cause a server error', async () => {
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

/** Submits a file to the page that checks signed files. */
function check(file?: Buffer, headers: Record<string, string | undefined> = {}) {
  const form = new FormData();
  if (file) form.set('file', new Blob([new Uint8Array(file)], { type: 'application/pdf' }), 'contract.pdf');
  return post('/verify', form, headers);
}

test('a signed file is valid, has added content, or is unknown, with its signers; files are limited, not stored, and counted by IP address', async () => {
  const [valid, added, unknown] = [
    await check(signed),
    await check(append(signed, { 1: '<</Type/Catalog/Pages 2 0 R>>' })),
    await check(foreign),
  ];
  assert.match(valid.text, /<h1[^>]*>\s*Valid and unchanged since it was signed/);
  for (const said of [/Olivia Authority/, /the whole file/, /UTC, according to the file/]) assert.match(valid.text, said);
  assert.match(added.text, /<h1[^>]*>\s*Content added after signing[^]*Types: Catalog/);
  assert.match(unknown.text, /<h1[^>]*>\s*Unchanged, but the signer is unknown[^]*Rob Authority/);
  assert.match((await check(plainPdf(['Nothing']), { origin: chancery.url, 'accept-language': 'de' })).text, /Keine Unterschrift gefunden/);
  assert.deepEqual([(await check(undefined)).status, (await check(signed, { origin: 'https://evil.example' })).status], [400, 403]);
  const large = await check(Buffer.alloc(25 * 1024 * 1024 + 1));
  assert.deepEqual([large.status, /larger than 25 MB/.test(large.text)], [413, true]);
  const left = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true });
  assert.deepEqual(
    left.filter((one) => one.isFile()),
    [],
    'nothing is stored',
  );
  const often = await Promise.all(Array.from({ length: 8 }, () => check(document)));
  assert.ok(
    often.some(({ status, text }) => status === 429 && /again in \d+ seconds/.test(text)),
    'ten files a minute from one IP address',
  );
});

test('the icon is at the default address and can be cached', async () => {
  const { text } = await get('/verify');
  const [, named = ''] = /<link rel="icon"[^>]*href="([^"]+)"/.exec(text) ?? [];
  for (const path of [named, '/favicon.ico']) {
    const icon = await fetch(chancery.url + path);
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8']);
    assert.match(icon.headers.get('cache-control') ?? '', /^public, max-age=\d{5}/);
  }
});

describe('in a browser', { skip: withoutBrowser }, () => {
  const visit = useBrowser(() => chancery.url);

  test('a signed file can be checked by keyboard alone, and the result fits phones and desktops', async () => {
    // The previous IP address has reached its limit.
    const page = await visit('/verify', { extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9' } });
    await fits(page, 'verify');
    await page.getByLabel('Signed PDF').setInputFiles({ name: 'contract.pdf', mimeType: 'application/pdf', buffer: signed });
    await pressUntil(page, 'form[enctype] button');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Valid and unchanged' }).waitFor();
    await fits(page, 'verify-valid');
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`a file is compared ${javaScriptEnabled ? 'by its fingerprint, and stays on the device' : 'without a script'}`, async () => {
      const code = await issued();
      const page = await visit('/verify', { javaScriptEnabled });
      await page.getByLabel('Verification code').fill(code);
      await page.getByRole('button', { name: 'Check the code' }).click();
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
      await page.getByRole('heading', { name: 'The file is authentic' }).waitFor();
      if (javaScriptEnabled)
        assert.ok(
          sent.every((bytes) => bytes < 100),
          'no file was sent',
        );
    });
  }
});
