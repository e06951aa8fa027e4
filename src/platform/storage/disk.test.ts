import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { behavesAsStorage, limit, refused } from '../../../test/storage-behaviour.ts';
import { OutcomeUnknown } from '../database/errors.ts';
import { createDiskStorage } from './disk.ts';
import { keepFile } from './store-file.ts';
import { StorageError } from './storage.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

let folder = '';
let storage: Awaited<ReturnType<typeof createDiskStorage>>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-storage-'));
  storage = await createDiskStorage({ folder });
});
after(() => rm(folder, { recursive: true }));

async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

behavesAsStorage(
  () => storage,
  () => filesIn(folder),
  2,
);

test('a file is stored under its key in a private folder', async () => {
  const { key } = await storage.write(Readable.from(['x']), limit);
  assert.equal((await stat(join(folder, key.slice(-2), key.slice(-4, -2), key))).mode & 0o777, 0o600);
});

test('a failed write closes its source', async () => {
  const gone = await mkdtemp(join(tmpdir(), 'chancery-storage-gone-'));
  const there = await createDiskStorage({ folder: gone });
  await rm(gone, { recursive: true });
  const source = Readable.from(['x']);
  await assert.rejects(there.write(source, limit), StorageError);
  assert.ok(source.destroyed);
});

test('a file is stored with its row; without a row it is removed, and if the commit is unknown it stays', async () => {
  const others = (await filesIn(folder)).length;
  const kept = async (keep: () => Promise<boolean>) => {
    const bytes = Readable.from(['x']);
    const said = await keepFile(storage, { bytes, maxBytes: 10 }, keep).catch((error: unknown) => (error as Error).message);
    return [said, (await filesIn(folder)).length - others];
  };
  assert.deepEqual(await kept(async () => false), [false, 0]);
  assert.deepEqual(await kept(() => Promise.reject(new Error('refused'))), ['refused', 0]);
  assert.deepEqual(await kept(async () => true), [true, 1]);
  assert.equal((await kept(() => Promise.reject(new OutcomeUnknown(undefined))))[1], 2);
});

test('incomplete files are limited and shared by owner; an interrupted file leaves space and no file', async () => {
  const shared = await createDiskStorage({ folder, halfBytes: 8_000 });
  const others = (await filesIn(folder)).length;
  const sources: PassThrough[] = [];
  const send = (ownerKey: string, declaredBytes?: number) => {
    const source = new PassThrough();
    sources.push(source);
    const sending = shared.write(source, { maxBytes: 5_000, ownerKey, declaredBytes });
    source.write('half');
    return sending.then(
      () => 'kept',
      (error: unknown) => (error instanceof StorageError ? error.reason : 'broken'),
    );
  };
  const first = [send('first', 1_000), send('first', 600)];
  assert.equal(await send('first', 100), 'crowded', 'one owner can use a quarter of the free amount');
  assert.equal(sources.at(-1)?.destroyed, true);
  const other = send('other');
  assert.equal(await send('third'), 'crowded', 'where nothing is announced, as much is taken as may come');
  assert.equal((await shared.write(Readable.from(['x']), limit)).size, 1, 'files of the service itself are not limited');
  for (const source of sources) source.destroy();
  assert.deepEqual(await Promise.all([...first, other]), ['broken', 'broken', 'broken']);
  assert.equal((await filesIn(folder)).length, others + 1);
  const again = send('third');
  sources.at(-1)?.end(' and whole');
  assert.equal(await again, 'kept');
});

describe('an incomplete file of a killed process', () => {
  test('is removed once it is old; active files stay', async () => {
    const source = new PassThrough();
    const writing = storage.write(source, limit);
    source.write('half');
    await eventually('it is being written', async () => (await readdir(join(folder, 'incoming'))).length > 0);
    const old = join(folder, 'incoming', randomUUIDv7());
    await writeFile(old, 'abandoned');
    await utimes(old, new Date(Date.now() - 1_000_000), new Date(Date.now() - 1_000_000));
    assert.equal(await storage.removeAbandoned(), 1);
    assert.equal(await storage.removeAbandoned(), 0);
    source.end(' and whole');
    const { key } = await writing;
    assert.equal((await buffer(await storage.read(key))).toString(), 'half and whole');
  });

  test('after SIGKILL is not a file under any key', async () => {
    const killed = await mkdtemp(join(tmpdir(), 'chancery-storage-killed-'));
    const script = `
      import { PassThrough } from 'node:stream';
      import { createDiskStorage } from ${JSON.stringify(new URL('disk.ts', import.meta.url).href)};
      const storage = await createDiskStorage({ folder: ${JSON.stringify(killed)} });
      const source = new PassThrough();
      void storage.write(source, { maxBytes: 1e9 });
      source.write(Buffer.alloc(100_000));
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);
    `;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
    assert.equal(signal, 'SIGKILL');
    assert.deepEqual(await readdir(killed), ['incoming']);
    assert.equal((await readdir(join(killed, 'incoming'))).length, 1);
    const reopened = await createDiskStorage({ folder: killed });
    assert.equal(await reopened.removeAbandoned(0), 1);
    assert.deepEqual(await filesIn(killed), []);
    await rm(killed, { recursive: true });
  });
});

test('a full disk is reported, leaves nothing, and accepts files again once there is space', async (t) => {
  const small = await mkdtemp(join(tmpdir(), 'chancery-storage-full-'));
  const mounted = process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small]).status === 0;
  if (!mounted) {
    await rm(small, { recursive: true });
    t.skip('mounting a small file system needs root');
    return;
  }
  try {
    await mkdir(join(small, 'files'));
    const full = await createDiskStorage({ folder: join(small, 'files') });
    const first = await full.write(Readable.from([randomBytes(500_000)]), limit);
    await assert.rejects(full.write(Readable.from([randomBytes(400_000), randomBytes(400_000)]), limit), refused('no_space'));
    assert.deepEqual(await filesIn(small), [first.key]);
    await full.remove(first.key);
    const second = await full.write(Readable.from([randomBytes(500_000)]), limit);
    assert.deepEqual(await filesIn(small), [second.key]);
    assert.equal((await readFile(join(small, 'files', second.key.slice(-2), second.key.slice(-4, -2), second.key))).length, 500_000);
  } finally {
    spawnSync('umount', [small]);
    await rm(small, { recursive: true, force: true });
  }
});
