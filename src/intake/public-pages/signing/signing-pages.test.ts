import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { isAccessible } from '../../../../test/accessible.ts';
import { withoutBrowser } from '../../../../test/browser.ts';
import { pageClient } from '../../../../test/page-client.ts';
import { type Chancery, sharedChancery, type User } from '../../../../test/harness.ts';
import { askToSign, outToSign, pdfDocument, presentPdf, signatures } from '../../../../test/signatures.ts';
import { desktop, keep, phone, pressUntil, useBrowser } from '../../../../test/visits.ts';

let chancery: Chancery;
let creator: User;
before(async () => {
  chancery = await sharedChancery();
  creator = await chancery.user(await chancery.team('Harbour & Lane'), { firstName: 'Priya' });
});

const place = { page: 1, x: 72, y: 600, width: 160, height: 30 };
const asker = {
  email: 'ada@acme.example',
  name: 'Ada Acme',
  fields: [
    { id: 'city', kind: 'text', label: 'City', ...place },
    { id: 'terms', kind: 'checkbox', label: 'The annex is known', ...place, y: 640, width: 16, height: 16 },
    { id: 'mark', kind: 'signature', ...place, y: 680 },
  ],
};

/** Creates a request that is ready to be signed, with its pages; returns its id and the path of the signing page. */
async function out(members: Record<string, unknown> = {}): Promise<{ id: string; path: string }> {
  const { id } = await askToSign(chancery, creator, { signers: [asker], message: 'Please sign by Friday.', ...members });
  const [token] = await outToSign(chancery, id);
  await presentPdf(chancery, id);
  return { id, path: `/sign/${token}` };
}
const stateOf = async (id: string) => {
  const { body } = await chancery.call('GET', `${signatures}/${id}`, { token: creator.token });
  return { status: body.status, signer: body.signers[0].status };
};
const { get, post } = pageClient(() => chancery);

test('a GET request changes nothing; opening and each action is a form of the page', async () => {
  const { id, path } = await out();
  const first = await get(path);
  assert.equal(first.status, 200);
  assert.match(first.text, /Harbour &amp; Lane asks you to sign/);
  assert.ok(!first.text.includes('<img src="/sign'), 'no part of the document is shown before it is opened');
  assert.deepEqual([first.headers.get('cache-control'), first.headers.get('referrer-policy')], ['no-store', 'no-referrer']);
  assert.doesNotMatch(first.headers.get('content-security-policy') ?? '', /unsafe/);
  assert.deepEqual(await stateOf(id), { status: 'pending', signer: 'pending' });
  for (const headers of [{ origin: 'https://evil.example' }, { origin: undefined }])
    assert.equal((await post(path, { _do: 'open' }, headers)).status, 403);
  assert.equal((await post(path, { _do: 'open' })).status, 303);
  assert.deepEqual(await stateOf(id), { status: 'pending', signer: 'viewed' });

  const shown = await get(path);
  assert.match(shown.text, /Services agreement between Harbour and Acme/, 'the text of the page is available to screen readers');
  assert.ok(Buffer.byteLength(shown.text) < 60_000);
  const picture = await fetch(`${chancery.url}${path}/pages/2.webp`);
  assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp']);
  const tag = picture.headers.get('etag') ?? '';
  assert.equal((await fetch(`${chancery.url}${path}/pages/2.webp`, { headers: { 'if-none-match': tag } })).status, 304);
  assert.equal((await fetch(`${chancery.url}${path}/pages/3.webp`)).status, 404);

  const refused = await post(path, { _do: 'sign', name: 'Ada', drawing: 'data:image/png;base64,AAAA' });
  assert.equal(refused.status, 422);
  for (const text of ['Your consent is required', 'The drawing is not valid', 'This field is required', 'Tick this box'])
    assert.ok(refused.text.includes(text), text);
  assert.deepEqual(await stateOf(id), { status: 'pending', signer: 'viewed' });
});

