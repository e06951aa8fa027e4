import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../../../../test/browser.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../../test/harness.ts';
import { wordsFor } from '../words/index.ts';
import { publishForm, type PublishedForm } from '../../../../../test/published-forms.ts';
import { desktop, fits, phone, pressUntil, useBrowser } from '../../../../../test/visits.ts';

const hostile = `"'><img src=x onerror="document.title='taken'"><script>document.title='taken'</script><svg/onload=alert(1)>`;

let chancery: Chancery;
let team: TestTeam;
let creator: User;
before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team('Harbour & Lane');
  creator = await chancery.user(team);
});

const fields = [
  { id: 'name', type: 'text', label: 'Full name', required: true },
  {
    id: 'kind',
    type: 'radio',
    label: 'What do you send?',
    required: true,
    options: [
      { id: 'none', label: 'Nothing' },
      { id: 'papers', label: 'Papers' },
    ],
  },
  { id: 'papers', type: 'file', label: 'Papers', required: true, page: 2, visibleIf: { field: 'kind', eq: 'papers' } },
  { id: 'note', type: 'textarea', label: 'Note', page: 3 },
];
const config = { createsDocument: true, uploads: { maxSizeMb: 1, accept: ['application/pdf', 'image/png'] } };
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

const pathOf = ({ publicToken }: PublishedForm) => `/f/${publicToken}`;
const kept = async ({ id }: PublishedForm): Promise<any> =>
  (await chancery.pool.query('SELECT id, data FROM submission WHERE interface_id = $1', [id])).rows[0];
const filesOf = async (submission: string) =>
  (await chancery.pool.query('SELECT name FROM submission_upload WHERE submission_id = $1', [submission])).rows;

test('the first page load has at most 60 KB compressed, and browsers cache it until it changes', async () => {
  const form = await publishForm(chancery, creator, { fields, config: { ...config, requireAltcha: true } });
  const load = async (path: string, encoding: string) => {
    const answer = await fetch(`${chancery.url}${path}`, { headers: { 'accept-encoding': encoding, accept: '*/*' } });
    assert.equal(answer.status, 200, path);
    assert.equal(answer.headers.get('content-encoding'), encoding, path);
    return { bytes: Number(answer.headers.get('content-length')), headers: answer.headers, text: await answer.text() };
  };
  for (const encoding of ['br', 'gzip']) {
    const page = await load(pathOf(form), encoding);
    const parts = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    assert.equal(parts.length, 3, 'an icon, a style sheet and a script');
    const loaded = await Promise.all(parts.map((path) => load(path, encoding)));
    for (const { headers } of loaded) assert.match(headers.get('cache-control') ?? '', /immutable/);
    const sizes = [page, ...loaded].map(({ bytes }) => bytes);
    assert.ok(sizes.every((size) => size > 0));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 60 * 1024, `${total} bytes by ${encoding}: ${sizes.join(' + ')}`);
  }
});

