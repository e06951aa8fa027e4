import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { nextMonday, openBookingWorld, plainCalendar } from '../../../test/bookings.ts';
import { type Chancery, startChancery, type TestTeam } from '../../../test/harness.ts';
import { mailsTo } from '../../../test/people.ts';
import { publishForm } from '../../../test/published-forms.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { listeners } from '../../listeners.ts';
import { doDueWork, type DueWork } from '../../platform/jobs/due-jobs.ts';
import { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import { queueVisitorMail } from '../../platform/mail/visitors.ts';
import { confirmBooking } from './decide.ts';
import { cancelBooking, rescheduleBooking } from './change.ts';
import { completions, holidays, reminders, waitingEnds } from './jobs.ts';
import { notificationJob } from './send-notifications.ts';

let chancery: Chancery;
let team: TestTeam;
let world: Awaited<ReturnType<typeof openBookingWorld>>;
before(async () => {
  chancery = await startChancery();
  team = await chancery.team('Adler & Partner');
  world = await openBookingWorld(chancery, team.id);
});
after(async () => {
  await world.close();
  await chancery.stop();
});

const day = nextMonday();
const at = (time: string) => `${day}T${time}:00.000Z`;
const hourMs = 3_600_000;
let people = 0;
const address = (name: string) => `${name}.${(people += 1)}@example.org`;

async function form(calendar: object = {}, more: object = {}): Promise<string> {
  const body = {
    title: 'Beratung',
    type: 'scheduling',
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
    calendar: { ...plainCalendar, ...calendar },
    ...more,
  };
  const made = await chancery.call('POST', '/api/v1/interfaces/', { token: team.owner.token, body });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}
const book = (calendar: string, time: string, visitor: object) =>
  world.book({ calendar, start: at(time), visitor: { locale: 'en', ...visitor } });

/** Runs the due work of one kind at a given time. */
async function due(work: DueWork, now: Date | number): Promise<void> {
  const failures: string[] = [];
  const metrics = { failed: (job: string) => void failures.push(job), setAside: () => undefined };
  const isolation = new Isolation({ database: chancery.database, log: pino({ level: 'silent' }), metrics });
  await doDueWork({ database: chancery.database, listeners, isolation }, work, new Date(now));
  assert.deepEqual(failures, []);
}
const mailed = async (to: string, count: number) => {
  await eventually(`${count} mails to ${to}`, async () => (await mailsTo(chancery, to)).length >= count);
  return mailsTo(chancery, to);
};
/** Waits until all requested mails about bookings are written. */
const written = () =>
  eventually(
    'all are told',
    async () => (await chancery.pool.query("SELECT FROM job WHERE name = 'booking-mail' AND state <> 'failed'")).rowCount === 0,
    30_000,
  );
const status = async (id: string) => (await chancery.pool.query('SELECT status FROM booking WHERE id = $1', [id])).rows[0].status;

test('a booking notifies the visitor in their language with times in both zones, and notifies the team', async () => {
  const titles = { de: 'Beratung', ja: 'ご相談', ar: 'استشارة' };
  const calendar = await form(
    { timeZone: 'Europe/Berlin', weekly: { mon: [['00:00', '24:00']] } },
    { title: titles, publicSettings: { locale: 'de', locales: Object.keys(titles) } },
  );
  const wishes = [
    {
      locale: 'ja-JP',
      timeZone: 'Asia/Tokyo',
      expected: /「ご相談」.*確定.*18:00.*Asia\/Tokyo.*Europe\/Berlin/s,
      html: '<html lang="ja" dir="ltr">',
    },
    {
      locale: 'ar',
      timeZone: 'Asia/Dubai',
      expected: /تم تأكيد موعدك.*استشارة.*Asia\/Dubai.*Europe\/Berlin/s,
      html: '<html lang="ar" dir="rtl">',
    },
    {
      locale: 'de-AT',
      timeZone: 'Europe/Vienna',
      expected: /Ihr Termin bei Adler & Partner.*„Beratung“.*bestätigt.*\(Europe\/Vienna\)\./s,
      html: '<html lang="de" dir="ltr">',
    },
    {
      locale: 'fr',
      timeZone: 'America/New_York',
      expected: /“Beratung”.*confirmed.*America\/New_York.*Europe\/Berlin/s,
      html: '<html lang="en" dir="ltr">',
    },
  ];
  for (const [n, { expected, html, ...visitor }] of wishes.entries()) {
    const email = address('visitor');
    const booked = await book(calendar, `${String(9 + n).padStart(2, '0')}:00`, { ...visitor, email, name: 'Grace Hopper' });
    const [mail] = await mailed(email, 1);
    assert.match(mail?.text ?? '', expected);
    assert.ok(mail?.html.includes(html), html);
    assert.ok(mail?.text.includes(booked.manageUrl) && mail.text.includes(booked.icsUrl));
  }
  const mails = await mailed(team.owner.email, wishes.length);
  assert.match(mails[0]?.text ?? '', /Grace Hopper has an appointment \(“Beratung”\)/);
  assert.ok(!mails[0]?.text.includes('/booking/'), 'the team does not get the visitor link');
});

test('a booking behind a barrier notifies only the owner, without name and title', async () => {
  const { owner } = team;
  const creator = await chancery.user(team);
  const folder = await chancery.folder(creator);
  const barrier = (userIds: string[]) =>
    chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { token: creator.token, body: { userIds } });
  assert.equal((await barrier([])).status, 200);
  const calendar = await form({ timeZone: 'Europe/Berlin' });
  // Simulates an offboarding: the form passes to the successor.
  await chancery.pool.query('UPDATE interface SET owner_id = $2, folder_id = $3 WHERE id = $1', [calendar, creator.id, folder.id]);
  const mailsBefore = (await mailsTo(chancery, owner.email)).length;
  const email = address('secret');
  await book(calendar, '09:00', { email, name: 'Grace Hopper' });
  const [mail] = await mailed(creator.email, 1);
  assert.match(mail?.text ?? '', new RegExp(calendar));
  assert.doesNotMatch(`${mail?.subject} ${mail?.text}`, /Grace|Hopper|Beratung/);
  assert.match((await mailed(email, 1))[0]?.text ?? '', /Beratung/, 'the visitor sees the title');
  await chancery.pool.query('UPDATE interface SET owner_id = $2 WHERE id = $1', [calendar, owner.id]);
  await book(calendar, '10:00', { email: address('secret'), name: 'Grace Hopper' });
  await written();
  assert.equal((await mailsTo(chancery, owner.email)).length, mailsBefore);
});

