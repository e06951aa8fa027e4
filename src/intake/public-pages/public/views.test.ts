import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { withoutBrowser } from '../../../../test/browser.ts';
import { startPreview } from '../../../../test/form-pages.ts';
import { fits, useBrowser } from '../../../../test/visits.ts';
import { type Html, html } from '../../../platform/http/html.ts';
import { bookerView } from './booking/booker-view.ts';
import { bookedView, type BookingStatus, cancelledView, chosenTime, manageView } from './booking/booking-view.ts';
import { dayOf, firstDayOf, knownZone, monthOf, type Slot, spanOf } from './booking/days.ts';
import { accentOf, contrast, grounds } from '#forms';
import { doneView } from './form/done-view.ts';
import { reportedView, reportView } from './report/report-view.ts';
import type { PublicPage } from './shell.ts';
import { codeView, type VerificationView, verifiedView } from './verify/verify-view.ts';
import { directionOf, fill, wordsFor } from './words/index.ts';

const slotsOn = (days: readonly number[]): Slot[] =>
  days.flatMap((day) =>
    Array.from({ length: 6 + (day % 9) }, (_, place) => {
      const start = Date.UTC(2026, 10, day, 8, place * 30);
      return { start: new Date(start).toISOString(), end: new Date(start + 1_800_000).toISOString(), remaining: 2 };
    }),
  );

const zone = 'Europe/Berlin';

function page(locale: string, body: Html, more: Partial<PublicPage> = {}): () => PublicPage {
  return () => ({ locale, title: 'Page', brand: { name: 'Lovelace & Partners' }, path: '/f/token', report: '/report', body, ...more });
}

const booker = (locale: string, days: readonly number[]) =>
  bookerView(
    {
      ...monthOf('2026-11', zone, slotsOn(days), firstDayOf(locale)),
      path: '/f/token',
      locale,
      day: days.length > 0 ? '2026-11-24' : undefined,
      nextFree: days.length > 0 ? undefined : '2026-12-02',
      earlier: false,
      later: true,
      shared: locale === 'ar',
    },
    wordsFor(locale).words,
  );

const booking = (locale: string, status: BookingStatus) =>
  ({
    path: '/b',
    title: 'First consultation',
    start: '2026-11-24T09:00:00Z',
    end: '2026-11-24T09:30:00Z',
    zone,
    locale,
    status,
    change: 'open',
    icsUrl: '/x.ics',
  }) as const;

const intro = html`<div class="intro"><h1>First consultation</h1></div>`;
const { words } = wordsFor('en');
const done = { path: '/f/token', operations: '/operations', submissionId: '0199c0de-1111-7aaa-8bbb-cccccccccccc' };
const verified = (state: VerificationView['state'], locale = 'en') =>
  verifiedView(
    '/verify',
    { code: 'K7QF-3MZD-9XWT-R2HB-8YCN', state, issuer: 'Lovelace & Partners', issuedAt: '22 November 2026' },
    wordsFor(locale).words,
  );

const documents = {
  '/calendar': page('en', html`${intro}${booker('en', [23, 24, 25, 26, 27, 30])}`, { wide: true }),
  '/calendar-arabic': page('ar', html`${intro}${booker('ar', [23, 24, 25])}`, { wide: true }),
  '/calendar-full': page('ja', html`${intro}${booker('ja', [])}`, { wide: true }),
  '/chosen': page('ja', html`${intro}${chosenTime({ ...booking('ja', 'confirmed'), back: '/f/token' }, wordsFor('ja').words)}`),
  '/booked': page('de', bookedView(booking('de', 'confirmed'), wordsFor('de').words, '/manage')),
  '/waits': page('en', bookedView(booking('en', 'pending'), words)),
  '/manage': page('en', manageView(booking('en', 'confirmed'), words)),
  '/late': page('en', manageView({ ...booking('en', 'confirmed'), change: 'late' }, words)),
  '/cancel': page('ar', manageView(booking('ar', 'confirmed'), wordsFor('ar').words, 'cancel')),
  '/cancelled': page('en', cancelledView(booking('en', 'cancelled'), words)),
  '/done': page('en', doneView({ ...done, pdf: 'ready', redirectUrl: 'https://example.org/thanks' }, words)),
  '/prepared': page('ja', doneView({ ...done, pdf: 'preparing' }, wordsFor('ja').words), { brand: { name: 'Red', colour: '#d0021b' } }),
  '/code': page('en', codeView('/verify', words)),
  '/exists': page('en', verified('exists')),
  '/genuine': page('de', verified('genuine', 'de')),
  '/altered': page('en', verified('altered'), { brand: { name: 'Pale', colour: '#ffef9f' } }),
  '/unknown': page('en', verified('unknown')),
  '/report': page('ar', reportView({ path: '/report', locale: 'ar', title: 'Intake' }, wordsFor('ar').words)),
  '/report-wrong': page(
    'en',
    reportView({ path: '/report', locale: 'en', title: 'Intake', errors: { reason: 'Choose one.' }, refusal: 'Too many reports.' }, words),
  ),
  '/reported': page('de', reportedView(wordsFor('de').words)),
};

