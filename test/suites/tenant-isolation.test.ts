import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Chancery, startChancery, type TestTeam } from '../harness.ts';
import { seedEverything } from '../seed.ts';
import { firstStaff } from '../staff.ts';
import { isSampled, sample } from '../tier.ts';
import { acts } from './acts.ts';
import { type ActWorld, openActWorld } from './acts/kit.ts';
import { assertIsolated, budgetsWritten, snapshot } from './isolation.ts';
import { assertOutOfReach, openScimTarget, runScim, type ScimTarget } from './scim.ts';

/**
 * Tests both mechanisms of tenant isolation separately. To remove the first, the test rewrites all statements without their conditions on
 * the team. To remove the second, it disables row-level security.
 */
let conditions: 'kept' | 'removed' = 'kept';
let rewritten = 0;

const send = pg.Client.prototype.query as (...args: any[]) => any;
pg.Client.prototype.query = function query(this: pg.Client, config: any, ...rest: any[]) {
  if (conditions === 'kept' || typeof config?.text !== 'string' || !config.name) return send.call(this, config, ...rest);
  const text = withoutTeamConditions(config.text);
  if (text === config.text) return send.call(this, config, ...rest);
  rewritten += 1;
  // A read of one exchange is an object of the driver, so the test changes it in place.
  const changed = { text, name: `open ${config.name}` };
  return send.call(this, typeof config.submit === 'function' ? Object.assign(config, changed) : { ...config, ...changed }, ...rest);
} as typeof pg.Client.prototype.query;

/** Replaces `team_id = $1` by a condition that is true for all rows. Keeps the values of an insert. */
function withoutTeamConditions(text: string): string {
  return text.replaceAll(/(?<!\w)(?:"?\w+"?\.)?"?team_id"?\s*=\s*(\$\d+)(?:::uuid)?/g, '($1::uuid IS NOT NULL)');
}

const mechanisms = ['row security', 'conditions'] as const;

let chancery: Chancery;
let team: TestTeam;
let otherTeam: TestTeam;
let seeded: Record<string, string>;
/** Two directories of the team. */
let target: ScimTarget;
let besideTarget: ScimTarget;
/** Two worlds of acts in other teams. */
const worlds: Record<string, ActWorld> = {};

before(async () => {
  chancery = await startChancery({ role: 'api', inProcess: true, settings: firstStaff });
  team = await chancery.team();
  otherTeam = await chancery.team();
  seeded = await seedEverything(chancery, team.owner);
  target = await openScimTarget(chancery, team.owner);
  besideTarget = await openScimTarget(chancery, team.owner);
  for (const kept of mechanisms) worlds[kept] = await openActWorld(chancery, (await chancery.team()).owner);
  await budgetsWritten(chancery, otherTeam);
});
after(() => chancery.stop());

async function rowSecurity(state: 'ENABLE' | 'DISABLE'): Promise<void> {
  const { rows } = await chancery.pool.query(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid)",
  );
  for (const { name } of rows) await chancery.pool.query(`ALTER TABLE ${name} ${state} ROW LEVEL SECURITY`);
}

test('the conditions on the team are found and removed from statements', () => {
  assert.equal(
    withoutTeamConditions('SELECT 1 FROM folder f WHERE f.team_id = $1 AND "team_id" = $2'),
    'SELECT 1 FROM folder f WHERE ($1::uuid IS NOT NULL) AND ($2::uuid IS NOT NULL)',
  );
});

/** Runs `work` with only one of the two mechanisms. */
async function withOnly(kept: (typeof mechanisms)[number], work: () => Promise<void>): Promise<void> {
  if (kept === 'conditions') await rowSecurity('DISABLE');
  else conditions = 'removed';
  try {
    await work();
  } finally {
    if (kept === 'conditions') await rowSecurity('ENABLE');
    conditions = 'kept';
  }
}

/** The changes of members, guests, auditors, groups, directories, matters and providers. */
const ofPeople = Object.entries(acts).filter(([name]) =>
  /\/api\/v1\/(?:team|groups|matters|matter-clients)|\/auth\/(?:teams|switch)/.test(name),
);

for (const kept of mechanisms) {
  test(`a directory of another team reaches no user and no group with only ${kept}`, async () => {
    const own = await openScimTarget(chancery, otherTeam.owner);
    const rows = await snapshot(chancery, team.id);
    await withOnly(kept, async () => {
      await assertOutOfReach(chancery, own.token, target);
      await runScim(chancery, own);
    });
    assert.deepEqual(await snapshot(chancery, team.id), rows);
    await chancery.call('DELETE', `/api/v1/team/directories/${own.directory}?keep=true`, { token: otherTeam.owner.token });
  });

  for (const role of ['guest', 'auditor'] as const) {
    const skip = !isSampled(`${role} ${kept}`, 0.2) && 'not in the sample of npm test';
    test(`${role === 'guest' ? 'a guest' : 'an auditor'} of another team reaches no row with only ${kept}`, { skip }, async () => {
      // Its journal contains the requests of auditors.
      const theirs = await chancery.team();
      await withOnly(kept, () => assertIsolated(chancery, team, theirs, seeded, role));
    });
  }

  test(`changes of people and matters in another team change no row with only ${kept}`, async () => {
    const rows = await snapshot(chancery, team.id);
    assert.ok(ofPeople.length > 40);
    const world = worlds[kept] ?? assert.fail(kept);
    const run = async (each: (act: () => Promise<void>) => Promise<void>) => {
      for (const [name, { prepare }] of sample(ofPeople, 0.2, ([one]) => one)) {
        const act = await prepare(world);
        await each(async () => {
          const { status, text } = await act();
          assert.ok(status < 400, `${name}: ${text}`);
        });
      }
    };
    // The preparation also signs in, and finds the team of a sign-in by its conditions.
    if (kept === 'row security') await run((act) => withOnly(kept, act));
    else await withOnly(kept, () => run((act) => act()));
    assert.deepEqual(await snapshot(chancery, team.id), rows);
  });
}