test('an ended link shows its end in the language of the request; a link with a code shows nothing before the code', async () => {
  const { id, path } = await out({ locale: 'de' });
  await chancery.pool.query("UPDATE signature_request SET expires_at = now() - interval '1 minute' WHERE id = $1", [id]);
  const over = await get(path, { 'accept-language': 'en' });
  assert.deepEqual([over.status, /lang="de"/.test(over.text)], [410, true]);
  assert.match(over.text, /Die Frist ist abgelaufen/);
  assert.equal((await get(`/sign/${'x'.repeat(64)}`)).status, 404);

  const coded = await out({ requireCode: true });
  const gate = await get(coded.path);
  assert.match(gate.text, /Enter a code from your e-mail/);
  assert.ok(!gate.text.includes('ada@acme.example') && !gate.text.includes('Services agreement'));
  assert.equal((await fetch(`${chancery.url}${coded.path}/pages/1.webp`)).status, 403);
  assert.match((await post(coded.path, { _do: 'send' })).text, /We sent a code/);
  assert.match((await post(coded.path, { _do: 'check', code: '12' })).text, /Enter the six digits/);
  const { rows } = await chancery.pool.query('SELECT text_body FROM mail_message WHERE recipient = $1 ORDER BY id DESC LIMIT 1', [
    'ada@acme.example',
  ]);
  const code = /\b\d{6}\b/.exec(rows[0].text_body)?.[0] ?? '';
  const wrong = code === '111111' ? '222222' : '111111';
  assert.match((await post(coded.path, { _do: 'check', code: wrong })).text, /This code is wrong/);
  const known = await post(coded.path, { _do: 'check', code });
  assert.equal(known.status, 303);
  const cookie = known.headers.getSetCookie().find((one) => one.includes('Path=/sign/')) ?? '';
  assert.match((await get(coded.path, { cookie: cookie.split(';')[0] ?? '' })).text, /asks you to sign/);
});

test('a voided request shows its title, reason and contact, to a signer who has entered the code', async () => {
  const reason = 'The price has changed';
  const end = (id: string) => chancery.call('POST', `${signatures}/${id}/void`, { token: creator.token, body: { reason } });
  const { id, path } = await out({ locale: 'de' });
  assert.equal((await end(id)).status, 200);
  const page = await get(path, { 'accept-language': 'en' });
  assert.deepEqual([page.status, /<html[^>]*lang="de"/.test(page.text)], [410, true]);
  for (const text of ['Services agreement', reason, 'Priya', `mailto:${creator.email}`, 'Harbour &amp; Lane'])
    assert.ok(page.text.includes(text), text);
  const coded = await out({ requireCode: true });
  await end(coded.id);
  const locked = await get(coded.path);
  assert.equal(locked.status, 410);
  assert.ok(!locked.text.includes('Services agreement') && !locked.text.includes(reason));
});

/** Creates an envelope of three documents that is ready to be signed; the second is only to read for the signer. */
async function envelope(members: Record<string, unknown> = {}): Promise<{ id: string; path: string }> {
  const documents: object[] = [];
  for (const title of ['Services agreement', 'Price list', 'Data protection annex'])
    documents.push({
      documentId: (await pdfDocument(chancery, creator, { title })).id,
      ...(title === 'Price list' ? { signedBy: [1] } : {}),
    });
  const fields = [{ id: 'city', kind: 'text', label: 'City', document: 2, ...place }];
  const signers = [
    { ...asker, fields },
    { email: 'grace@acme.example', name: 'Grace Acme' },
  ];
  return out({ documents, signers, ...members });
}

test('the page of an envelope shows each document with its files, and one form signs all', async () => {
  const { id, path } = await envelope();
  const intro = await get(path);
  for (const text of ['Services agreement (+2)', 'Price list', 'only to read', 'Open the documents'])
    assert.ok(intro.text.includes(text), text);
  await post(path, { _do: 'open' });
  const first = await get(path);
  assert.match(first.text, /Document 1 of 3/);
  assert.match(first.text, /Next document: Price list/);
  assert.match(first.text, /Services agreement between Harbour and Acme/);
  const last = await get(`${path}?document=2`);
  for (const text of [
    'Document 3 of 3',
    'Annex 2 to the agreement',
    '/document.pdf?document=2',
    '/pages/1.webp?document=2',
    '<a href="#field-city" tabindex="-1"',
  ])
    assert.ok(last.text.includes(text), text);
  assert.ok(!first.text.includes('<a href="#field-city" tabindex="-1"'), 'the field is on the third document');
  assert.match(last.text, /Data protection annex, <\/bdi>page 1/);
  const hashes: string[] = [];
  for (const part of ['pages/1.webp', 'document.pdf'])
    for (const at of [0, 2]) {
      const answer = await fetch(`${chancery.url}${path}/${part}?document=${at}`);
      assert.equal(answer.status, 200);
      hashes.push(
        createHash('sha256')
          .update(Buffer.from(await answer.arrayBuffer()))
          .digest('hex'),
      );
    }
  assert.equal(new Set(hashes).size, 4);
  assert.equal((await fetch(`${chancery.url}${path}/document.pdf?document=3`)).status, 404);
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(last.text)?.[1] ?? '';
  const fixed = Object.fromEntries(['documentsSha256', 'stateSha256', 'consentId', 'consentLocale'].map((name) => [name, value(name)]));
  assert.equal(fixed.documentsSha256?.split(' ').length, 3);
  const sent = { _do: 'sign', consent: 'yes', name: 'Ada Acme', 'field.city': 'Bremen', ...fixed };
  assert.match((await post(path, { ...sent, documentsSha256: 'a'.repeat(64) })).text, /The request changed/);
  assert.equal((await post(path, sent)).status, 303);
  assert.equal((await stateOf(id)).signer, 'signed');
});

