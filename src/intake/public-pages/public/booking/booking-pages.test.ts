import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { plainCalendar } from '../../../../../test/bookings.ts';
import { withoutBrowser } from '../../../../../test/browser.ts';
import { pageClient } from '../../../../../test/page-client.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../../test/harness.ts';
import { publishForm, type PublishedForm } from '../../../../../test/published-forms.ts';
import { bookingPlace, tokenPurpose } from '../../../bookings/context.ts';
import { loadMasterKey } from '../../../../platform/crypto/master-key.ts';
import { wordsFor } from '../words/index.ts';
import { desktop, fits, phone, pressUntil, useBrowser } from '../../../../../test/visits.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team('Harbour & Lane');
  creator = await chancery.user(team);
  // The page has a style with the colour of its team, also when a script inserts it into another page.
  const brand = await chancery.call('PATCH', '/api/v1/team/branding', { token: team.owner.token, body: { colour: '#7a1f5c' } });
  assert.equal(brand.status, 200, brand.text);
});

const consultation = {
  type: 'scheduling',
  title: { en: 'First consultation', ar: 'استشارة أولى' },
  description: { en: 'Half an hour with a lawyer.', ar: 'نصف ساعة مع محامٍ.' },
  publicSettings: { locale: 'en', locales: ['en', 'ar'] },
  fields: [
    { id: 'name', type: 'text', label: { en: 'Full name', ar: 'الاسم الكامل' }, required: true },
    { id: 'email', type: 'email', label: { en: 'E-mail', ar: 'البريد الإلكتروني' }, required: true },
  ],
};
/** The calendar has no times today, so that the first day with free times is complete at any hour of the test. */
const bookable = (calendar: object = {}) => {
  const overrides = [{ date: new Date().toISOString().slice(0, 10), hours: [] }];
  const open = { ...plainCalendar, overrides, maxDaysAhead: 90, maxPerAddress: 20, ...calendar };
  return publishForm(chancery, creator, { ...consultation, calendar: open });
};

const { get, post, follow } = pageClient(() => chancery);
const pathOf = ({ publicToken }: PublishedForm) => `/f/${publicToken}`;
/** Returns the times on a page, which are the values of its buttons. */
const offered = (text: string, name = 'start') =>
  [...text.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map(([, at]) => at ?? '');
const answers = (start: string, n = 0): Record<string, string> => ({
  _key: `booking-key-${start}-${n}`.replaceAll(/[^\w-]/g, '-'),
  _version: '1',
  _seen: 'name email',
  _start: start,
  _zone: 'UTC',
  name: `Ada ${n}`,
  email: `ada${n}@example.org`,
  _go: 'on',
});
const statuses = async ({ id }: PublishedForm) =>
  (await chancery.pool.query('SELECT id, status, starts_at FROM booking WHERE calendar_id = $1 ORDER BY id', [id])).rows;

/** Returns the address that the confirmation mail of a booking contains. The test writes no mails. */
async function mailedWay({ id }: PublishedForm): Promise<string> {
  const { rows } = await chancery.pool.query('SELECT id, token_sealed FROM booking WHERE calendar_id = $1', [id]);
  const masterKey = await loadMasterKey({ configured: chancery.masterKey, dataDir: '', generate: 'never' });
  return `/booking/${team.id}/${masterKey.box(tokenPurpose).open(rows[0].token_sealed, bookingPlace(rows[0].id)).toString()}`;
}

/** Books on the page, and returns the address to manage the booking. */
async function booked(form: PublishedForm, start: string, n = 0): Promise<string> {
  const { text } = await follow(await post(pathOf(form), answers(start, n)));
  const [, manage] = /href="[^"]*(\/booking\/[\w-]+\/[\w-]+)\?locale=en"/.exec(text) ?? [];
  assert.ok(manage, 'the link to the booking is shown');
  return manage;
}

test('the page of a booking form shows the free times of a month, and ignores invalid parameters', async () => {
  const form = await bookable();
  const { status, text } = await get(pathOf(form));
  assert.equal(status, 200);
  assert.ok(offered(text).length > 0);
  for (const query of [
    'month=2026-99',
    'day=2026-02-31',
    'day=%00',
    'month=0001-01',
    'month=9999-12',
    'start=yesterday',
    'zone=Mars/Base',
    // A time zone that one part of the platform supports and another does not.
    'zone=IST',
    'zone=%E2%88%9201:00',
    'zone=UTC&zone=UTC',
    'start=%2B275760-09-13T00:00Z',
    'start=-271821-04-20T00:00Z',
    'start=9999-12-31T23:59Z',
  ]) {
    const odd = await get(`${pathOf(form)}?${query}`);
    assert.equal(odd.status, 200, query);
  }
  assert.match((await get(`${pathOf(form)}?start=2020-01-01T09:00:00Z`)).text, /no longer available/);
  const other = await get(`${pathOf(form)}?zone=Asia/Kathmandu`);
  assert.match(other.text, /:\d5|2:45/, 'times are in the requested time zone');
});

