import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mailsTo } from '../../../test/people.ts';
import { runTimers } from '../../../test/timers.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { nextDigest } from './notify.ts';

let chancery: Chancery;
let team: TestTeam;
let owner: User;
before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  owner = team.owner;
});
after(() => chancery.stop());

const settings = '/api/v1/security/auth/profile/notifications';
const call = async (by: User, method: string, path: string, body?: unknown) => {
  const answer = await chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};
const person = async (taskAssigned?: string) => {
  const user = await chancery.user(team);
  if (taskAssigned !== undefined) await call(user, 'PUT', settings, { taskAssigned });
  return user;
};
const give = (by: User, to: User, title = 'Read the lease', more: object = {}) =>
  call(by, 'POST', '/api/v1/tasks/', { title, assignedTo: to.id, ...more });
const mails = async (to: User) => (await mailsTo(chancery, to.email)) as { subject: string; text: string }[];
/** Makes all daily mails due. */
async function dayBegins() {
  await chancery.pool.query("UPDATE task_digest SET due_at = now() - interval '1 second'");
  assert.deepEqual(await runTimers(chancery, new Date()), []);
}

test('a new assignee gets a mail at once, unless their settings differ', async () => {
  const [immediate, daily, never] = [await person(), await person('daily'), await person('none')];
  assert.deepEqual(await call(immediate, 'GET', settings), { taskAssigned: 'at_once' });
  assert.deepEqual(await call(daily, 'GET', settings), { taskAssigned: 'daily' });
  const task = await give(owner, immediate);
  await Promise.all([give(owner, daily), give(owner, never)]);
  const [mail, ...more] = await mails(immediate);
  assert.deepEqual([more.length, mail?.subject], [0, 'You have a new task']);
  assert.ok(mail?.text.includes('“Read the lease”') && mail.text.includes(task.id), String(mail?.text));
  assert.deepEqual([await mails(daily), await mails(never)], [[], []]);
  const { rows } = await chancery.pool.query('SELECT budgeted, team_id FROM mail_message WHERE recipient = $1', [immediate.email]);
  assert.deepEqual(rows, [{ budgeted: true, team_id: team.id }], 'it counts against the mail limit of the team');
});

test('a user who assigns a task to themself gets no mail, at the creation or later', async () => {
  const self = await person();
  await give(self, self);
  const of = await person();
  const task = await give(owner, of);
  await call(owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: owner.id });
  assert.deepEqual([await mails(self), (await mails(owner)).filter(({ subject }) => /new task/.test(subject))], [[], []]);
  // Reassigned to another person, it is a new task for them, in their language.
  const next = await person();
  await call(next, 'PUT', '/api/v1/security/auth/profile', { locale: 'de' });
  await call(owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: next.id });
  assert.equal((await mails(next))[0]?.subject, 'Sie haben eine neue Aufgabe');
});

test('each mail of a reassignment counts against the mail limit of the team, also that to the previous assignee', async () => {
  const [first, second] = [await person(), await person()];
  const task = await give(owner, first);
  for (const to of [second, first, second])
    await call(owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: to.id, reason: 'You know it' });
  const { rows } = await chancery.pool.query(
    'SELECT budgeted, team_id, count(*)::int AS mails FROM mail_message WHERE recipient = ANY ($1) GROUP BY 1, 2',
    [[first.email, second.email]],
  );
  assert.deepEqual(rows, [{ budgeted: true, team_id: team.id, mails: 7 }]);
});

test('a workflow that assigns many tasks to one person sends one mail, which names twenty', async () => {
  const recipient = await person();
  const steps = Array.from({ length: 25 }, (_, n) => ({
    id: `s${n}`,
    type: 'task',
    name: `Part ${n}`,
    assignedTo: recipient.id,
    dependsOn: [],
  }));
  const { id } = await call(owner, 'POST', '/api/v1/workflows/', { name: 'Many parts', documentId: 'DMS-1', steps });
  await call(owner, 'POST', `/api/v1/workflows/${id}/start`);
  const found = await mails(recipient);
  const open = (await call(recipient, 'GET', '/api/v1/tasks/?assignedTo=me')).length;
  assert.ok(open > 0);
  assert.equal(found.length, 1);
  if (open === 25) assert.ok(found[0]?.text.includes('and 5 more.'), String(found[0]?.text));
});