describe('pages beside the form, in a browser', { skip: withoutBrowser }, () => {
  let preview: Awaited<ReturnType<typeof startPreview>>;
  const visit = useBrowser(() => preview.url);
  before(async () => {
    preview = await startPreview(documents);
  });
  after(() => preview.stop());

  for (const path of Object.keys(documents))
    test(`fits a phone and a desktop, light and dark: ${path}`, async () =>
      fits(await visit(path, { javaScriptEnabled: true, timezoneId: zone }), `page${path.replace('/', '-')}`));
});

test('texts in and on the colour of a team are readable, in light and dark mode', () => {
  fc.assert(
    fc.property(fc.nat(0xffffff), (number) => {
      const accent = accentOf(`#${number.toString(16).padStart(6, '0')}`);
      assert.ok(accent);
      for (const [ground, colour, on] of [
        [grounds.light, accent.light, accent.onLight],
        [grounds.dark, accent.dark, accent.onDark],
      ] as const) {
        assert.ok(contrast(colour, ground) >= 4.5, `${colour} on ${ground}`);
        assert.ok(contrast(on, colour) >= 4.5, `${on} on ${colour}`);
      }
    }),
  );
  assert.equal(accentOf('red;}'), undefined, 'an invalid colour has no accent');
});

test('each free time is on its day in the time zone, and a month has each of its days once', () => {
  const zones = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC');
  const month = fc.record({ year: fc.integer({ min: 2011, max: 2035 }), month: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(zones, month, fc.integer({ min: 1, max: 7 }), (timeZone, at, firstDay) => {
      const text = Temporal.PlainYearMonth.from(at).toString();
      const { from, to } = spanOf(text, timeZone);
      const slots: Slot[] = [];
      for (let time = Date.parse(from); time < Date.parse(to); time += 3_600_000)
        slots.push({ start: new Date(time).toISOString(), end: '' });
      const made = monthOf(text, timeZone, slots, firstDay);
      const days = made.weeks.flat().filter((day) => day !== undefined);
      assert.equal(days.length, Temporal.PlainYearMonth.from(at).daysInMonth);
      assert.ok(made.weeks.every((week) => week.length === 7));
      for (const [day, free] of made.free) {
        assert.ok(days.includes(day), `${day} is of ${text} in ${timeZone}`);
        for (const { start } of free) assert.equal(dayOf(start, timeZone), day);
      }
      assert.equal([...made.free.values()].flat().length, slots.length);
      const place = made.weeks[1]?.[0];
      assert.equal(Temporal.PlainDate.from(place ?? '').dayOfWeek, firstDay);
    }),
    { numRuns: 60 },
  );
});

test('a time zone can have any name that browsers use, otherwise the zone of the calendar applies', () => {
  const known = ['Europe/Kyiv', 'Asia/Calcutta', 'UTC', 'Nowhere/City', '../etc', '', undefined].map((name) =>
    knownZone(name, 'Europe/Berlin'),
  );
  assert.deepEqual(known, ['Europe/Kyiv', 'Asia/Calcutta', 'UTC', ...Array.from({ length: 4 }, () => 'Europe/Berlin')]);
});

test('each language has all texts, with the same placeholders', () => {
  const gaps = (value: object): unknown[] =>
    Object.entries(value).map(([name, text]) => [
      name,
      typeof text === 'object' ? gaps(text) : [...String(text).matchAll(/\{\w+\}/g)].map(([gap]) => gap).toSorted(),
    ]);
  for (const locale of ['de', 'ar', 'ja']) {
    const { language, words: own } = wordsFor(`${locale}-XX`);
    assert.equal(language, locale);
    assert.deepEqual(gaps(own), gaps(words), locale);
  }
  assert.equal(wordsFor('fr').language, 'en');
  assert.equal(fill('{a} of {b}, {c}', { a: 1, b: '{a}' }), '1 of {a}, {c}');
  assert.deepEqual(['ar', 'ar-EG', 'he', 'fa-IR', 'en', 'ja', 'nonsense!'].map(directionOf), [
    'rtl',
    'rtl',
    'rtl',
    'rtl',
    'ltr',
    'ltr',
    'ltr',
  ]);
});
