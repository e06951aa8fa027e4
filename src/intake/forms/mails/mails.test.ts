import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { nextMonday, plainCalendar } from '../../../../test/bookings.ts';
import { letJobsBeDue } from '../../../../test/jobs.ts';
import { publishForm } from '../../../../test/published-forms.ts';
import { type SmtpReceiver, startSmtpReceiver } from '../../../../test/smtp-receiver.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { contrast } from '../branding/index.ts';

const path = '/api/v1/interfaces';
let smtp: SmtpReceiver;
let chancery: Chancery;
let team: TestTeam;
let creator: User;

before(async () => {
  smtp = await startSmtpReceiver();
  chancery = await startChancery({ settings: { SMTP_URL: smtp.url } });
  team = await chancery.team('Harbour & Lane. See evil.example');
  creator = await chancery.user(team);
});
after(async () => {
  await chancery.stop();
  await smtp.close();
});

const fields = [
  { id: 'what', type: 'text', label: 'What', required: true },
  { id: 'mail', type: 'email', label: 'Mail' },
];
type Form = { id: string; publicToken: string };
const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function ok(method: string, at: string, { token }: User, body?: unknown) {
  const answer = await chancery.call(method, `${path}${at}`, { token, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}
async function formOf(members: object): Promise<Form> {
  const { id } = await ok('POST', '/', creator, { title: 'Intake', type: 'form', fields, ...members });
  return ok('POST', `/${id}/publish`, creator, { revision: 1 });
}
const send = ({ publicToken }: Form, data: object, headers: Record<string, string> = {}) =>
  chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data }, headers });
const query = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;

/** Returns the decoded text and headers of a mail. */
function read({ raw, headers }: { raw: string; headers: string }): string {
  const parts = raw.split(/\r\n\r\n/).map((part) => {
    const compact = part.replaceAll(/\s/g, '');
    return /^[A-Za-z0-9+/]+=*(?:--.*)?$/.test(compact) ? Buffer.from(compact, 'base64').toString() : decodeQuoted(part);
  });
  const words = headers.replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
    kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString() : decodeQuoted(text.replaceAll('_', ' ')),
  );
  return `${words}\n${parts.join('\n')}`;
}
const decodeQuoted = (text: string): string => {
  const plain = text.replaceAll('=\r\n', '');
  return plain.replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());
};
const mailsTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address)).map(read);
const mailTo = (address: string, most = 1) =>
  eventually(`a mail to ${address}`, async () => {
    const found = mailsTo(address);
    assert.ok(found.length <= most, `${found.length} mails`);
    return found.length === most ? found : undefined;
  });
/** Makes delayed jobs due now. */
async function letTimePass() {
  await query(
    "UPDATE interface_count SET notified_at = notified_at - interval '1 hour', failures_notified_at = failures_notified_at - interval '2 hours'",
  );
  await letJobsBeDue(chancery.pool, 'waiting', 'submission-%');
}

test('members are notified of submissions while they can read them: at once of the first, then with a count', async () => {
  const [reader, stranger, leaver] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  const form = await formOf({ config: { notify: [creator.id, reader.id, stranger.id, leaver.id] } });
  await ok('POST', `/${form.id}/shares`, creator, { userId: reader.id, rights: ['submissions'] });
  await query("UPDATE account SET status = 'disabled' WHERE id = $1", leaver.id);
  assert.equal((await send(form, { what: 'A secret concern' })).status, 200);
  const [first = ''] = await mailTo(reader.email);
  assert.match(first, /Subject: New submission: Intake/);
  assert.doesNotMatch(first, /secret/, 'mails contain no answers');

  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => send(form, { what: `Concern ${n}` })));
  assert.ok(answers.every(({ status }) => status === 200));
  await eventually(
    'the news wait for their time',
    async () => (await query("SELECT FROM job WHERE name = 'submission-news' AND state = 'waiting'")).length > 0,
  );
  assert.equal(mailsTo(reader.email).length, 1);
  await letTimePass();
  const [, second = ''] = await mailTo(reader.email, 2);
  assert.match(second, /Subject: 50 new submissions: Intake/);
  assert.match(second, /Total: 51/);
  await mailTo(creator.email, 2);
  assert.deepEqual([mailsTo(stranger.email), mailsTo(leaver.email)], [[], []]);
});

test('a visitor gets a receipt in their language, without answers and links', async () => {
  const form = await formOf({
    title: { en: 'Report evil.example', de: 'Meldung' },
    config: { receipt: true },
    publicSettings: { locale: 'en', locales: ['en', 'de'] },
  });
  const { body } = await send(form, { what: 'A secret concern', mail: 'visitor@example.org' }, { 'accept-language': 'de' });
  const [mail = ''] = await mailTo('visitor@example.org');
  assert.match(mail, /Subject: Eingegangen: Meldung/);
  assert.ok(mail.includes(body.submissionId), 'the receipt has the reference of the submission');
  assert.doesNotMatch(mail, /secret|evil\.example|https?:\/\/[^w]/, mail);
  assert.equal((await send(form, { what: 'Without an address' })).status, 200);
});