test('row-level security alone prevents access to rows of another team when statements have no condition on the team', async () => {
  conditions = 'removed';
  try {
    await assertIsolated(chancery, team, otherTeam, seeded);
  } finally {
    conditions = 'kept';
  }
  assert.ok(rewritten > 50, 'statements were rewritten');
});

test('row-level security alone also prevents access by an API client of another team', async () => {
  conditions = 'removed';
  try {
    await assertIsolated(chancery, team, otherTeam, seeded, 'client');
  } finally {
    conditions = 'kept';
  }
});

test('the conditions alone prevent access to rows of another team when row-level security is disabled', async () => {
  await rowSecurity('DISABLE');
  try {
    await assertIsolated(chancery, team, otherTeam, seeded);
  } finally {
    await rowSecurity('ENABLE');
  }
});

test('without both mechanisms the same walk reaches rows of another team, so it can fail', async () => {
  await rowSecurity('DISABLE');
  conditions = 'removed';
  try {
    await assert.rejects(assertIsolated(chancery, team, otherTeam, seeded));
  } finally {
    conditions = 'kept';
    await rowSecurity('ENABLE');
  }
});

/** Tables without team rows, each with its content and the reason why requests can or cannot use it. */
const teamless: Record<string, string> = {
  migration: 'applied migrations; no grant',
  quota_default: 'default quotas of all teams; numbers only',
  service_state: 'facts about the database; background work only',
  kept_key: 'keys of hashes, encrypted with the master key; background work only',
  visitor_mail: 'hashes of addresses, for a day; counted by a function, background work only',
  signing_key: 'the keys of the service; background work only',
  seal_authority: 'the authority for e-seals of the service; background work only',
  seal_certificate: 'the certificates for e-seals of the service; background work only',
  registration: 'registrations before a team exists; found by an exact address',
  connected_app: 'connected apps, which register before a team uses them; no data of teams',
  person: 'of a person; row-level security by the person',
  sign_in: 'of a person; row-level security by the person',
  password_reset: 'of a person; row-level security by the person',
  email_change: 'of a person; row-level security by the person',
  two_factor: 'of a person; row-level security by the person',
  two_factor_setup: 'of a person; row-level security by the person',
  backup_code: 'of a person; row-level security by the person',
  sign_in_challenge: 'of a person; row-level security by the person',
  passkey: 'of a person; row-level security by the person',
  altcha_spent: 'used proofs of work; hashes only',
  passkey_challenge_spent: 'used passkey challenges; hashes only',
  sso_state_spent: 'used provider sign-ins; hashes only',
  saml_request: 'open requests to providers; hashes only',
  saml_response: 'verified responses of providers for a minute; encrypted',
  throttle: 'counters by keyed hashes',
  webhook_setting: 'the number of attempts of a delivery; one row of numbers',
  staff: 'people who run the service; background work and staff only',
  staff_password_link: 'staff only',
  staff_totp_setup: 'staff only',
  staff_backup_code: 'staff only',
  staff_challenge: 'staff only',
  staff_session: 'staff only',
  audit_tile: 'the tree of the journal; hashes only, public',
  audit_log: 'the size of the tree; requests can read only the published checkpoint',
  audit_checkpoint: 'signed heads of the tree; background work only',
  job_schedule: 'the last start of periodic work; background work only',
  job_worker: 'nodes that claim jobs, and the time of their last poll',
  mail_message: 'requests can insert mails but cannot read them',
};

test('each table with team rows has forced row-level security, and each other table is listed with a reason', async () => {
  const { rows } = await chancery.pool.query(`
    SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS walled,
      EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'team_id' AND a.attnotnull) AS owned,
      (SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] WHERE i.indrelid = c.oid AND i.indisprimary) AS leads,
      has_table_privilege('chancery_app', c.oid, 'SELECT') AS readable
    FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`);
  assert.ok(rows.length > 15);
  for (const { name, walled, owned, leads, readable } of rows) {
    if (owned) {
      assert.ok(walled, `${name} has forced row-level security`);
      assert.equal(leads, 'team_id', `the primary key of ${name} begins with the team`);
    } else {
      assert.ok(teamless[name], `${name} has a team_id or a reason in teamless`);
      assert.equal(walled, /of a person/.test(teamless[name] ?? '') || walled, `${name} is walled by its person`);
      if (/alone|no grant|never read/.test(teamless[name] ?? '') && !/hashes alone/.test(teamless[name] ?? ''))
        assert.equal(readable, false, `requests cannot read ${name}`);
    }
  }
});

test('a transaction without a team can neither read nor write rows of teams', async () => {
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
    'saml_connection',
    'saml_certificate',
    'sso_domain',
    'directory',
    'directory_token',
    'directory_log',
    'directory_group',
    'directory_group_member',
    'scim_user',
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

test('another directory of the same team reaches neither the users nor the groups of a directory', () =>
  assertOutOfReach(chancery, besideTarget.token, target));