test('the page of a signer follows the language of that signer', async () => {
  const { path } = await envelope({
    locale: 'en',
    signers: [
      { ...asker, fields: [], locale: 'de' },
      { email: 'grace@acme.example', name: 'Grace' },
    ],
  });
  const page = await get(path, { 'accept-language': 'en' });
  assert.match(page.text, /<html[^>]*lang="de"/);
  assert.match(page.text, /Dokumente öffnen/);
});

test('a completed envelope has a link to each sealed file', async () => {
  const { id, path } = await envelope();
  await chancery.pool.query("UPDATE signature_request SET status = 'completed', completed_at = now() WHERE id = $1", [id]);
  await chancery.pool.query('UPDATE signature_request_document SET sealed_version = 1 WHERE request_id = $1', [id]);
  const page = await get(path);
  for (const at of [0, 1, 2]) {
    assert.ok(page.text.includes(`${path}/sealed.pdf${at === 0 ? '' : `?document=${at}`}"`), `document ${at}`);
    assert.equal((await fetch(`${chancery.url}${path}/sealed.pdf?document=${at}`)).status, 200);
  }
});

describe('in a browser', { skip: withoutBrowser }, () => {
  const visit = useBrowser(() => chancery.url);

  const opened = async (path: string, options = {}): Promise<Page> => {
    const page = await visit(path, options);
    await page
      .getByRole('button')
      .filter({ hasText: /Open the document|افتح المستند/ })
      .click();
    await page.locator('.sheet img').first().waitFor();
    return page;
  };

  test('a person signs by keyboard alone', async () => {
    const { id, path } = await out();
    const page = await visit(path, { viewport: desktop });
    await isAccessible(page, 'the request');
    await keep(page, 'sign-request');
    await pressUntil(page, 'main button');
    await page.keyboard.press('Enter');
    await page.locator('.sheet img').first().waitFor();
    await isAccessible(page, 'the document');
    await keep(page, 'sign-document');
    await pressUntil(page, '[name=consent]');
    await page.keyboard.press('Space');
    await pressUntil(page, '#field-city');
    await page.keyboard.type('Hamburg');
    await pressUntil(page, '#field-terms');
    await page.keyboard.press('Space');
    await pressUntil(page, '#sign .actions button');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Back to the inbox' }).count(), 0, 'the signer has no account');
    await isAccessible(page, 'the signed document');
    await keep(page, 'sign-signed');
    assert.equal((await stateOf(id)).signer, 'signed');
  });

  test('a person draws a signature on a phone', async () => {
    const { id, path } = await out();
    const page = await opened(path, { viewport: phone, hasTouch: true });
    await page.getByLabel('City').fill('Bremen');
    await page.getByLabel('The annex is known').check();
    await page.getByRole('button', { name: 'Draw' }).click();
    await page.locator('#sign').getByRole('button', { name: 'Sign the document' }).click();
    await page.getByText('Draw it again, or type your name').first().waitFor();
    await page.getByRole('button', { name: 'Draw' }).click();
    const box = await page.locator('canvas').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 30, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + 20, { steps: 5 });
    await page.mouse.move(box.x + 200, box.y + 80, { steps: 5 });
    await page.mouse.up();
    await isAccessible(page, 'the drawing');
    await keep(page, 'sign-drawn');
    await page.locator('#sign').getByRole('button', { name: 'Sign the document' }).click();
    // The consent is missing: the drawing is kept, without the empty area around it.
    await page.locator('#summary').waitFor();
    await page.getByLabel('I have read this and agree.').check();
    await page.getByRole('button', { name: 'Draw', pressed: true }).waitFor();
    await page.locator('#sign').getByRole('button', { name: 'Sign the document' }).click();
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    const { rows } = await chancery.pool.query('SELECT mark_kind, mark_png FROM signature_signer WHERE request_id = $1', [id]);
    assert.equal(rows[0].mark_kind, 'drawn');
    const [width, height] = [rows[0].mark_png.readUInt32BE(16), rows[0].mark_png.readUInt32BE(20)];
    assert.ok(Math.abs(width - 172) < 4 && Math.abs(height - 62) < 4, `${width} × ${height}`);
  });

  test('a person declines without a script, and missing values are shown at their fields', async () => {
    const { id, path } = await out();
    const page = await opened(path, { javaScriptEnabled: false, viewport: phone });
    await page.locator('#sign').getByRole('button', { name: 'Sign the document' }).click();
    await page.locator('#summary:focus').waitFor();
    assert.deepEqual(await page.locator('#summary a').allTextContents(), ['Your consent', 'City', 'The annex is known']);
    await page.getByRole('link', { name: 'Decline' }).click();
    await page.getByLabel('Your reason').fill('The price is wrong');
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'You have declined' }).waitFor();
    assert.deepEqual(await stateOf(id), { status: 'declined', signer: 'declined' });
  });

  test('a bar with the next step is visible on a desktop, and leads through the steps on a phone', async () => {
    const { id, path } = await out();
    const page = await opened(path, { viewport: desktop });
    const first = await page.getByRole('link', { name: 'Next: Your consent' }).boundingBox();
    assert.ok(first && first.y + first.height <= desktop.height, JSON.stringify(first));
    await page.setViewportSize(phone);
    const bar = page.locator('.sign-bar');
    for (const [count, step] of [
      ['1 of 4 done', 'Your consent'],
      ['2 of 4 done', 'City'],
      ['3 of 4 done', 'The annex is known'],
    ]) {
      await bar.getByText(count ?? '').waitFor();
      const box = await bar.boundingBox();
      assert.ok(box && box.y + box.height <= phone.height + 1, JSON.stringify(box));
      await bar.getByRole('link', { name: `Next: ${step}` }).click();
      if (step === 'City') await page.getByLabel(step).fill('Bremen');
      else await page.getByLabel(step === 'Your consent' ? 'I have read this and agree.' : (step ?? '')).check();
    }
    await isAccessible(page, 'the bar');
    await keep(page, 'sign-bar');
    await bar.getByRole('button', { name: 'Sign the document' }).click();
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    assert.equal((await stateOf(id)).signer, 'signed');
  });

  test('the sign button is visible on a desktop without scrolling when no value is missing', async () => {
    const { id, path } = await out();
    const page = await opened(path, { viewport: desktop });
    await page.getByLabel('I have read this and agree.').check();
    await page.getByLabel('City').fill('Bremen');
    await page.getByLabel('The annex is known').check();
    await page.evaluate('scrollTo(0, 0)');
    const button = page.locator('.sign-bar').getByRole('button', { name: 'Sign the document' });
    const box = await button.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= desktop.height, JSON.stringify(box));
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    assert.equal((await stateOf(id)).signer, 'signed');
  });

  test('a person reads and signs an envelope by keyboard, without a script', async () => {
    const { id, path } = await envelope();
    const page = await visit(path, { viewport: desktop, javaScriptEnabled: false });
    await keep(page, 'sign-envelope-request');
    await pressUntil(page, 'main button');
    await page.keyboard.press('Enter');
    await page.locator('.sheet img').first().waitFor();
    for (const title of ['Price list', 'Data protection annex']) {
      await pressUntil(page, '.next-document a');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      assert.equal(await page.locator('nav.envelope a[aria-current=page]').textContent(), title);
    }
    await keep(page, 'sign-envelope-desktop');
    await pressUntil(page, '[name=consent]');
    await page.keyboard.press('Space');
    await pressUntil(page, '#field-city');
    await page.keyboard.type('Hamburg');
    await pressUntil(page, '#sign .actions button');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    assert.equal((await stateOf(id)).signer, 'signed');
  });

  test('an envelope is accessible on a phone, in each language', async () => {
    for (const locale of ['en', 'de', 'ar', 'ja']) {
      const { path } = await envelope({ locale });
      const page = await visit(path, { locale, viewport: { width: 375, height: 740 } });
      await isAccessible(page, `the request of an envelope in ${locale}`);
      await keep(page, `sign-envelope-request-${locale}`);
      await page.locator('main form button').first().click();
      await page.locator('.sheet img').first().waitFor();
      await isAccessible(page, `the envelope in ${locale}`);
      await keep(page, `sign-envelope-${locale}`);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'the page does not scroll sideways');
    }
  });

  test('from right to left', async () => {
    const { path } = await out({ locale: 'ar' });
    const page = await opened(path, { locale: 'ar', viewport: phone });
    assert.equal(await page.locator('html').getAttribute('dir'), 'rtl');
    await isAccessible(page, 'the document in Arabic');
    await keep(page, 'sign-arabic');
  });
});
