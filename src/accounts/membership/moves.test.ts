import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { ownColumns, ownTables } from './move-queries.ts';

let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

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

/** Tables that name an account and stay with the team when its person goes, each with why. */
const ofTheTeam: Record<string, string> = {
  two_factor_setup: 'begun again',
  sign_in_challenge: 'begun again',
  session: 'ends with the membership; the device that moves gets a new one',
  federated_identity: 'ends with the membership',
  folder: 'handed to the successor',
  folder_share: 'ended',
  folder_wall_member: 'ended',
  folder_wall_opening: 'ended, or done',
  document: 'handed to the successor',
  document_grant: 'goes with open tasks to the successor, else ended',
  task_digest: 'of tasks that are handed on',
  task: 'handed to the successor while open',
  workflow: 'handed to the successor while under way',
};

test('each column of an account goes with the person or is about the membership', async () => {
  const { rows } = await chancery.pool.query(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'account'",
  );
  const unnamed = rows.map(({ name }) => name).filter((name) => ![...ofTheMembership, ...ownColumns].includes(name));
  assert.deepEqual(unnamed, [], 'add the column to `ownColumns` in src/accounts/membership/move-queries.ts, or here');
});

test('each table that names an account goes with the person, or stays with the team for a reason', async () => {
  const { rows } = await chancery.pool.query(
    `SELECT DISTINCT c.conrelid::regclass::text AS name FROM pg_constraint c
     WHERE c.contype = 'f' AND c.confrelid = 'account'::regclass AND c.conparentid = 0
     UNION
     SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'account_id'`,
  );
  const unnamed = rows.map(({ name }) => name).filter((name) => !(name in ofTheTeam) && !ownTables.includes(name));
  assert.deepEqual(unnamed, [], 'add the table to `ownTables` in src/accounts/membership/move-queries.ts, or here');
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