test('a mail address gets three receipts an hour, from all forms and submissions together', async () => {
  const [form, other] = [await formOf({ config: { receipt: true } }), await formOf({ config: { receipt: true } })];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(n % 2 ? form : other, { what: 'x', mail: 'Victim@example.org' })),
  );
  assert.ok(
    answers.every(({ status }) => status === 200),
    'the answers are taken all the same',
  );
  await eventually(
    'all receipt jobs are done',
    async () => (await query("SELECT FROM job WHERE name = 'submission-receipt'")).length === 0,
  );
  await eventually('the mails are sent', async () => (await query("SELECT FROM mail_message WHERE status = 'queued'")).length === 0);
  assert.equal(smtp.received.filter(({ to }) => /victim/i.test(to.join())).length, 3);
});

test('an erasure withdraws queued mails, removes the recipients of sent ones, and prevents concurrent new ones', async () => {
  smtp.later.add('waits@example.org');
  const form = await formOf({ config: { receipt: true } });
  const booked = await formOf({ type: 'scheduling', calendar: { ...plainCalendar, maxDaysAhead: 30 } });
  const of = (name: string) => ({ what: name, mail: `${name}@example.org` });
  const hour = (at: string) => ({ start: `${nextMonday()}T${at}:00:00Z` });
  const sent = [await send(form, of('waits')), await send(form, of('gone'))];
  const taken = [await send(booked, { ...of('waits'), ...hour('09') }), await send(booked, { ...of('gone'), ...hour('10') })];
  const rows = (like: string) => query('SELECT status FROM mail_message WHERE recipient LIKE $1 OR text_body LIKE $1', `%${like}%`);
  await eventually('a receipt and the mail of the booking wait', async () => (await rows('waits@')).length >= 2);
  await mailTo('gone@example.org', 2);
  await eventually('the sent mails are recorded', async () => (await rows('gone@')).every(({ status }) => status === 'sent'));
  for (const { body } of sent) await ok('DELETE', `/${form.id}/submissions/${body.submissionId}`, creator);
  for (const { body } of taken) await ok('DELETE', `/${booked.id}/submissions/${body.submissionId}`, creator);
  assert.deepEqual([await rows('waits'), await rows('gone')], [[], []]);
  smtp.later.clear();
  await letJobsBeDue(chancery.pool, 'waiting', 'team-mail');
  await eventually('nothing is left to send', async () => (await query("SELECT FROM job WHERE name = 'team-mail'")).length === 0);
  assert.deepEqual(mailsTo('waits@example.org'), []);

  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const { body } = await send(form, { what: 'x', mail: `racer${n}@example.org` });
      await ok('DELETE', `/${form.id}/submissions/${body.submissionId}`, creator);
    }),
  );
  await eventually(
    'all receipt jobs are done',
    async () => (await query("SELECT FROM job WHERE name = 'submission-receipt'")).length === 0,
  );
  assert.deepEqual(await rows('racer'), []);
});

test('a title or address cannot add a header or a recipient', async () => {
  const form = await formOf({ title: 'Hello\r\nBcc: bcc@evil.example\r\n\r\nBody', config: { receipt: true, notify: [creator.id] } });
  for (const mail of [
    'a@example.org\r\nBcc: bcc@evil.example',
    'a@example.org, bcc@evil.example',
    '<bcc@evil.example> a@example.org',
    '"a b"@example.org',
  ])
    assert.equal((await send(form, { what: 'x', mail })).status, 422, mail);
  assert.equal((await send(form, { what: 'x', mail: 'injected@example.org' })).status, 200);
  await mailTo('injected@example.org');
  for (const { raw } of smtp.received) assert.doesNotMatch(raw, /^bcc:/im);
  assert.ok(smtp.received.every(({ to }) => !to.includes('bcc@evil.example')));
});

