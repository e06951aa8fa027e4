import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import { type Chancery, sharedChancery, type TestTeam } from '../../../test/harness.ts';
import { listeners } from '../../listeners.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import { endOfWorkingDay, type WorkingTime, weekdays } from './business-days.ts';
import { workingTimeHolidays } from './service.ts';

const path = '/api/v1/team/working-time';
const usual = (timeZone: string, free: string[] = []): WorkingTime => ({
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  closes: '17:00',
  free: new Set(free),
  timeZone,
});
const end = (time: WorkingTime, now: string, days: number) => endOfWorkingDay(time, new Date(now), days)?.toISOString();

describe('the end of a working day', () => {
  test('is at the local time, across clock changes, weekends, holidays and the turn of the year', () => {
    const berlin = usual('Europe/Berlin', ['2026-04-03', '2026-04-06', '2026-12-25', '2027-01-01']);
    // The clocks go forward on the Sunday between.
    assert.equal(end(berlin, '2026-03-27T11:00:00Z', 1), '2026-03-30T15:00:00.000Z');
    assert.equal(end(berlin, '2026-03-26T11:00:00Z', 1), '2026-03-27T16:00:00.000Z');
    // Good Friday and Easter Monday.
    assert.equal(end(berlin, '2026-04-02T08:00:00Z', 1), '2026-04-07T15:00:00.000Z');
    assert.equal(end(berlin, '2026-12-24T08:00:00Z', 5), '2027-01-04T16:00:00.000Z');
    // From a Saturday on, Monday is the first.
    assert.equal(end(berlin, '2026-05-16T08:00:00Z', 1), '2026-05-18T15:00:00.000Z');
    // It is Tuesday in Auckland while it is Monday in UTC.
    assert.equal(end(usual('Pacific/Auckland'), '2026-06-01T20:00:00Z', 1), '2026-06-03T05:00:00.000Z');
    // For 0 days: today before its end, else the next working day.
    assert.equal(end(berlin, '2026-05-18T14:59:00Z', 0), '2026-05-18T15:00:00.000Z');
    assert.equal(end(berlin, '2026-05-18T15:00:00Z', 0), '2026-05-19T15:00:00.000Z');
    assert.equal(end(berlin, '2026-05-16T08:00:00Z', 0), '2026-05-18T15:00:00.000Z');
    const never = Array.from({ length: 2_000 }, (_, at) => new Date(Date.UTC(2026, 4, 1 + at)).toISOString().slice(0, 10));
    assert.equal(end(usual('UTC', never), '2026-05-01T08:00:00Z', 1), undefined);
  });

  test('comes after exactly the requested number of working days, for all weekdays and free days', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1, maxLength: 7 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 120 }), { maxLength: 60 }),
        fc.integer({ min: 0, max: 30 * 24 * 60 }),
        fc.integer({ min: 1, max: 20 }),
        (days, freeDays, minutes, many) => {
          const first = Date.UTC(2026, 0, 1);
          const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);
          const free = freeDays.map((day) => dateOf(first + day * 86_400_000));
          const now = first + minutes * 60_000;
          const due = endOfWorkingDay({ ...usual('UTC', free), days }, new Date(now), many);
          // A second implementation, day by day, with the calendar of JavaScript.
          let [left, day] = [many, Math.floor(now / 86_400_000)];
          while (left > 0) {
            day += 1;
            const name = (['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)[new Date(day * 86_400_000).getUTCDay()] ?? 'sun';
            if (days.includes(name) && !free.includes(dateOf(day * 86_400_000))) left -= 1;
          }
          assert.equal(due?.getTime(), day * 86_400_000 + 17 * 3_600_000);
        },
      ),
    );
  });
});

