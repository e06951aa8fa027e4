import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../../../../test/harness.ts';
import { ownColumns } from './team-transfer-queries.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

/** Columns of an account that are about the membership, or written anew by each move. */
const ofTheMembership = [
  'team_id',
  'id',
  'role',
  'status',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
  'credential_epoch',
  'address_released',
];

test('each column of an account goes with the person or is about the membership', async () => {
  const { rows } = await chancery.pool.query(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'account'",
  );
  const unnamed = rows.map(({ name }) => name).filter((name) => ![...ofTheMembership, ...ownColumns].includes(name));
  assert.deepEqual(unnamed, [], 'add the column to `ownColumns` in src/identity/accounts/membership/team-transfer-queries.ts, or here');
});

test('what is the person’s own comes through a change of team unchanged, and nothing of it stays behind', async () => {
  const { owner } = await chancery.team();
  const member = await chancery.user(owner.team, { role: 'member' });
  await chancery.pool.query(
    `UPDATE account SET timezone = 'Europe/Vienna', locale = 'de', task_mails = 'daily', password_hash = '$argon2id$x', two_factor_enabled = true,
       onboarding_completed_at = '2026-01-02T03:04:05.678901Z' WHERE id = $1`,
    [member.id],
  );
  const own = async () =>
    (await chancery.pool.query(`SELECT ${ownColumns.join(', ')} FROM account WHERE id = $1 AND deleted_at IS NULL`, [member.id])).rows[0];
  const kept = await own();
  assert.equal((await chancery.call('DELETE', `/api/v1/team/members/${member.id}`, { token: owner.token })).status, 204);
  assert.deepEqual(await own(), kept);
  const { rows } = await chancery.pool.query('SELECT to_jsonb(a)::text AS row FROM account a WHERE id = $1 AND deleted_at IS NOT NULL', [
    member.id,
  ]);
  assert.equal(rows.length, 1);
  assert.doesNotMatch(rows[0].row, /argon2|Vienna|Ada|example\.org|2026-01-02/);
});
