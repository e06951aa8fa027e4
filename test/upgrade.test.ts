import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, test } from 'node:test';
import { migrationFiles, sha256Of } from '../src/platform/database/migrations.ts';
import { typedCommand } from './command-line.ts';
import { readManifest } from '../src/platform/backup/manifest.ts';
import { releases, restoreRelease, unpackBackup } from './releases.ts';

for (const release of releases())
  describe(`the database of ${release.version}`, () => {
    test('has migrations that did not change since', async () => {
      const own = new Map((await migrationFiles()).map(({ name, text }) => [name, sha256Of(text)]));
      const folder = unpackBackup(release);
      const schema = (await readManifest(folder))?.schema ?? [];
      rmSync(folder, { recursive: true });
      assert.ok(schema.length > 0);
      assert.deepEqual(
        schema.filter(({ name, sha256 }) => own.get(name) !== sha256).map(({ name }) => name),
        [],
        'a released migration never changes: write a new one',
      );
    });

    test('is restored, upgraded and verified', async (t) => {
      const restored = await restoreRelease(release);
      t.after(() => restored.drop());
      const { settings, pool } = restored;
      const count = async () => Number((await pool.query('SELECT count(*) FROM audit_entry')).rows[0].count);
      const entries = await count();
      assert.ok(entries > 500, `${entries} entries`);
      const migrated = await typedCommand(['migrate'], settings);
      assert.deepEqual([migrated.code, migrated.stderr], [0, '']);
      const verified = await typedCommand(['audit', 'verify'], settings);
      assert.deepEqual([verified.code, verified.stderr], [0, '']);
      assert.match(verified.stdout, /✓/);
      assert.equal(await count(), entries);
    });
  });
