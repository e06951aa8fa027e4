import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { authPath, registered } from '../../../test/people.ts';
import { seedEverything } from '../../../test/seed.ts';
import { isolationOf } from '../../../test/isolation.ts';
import { ownedTables } from '../../domains.ts';
import { purgeClosedTeams } from './purge-jobs.ts';

let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off' } });
});
after(() => chancery.stop());

const later = (days: number) => new Date(Date.now() + days * 86_400_000);
const count = async (table: string, team: string) =>
  (await chancery.pool.query(`SELECT count(*)::int AS n FROM ${table} WHERE team_id = $1`, [team])).rows[0].n as number;

test('a closed team is erased after 30 days and after its legal hold; the journal and other teams stay', async () => {
  const person = await registered(chancery);
  const [closed, other] = [person.team, await chancery.team()];
  const owner = { ...person, role: 'owner' as const, sessionId: '' };
  await seedEverything(chancery, owner);
  await seedEverything(chancery, other.owner);
  await chancery.pool.query(
    "UPDATE account SET deleted_at = now(), status = 'deleted', email = '', email_key = '' WHERE team_id = $1 AND id <> $2",
    [closed, person.id],
  );
  const leaves = () => chancery.call('DELETE', `${authPath}/profile`, { token: person.token });
  assert.equal((await leaves()).body.code, 'team_legal_hold_active');
  // The hold was placed after the team was closed: holds also apply in closed teams.
  const lift = () =>
    chancery.pool.query("UPDATE legal_hold SET lifted_by = created_by, lifted_at = now(), lift_reason = 'Over' WHERE team_id = $1", [
      closed,
    ]);
  await lift();
  assert.equal((await leaves()).status, 200);
  await chancery.pool.query('UPDATE legal_hold SET lifted_by = NULL, lifted_at = NULL, lift_reason = NULL WHERE team_id = $1', [closed]);
  const journal = await count('audit_entry', closed);
  const kept = ownedTables.flatMap(({ name, table }) => (table.purge === 'erased' && table.file ? [{ name, column: table.file.key }] : []));
  const counts = kept.map(async ({ name, column }) => {
    const { rows } = await chancery.pool.query(`SELECT ${column} FROM ${name} WHERE team_id = $1 AND ${column} IS NOT NULL`, [closed]);
    return rows.length;
  });
  const files = (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);
  assert.ok(files > 0 && (await count('folder', closed)) > 0);

  const removed: string[] = [];
  const { database } = chancery;
  const storage = { remove: async (key: string) => void removed.push(key) };
  const run = (now: Date) => purgeClosedTeams({ database, storage, isolation: isolationOf(chancery), tables: ownedTables }, now);
  await run(later(29));
  assert.ok((await count('folder', closed)) > 0, 'not before 30 days have passed');
  await run(later(31));
  const erased = ownedTables.filter(({ table }) => table.purge === 'erased');
  for (const { name, table } of erased) if (!table.legalHold) assert.equal(await count(name, closed), 0, `no legal hold retains ${name}`);
  assert.ok((await count('document', closed)) > 0 && (await count('workflow', closed)) > 0, 'a legal hold applies in the team');
  await lift();
  await run(later(32));
  for (const { name, table } of ownedTables) if (table.purge === 'erased') assert.equal(await count(name, closed), 0, name);
  assert.equal(removed.length, files);
  assert.equal(await count('audit_entry', closed), journal);
  const { rows } = await chancery.pool.query(
    "SELECT t.name || coalesce((SELECT string_agg(a.email || a.first_name, '') FROM account a WHERE a.team_id = t.team_id AND a.id = $2), '') AS text FROM team t WHERE t.team_id = $1",
    [closed, person.id],
  );
  assert.equal(rows[0].text, '');
  assert.ok((await count('folder', other.id)) > 0 && (await count('document_version', other.id)) > 0);
  await run(later(40));
  assert.equal(removed.length, files, 'once');
});
