import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { nextMonday, plainCalendar } from '../../../../test/bookings.ts';
import { type Chancery, startChancery, type TestTeam } from '../../../../test/harness.ts';
import { publishForm } from '../../../../test/published-forms.ts';
import { firstStaff, staffToken } from '../../../../test/staff.ts';

let chancery: Chancery;
let team: TestTeam;
let staff: string;
before(async () => {
  const settings = { ...firstStaff, FORM_REPORTS_PER_ADDRESS: '3', TRUSTED_PROXIES: '127.0.0.1' };
  chancery = await startChancery({ role: 'api', settings });
  team = await chancery.team('Harbour & Lane');
  staff = await staffToken(chancery);
});
after(() => chancery.stop());

const fields = [{ id: 'name', type: 'text', label: 'Name' }];
const operations = '/api/v1/staff';
const title = `Bank <script>alert(1)</script> "login" \u202eevil`;

/** Distinct addresses of visitors. */
let visitor = 0;
const elsewhere = () => `198.51.${100 + Math.floor((visitor += 1) / 200)}.${(visitor % 200) + 1}`;
async function send(path: string, entries: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${chancery.url}${path}`, {
    method: 'POST',
    headers: { accept: 'text/html', origin: chancery.url, 'x-forwarded-for': elsewhere(), ...headers },
    body: new URLSearchParams(entries),
    redirect: 'manual',
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
const page = (path: string) => chancery.call('GET', path, { headers: { accept: 'text/html' }, unchecked: true });
const reported = async (of: string) => {
  const { status, body, text } = await chancery.call('GET', `${operations}/interface-reports?limit=500`, { token: staff });
  assert.equal(status, 200, text);
  return (body as any[]).filter(({ interfaceId }) => interfaceId === of);
};
const act = (what: string, id: string, reason = 'It asks for passwords.') =>
  chancery.call('POST', `${operations}/interfaces/${team.id}/${id}/${what}`, { token: staff, body: { reason } });
/** Returns the target of the report link at the bottom of a page. */
const footOf = (text: string) => /<footer[^]*<a href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

test('a visitor reports a form, even a closed one; staff suspend the form, which ends the report; the team is not notified', async () => {
  const form = await publishForm(chancery, team.owner, { title, fields });
  const foot = footOf((await page(`/f/${form.publicToken}?locale=en`)).text);
  const { text } = await page(foot);
  assert.match(text, /to the operators of this service/);
  assert.ok(text.includes('Bank &lt;script&gt;alert(1)&lt;/script&gt;'), 'the title is escaped');
  assert.ok(text.includes('name="reason" value="credentials"'));
  await chancery.call('POST', `/api/v1/interfaces/${form.id}/close`, { token: team.owner.token });
  const [path = ''] = foot.split('?');
  const said = 'It wants\r\nmy <b>password</b>.';
  const sent = await send(path, { locale: 'de', reason: 'credentials', text: said });
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, `${path}?locale=de&sent=1`]);
  assert.match((await page(`${path}?locale=de&sent=1`)).text, /Vielen Dank/);
  const [one, ...more] = await reported(form.id);
  assert.deepEqual(more, []);
  const { id: _, createdAt: __, ...shown } = one;
  assert.deepEqual(shown, {
    teamId: team.id,
    interfaceId: form.id,
    title,
    publicUrl: form.publicUrl,
    suspended: false,
    reason: 'credentials',
    text: 'It wants\nmy <b>password</b>.',
  });
  assert.equal((await act('suspend', form.id)).status, 200);
  assert.deepEqual(await reported(form.id), []);
  assert.equal((await page(foot)).status, 404);
  const { rows } = await chancery.pool.query('SELECT type, data::text FROM audit_entry WHERE team_id = $1 AND target_id = $2', [
    team.id,
    form.id,
  ]);
  assert.ok(!rows.some(({ type, data }) => type.includes('report') || data?.includes('password</b>')));
});

test('a visitor reports a booking page, and staff dismiss the reports: only the journal of the service has their number', async () => {
  const form = await publishForm(chancery, team.owner, {
    type: 'scheduling',
    title: 'Consultation',
    fields,
    calendar: { ...plainCalendar, maxDaysAhead: 30 },
  });
  const body = { data: { name: 'Ada', start: `${nextMonday()}T09:00:00Z` } };
  const session = await chancery.call('POST', `/api/v1/interfaces/public/${form.publicToken}/submit`, { body });
  assert.equal(session.status, 200, session.text);
  const headers = { 'x-submission-session': session.headers.get('x-submission-session') ?? '' };
  const { body: booked } = await chancery.call('GET', `/api/v1/interfaces/public/${form.publicToken}/submission/booking`, { headers });
  const at = new URL(booked.manageUrl).pathname;
  const foot = footOf((await page(`${at}?locale=ar`)).text);
  assert.equal(foot, `${at}/report?locale=ar`);
  assert.match((await page(foot)).text, /dir="rtl"/);
  for (const reason of ['spam', 'other']) assert.equal((await send(`${at}/report`, { reason, text: '' })).status, 303);
  assert.deepEqual(
    (await reported(form.id)).map(({ reason, text }) => `${reason}:${text}`),
    ['other:', 'spam:'],
  );
  const dismissed = await act('dismiss-reports', form.id, 'It is what it says.');
  assert.deepEqual(dismissed.body, { id: form.id, teamId: team.id, reports: 2 });
  assert.deepEqual(await reported(form.id), []);
  assert.equal((await act('dismiss-reports', form.id)).body.reports, 0);
  const { rows } = await chancery.pool.query(
    "SELECT team_id, data FROM audit_entry WHERE type = 'interface.reports_dismissed' AND target_id = $1 ORDER BY id",
    [form.id],
  );
  assert.notEqual(rows[0].team_id, team.id);
  assert.deepEqual(rows[0].data, { reason: 'It is what it says.', teamId: team.id, reports: 2 });
});

test('an incomplete, too long, cross-site or rate-limited report is rejected and keeps its text', async () => {
  const { publicToken, id } = await publishForm(chancery, team.owner, { fields });
  const path = `/f/${publicToken}/report`;
  const wrong = await send(path, { reason: 'nonsense', text: '</textarea><script>alert(1)</script>' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Choose a problem/);
  assert.ok(wrong.text.includes('&lt;/textarea&gt;&lt;script&gt;') && !wrong.text.includes('<script>alert'));
  const long = await send(path, { reason: 'other', text: 'x'.repeat(2_001) });
  assert.deepEqual([long.status, long.text.includes('the maximum is 2000 characters')], [422, true]);
  assert.equal((await send(path, { reason: 'other', text: 'x' }, { origin: 'https://elsewhere.example' })).status, 403);
  assert.deepEqual(await reported(id), []);
  const from = { 'x-forwarded-for': '192.0.2.9' };
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(path, { reason: 'other', text: 'seen' }, from)));
  assert.equal(answers.filter(({ status }) => status === 303).length, 3);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 47);
  assert.ok(refused.every(({ headers, text }) => headers.has('retry-after') && text.includes('>seen</textarea>')));
  assert.equal((await reported(id)).length, 3);
});

test('an interface has at most 100 open reports; the list is paged, newest first; an unknown link cannot be reported', async () => {
  const { publicToken, id } = await publishForm(chancery, team.owner, { fields });
  for (let n = 0; n < 104; n += 8)
    await Promise.all(Array.from({ length: 8 }, (_, m) => send(`/f/${publicToken}/report`, { reason: 'other', text: String(n + m) })));
  assert.equal((await send(`/f/${publicToken}/report`, { reason: 'other', text: 'more' })).status, 303);
  const all = await reported(id);
  // Concurrent reports can exceed the limit slightly.
  assert.ok(all.length >= 100 && all.length < 108, String(all.length));
  assert.ok(!all.some(({ text }) => text === 'more'));
  const first = await chancery.call('GET', `${operations}/interface-reports?limit=60`, { token: staff });
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
  const second = await chancery.call('GET', next?.replace('http://localhost:8080', '') ?? '', { token: staff });
  const ids = [...first.body, ...second.body].map((one: any) => one.id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    ids.slice(0, 100),
    (await chancery.call('GET', `${operations}/interface-reports`, { token: staff })).body.slice(0, 100).map((one: any) => one.id),
  );
  assert.equal((await page(`/f/${'x'.repeat(64)}/report`)).status, 404);
  assert.equal((await page(`/booking/${team.id}/${'x'.repeat(43)}/report`)).status, 404);
});