describe('in a browser', { skip: withoutBrowser }, () => {
  const visit = useBrowser(() => chancery.url);

  const continueOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click();
  async function downloaded(page: Page): Promise<Buffer> {
    const begun = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as PDF' }).click();
    return readFile(await (await begun).path());
  }

  test('files are uploaded when they are chosen, with a proof of work if required, and the PDF appears', async () => {
    const form = await publishForm(chancery, creator, { fields, config: { ...config, requireAltcha: true } });
    const page = await visit(pathOf(form), { viewport: phone });
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.getByRole('radio', { name: 'Papers' }).check();
    await continueOn(page);
    await page.getByText('Step 2 of 3').waitFor();
    const choose = (name: string, mimeType: string, buffer: Buffer) => page.locator('#f-papers').setInputFiles({ name, mimeType, buffer });
    await choose('huge.pdf', 'application/pdf', Buffer.concat([pdf, Buffer.alloc(1_100_000)]));
    await page.locator('#f-papers-fault').getByText('huge.pdf is larger than 1 MB.').waitFor();
    await choose('program.pdf', 'application/pdf', Buffer.from('MZ\x90\0 not at all'));
    await page.locator('#f-papers-fault').getByText('Files of this type are not accepted.').waitFor();
    await choose(`lease ${hostile.replaceAll('/', '')}.pdf`, 'application/pdf', pdf);
    await page.getByRole('button', { name: /^Remove lease/ }).waitFor();
    await fits(page, 'uploaded');
    await page.setViewportSize(phone);
    await continueOn(page);
    await page.getByText('Step 3 of 3').waitFor();
    await page.locator('altcha-widget').getByText('Verified').waitFor();
    await fits(page, 'proved');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await page.getByText('Your PDF is ready.').waitFor();
    await fits(page, 'pdf-ready');
    assert.equal((await downloaded(page)).subarray(0, 5).toString(), '%PDF-');
    const { id, data } = await kept(form);
    assert.match(data.papers, /^[\da-f-]{36}$/);
    assert.equal((await filesOf(id)).length, 1);
    assert.notEqual(await page.title(), 'taken');
    await page.getByRole('button', { name: 'Finish and clear' }).click();
    await page.getByRole('heading', { name: 'Your answers are cleared' }).waitFor();
    await page.goto(`${pathOf(form)}/done`);
    assert.equal(await page.getByRole('link', { name: 'Download as PDF' }).count(), 0, 'nothing is shown any more');
  });

  test('in Japanese, by keyboard alone, on a desktop: a file is chosen, removed and sent, and the PDF appears', async () => {
    const { words } = wordsFor('ja');
    const form = await publishForm(chancery, creator, {
      title: '書類の送付',
      fields: [
        { id: 'name', type: 'text', label: '氏名', required: true },
        { id: 'born', type: 'date', label: '生年月日' },
        {
          id: 'papers',
          type: 'file',
          label: '書類',
          required: true,
          page: 2,
          visibleIf: { field: 'name', eq: '山田太郎' },
          validation: { accept: ['application/pdf'] },
        },
      ],
      config,
      publicSettings: { locale: 'ja', locales: ['ja'] },
    });
    const page = await visit(pathOf(form), { locale: 'ja', viewport: desktop });
    const press = (key: string) => page.keyboard.press(key);
    const names = ['下書き.pdf', '契約書.pdf'];
    page.on('filechooser', (chooser) => void chooser.setFiles({ name: names.shift() ?? '', mimeType: 'application/pdf', buffer: pdf }));
    await pressUntil(page, '#f-name');
    await page.keyboard.type('山田太郎');
    await pressUntil(page, '[data-next]');
    await press('Enter');
    await page.locator('#f-papers').waitFor();
    await pressUntil(page, '[data-next]');
    await press('Enter');
    const errorLink = page.getByRole('alert').getByRole('link', { name: '書類' });
    await errorLink.waitFor();
    await pressUntil(page, '.summary a');
    await press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'f-papers', 'the missing answer is a link away');
    await press('Enter');
    await page.getByRole('button', { name: '下書き.pdf' }).waitFor();
    await pressUntil(page, '.files button');
    await press('Enter');
    await page.getByRole('button', { name: '下書き.pdf' }).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.id'), 'f-papers');
    await press('Enter');
    await page.getByRole('button', { name: '契約書.pdf' }).waitFor();
    await fits(page, 'uploaded-japanese');
    await page.setViewportSize(desktop);
    await pressUntil(page, '[data-next]');
    await press('Enter');
    await page.getByRole('heading', { name: words.done.title }).waitFor();
    await page.getByText(words.done.ready).waitFor();
    await pressUntil(page, 'a[download]');
    const begun = page.waitForEvent('download');
    await press('Enter');
    assert.equal((await readFile(await (await begun).path())).subarray(0, 5).toString(), '%PDF-');
    assert.equal(await page.evaluate('document.documentElement.lang'), 'ja');
    const { id, data } = await kept(form);
    assert.deepEqual([data.name, (await filesOf(id)).map(({ name }) => name)], ['山田太郎', ['契約書.pdf']]);
  });

  test('without a script files are sent with the step, and errors are shown beside the field', async () => {
    const form = await publishForm(chancery, creator, { fields, config });
    const page = await visit(pathOf(form), { javaScriptEnabled: false, viewport: phone });
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.getByRole('radio', { name: 'Papers' }).check();
    await continueOn(page);
    const give = (name: string, buffer: Buffer) => page.locator('#f-papers').setInputFiles({ name, mimeType: 'application/pdf', buffer });
    for (const [name, bytes, said] of [
      ['program.pdf', Buffer.from('MZ\x90\0 not at all'), 'Files of this type are not accepted.'],
      ['huge.pdf', Buffer.concat([pdf, Buffer.alloc(1_100_000)]), 'The file is too large.'],
      ['empty.pdf', Buffer.alloc(0), 'empty.pdf could not be uploaded. Try again.'],
    ] as const) {
      await give(name, bytes);
      await continueOn(page);
      await page.locator('#f-papers-fault').getByText(said).waitFor();
    }
    await give('lease.pdf', pdf);
    await continueOn(page);
    await page.getByLabel('Note').fill('Second thoughts.');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Remove lease.pdf' }).click();
    await continueOn(page);
    await page.getByRole('alert').getByRole('link', { name: 'Papers' }).waitFor();
    await give('another.pdf', pdf);
    await continueOn(page);
    assert.equal(await page.getByLabel('Note').inputValue(), 'Second thoughts.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const ready = page.getByText('Your PDF is ready.');
    const again = page.getByRole('link', { name: 'Check again' });
    while (!(await ready.isVisible())) await Promise.race([again.click({ timeout: 20_000 }), ready.waitFor()]);
    assert.equal((await downloaded(page)).subarray(0, 5).toString(), '%PDF-');
    const { id, data } = await kept(form);
    assert.deepEqual(
      [data.name, data.note, (await filesOf(id)).map(({ name }) => name)],
      ['Ada Lovelace', 'Second thoughts.', ['another.pdf']],
    );
  });

  for (const javaScriptEnabled of [true, false])
    test(`a draft is saved and continued by a mailed link, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      // A proof of work needs a script. Without a script, functions that need it are not offered.
      const form = await publishForm(chancery, creator, { fields, config: { ...config, drafts: true, requireAltcha: javaScriptEnabled } });
      const page = await visit(pathOf(form), { javaScriptEnabled, viewport: phone });
      await page.getByLabel('Full name').fill('Ada Lovelace');
      await page.getByText('Save and continue later').click();
      const mailTo = async (address: string) => {
        await page.getByLabel('Your e-mail address').fill(address);
        await page.getByLabel('Your e-mail address').press('Enter');
      };
      await mailTo('nobody');
      await page.getByRole('alert').getByText('Your e-mail address:').waitFor();
      const { rows } = await chancery.pool.query('SELECT FROM submission_draft WHERE interface_id = $1', [form.id]);
      assert.deepEqual(rows, [], 'no draft is stored without a mail');
      await page.getByText('Save and continue later').click();
      const address = `ada-${javaScriptEnabled}@example.org`;
      await mailTo(address);
      await page.getByRole('status').getByText(`a link to continue to ${address}`).waitFor();
      assert.equal(await page.getByLabel('Full name').inputValue(), 'Ada Lovelace');
      if (javaScriptEnabled) await fits(page, 'kept');
      const mails = await chancery.pool.query('SELECT text_body FROM mail_message WHERE recipient = $1', [address]);
      const [link = ''] = /\S+\/draft\/[\w-]{43}/.exec(String(mails.rows[0]?.text_body)) ?? [];
      const elsewhere = await visit(new URL(link).pathname, { javaScriptEnabled, viewport: phone });
      await elsewhere.getByRole('button', { name: 'Continue' }).click();
      await elsewhere.getByLabel('Full name').waitFor();
      assert.equal(await elsewhere.getByLabel('Full name').inputValue(), 'Ada Lovelace');
    });

  test('no text of a team, a form or a visitor runs as a script, on pages or in opened mails', async () => {
    const text = (n: number) => `${hostile} ${n}`;
    const form = await publishForm(chancery, await chancery.user(await chancery.team(hostile.slice(0, 90))), {
      title: text(1),
      description: text(2),
      type: 'scheduling',
      calendar: { timeZone: 'UTC', durationMin: 30, weekly: { mon: [['09:00', '17:00']], thu: [['09:00', '17:00']] } },
      publicSettings: { submitLabel: hostile.slice(0, 60), successMessage: text(3) },
      fields: [
        { id: 'name', type: 'text', label: text(4), help: text(5), placeholder: text(6), required: true },
        { id: 'email', type: 'email', label: 'E-mail', required: true },
      ],
    });
    const page = await visit(pathOf(form));
    await page.locator('.slot').first().click();
    await page.locator('#f-name').fill(hostile);
    await page.locator('[data-next]').click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.locator('[data-next]').click();
    await page.getByRole('heading', { name: 'Your time is booked' }).waitFor();
    await page.getByRole('link', { name: 'Reschedule or cancel' }).click();
    await page.getByRole('link', { name: 'Cancel the booking' }).click();
    await page.getByRole('button', { name: 'Cancel the booking' }).click();
    await page.getByRole('heading', { name: 'Your booking is cancelled' }).waitFor();
    assert.notEqual(await page.title(), 'taken');
    assert.equal(await page.locator('img').count(), 0);
    const { rows } = await chancery.pool.query("SELECT html_body FROM mail_message WHERE recipient = 'ada@example.org'");
    const mails = rows.map((row) => String(row.html_body)).filter((mail) => mail.includes('taken'));
    assert.ok(mails.length > 0, 'a mail contains the hostile text');
    const reader = await visit('/f/nothing');
    for (const mail of mails) {
      await reader.goto(`data:text/html;charset=utf-8,${encodeURIComponent(mail)}`);
      assert.notEqual(await reader.title(), 'taken');
      assert.equal(await reader.locator('img[src=x], script, svg').count(), 0);
    }
  });
});
