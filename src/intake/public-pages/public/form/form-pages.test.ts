import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../../../../test/browser.ts';
import { pageClient } from '../../../../../test/page-client.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../../test/harness.ts';
import { publishForm, type PublishedForm } from '../../../../../test/published-forms.ts';
import { desktop, fits, phone, pressUntil, useBrowser } from '../../../../../test/visits.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { FORM_SUBMITS_PER_ADDRESS: '20' } });
  team = await chancery.team('Harbour & Lane <Law>');
  creator = await chancery.user(team);
});
after(() => chancery.stop());

const intake = {
  title: { en: 'Ask us about your matter', de: 'Schildern Sie uns Ihren Fall', ar: 'اسألنا عن قضيتك' },
  description: { en: 'A lawyer answers within two days.', de: 'Eine Anwältin antwortet in zwei Tagen.', ar: 'يجيبك محامٍ خلال يومين.' },
  publicSettings: { locale: 'en', locales: ['en', 'de', 'ar'] },
  fields: [
    { id: 'name', type: 'text', label: { en: 'Full name', de: 'Vollständiger Name', ar: 'الاسم الكامل' }, required: true, prefill: true },
    { id: 'email', type: 'email', label: { en: 'E-mail', de: 'E-Mail', ar: 'البريد الإلكتروني' }, required: true },
    {
      id: 'matter',
      type: 'radio',
      label: { en: 'What is it about?', de: 'Worum geht es?', ar: 'ما الموضوع؟' },
      required: true,
      options: [
        { id: 'contract', label: { en: 'A contract', de: 'Ein Vertrag', ar: 'عقد' } },
        { id: 'other', label: { en: 'Something else', de: 'Etwas anderes', ar: 'شيء آخر' } },
      ],
    },
    {
      id: 'what',
      type: 'textarea',
      label: { en: 'What happened?', de: 'Was ist geschehen?', ar: 'ماذا حدث؟' },
      required: true,
      visibleIf: { field: 'matter', eq: 'other' },
    },
    { id: 'source', type: 'hidden', default: 'site' },
    { id: 'amount', type: 'number', label: { en: 'Amount', de: 'Betrag', ar: 'المبلغ' }, page: 2, validation: { min: 1 } },
    {
      id: 'code',
      type: 'text',
      label: { en: 'Case number', de: 'Aktenzeichen', ar: 'رقم القضية' },
      page: 2,
      validation: { pattern: '[A-Z]{2}-\\d+', message: { en: 'Like AB-12.', de: 'Wie AB-12.', ar: 'مثل AB-12.' } },
    },
    { id: 'agree', type: 'consent', label: { en: 'I agree.', de: 'Ich stimme zu.', ar: 'أوافق.' }, page: 2, required: true },
  ],
};

const kept = async ({ id }: PublishedForm): Promise<any[]> =>
  (await chancery.pool.query('SELECT data, version, locale, status FROM submission WHERE interface_id = $1 ORDER BY id', [id])).rows;

const { get, post } = pageClient(() => chancery);
const pathOf = ({ publicToken }: PublishedForm) => `/f/${publicToken}`;
const hidden = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

