import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam } from '../../../test/harness.ts';
import { letJobsBeDue } from '../../../test/jobs.ts';
import { type SmtpReceiver, startSmtpReceiver } from '../../../test/smtp-receiver.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { exceededQuota } from '../limits/quotas.ts';
import { type Mail, queueMail } from './queue.ts';

let chancery: Chancery;
let smtp: SmtpReceiver;

before(async () => {
  smtp = await startSmtpReceiver();
  chancery = await startChancery({ settings: { SMTP_URL: smtp.url } });
});
after(async () => {
  await chancery.stop();
  await smtp.close();
});

const mail = (to: string) => ({ to, subject: 'Hello', text: 'Hello', html: '' });
const budgetedMail = (team: TestTeam, to: string): Mail => ({ ...mail(to), team: team.id, budgeted: true });
const queue = (team: TestTeam, mails: readonly Mail[]) =>
  chancery.database.inTeam(team.id, async (tx) => {
    for (const one of mails) await queueMail(tx, one);
  });
const limit = (team: TestTeam, name: string, most: number) =>
  chancery.pool.query('INSERT INTO team_quota VALUES ($1, $2, $3)', [team.id, name, most]);
const received = () => smtp.received.flatMap(({ to }) => to);
const got = (part: string) => received().filter((address) => address.includes(part)).length;
const waiting = async (team: TestTeam, hours: number) =>
  (
    await chancery.pool.query(
      "SELECT count(*)::int AS n FROM job WHERE team_id = $1 AND state = 'waiting' AND due_at > now() + make_interval(hours => $2)",
      [team.id, hours],
    )
  ).rows[0].n;
const tenth = Array.from({ length: 10 }, (_, n) => n);

test('mails above the daily budget are sent later; those about accounts and of other teams are not delayed', async () => {
  const [team, neighbour] = [await chancery.team(), await chancery.team()];
  await limit(team, 'mails', 3);
  await queue(team, [...tenth.map((n) => budgetedMail(team, `day${n}@example.org`)), { ...mail('account@example.org'), team: team.id }]);
  await queue(neighbour, [budgetedMail(neighbour, 'neighbour@example.org')]);
  await eventually('seven wait', async () => (await waiting(team, 23)) === 7);
  await eventually('the others', () => got('account@') === 1 && got('neighbour@') === 1 && got('day') === 3);
  const usage = await chancery.call('GET', '/api/v1/team/usage', { token: team.owner.token });
  const mails = usage.body.quotas.find(({ name }: { name: string }) => name === 'mails');
  assert.deepEqual([mails.used, mails.limit, mails.period], [3, 3, 'day']);
  assert.ok(Date.parse(mails.resetsAt) > Date.now() + 23 * 3_600_000);
  await eventually('the event', async () => {
    const { rows } = await chancery.pool.query("SELECT FROM event WHERE team_id = $1 AND type = 'quota.exceeded'", [team.id]);
    return rows.length === 1;
  });
  // A day later.
  await chancery.pool.query("UPDATE mail_message SET counted_at = counted_at - interval '25 hours' WHERE team_id = $1", [team.id]);
  await letJobsBeDue(chancery.pool, 'waiting', '%mail');
  await queue(neighbour, [budgetedMail(neighbour, 'neighbour@example.org')]);
  await eventually('three more', () => got('day') === 6);
  await eventually('four wait', async () => (await waiting(team, 23)) === 4);
});

test('mails to one email address above the hourly budget wait, but not those to others', async () => {
  const team = await chancery.team();
  await limit(team, 'mailsToOneAddress', 2);
  await queue(
    team,
    tenth.flatMap((n) => [budgetedMail(team, 'colleague@example.org'), budgetedMail(team, `else${n}@example.org`)]),
  );
  await eventually('all to others', () => got('else') === 10);
  await eventually('eight wait', async () => (await waiting(team, 0)) === 8);
  assert.equal(got('colleague@'), 2);
});

test('a team with many mails does not delay others', async () => {
  const [many, one] = [await chancery.team(), await chancery.team()];
  const from = received().length;
  await queue(
    many,
    Array.from({ length: 200 }, (_, n) => budgetedMail(many, `many${n}@example.org`)),
  );
  await queue(one, [budgetedMail(one, 'only@example.org')]);
  await eventually('the one', () => got('only@') === 1);
  assert.ok(
    received().indexOf('only@example.org') - from < 150,
    `came after ${received().indexOf('only@example.org') - from} of the other team`,
  );
  await eventually('all', () => got('many') === 200);
});

test('50 concurrent requests do not exceed the quota of waiting mails', async () => {
  const team = await chancery.team();
  await limit(team, 'jobsWaiting', 7);
  await limit(team, 'mails', 0);
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => queue(team, [budgetedMail(team, `job${n}@example.org`)])));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 7);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.deepEqual(exceededQuota(outcome.reason), { quota: 'jobsWaiting', used: 7, limit: 7 });
  }
  await chancery.pool.query("UPDATE job SET state = 'failed' WHERE id = (SELECT id FROM job WHERE team_id = $1 LIMIT 1)", [team.id]);
  await queue(team, [budgetedMail(team, 'again@example.org')]);
});