/** Hostile names and titles: markup, a header, and characters that change the text direction. */
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)> Bcc: bcc@evil.example \u202egnp.exe\u2066`;
const turning = /[\u202a-\u202e\u2066-\u2069]/;
/** Returns the headers, text and HTML of a mail. */
function harmless(mail: string): void {
  assert.doesNotMatch(mail, turning, 'no character changes the direction of the following text');
  assert.doesNotMatch(mail, /^bcc:/im);
  const [, markup = ''] = /<!doctype html>([^]*<\/html>)/.exec(mail) ?? [];
  assert.ok(markup.length > 100, mail);
  assert.doesNotMatch(markup, /<script|<img src=x|onerror=alert\(2\)>/);
  assert.match(markup, /&lt;script&gt;/);
}

test('hostile titles, names and answers stay plain text in mails of forms and bookings, to visitors and to the team', async () => {
  const labelled = [{ id: 'name', type: 'text', label: hostile }, ...fields.slice(1)];
  const form = await formOf({ title: hostile, fields: labelled, config: { receipt: true, notify: [creator.id] } });
  assert.equal((await send(form, { name: hostile, mail: 'hostile@example.org' })).status, 200);
  const [receipt = ''] = await mailTo('hostile@example.org');
  harmless(receipt);
  assert.doesNotMatch(receipt, /evil\.example/, 'no text becomes a link in mail programs');
  const calendar = { ...plainCalendar, maxDaysAhead: 30 };
  const booked = await formOf({ type: 'scheduling', title: hostile, fields: labelled, calendar });
  const start = `${nextMonday()}T09:00:00Z`;
  assert.equal((await send(booked, { name: hostile, mail: 'booker@example.org', start })).status, 200);
  harmless((await mailTo('booker@example.org'))[0] ?? '');
  const received = await eventually('the team is notified of both', async () => {
    const found = mailsTo(creator.email).filter((mail) => mail.includes('alert(1)'));
    return found.length >= 2 ? found : undefined;
  });
  received.forEach(harmless);
  for (const { to, raw } of smtp.received) {
    assert.ok(!to.includes('bcc@evil.example'));
    assert.doesNotMatch(raw, /^bcc:/im);
  }
});

test('booking pages and mails to visitors have the branding of the team, in a readable colour', async () => {
  const own = await chancery.team('Lovelace & Partners');
  const colour = '#ffe066';
  const look = await chancery.call('PATCH', '/api/v1/team/branding', {
    token: own.owner.token,
    body: { name: 'Lovelace “Law”', colour, logo },
  });
  assert.equal(look.status, 200, look.text);
  const members = {
    type: 'scheduling',
    title: 'Talk',
    fields,
    calendar: { ...plainCalendar, maxDaysAhead: 30 },
    config: { receipt: true },
  };
  const form = await publishForm(chancery, own.owner, members);
  const start = `${nextMonday()}T10:00:00Z`;
  const answer = await send(form, { what: 'x', mail: 'looked@example.org', start });
  assert.equal(answer.status, 200, answer.text);
  const plain = await publishForm(chancery, own.owner, { title: 'Intake', fields, config: { receipt: true } });
  assert.equal((await send(plain, { what: 'x', mail: 'looked@example.org' })).status, 200);
  const mails = await mailTo('looked@example.org', 2);
  const { light } = look.body.shown;
  assert.ok(light !== colour && contrast(light, '#ffffff') >= 4.5);
  for (const mail of mails) {
    assert.ok(mail.includes(`src="${look.body.logoUrl}" alt="Lovelace “Law”"`), mail);
    assert.ok(mail.includes(`bgcolor="${light}"`));
  }
  const headers = { 'x-submission-session': answer.headers.get('x-submission-session') ?? '' };
  const { body } = await chancery.call('GET', `${path}/public/${form.publicToken}/submission/booking`, { headers });
  const page = await chancery.call('GET', new URL(body.manageUrl).pathname, { headers: { accept: 'text/html' }, unchecked: true });
  assert.ok(page.text.includes(`<img src="${new URL(look.body.logoUrl).pathname}" alt="Lovelace “Law”"`), page.text);
  assert.ok(page.text.includes(`--accent:light-dark(${light},`));
});

test('the owner gets one mail an hour about failed effects, with their kind and count', async () => {
  const folder = await chancery.folder(creator, { name: 'Gone' });
  const form = await formOf({ title: 'Failing', config: { createsDocument: true, folderId: folder.id } });
  await chancery.call('DELETE', `/api/v1/smartdoc/folders/${folder.id}`, { token: creator.token });
  const known = mailsTo(creator.email).length;
  for (const what of ['A secret concern', 'Another']) assert.equal((await send(form, { what })).status, 200);
  const failed = () =>
    mailsTo(creator.email)
      .slice(known)
      .filter((mail) => /Effects of submissions failed: Failing/.test(mail));
  await eventually('the owner is notified', async () => failed().length === 1);
  assert.doesNotMatch(failed().join(), /secret/);
  await send(form, { what: 'A third' });
  const ids = "SELECT id FROM submission WHERE interface_id = $1 AND status = 'failed'";
  // A job from before the third submission may wait next to the one for it.
  const jobs = "SELECT bool_and(state = 'waiting') AS waiting FROM job WHERE name = 'submission-failures'";
  await eventually(
    'the failure mail waits',
    async () => (await query(ids, form.id)).length === 3 && (await query(jobs))[0]?.waiting === true,
  );
  await letTimePass();
  await eventually('the owner is notified of all failures', async () =>
    failed().some((mail) => /document: parent_not_found \(3 submissions\)/.test(mail)),
  );
  assert.equal(failed().length, 2);
});