test('the daily mail comes once, with the open tasks assigned since the last one', async () => {
  const daily = await person('daily');
  const [done, kept] = [await give(owner, daily, 'Done by then'), await give(owner, daily, 'Still to do')];
  await give(daily, daily, 'Of one’s own');
  await call(daily, 'POST', `/api/v1/tasks/${done.id}/complete`, {});
  assert.deepEqual(await runTimers(chancery, new Date()), []);
  assert.deepEqual(await mails(daily), [], 'the daily mail is not due yet');
  await Promise.all([dayBegins(), dayBegins()]);
  await dayBegins();
  const [mail, ...more] = await mails(daily);
  assert.deepEqual([more.length, mail?.subject], [0, 'Your daily tasks: 1']);
  assert.ok(mail?.text.includes('“Still to do”') && mail.text.includes(kept.id) && !mail.text.includes('Done by then'), String(mail?.text));
  for (let n = 0; n < 23; n += 1) await give(owner, daily, `Next ${n}`);
  await dayBegins();
  const [second] = await mails(daily);
  assert.equal(second?.subject, 'Your daily tasks: 23');
  assert.ok(second?.text.includes('and 3 more.') && !second.text.includes('Still to do'), second?.text);
});

test('a user who turned mails off or left the team gets no daily mail', async () => {
  const [changed, gone] = [await person('daily'), await person('daily')];
  await Promise.all([give(owner, changed), give(owner, gone)]);
  await call(changed, 'PUT', settings, { taskAssigned: 'none' });
  await call(owner, 'DELETE', `/api/v1/team/members/${gone.id}`);
  await dayBegins();
  assert.deepEqual(await mails(changed), []);
  assert.ok(!(await mails(gone)).some(({ subject }) => /daily tasks/.test(subject)));
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM task_digest');
  assert.equal(rows[0].n, 0);
});

test('the daily mail names a task behind a barrier only to assignees inside', async () => {
  const [inside, outside] = [await person('daily'), await person('daily')];
  const [folder, room] = [await chancery.folder(owner), await chancery.folder(owner)];
  const document = await chancery.document(owner, { folderId: folder.id, title: 'Merger' });
  await call(owner, 'PUT', `/api/v1/smartdoc/folders/${room.id}/barrier`, { userIds: [inside.id] });
  for (const to of [inside, outside]) await give(owner, to, 'Merger of Ada and Grace', { documentId: document.id });
  await give(owner, outside, 'Read the lease');
  await call(owner, 'PATCH', `/api/v1/smartdoc/documents/${document.id}/move`, { folderId: room.id });
  await dayBegins();
  const texts = [(await mails(inside)).map(({ text }) => text).join(), (await mails(outside)).map(({ text }) => text).join()];
  assert.deepEqual([texts[0]?.includes('Merger'), texts[1]?.includes('Merger'), texts[1]?.includes('Read the lease')], [true, false, true]);
});

test('the daily mail comes at seven in the time zone of the person, also when the clocks change', () => {
  const at = (now: string, zone: string) => nextDigest(new Date(now), zone).toISOString();
  assert.equal(at('2026-11-22T06:59:59.999Z', 'UTC'), '2026-11-22T07:00:00.000Z');
  assert.equal(at('2026-11-22T07:00:00.000Z', 'UTC'), '2026-11-23T07:00:00.000Z');
  assert.equal(at('2026-11-22T12:00:00.000Z', 'Asia/Kolkata'), '2026-11-23T01:30:00.000Z');
  assert.equal(at('2026-03-28T12:00:00.000Z', 'Europe/Vienna'), '2026-03-29T05:00:00.000Z');
  assert.equal(at('2026-10-24T12:00:00.000Z', 'Europe/Vienna'), '2026-10-25T06:00:00.000Z');
});

test('an unknown mail setting is rejected', async () => {
  const user = await person();
  for (const body of [{}, { taskAssigned: 'weekly' }, { taskAssigned: null }, { taskAssigned: 'none', other: 1 }])
    assert.equal((await chancery.call('PUT', settings, { token: user.token, body })).status, 400);
});