test('two instants with the same local time are distinguished before and after the booking', async () => {
  const timeZone = 'Europe/Berlin';
  const isBack = (at: Temporal.ZonedDateTime) => at.offsetNanoseconds < at.subtract({ nanoseconds: 1 }).offsetNanoseconds;
  let back = Temporal.Now.zonedDateTimeISO(timeZone);
  do back = back.getTimeZoneTransition('next') ?? assert.fail('the clocks of the time zone change');
  while (!isBack(back));
  const day = back.toPlainDate().toString();
  const form = await bookable({
    timeZone,
    durationMin: 60,
    overrides: [{ date: day, hours: [['00:00', '05:00']] }],
    weekly: {},
    maxDaysAhead: 400,
  });
  const { text } = await get(`${pathOf(form)}?day=${day}&zone=${timeZone}&locale=en`);
  const labels = [...text.matchAll(/<button class="slot"[^>]*>\s*<span>([^<]+)<\/span>/g)].map(([, label]) =>
    label?.replaceAll('\u202f', ' '),
  );
  assert.deepEqual(labels, ['12:00 AM', '1:00 AM', '2:00 AM GMT+2', '2:00 AM GMT+1', '3:00 AM', '4:00 AM']);
  const start = offered(text)[2] ?? '';
  const manage = await booked(form, start);
  assert.match((await get(`${manage}?zone=${timeZone}&locale=en`)).text, /2:00\sAM GMT\+2 – 2:00\sAM GMT\+1/);
});

test('exactly one of many concurrent bookings of a time succeeds; the others keep their answers and get other times', async () => {
  const form = await bookable();
  const [start = ''] = offered((await get(pathOf(form))).text);
  const sent = await Promise.all(Array.from({ length: 12 }, (_, n) => post(pathOf(form), answers(start, n))));
  assert.deepEqual(sent.map(({ status }) => status).toSorted(), [303, ...Array.from({ length: 11 }, () => 409)]);
  const refused = sent.find(({ status }) => status === 409);
  assert.match(refused?.text ?? '', /This time was just booked by someone else/);
  assert.match(refused?.text ?? '', /value="Ada \d+"/);
  const [another = ''] = offered(refused?.text ?? '', '_start');
  assert.notEqual(another, start);
  assert.equal((await post(pathOf(form), answers(another, 50))).status, 303);
  const untimed = await post(pathOf(form), { ...answers('', 51), _start: '' });
  assert.equal(untimed.status, 422);
  assert.match(untimed.text, /Choose a day and a time/);
  assert.ok(offered(untimed.text, '_start').length > 0);
});

test('a booking link reschedules and cancels by buttons, a GET request changes nothing, and late changes show an error', async () => {
  const form = await bookable();
  const [start = '', second = '', third = ''] = offered((await get(pathOf(form))).text);
  const manage = await booked(form, start);
  await booked(form, second, 1);
  const shown = await get(manage);
  assert.match(shown.text, /First consultation/);
  for (const query of ['?do=cancel', '?do=move', `?do=move&start=${third}`, '?done=cancelled', '?_do=cancel']) {
    assert.equal((await get(`${manage}${query}`)).status, 200);
    assert.equal((await statuses(form))[0].status, 'confirmed');
  }
  const until = /<strong>([^<]+)<\/strong>/.exec((await get(`${manage}?do=move&zone=UTC`)).text)?.[1] ?? '';
  assert.ok(until !== '' && shown.text.includes(until), 'the current time of the booking is shown while another one is chosen');
  assert.equal((await post(manage, { _do: 'cancel' }, { origin: 'https://evil.example' })).status, 403);
  const taken = await post(manage, { _do: 'move', _start: second });
  assert.equal(taken.status, 409);
  assert.match(taken.text, /This time was just booked by someone else/);
  assert.equal((await post(manage, { _do: 'move', _start: 'nonsense' })).status, 422);
  assert.equal((await post(manage, { _do: 'move', _start: third })).status, 303);
  assert.equal(new Date((await statuses(form))[0].starts_at).getTime(), Date.parse(third));
  const gone = await Promise.all([1, 2, 3].map(() => post(manage, { _do: 'cancel', locale: 'de' })));
  assert.deepEqual(gone.map(({ status }) => status).toSorted(), [303, 409, 409]);
  assert.match(gone.find(({ status }) => status === 303)?.headers.get('location') ?? '', /locale=de/);
  assert.match((await get(manage)).text, /Your booking is cancelled/);
  assert.equal((await post(manage, { _do: 'move', _start: start })).status, 409);
  const unknown = await get(`/booking/${team.id}/${'x'.repeat(43)}`);
  assert.equal(unknown.status, 404);
  assert.match(unknown.text, /This link has expired/);

  const strict = await bookable({ changeUntilMin: 90 * 1_440 });
  const [soon = ''] = offered((await get(pathOf(strict))).text);
  const late = await booked(strict, soon);
  assert.match((await get(late)).text, /too late to change/);
  assert.equal((await post(late, { _do: 'cancel' })).status, 409);
});