test('the page of a link is its form, in the requested language, and is not indexed', async () => {
  const form = await publishForm(chancery, creator, intake);
  const { status, headers, text } = await get(pathOf(form), { 'accept-language': 'de-AT' });
  assert.equal(status, 200);
  assert.match(text, /<html\s+lang="de"\s+dir="ltr"/);
  assert.match(text, /Schildern Sie uns Ihren Fall · Harbour &amp; Lane &lt;Law&gt;/);
  assert.deepEqual(
    ['cache-control', 'referrer-policy', 'x-robots-tag', 'content-language'].map((name) => headers.get(name)),
    ['no-store', 'no-referrer', 'noindex, nofollow', 'de'],
  );
  assert.equal(headers.get('set-cookie'), null, 'a GET request creates no session');
  assert.doesNotMatch(text, /"site"|"default":/, 'the values of hidden fields stay on the server');
  assert.match((await get(`${pathOf(form)}?locale=ar`)).text, /<html\s+lang="ar"\s+dir="rtl"/);
  const unknown = await get(`/f/${'x'.repeat(64)}`);
  assert.deepEqual([unknown.status, unknown.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
  assert.match(unknown.text, /Link not valid/);
  assert.equal((await get('/f/nonsense')).status, 404);
});

test('a link prefills only the fields that allow it', async () => {
  const form = await publishForm(chancery, creator, intake);
  const { text } = await get(`${pathOf(form)}?name=Ada%20%22%3Cb%3E&email=a@example.org&agree=true&matter=other&source=forged`);
  assert.match(text, /value="Ada &quot;&lt;b&gt;"/);
  assert.doesNotMatch(text, /a@example\.org|forged| checked/);
});

test('a repeated submission counts once; other answers with the same key are rejected; the honeypot does not disclose itself', async () => {
  const form = await publishForm(chancery, creator, { ...intake, fields: intake.fields.slice(0, 1) });
  const { text } = await get(pathOf(form));
  const answers = { _key: hidden(text, '_key'), _version: '1', _seen: 'name', name: 'Ada', _go: 'on' };
  const sent = await Promise.all(Array.from({ length: 5 }, () => post(pathOf(form), answers)));
  assert.ok(
    sent.every(({ status }) => status === 303 || status === 409),
    sent.map(({ status }) => status).join(' '),
  );
  assert.equal((await kept(form)).length, 1);
  const first = sent.find(({ status }) => status === 303);
  assert.match(first?.headers.get('location') ?? '', /^\/f\/[\w-]{64}\/done\?locale=en$/);
  const other = await post(pathOf(form), { ...answers, name: 'Grace' });
  assert.equal(other.status, 422);
  assert.match(other.text, /This form was already sent with other answers/);
  assert.notEqual(hidden(other.text, '_key'), answers._key);
  assert.equal((await post(pathOf(form), { ...answers, _key: hidden(other.text, '_key'), name: 'Grace' })).status, 303);
  assert.equal((await post(pathOf(form), { ...answers, _key: 'another-key', _website: 'https://spam.example' })).status, 303);
  assert.deepEqual(
    (await kept(form)).map(({ status }) => status),
    ['received', 'received', 'spam'],
  );
});

/** Creates a registry with more records than a list shows, and a record that is not in the list. */
async function counsel(): Promise<{ registry: string; zoe: string }> {
  const ask = async (path: string, body: object) => {
    const answer = await chancery.call('POST', `/api/v1/registries/${path}`, { token: creator.token, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id as string;
  };
  const fields = [
    { id: 'name', type: 'text', label: 'Name', public: true },
    { id: 'rate', type: 'text', label: 'Rate' },
  ];
  const registry = await ask('', { name: 'Counsel', fields });
  for (let n = 10; n < 62; n += 1) await ask(`${registry}/records`, { data: { name: `Lawyer <${n}>`, rate: 'secret' } });
  return { registry, zoe: await ask(`${registry}/records`, { data: { name: 'Zoë Quist' } }) };
}
let ofCounsel: ReturnType<typeof counsel> | undefined;

test('a registry field offers records, finds others by a button, and keeps the chosen one', async () => {
  const { registry, zoe } = await (ofCounsel ??= counsel());
  const form = await publishForm(chancery, creator, {
    fields: [{ id: 'lawyer', type: 'registry', label: 'Whom?', registryTypeId: registry, required: true }],
  });
  const first = await get(pathOf(form));
  assert.match(first.text, />Lawyer &lt;10&gt;</);
  assert.doesNotMatch(first.text, /Zoë|secret/);
  const sent = { _key: hidden(first.text, '_key'), _version: '1', _seen: 'lawyer' };
  const found = await post(pathOf(form), { ...sent, '_search.lawyer': 'quist', _go: 'search' });
  assert.match(found.text, new RegExp(`<option value="${zoe}" *>Zoë Quist<`));
  assert.doesNotMatch(found.text, /Lawyer &lt;/);
  assert.match(found.text, /name="_search\.lawyer"/, 'the list can be searched again');
  const again = await post(pathOf(form), { ...sent, lawyer: zoe, '_search.lawyer': 'nobody', _go: 'search' });
  assert.match(again.text, new RegExp(`<option value="${zoe}" selected>Zoë Quist<`));
  assert.equal((await post(pathOf(form), { ...sent, lawyer: zoe, _go: 'on' })).status, 303);
  assert.deepEqual((await kept(form))[0].data, { lawyer: zoe });
});

test('errors keep the answers on the page: a changed form, and too many submissions at once', async () => {
  const form = await publishForm(chancery, creator, { ...intake, fields: intake.fields.slice(0, 1) });
  const changed = await chancery.call('PUT', `/api/v1/interfaces/${form.id}`, { token: creator.token, body: { title: 'Changed' } });
  const published = await chancery.call('POST', `/api/v1/interfaces/${form.id}/publish`, {
    token: creator.token,
    body: { revision: changed.body.revision, supersede: 'now' },
  });
  assert.equal(published.status, 200, published.text);
  const old = await post(pathOf(form), { _key: 'key-of-before', _version: '1', _seen: 'name', name: 'Ada', _go: 'on' });
  assert.equal(old.status, 409);
  assert.match(old.text, /The form changed after you opened it/);
  assert.match(old.text, /value="Ada"/);
  assert.equal(hidden(old.text, '_version'), '2');
  const many = await Promise.all(
    Array.from({ length: 25 }, (_, n) =>
      post(pathOf(form), { _key: `key-number-${n}`, _version: '2', _seen: 'name', name: `Ada ${n}`, _go: 'on' }),
    ),
  );
  const refused = many.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0);
  assert.match(refused[0]?.text ?? '', /Your answers are still here/);
  assert.match(refused[0]?.text ?? '', /value="Ada \d+"/);
});

test('a form is only accepted from its own page', async () => {
  const form = await publishForm(chancery, creator, { ...intake, fields: intake.fields.slice(0, 1) });
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null', 'sec-fetch-site': 'cross-site' }]) {
    const refused = await post(
      pathOf(form),
      { _key: 'another-key', _seen: 'name', name: 'Ada', _go: 'on' },
      headers as Record<string, string>,
    );
    assert.equal(refused.status, 403);
  }
  assert.equal((await post(`${pathOf(form)}/finish`, {}, { origin: 'https://evil.example' })).status, 403);
  assert.deepEqual(await kept(form), []);
});

test('a closed form and a full form show an error', async () => {
  const closed = await publishForm(chancery, creator, { ...intake, publicSettings: { closesAt: '2020-01-01T00:00:00Z' } }).catch(
    () => undefined,
  );
  const full = await publishForm(chancery, creator, {
    fields: intake.fields.slice(0, 1),
    publicSettings: { locale: 'en', locales: ['en', 'de', 'ar'], maxSubmissions: 1 },
  });
  assert.equal((await post(pathOf(full), { _key: 'one-of-one', _seen: 'name', name: 'Ada', _go: 'on' })).status, 303);
  const now = await get(`${pathOf(full)}?locale=de`);
  assert.equal(now.status, 409);
  assert.match(now.text, /<html[^>]*lang="de"/);
  assert.ok(now.text.includes('<span>Harbour &amp; Lane</span>') || now.text.includes('class="brand"'));
  assert.ok(!now.text.includes('<span>Chancery</span>'), 'an error page keeps the brand of the team');
  assert.equal((await get(`${pathOf(full)}/done`)).status, 200, 'the last sender gets the thanks');
  if (closed) assert.equal((await get(pathOf(closed))).status, 410);
});

test('a form that opens later shows the time in its language and in the time zone of the team', async () => {
  const later = await publishForm(chancery, creator, {
    fields: intake.fields.slice(0, 1),
    publicSettings: { locale: 'de', locales: ['de', 'en'], opensAt: '2999-03-01T12:00:00Z' },
  });
  const shown = await get(pathOf(later), { 'accept-language': 'de' });
  assert.equal(shown.status, 410);
  assert.match(shown.text, /Es öffnet am [^<]*1\. März 2999[^<]*12:00[^<]*UTC/);
  assert.match((await get(`${pathOf(later)}?locale=en`)).text, /It opens on [^<]*March 1, 2999[^<]*12:00/);
});

describe('in a browser', { skip: withoutBrowser }, () => {
  const visit = useBrowser(() => chancery.url);

  async function firstStep(page: Page): Promise<void> {
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByLabel('Something else').check();
  }

  for (const [name, viewport] of Object.entries({ phone, desktop })) {
    test(`a form of two steps is filled in and sent: ${name}`, async () => {
      const form = await publishForm(chancery, creator, intake);
      const page = await visit(pathOf(form), { viewport });
      await firstStep(page);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').getByRole('link', { name: 'What happened?' }).click();
      await page.keyboard.type('Much.');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Step 2 of 2').waitFor();
      await page.getByLabel('Amount').fill('12.5');
      await page.getByLabel('Case number').fill('nonsense');
      await page.getByLabel('I agree.').check();
      await page.getByRole('button', { name: 'Send' }).click();
      // Only the server checks patterns.
      await page.getByRole('alert').getByText('Like AB-12.').waitFor();
      await page.getByLabel('Case number').fill('AB-12');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      assert.match(await page.evaluate('location.pathname'), /\/done$/);
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
      assert.equal(await page.evaluate('sessionStorage.length'), 0, 'no answers are left on the device');
      const [{ data, locale }] = await kept(form);
      assert.deepEqual(data, {
        name: 'Ada Lovelace',
        email: 'ada@example.org',
        matter: 'other',
        what: 'Much.',
        source: 'site',
        amount: 12.5,
        code: 'AB-12',
        agree: true,
      });
      assert.equal(locale, 'en');
      if (name === 'phone') await fits(page, 'sent');
      assert.equal(await page.getByRole('button', { name: 'Finish and clear' }).count(), 0, 'there is no session to end');
    });
  }

  test('a long list of records is searched during typing, by keyboard alone, and with a mouse', async () => {
    const { registry, zoe } = await (ofCounsel ??= counsel());
    const form = await publishForm(chancery, creator, {
      fields: [
        { id: 'lawyer', type: 'registry', label: 'Whom?', registryTypeId: registry, required: true },
        { id: 'others', type: 'registry', label: 'Who else?', registryTypeId: registry, validation: { maxItems: 3 } },
      ],
    });
    const page = await visit(pathOf(form), { viewport: desktop });
    const whom = page.getByRole('combobox', { name: 'Whom?' });
    await whom.focus();
    await page.keyboard.type('nobody at all');
    await page.getByRole('listbox').getByText('No results.').waitFor();
    await page.keyboard.press('Enter');
    assert.equal(await whom.getAttribute('aria-invalid'), null, 'the form is not sent with an unknown text');
    await page.keyboard.press('Tab');
    assert.equal(await whom.inputValue(), '', 'a typed text without a choice is not an answer');
    await whom.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Lawyer <10>' }).waitFor();
    await page.keyboard.type('quist');
    await page.getByRole('option', { name: 'Zoë Quist' }).waitFor();
    await page.keyboard.press('ArrowDown');
    assert.equal(await whom.getAttribute('aria-activedescendant'), 'f-lawyer-list-0');
    await fits(page, 'records');
    assert.equal(await page.getByRole('searchbox').count(), 0, 'the field has only one search box');
    await page.keyboard.press('Enter');
    assert.equal(await whom.inputValue(), 'Zoë Quist');
    await page.getByRole('combobox', { name: 'Who else?' }).fill('quist');
    await page.getByRole('option', { name: 'Zoë Quist' }).click();
    await page.getByRole('checkbox', { name: 'Zoë Quist', checked: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Lawyer <11>' }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const [{ data }] = await kept(form);
    assert.deepEqual([data.lawyer, data.others.length, data.others.includes(zoe)], [zoe, 2, true]);
  });

  test('without a script: steps by buttons, conditional questions, errors, another language, and back', async () => {
    const form = await publishForm(chancery, creator, intake);
    const page = await visit(pathOf(form), { javaScriptEnabled: false, viewport: phone });
    await firstStep(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Because of your answers there are more questions').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByRole('link', { name: 'What happened?' }).waitFor();
    await page.locator('summary').click();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByLabel('Was ist geschehen?').fill('Viel.');
    assert.equal(await page.getByLabel('Vollständiger Name').inputValue(), 'Ada Lovelace');
    await page.getByLabel('Was ist geschehen?').press('Tab');
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.getByLabel('Betrag').fill('1,5');
    await page.getByRole('button', { name: 'Zurück' }).click();
    assert.equal(await page.getByLabel('Was ist geschehen?').inputValue(), 'Viel.');
    await page.getByLabel('Vollständiger Name').press('Enter');
    await page.getByLabel('Ich stimme zu.').check();
    await page.getByRole('button', { name: 'Absenden' }).click();
    await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor();
    const [{ data, locale }] = await kept(form);
    assert.deepEqual([data.amount, data.what, locale], [1.5, 'Viel.', 'de']);
  });

  test('in Arabic, by keyboard alone', async () => {
    const form = await publishForm(chancery, creator, intake);
    const page = await visit(pathOf(form), { locale: 'ar', viewport: phone });
    await page.getByRole('heading', { name: 'اسألنا عن قضيتك' }).waitFor();
    assert.equal(await page.evaluate('getComputedStyle(document.body).direction'), 'rtl');
    await pressUntil(page, '#f-name');
    await page.keyboard.type('آدا لوفلايس');
    await pressUntil(page, '#f-email');
    await page.keyboard.type('ada@example.org');
    await pressUntil(page, '[name=matter]');
    await page.keyboard.press('Space');
    await pressUntil(page, '[data-next]');
    await page.keyboard.press('Enter');
    await page.getByText('الخطوة 2 من 2').waitFor();
    await pressUntil(page, '#f-agree');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'شكرًا لك' }).waitFor();
    await fits(page, 'sent-arabic');
    assert.equal((await kept(form))[0].data.name, 'آدا لوفلايس');
  });

  test('pages without a form are accessible: of an invalid link, and of a full form', async () => {
    const full = await publishForm(chancery, creator, {
      ...intake,
      fields: intake.fields.slice(0, 1),
      publicSettings: { maxSubmissions: 1 },
    });
    assert.equal((await post(pathOf(full), { _key: 'the-only-one', _seen: 'name', name: 'Ada', _go: 'on' })).status, 303);
    const page = await visit(pathOf(full));
    await page.getByRole('heading', { name: 'This form is full' }).waitFor();
    await fits(page, 'full');
    await page.goto(`/f/${'x'.repeat(64)}`);
    await page.getByRole('heading', { name: 'Link not valid' }).waitFor();
    await fits(page, 'unknown');
  });

  test('a lost connection loses no answers, and a repeated submission counts once', async () => {
    const form = await publishForm(chancery, creator, { ...intake, fields: intake.fields.slice(0, 1) });
    const page = await visit(pathOf(form));
    await page.getByLabel('Full name').fill('Ada');
    await page.route('**/f/*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText('The server did not respond.').waitFor();
    assert.equal(await page.getByLabel('Full name').inputValue(), 'Ada');
    await page.unroute('**/f/*');
    // The response is lost.
    await page.route('**/f/*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText('The server did not respond.').waitFor();
    await page.unroute('**/f/*');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.equal((await kept(form)).length, 1);
  });
});