test('reminders are sent once for confirmed bookings, relative to their current time', async () => {
  const calendar = await form({ reminders: [60, 1_440] });
  const [kept, moved, cancelled] = [address('kept'), address('moved'), address('cancelled')];
  await book(calendar, '10:00', { email: kept });
  const other = await book(calendar, '11:00', { email: moved });
  const gone = await book(calendar, '12:00', { email: cancelled });
  await world.act((scope) =>
    rescheduleBooking(world.bookings, scope, { id: other.bookingId, by: 'visitor', from: Date.parse(at('16:00')) }),
  );
  await world.act((scope) => cancelBooking(scope, { id: gone.bookingId, by: 'visitor' }));
  await due(reminders, Date.parse(at('13:00')) - 24 * hourMs);
  assert.match((await mailed(kept, 2))[0]?.subject ?? '', /^Reminder: Beratung/);
  await due(reminders, Date.parse(at('13:00')) - 24 * hourMs);
  await due(reminders, Date.parse(at('09:30')));
  assert.equal((await mailed(kept, 3)).filter(({ subject }) => subject.startsWith('Reminder')).length, 2, 'a day and an hour before');
  await written();
  const reminded = async (to: string) => (await mailsTo(chancery, to)).filter(({ subject }) => subject.startsWith('Reminder')).length;
  assert.deepEqual([await reminded(moved), await reminded(cancelled)], [1, 0]);
});

test('pending bookings expire after 48 hours or at the minimum notice, held ones after 15 minutes, and past ones are completed', async () => {
  const calendar = await form({ confirmation: 'manual' });
  const [email, later] = [address('pending'), address('confirmed')];
  const pending = await book(calendar, '10:00', { email });
  const confirmed = await book(calendar, '11:00', { email: later });
  await world.act((scope) => confirmBooking(scope, confirmed.bookingId));
  await due(waitingEnds, Date.now() + 47 * hourMs);
  assert.equal(await status(pending.bookingId), 'pending');
  // Write the mails before the expiry, because obsolete notifications are skipped.
  await mailed(email, 1);
  await due(waitingEnds, Date.now() + 49 * hourMs);
  assert.deepEqual([await status(pending.bookingId), await status(confirmed.bookingId)], ['expired', 'confirmed']);
  assert.match((await mailed(email, 2))[0]?.subject ?? '', /^Not confirmed: /);
  const unconfirmed = await book(await form({ confirmByMail: true }), '10:00', { email: address('held') });
  await due(waitingEnds, Date.now() + 16 * 60_000);
  assert.equal(await status(unconfirmed.bookingId), 'expired');
  await due(completions, Date.parse(at('11:29')));
  assert.equal(await status(confirmed.bookingId), 'confirmed');
  await due(completions, Date.parse(at('11:31')));
  assert.equal(await status(confirmed.bookingId), 'completed');
});