test('a booking can be rescheduled within the range of its calendar', async () => {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const overrides = [2, 500].map((ahead) => ({ date: day(ahead), hours: [['10:00', '11:00']] }));
  const form = await bookable({ weekly: {}, overrides, maxDaysAhead: 730 });
  const [start = ''] = offered((await get(pathOf(form))).text);
  const manage = await booked(form, start);
  const far = offered((await get(`${manage}?do=move&month=${day(500).slice(0, 7)}`)).text).find((at) => at.startsWith(day(500)));
  assert.ok(far);
  assert.equal((await post(manage, { _do: 'move', _start: far })).status, 303);
  assert.equal(new Date((await statuses(form))[0].starts_at).getTime(), Date.parse(far));
});

test('a requested time is not shown as the time of the booking before the team confirms it', async () => {
  const form = await bookable({ confirmation: 'manual' });
  const [start = '', , third = ''] = offered((await get(pathOf(form))).text);
  const manage = await booked(form, start);
  const decide = async () => {
    const [{ id }] = await statuses(form);
    const at = `/api/v1/interfaces/${form.id}/bookings/${id}/confirm`;
    assert.equal((await chancery.call('POST', at, { token: creator.token, body: {} })).status, 200);
  };
  await decide();
  const { text } = await follow(await post(manage, { _do: 'move', _start: third }));
  assert.doesNotMatch(text, /Your booking was rescheduled/);
  assert.match(text, /The time is reserved for you until it is confirmed/);
  assert.equal(new Date((await statuses(form))[0].starts_at).getTime(), Date.parse(start));
  await decide();
  assert.match((await get(`${manage}?done=moved`)).text, /Your booking was rescheduled/);
});

