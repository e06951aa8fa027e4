import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { withSnapshot } from '../backup/snapshot.ts';
import { createDiskStorage } from './disk.ts';
import { retryingRemovals } from './removal-jobs.ts';

let chancery: Chancery;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-removals-'));
  chancery = await startChancery({ settings: { STORAGE_URL: `file:${folder}` } });
});
after(async () => {
  await chancery.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the removal of a file waits while a backup runs, and is done later', async () => {
  const storage = await createDiskStorage({ folder });
  const removing = retryingRemovals(storage, chancery.database);
  const { key } = await storage.write(Readable.from(['content']), { maxBytes: 10 });
  await withSnapshot({ url: chancery.databaseUrl }, async () => {
    await removing.remove(key);
    await eventually('the job has run and waits again', async () => {
      const { rows } = await chancery.pool.query(
        "SELECT FROM job WHERE name = 'file-removal' AND data ->> 'key' = $1 AND state = 'waiting' AND attempts = 0 AND due_at > now() + interval '30 s'",
        [key],
      );
      return rows.length === 1;
    });
    assert.ok(await storage.has(key));
  });
  await chancery.pool.query("UPDATE job SET due_at = now() WHERE name = 'file-removal'");
  await eventually('the file is removed', async () => !(await storage.has(key)));
});

test('a file is removed at once while no backup runs', async () => {
  const storage = await createDiskStorage({ folder });
  const { key } = await storage.write(Readable.from(['content']), { maxBytes: 10 });
  await retryingRemovals(storage, chancery.database).remove(key);
  assert.ok(!(await storage.has(key)));
});
