import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { nextMonday, openBookingWorld } from '../../../../test/bookings.ts';
import { type Chancery, sharedChancery, type TestTeam } from '../../../../test/harness.ts';
import { publishForm } from '../../../../test/published-forms.ts';
import { staffToken } from '../../../../test/staff.ts';

let chancery: Chancery;
let team: TestTeam;
let staff: string;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  staff = await staffToken(chancery);
});

const interfaces = '/api/v1/interfaces';
const fields = [{ id: 'name', type: 'text', label: 'Name' }];
const reason = 'It asks for passwords.';
const act = (what: 'suspend' | 'resume', of: string, id: string) =>
  chancery.call('POST', `/api/v1/staff/interfaces/${of}/${id}/${what}`, { token: staff, body: { reason } });
const codes = (answers: { status: number; body: any }[]) =>
  Object.entries(Object.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`.trim()))
    .map(([code, all]) => `${all?.length} × ${code}`)
    .toSorted();

test('the links of a suspended interface do not work, its owner sees the reason, and it can be resumed; of 50 concurrent calls one succeeds', async () => {
  const form = await publishForm(chancery, team.owner, { fields });
  const { token } = team.owner;
  const { apiToken } = (await chancery.call('GET', `${interfaces}/${form.id}/links`, { token })).body;
  const visits = async () => {
    const body = { data: { name: 'Ada' } };
    const answers = await Promise.all([
      chancery.call('GET', `${interfaces}/public/${form.publicToken}`),
      chancery.call('POST', `${interfaces}/public/${form.publicToken}/submit`, { body }),
      chancery.call('POST', `${interfaces}/api/${apiToken}/submit`, { body }),
      chancery.call('GET', `/f/${form.publicToken}`, { unchecked: true }),
    ]);
    return answers.map(({ status }) => status);
  };
  assert.deepEqual(await visits(), [200, 200, 200, 200]);
  assert.equal((await act('resume', team.id, form.id)).body.code, 'interface_not_suspended');
  const suspended = await Promise.all(Array.from({ length: 50 }, () => act('suspend', team.id, form.id)));
  assert.deepEqual(codes(suspended), ['1 × 200', '49 × 409 interface_suspended']);
  assert.deepEqual(suspended.find(({ status }) => status === 200)?.body, { id: form.id, teamId: team.id, suspended: true });
  assert.deepEqual(await visits(), [404, 404, 404, 404]);
  const shown = (await chancery.call('GET', `${interfaces}/${form.id}`, { token })).body;
  assert.deepEqual([shown.status, shown.suspendedReason], ['suspended', reason]);
  assert.equal((await act('resume', team.id, form.id)).status, 200);
  assert.deepEqual(await visits(), [200, 200, 200, 200]);
  const resumed = (await chancery.call('GET', `${interfaces}/${form.id}`, { token })).body;
  assert.deepEqual([resumed.status, resumed.suspendedReason], ['published', undefined]);
  const { rows } = await chancery.pool.query(
    "SELECT type, actor_type, data FROM audit_entry WHERE target_id = $1 AND actor_type = 'staff' ORDER BY id",
    [form.id],
  );
  assert.deepEqual(rows, [
    { type: 'interface.suspended', actor_type: 'staff', data: { reason } },
    { type: 'interface.resumed', actor_type: 'staff', data: { reason } },
  ]);
});

test('an unknown interface or one of another team is not found, and only staff can suspend', async () => {
  const form = await publishForm(chancery, team.owner, { fields });
  const other = await chancery.team();
  for (const [of, id] of [
    [other.id, form.id],
    [team.id, randomUUIDv7()],
    [randomUUIDv7(), form.id],
    [team.id, 'x'],
    ['x', form.id],
  ] as const)
    assert.equal((await act('suspend', of, id)).status, 404, `${of} ${id}`);
  const own = await chancery.call('POST', `/api/v1/staff/interfaces/${team.id}/${form.id}/suspend`, {
    token: team.owner.token,
    body: { reason },
  });
  assert.ok([401, 403].includes(own.status), String(own.status));
});

test('a booking on a suspended form stays and can be cancelled, but the visitor cannot move it', async () => {
  const day = nextMonday();
  const calendar = { timeZone: 'UTC', durationMin: 30, weekly: { mon: [['09:00', '17:00']] } };
  const { token } = team.owner;
  const made = await chancery.call('POST', interfaces, { token, body: { title: 'Desk', type: 'scheduling', fields, calendar } });
  assert.equal(made.status, 201, made.text);
  const world = await openBookingWorld(chancery, team.id);
  await chancery.call('POST', `${interfaces}/${made.body.id}/publish`, { token, body: { revision: 1 } });
  const booked = await world.book({ calendar: made.body.id, start: `${day}T10:00:00.000Z`, visitor: { locale: 'de' } });
  await world.close();
  assert.equal((await act('suspend', team.id, made.body.id)).status, 200);
  const path = `${interfaces}/booking/${team.id}/${booked.manageToken}`;
  const { body } = await chancery.call('GET', path);
  assert.deepEqual([body.status, body.mayCancel, body.mayReschedule], ['confirmed', true, false]);
  const { slots } = (await chancery.call('GET', `${path}/availability?from=${day}&to=${day}`)).body;
  assert.deepEqual(slots, []);
  const moved = await chancery.call('POST', `${path}/reschedule`, { body: { start: `${day}T11:00:00.000Z` } });
  assert.deepEqual([moved.status, moved.body.code], [410, 'interface_closed']);
  assert.equal((await chancery.call('POST', `${path}/cancel`)).status, 200);
});