test('an unconfirmed booking is confirmed by a button, not by opening the link', async () => {
  const form = await bookable({ confirmByMail: true });
  const [start = ''] = offered((await get(pathOf(form))).text);
  const { text } = await follow(await post(pathOf(form), answers(start)));
  assert.match(text, /Confirm your booking by e-mail/);
  assert.doesNotMatch(text, /\/booking\//, 'the link to the booking is only in the mail');
  const manage = await mailedWay(form);
  assert.match((await get(manage)).text, /Waiting for your confirmation/);
  assert.equal((await statuses(form))[0].status, 'held');
  assert.equal((await post(manage, { _do: 'confirm' })).status, 303);
  assert.equal((await statuses(form))[0].status, 'confirmed');
});

describe('in a browser', { skip: withoutBrowser }, () => {
  const visit = useBrowser(() => chancery.url);

  async function giveDetails(page: Page): Promise<void> {
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByRole('button', { name: 'Book this time' }).click();
    await page.getByRole('heading', { name: 'Your time is booked' }).waitFor();
  }

  async function moveAndCancel(page: Page, moved: () => Promise<void> = async () => undefined): Promise<void> {
    await page.getByRole('link', { name: 'Reschedule or cancel' }).click();
    await page.getByRole('heading', { name: 'First consultation' }).waitFor();
    await page.getByRole('link', { name: 'Reschedule' }).click();
    await page.locator('.slot').nth(2).click();
    await page.getByRole('button', { name: 'Reschedule to this time' }).click();
    await page.getByText('Your booking was rescheduled').waitFor();
    await moved();
    await page.getByRole('link', { name: 'Cancel the booking' }).click();
    await page.getByRole('button', { name: 'Cancel the booking' }).click();
    await page.getByRole('heading', { name: 'Your booking is cancelled' }).waitFor();
  }

  test('book, reschedule and cancel in the time zone of the visitor, on a phone', async () => {
    const form = await bookable();
    const page = await visit(pathOf(form), { viewport: phone, timezoneId: 'Asia/Kathmandu' });
    await page.waitForURL(/zone=Asia/);
    assert.match((await page.locator('.slot').first().textContent()) ?? '', /:\d5/);
    await fits(page, 'booking-times');
    await page.setViewportSize(phone);
    await page.locator('.slot').first().click();
    await page.locator('.chosen').waitFor();
    await fits(page, 'booking-form');
    // Another person books the time first: the answers stay, and another time can be chosen.
    await booked(form, (await page.locator('[name=_start]').getAttribute('value')) ?? '', 7);
    await page.getByLabel('Full name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.org');
    await page.getByRole('button', { name: 'Book this time' }).click();
    await page.getByRole('alert').getByText('This time was just booked by someone else').waitFor();
    assert.equal(await page.getByLabel('Full name').inputValue(), 'Ada Lovelace');
    await fits(page, 'booking-taken');
    await page.locator('.others input').first().check();
    await giveDetails(page);
    assert.match((await page.locator('.facts').textContent()) ?? '', /Asia\/Kath?mandu/);
    await fits(page, 'booking-booked');
    await moveAndCancel(page);
    await fits(page, 'booking-cancelled');
  });

  test('book, reschedule and cancel with a mouse, on a desktop', async () => {
    const form = await bookable();
    const page = await visit(pathOf(form), { viewport: desktop, timezoneId: 'UTC' });
    await page.locator('a.day').last().click();
    await page.waitForURL(/day=/);
    await page.locator('.slot').first().click();
    await giveDetails(page);
    const [made] = await statuses(form);
    await moveAndCancel(page, async () => {
      const [moved] = await statuses(form);
      assert.deepEqual([moved.status, moved.id], ['confirmed', made.id]);
      assert.notEqual(moved.starts_at.getTime(), made.starts_at.getTime());
      await fits(page, 'booking-moved');
      await page.setViewportSize(desktop);
    });
    assert.deepEqual(
      (await statuses(form)).map(({ status }) => status),
      ['cancelled'],
    );
  });

  test('book, reschedule and cancel in Arabic, by keyboard alone, on a desktop', async () => {
    const { words } = wordsFor('ar');
    const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
    const form = await bookable();
    // The current month may have only one day left.
    const month = Temporal.Now.plainDateISO('UTC').add({ months: 1 }).toString().slice(0, 7);
    const page = await visit(`${pathOf(form)}?month=${month}`, { locale: 'ar', viewport: desktop, timezoneId: 'UTC' });
    await heading('استشارة أولى');
    assert.equal(await page.evaluate('getComputedStyle(document.body).direction'), 'rtl');
    await pressUntil(page, 'a.day:not([aria-current])');
    await page.keyboard.press('Enter');
    await page.waitForURL(/day=/);
    await pressUntil(page, '.slot');
    await page.keyboard.press('Enter');
    await page.locator('.chosen').waitFor();
    await pressUntil(page, '#f-name');
    await page.keyboard.type('آدا لوفلايس');
    await pressUntil(page, '#f-email');
    await page.keyboard.type('ada@example.org');
    await page.keyboard.press('Enter');
    await heading(words.booking.booked);
    await fits(page, 'booking-arabic');
    await page.setViewportSize(desktop);
    await pressUntil(page, 'a.second');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/booking\//);
    // The title of the booking is in the language of the page.
    await heading('استشارة أولى');
    await pressUntil(page, 'a[href*="do=move"]');
    await page.keyboard.press('Enter');
    await page.waitForURL(/do=move/);
    await pressUntil(page, '.slot');
    await page.keyboard.press('Enter');
    await page.waitForURL(/start=/);
    await pressUntil(page, 'main form button');
    await page.keyboard.press('Enter');
    await page.getByText(words.booking.moved).waitFor();
    await pressUntil(page, 'a[href*="do=cancel"]');
    await page.keyboard.press('Enter');
    await page.waitForURL(/do=cancel/);
    await pressUntil(page, 'main form button');
    await page.keyboard.press('Enter');
    await heading(words.booking.cancelled);
    assert.deepEqual(
      (await statuses(form)).map(({ status }) => status),
      ['cancelled'],
    );
  });

  test('book, reschedule and cancel without a script', async () => {
    const form = await bookable();
    const page = await visit(pathOf(form), { javaScriptEnabled: false, viewport: desktop });
    await page.locator('a.day').last().click();
    await page.locator('.slot').first().click();
    await giveDetails(page);
    await moveAndCancel(page);
    assert.deepEqual(
      (await statuses(form)).map(({ status }) => status),
      ['cancelled'],
    );
  });
});
