import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { startChancery } from './harness.ts';
import { spawnService } from './spawned.ts';
import { eventually } from './webhook-receiver.ts';

/** Everything that a domain of two operations, an event, a job and a table is: two files of its own, and two others. */
const files = ['src/notes/index.ts', 'src/notes/queries.ts', 'migrations/0900_notes.sql', 'src/domains.ts'];

test('a domain is added with four files: its folder, its table, and a line of the list', async (t) => {
  const chancery = await startChancery({ role: 'api' });
  const folder = mkdtempSync(join(tmpdir(), 'chancery-notes-'));
  const before = process.cwd();
  t.after(async () => {
    process.chdir(before);
    await chancery.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const part of ['bin', 'src', 'migrations', 'package.json', 'lib']) cpSync(part, join(folder, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  for (const file of files.slice(0, 3)) cpSync(join('test/fixtures/notes', file.split('/').at(-1) ?? ''), join(folder, file));
  const list = readFileSync('src/domains.ts', 'utf8');
  writeFileSync(
    join(folder, 'src/domains.ts'),
    `import { domain as notes } from '#notes';\n${list.replace('\n  pages,\n', '\n  pages,\n  notes,\n')}`,
  );

  const { owner } = await chancery.team();
  process.chdir(folder);
  const { DATA_DIR, BASE_URL } = chancery.config;
  // From its source, as where nothing can be kept of what is made of it: all other tests that spawn the service run the bundle.
  const settings = { DATABASE_URL: chancery.databaseUrl, MASTER_KEY: chancery.masterKey, DATA_DIR, BASE_URL, CHANCERY_BUNDLE: 'off' };
  const toy = await spawnService(settings);
  process.chdir(before);
  try {
    const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
    const made = await fetch(`${toy.url}/api/v1/notes`, { method: 'POST', headers, body: JSON.stringify({ text: 'three words here' }) });
    assert.equal(made.status, 201, await made.text());
    const read = async () => (await fetch(`${toy.url}/api/v1/notes`, { headers })).json() as Promise<{ words: number | null }[]>;
    await eventually('the job has counted', async () => (await read())[0]?.words === 3);
    const { rows } = await chancery.pool.query("SELECT type FROM event WHERE team_id = $1 AND type = 'note.created'", [owner.team]);
    assert.equal(rows.length, 1);
  } finally {
    await toy.stop();
    await chancery.pool.query("DELETE FROM event WHERE type = 'note.created'");
    await chancery.pool.query("DELETE FROM audit_entry WHERE type = 'note.created'");
  }
});
