import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Chancery, startChancery, type TestTeam } from '../harness.ts';
import { seedEverything } from '../seed.ts';
import { assertIsolated, budgetsWritten } from './isolation.ts';

/**
 * Each wall alone. The first is taken down by rewriting statements on their way to the database, so that no condition
 * on the team is left in them; the second by switching row-level security off.
 */
let conditions: 'kept' | 'removed' = 'kept';
let rewritten = 0;

const send = pg.Client.prototype.query as (...args: any[]) => any;
pg.Client.prototype.query = function query(this: pg.Client, config: any, ...rest: any[]) {
  if (conditions === 'kept' || typeof config?.text !== 'string' || !config.name) return send.call(this, config, ...rest);
  const text = withoutTeamConditions(config.text);
  if (text === config.text) return send.call(this, config, ...rest);
  rewritten += 1;
  // A read of one exchange is an object of the driver's own kind: it is changed in place.
  const changed = { text, name: `open ${config.name}` };
  return send.call(this, typeof config.submit === 'function' ? Object.assign(config, changed) : { ...config, ...changed }, ...rest);
} as typeof pg.Client.prototype.query;

/** `team_id = $1` becomes a condition that every row meets; an insert keeps its values. */
function withoutTeamConditions(text: string): string {
  return text.replaceAll(/(?:"?\w+"?\.)?"?team_id"?\s*=\s*(\$\d+)/g, '($1::uuid IS NOT NULL)');
}

let chancery: Chancery;
let team: TestTeam;
let otherTeam: TestTeam;
let seeded: Record<string, string>;

before(async () => {
  chancery = await startChancery({ role: 'api', inProcess: true });
  team = await chancery.team();
  otherTeam = await chancery.team();
  seeded = await seedEverything(chancery, team.owner);
  await budgetsWritten(chancery, otherTeam);
});
after(() => chancery.stop());

async function rowSecurity(state: 'ENABLE' | 'DISABLE'): Promise<void> {
  const { rows } = await chancery.pool.query(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid)",
  );
  for (const { name } of rows) await chancery.pool.query(`ALTER TABLE ${name} ${state} ROW LEVEL SECURITY`);
}

test('the statements’ own conditions are found and removed', () => {
  assert.equal(
    withoutTeamConditions('SELECT 1 FROM folder f WHERE f.team_id = $1 AND "team_id" = $2'),
    'SELECT 1 FROM folder f WHERE ($1::uuid IS NOT NULL) AND ($2::uuid IS NOT NULL)',
  );
});

test('row-level security alone: with no condition on the team in any statement, no row of another team is reached', async () => {
  conditions = 'removed';
  try {
    await assertIsolated(chancery, team, otherTeam, seeded);
  } finally {
    conditions = 'kept';
  }
  assert.ok(rewritten > 50, 'statements were rewritten');
});

test('row-level security alone holds against an API client too', async () => {
  conditions = 'removed';
  try {
    await assertIsolated(chancery, team, otherTeam, seeded, 'client');
  } finally {
    conditions = 'kept';
  }
});

test('the conditions alone: with row-level security off, no row of another team is reached', async () => {
  await rowSecurity('DISABLE');
  try {
    await assertIsolated(chancery, team, otherTeam, seeded);
  } finally {
    await rowSecurity('ENABLE');
  }
});

test('with both walls down the same walk does reach them: it can fail', async () => {
  await rowSecurity('DISABLE');
  conditions = 'removed';
  try {
    await assert.rejects(assertIsolated(chancery, team, otherTeam, seeded));
  } finally {
    conditions = 'kept';
    await rowSecurity('ENABLE');
  }
});

/** Tables that belong to no team, each with why request code may nevertheless use it, or that it may not. */
const teamless: Record<string, string> = {
  migration: 'which migrations were applied; no grant',
  quota_default: 'what every team may have at most; numbers',
  service_fact: 'facts about the database; background work alone',
  kept_key: 'keys of hashes, sealed under the master key; background work alone',
  visitor_mail: 'hashes of addresses, for a day; counted by a function, background work alone',
  signing_key: 'the service’s keys; background work alone',
  seal_authority: 'by what the service seals; background work alone',
  seal_certificate: 'by what the service seals; background work alone',
  registration: 'before there is a team; found by an exact address',
  program: 'registers itself before anybody of a team knows it; it says nothing but of itself',
  altcha_spent: 'proofs of work; hashes alone',
  passkey_challenge_spent: 'answered challenges of passkeys; hashes alone',
  sso_state_spent: 'answered sign-ins through providers; hashes alone',
  throttle: 'counters by keyed hashes',
  webhook_setting: 'how often a delivery is tried; one row of numbers',
  staff: 'people who run the service; background work and staff alone',
  staff_password_link: 'of staff alone',
  staff_totp_setup: 'of staff alone',
  staff_backup_code: 'of staff alone',
  staff_challenge: 'of staff alone',
  staff_session: 'of staff alone',
  audit_tile: 'the journal’s tree; hashes alone, for anyone',
  audit_log: 'where the tree stands; requests read the published checkpoint and no other column',
  audit_checkpoint: 'signed heads of the tree; background work alone',
  job_schedule: 'when periodic work was begun last; background work alone',
  job_worker: 'nodes that look for jobs, and when each did last',
  mail_message: 'requests may put mail in and never read any',
};

test('every table that belongs to a team is walled by forced row-level security, and every other is named with its reason', async () => {
  const { rows } = await chancery.pool.query(`
    SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS walled,
      EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'team_id' AND a.attnotnull) AS owned,
      (SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] WHERE i.indrelid = c.oid AND i.indisprimary) AS leads,
      has_table_privilege('chancery_app', c.oid, 'SELECT') AS readable
    FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`);
  assert.ok(rows.length > 15);
  for (const { name, walled, owned, leads, readable } of rows) {
    if (owned) {
      assert.ok(walled, `${name} is walled`);
      assert.equal(leads, 'team_id', `the key of ${name} leads with the team`);
    } else {
      assert.ok(teamless[name], `${name} belongs to a team, or teamless names why not`);
      if (/alone|no grant|never read/.test(teamless[name] ?? '') && !/hashes alone/.test(teamless[name] ?? ''))
        assert.equal(readable, false, `requests cannot read ${name}`);
    }
  }
});

test('a transaction without a team sees no row of any, and cannot write one', async () => {
  const tables = [
    'folder',
    'document',
    'workflow',
    'task',
    'account',
    'audit_entry',
    'event',
    'webhook_endpoint',
    'api_client',
    'api_client_secret',
    'passkey',
    'federated_identity',
    'sso_connection',
    'sso_domain',
  ];
  for (const name of tables) {
    const client = await chancery.pool.connect();
    try {
      await client.query("BEGIN; SELECT set_config('role', 'chancery_app', true), set_config('app.team_id', '', true)");
      assert.equal((await client.query(`SELECT count(*)::int AS n FROM ${name}`)).rows[0].n, 0, name);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
});