test('a held booking can be managed only with the mailed link, so a wrong mail address confirms nothing', async () => {
  const input = { fields: [{ id: 'mail', type: 'email', label: 'Mail' }] };
  const members = { title: 'Held', type: 'scheduling', ...input, calendar: { ...plainCalendar, confirmByMail: true } };
  const { publicToken } = await publishForm(chancery, team.owner, members);
  const path = `/api/v1/interfaces/public/${publicToken}`;
  const mail = address('somebody-else');
  const sent = await chancery.call('POST', `${path}/submit`, { body: { data: { mail, start: at('10:00') } } });
  const headers = { 'x-submission-session': sent.headers.get('x-submission-session') ?? '' };
  const seen = async () => (await chancery.call('GET', `${path}/submission/booking`, { headers })).body;
  const { bookingId, ...shown } = await seen();
  assert.deepEqual(shown, { status: 'held', start: at('10:00'), end: at('10:30') });
  const [received] = await mailed(mail, 1);
  const [link = ''] = /\/booking\/[\w/-]+/.exec(received?.text ?? '') ?? [];
  assert.equal((await chancery.call('POST', `/api/v1/interfaces${link}/confirm`)).body.status, 'confirmed');
  const { manageUrl, icsUrl } = await seen();
  assert.equal(new URL(manageUrl).pathname, link);
  assert.equal(new URL(icsUrl).pathname, `/api/v1/interfaces${link}/calendar.ics`);
  assert.equal(await status(bookingId), 'confirmed');
});

test('a mail address gets three mails an hour from all teams, and further bookings still succeed', async () => {
  const email = address('many');
  const calendar = await form({ maxPerAddress: 10 });
  for (const time of ['09:00', '10:00', '11:00']) await book(calendar, time, { email });
  await written();
  const other = await chancery.team();
  const { queued } = await chancery.database.inTeam(other.id, async (db) => ({
    queued: await queueVisitorMail(db, other.id, {
      to: email.toUpperCase(),
      about: other.id,
      subject: 'One more',
      text: 'x',
      html: 'x',
    }),
  }));
  assert.equal(queued, 'skipped');
  await book(calendar, '12:00', { email });
  await written();
  assert.equal((await mailsTo(chancery, email)).length, 3);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM booking WHERE email = $1 AND status = $2', [
    email,
    'confirmed',
  ]);
  assert.equal(rows[0].n, 4);
});

test('an obsolete notification is not sent', async () => {
  const calendar = await form();
  const email = address('quick');
  const { bookingId } = await book(calendar, '09:00', { email });
  await mailed(email, 1);
  await world.act(async (scope) => {
    await rescheduleBooking(world.bookings, scope, { id: bookingId, by: 'visitor', from: Date.parse(at('10:00')) });
  });
  await world.act((scope) => cancelBooking(scope, { id: bookingId, by: 'team', reason: 'Ill' }));
  await written();
  const mails = await mailsTo(chancery, email);
  assert.match(mails[0]?.subject ?? '', /^Cancelled: /);
  assert.match(mails[0]?.text ?? '', /The reason given: Ill/);
});

test('if a booking changes while its mail is written, only the mail about the latest change is sent', async () => {
  const calendar = await form();
  const email = address('overtaken');
  const { bookingId } = await book(calendar, '11:00', { email });
  await mailed(email, 1);
  const notification = { booking: bookingId, kind: 'moved', start: at('11:00') } as const;
  const aTry = { id: bookingId, team: team.id, attempt: 1, signal: new AbortController().signal };
  const outcome = await notificationJob.run({ database: chancery.database, bookings: world.bookings }, notification, aTry);
  assert.ok(outcome && 'write' in outcome, 'the notification is valid when the job reads it');
  await world.act((scope) => cancelBooking(scope, { id: bookingId, by: 'team', reason: 'Ill' }));
  await chancery.database.inTeam(team.id, outcome.write);
  await written();
  assert.deepEqual(
    (await mailsTo(chancery, email)).map(({ subject }) => subject.split(':')[0]),
    ['Cancelled', 'Your appointment'],
  );
});

test('holidays are extended before they run out', async () => {
  const calendar = await form({ holidays: { country: 'DE' }, maxDaysAhead: 60 });
  const until = async () =>
    (await chancery.pool.query('SELECT holidays_until::text AS until FROM calendar WHERE id = $1', [calendar])).rows[0].until;
  const first = await until();
  await due(holidays, Date.now());
  assert.equal(await until(), first);
  await due(holidays, Date.parse(`${first}T00:00:00Z`));
  assert.ok((await until()) > first);
});