describe('the working time of a team', () => {
  let chancery: Chancery;
  let team: TestTeam;
  before(async () => {
    chancery = await sharedChancery();
    team = await chancery.team();
  });

  const given = { days: ['tue', 'thu'], opens: '08:00', closes: '16:30', holidays: { country: 'DE', state: 'BE' }, free: ['2027-12-24'] };
  const put = (body: object, headers = {}) => chancery.call('PUT', path, { token: team.owner.token, body, headers });

  test('has a default, shows the next working days, and is replaced as a whole with its version', async () => {
    const unset = await chancery.call('GET', path, { token: team.owner.token });
    assert.deepEqual([unset.body.days.length, unset.body.closes, unset.body.free, unset.body.nextDays.length], [5, '17:00', [], 10]);
    const etag = unset.headers.get('etag') ?? '';
    const set = await put(given, { 'if-match': etag });
    assert.equal(set.status, 200, set.text);
    assert.deepEqual({ ...set.body, timezone: 0, nextDays: 0, nextHolidays: 0 }, { ...given, timezone: 0, nextDays: 0, nextHolidays: 0 });
    for (const date of set.body.nextDays) assert.ok([2, 4].includes(new Date(date).getUTCDay()), date);
    assert.equal(set.body.nextHolidays.length, 10);
    assert.equal((await put(given, { 'if-match': etag })).status, 412);
    for (const [change, pointer] of [
      [{ closes: '08:00' }, '/closes'],
      [{ holidays: { country: 'XX' } }, '/holidays/country'],
      [{ holidays: { country: 'DE', state: 'ZZ' } }, '/holidays/state'],
    ] as const) {
      const refused = await put({ ...given, ...change });
      assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].pointer], [422, 'working_time_invalid', pointer]);
    }
    assert.equal((await put({ ...given, days: [] })).status, 400);
    const { body } = await chancery.call('GET', '/api/v1/security/audit?type=team.working_time_changed', { token: team.owner.token });
    assert.deepEqual(
      body.events.map((entry: any) => entry.data.members),
      [['days', 'opens', 'closes', 'holidays', 'free']],
    );
  });

  test('determines the due date of the tasks of a step when the step begins', async () => {
    const { token } = team.owner;
    await put({ days: ['wed'], opens: '08:00', closes: '12:00' });
    const step = { id: 'a', type: 'task', config: { dueInWorkingDays: 2 } };
    const create = (steps: object[]) =>
      chancery.call('POST', '/api/v1/workflows/', { token, body: { documentId: 'DMS-1', name: 'Due', steps } });
    const made = await create([step]);
    const started = await chancery.call('POST', `/api/v1/workflows/${made.body.id}/start`, { token });
    assert.equal(started.status, 200, started.text);
    const task = await chancery.call('GET', `/api/v1/tasks/${started.body.steps[0].taskIds[0]}`, { token });
    const due = new Date(task.body.dueDate);
    const ahead = (due.getTime() - Date.now()) / 86_400_000;
    assert.deepEqual([due.getUTCDay(), due.toISOString().slice(11)], [3, '12:00:00.000Z']);
    assert.ok(ahead > 7 && ahead < 15, `${ahead} days`);
    await put({ days: ['mon'], opens: '08:00', closes: '12:00' });
    assert.equal((await chancery.call('GET', `/api/v1/tasks/${task.body.id}`, { token })).body.dueDate, task.body.dueDate);
    for (const wrong of [
      { ...step, dueInDays: 2 },
      { ...step, config: { dueInWorkingDays: 501 } },
      { ...step, config: { dueInWorkingDays: 1.5 } },
    ]) {
      const refused = await create([wrong]);
      assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/steps/0/config/dueInWorkingDays']);
    }
  });

  test('has its holidays calculated again before they end', async () => {
    await put(given);
    const until = async () =>
      (await chancery.pool.query('SELECT holidays_until::text AS until FROM working_time WHERE team_id = $1', [team.id])).rows[0].until;
    const due = async (now: number) => {
      const failures: string[] = [];
      const metrics = { failed: (job: string) => void failures.push(job), setAside: () => undefined };
      const isolation = new Isolation({ database: chancery.database, log: pino({ level: 'silent' }), metrics });
      await doDueWork({ database: chancery.database, listeners, isolation }, workingTimeHolidays, new Date(now));
      assert.deepEqual(failures, []);
    };
    const first = await until();
    await due(Date.now());
    assert.equal(await until(), first);
    await due(Date.parse(`${first}T00:00:00Z`) - 700 * 86_400_000);
    assert.ok((await until()) > first);
  });
});
