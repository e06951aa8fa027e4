import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { createDiskStorage } from './disk.ts';
import { StorageError } from './storage.ts';

let folder = '';
let storage: Awaited<ReturnType<typeof createDiskStorage>>;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-storage-'));
  storage = await createDiskStorage({ folder });
});
after(() => rm(folder, { recursive: true }));

const limit = { maxBytes: 10_000_000 };
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const refused = (reason: StorageError['reason']) => (error: unknown) => error instanceof StorageError && error.reason === reason;

async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** Runs what must fail, and sees that it left no file. */
async function leavesNothing(work: () => Promise<unknown>): Promise<void> {
  const [files, opened] = await Promise.all([filesIn(folder), openFiles()]);
  await work();
  assert.ok((await openFiles()) <= opened + 2, 'files are left open');
  assert.deepEqual((await filesIn(folder)).toSorted(), files.toSorted());
}

/** Linux tells; elsewhere the checks of it say nothing. */
const openFiles = async () => (await readdir('/proc/self/fd').catch(() => [])).length;

describe('a file that was written', () => {
  test('comes back byte for byte, with its size and hash, and stands under its own key', async () => {
    const bytes = randomBytes(300_000);
    const stored = await storage.write(Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]), limit);
    assert.deepEqual(stored, { key: stored.key, size: bytes.length, sha256: sha256(bytes) });
    assert.match(stored.key, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.ok((await buffer(await storage.read(stored.key))).equals(bytes));
    const place = join(folder, stored.key.slice(-2), stored.key.slice(-4, -2), stored.key);
    assert.equal((await stat(place)).mode & 0o777, 0o600);
  });

  test('may be empty, and may be just as large as is allowed', async () => {
    const empty = await storage.write(Readable.from([]), limit);
    assert.equal(empty.sha256, sha256(Buffer.alloc(0)));
    assert.equal((await buffer(await storage.read(empty.key))).length, 0);
    assert.equal((await storage.write(Readable.from([Buffer.alloc(1000)]), { maxBytes: 1000 })).size, 1000);
  });

  test('gives any range of its bytes, both ends included', async () => {
    const bytes = randomBytes(70_000);
    const { key } = await storage.write(Readable.from([bytes]), limit);
    const ends = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: bytes.length - 1 }));
    await fc.assert(
      fc.asyncProperty(ends, async ([a, b]) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        assert.ok((await buffer(await storage.read(key, { start, end }))).equals(bytes.subarray(start, end + 1)));
      }),
      { numRuns: 40 },
    );
  });

  test('is not left open by a range that is none, nor by a reader that goes away', async () => {
    const { key } = await storage.write(Readable.from([randomBytes(200_000)]), limit);
    const opened = await openFiles();
    for (let n = 0; n < 20; n += 1) {
      const range = [
        { start: 5, end: 1 },
        { start: -1, end: 1 },
        { start: 0, end: Number.NaN },
        { start: 0.5, end: 1 },
      ][n % 4];
      await assert.rejects(storage.read(key, range), RangeError);
      const stream = await storage.read(key);
      stream.destroy();
      await once(stream, 'close');
    }
    assert.ok((await openFiles()) <= opened + 2);
  });

  test('is gone once removed; removing it again is no error', async () => {
    const { key } = await storage.write(Readable.from(['x']), limit);
    await storage.remove(key);
    await storage.remove(key);
    await assert.rejects(storage.read(key), refused('missing'));
  });

  test('does not disturb 49 others that are written at the same time', async () => {
    const contents = Array.from({ length: 50 }, () => randomBytes(1 + Math.floor(Math.random() * 100_000)));
    const stored = await Promise.all(contents.map((bytes) => storage.write(Readable.from([bytes]), limit)));
    assert.equal(new Set(stored.map(({ key }) => key)).size, 50);
    for (const [index, { key, sha256: hash }] of stored.entries()) {
      const bytes = contents[index] ?? Buffer.alloc(0);
      assert.equal(hash, sha256(bytes));
      assert.ok((await buffer(await storage.read(key))).equals(bytes));
    }
  });
});

describe('nothing is left of a file', () => {
  test('whose stream breaks', async () => {
    await leavesNothing(async () => {
      const source = new PassThrough();
      const writing = storage.write(source, limit);
      source.write(randomBytes(100_000));
      await wait(20);
      source.destroy(new Error('the cable was pulled'));
      await assert.rejects(writing, /the cable was pulled/);
    });
  });

  test('whose stream was over before it began', async () => {
    await leavesNothing(async () => {
      const source = new PassThrough();
      source.destroy();
      await assert.rejects(storage.write(source, limit));
    });
  });

  test('whose sender hangs up in the middle of an HTTP body', async () => {
    const outcome = Promise.withResolvers<unknown>();
    const server = createServer((incoming) => void storage.write(incoming, limit).then(outcome.resolve, outcome.reject));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await leavesNothing(async () => {
      const client = request({ port: (server.address() as AddressInfo).port, method: 'PUT', headers: { 'content-length': 1_000_000 } });
      client.on('error', () => undefined);
      client.write(randomBytes(200_000));
      await wait(50);
      client.destroy();
      await assert.rejects(outcome.promise);
    });
    server.close();
  });

  test('that is larger than allowed, and the sender is not read to its end', async () => {
    await leavesNothing(async () => {
      let sent = 0;
      const endless = new Readable({
        read() {
          sent += 65_536;
          this.push(Buffer.alloc(65_536));
        },
      });
      await assert.rejects(storage.write(endless, { maxBytes: 1_000_000 }), refused('too_large'));
      assert.ok(endless.destroyed && sent < 4_000_000);
    });
  });
});

describe('a key', () => {
  test('that leads out of the folder, or is none of ours, finds nothing', async () => {
    const outside = join(dirname(folder), 'secret');
    const valid = randomUUIDv7();
    const keys = [
      '',
      '.',
      '..',
      '../secret',
      outside,
      `../../${valid}`,
      `${valid}/../../secret`,
      `${valid}\0`,
      `${valid}\n`,
      `..%2f${valid}`,
      valid.replace('-', '/'),
      'incoming',
      valid,
    ];
    for (const key of keys) {
      await assert.rejects(storage.read(key), refused('missing'), JSON.stringify(key));
      if (key !== valid) await assert.rejects(storage.remove(key), refused('missing'), JSON.stringify(key));
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom('.', '/', '\\', '\0', 'a', '0', '-'), maxLength: 40 }), (key) =>
        assert.rejects(storage.read(key), refused('missing')),
      ),
    );
  });
});

describe('what a killed process left', () => {
  test('is swept away once it is old; what is being written stays', async () => {
    const source = new PassThrough();
    const writing = storage.write(source, limit);
    source.write('half');
    await wait(20);
    const old = join(folder, 'incoming', randomUUIDv7());
    await writeFile(old, 'abandoned');
    await utimes(old, new Date(Date.now() - 7_200_000), new Date(Date.now() - 7_200_000));
    assert.equal(await storage.removeAbandoned(3_600_000), 1);
    assert.equal(await storage.removeAbandoned(3_600_000), 0);
    source.end(' and whole');
    const { key } = await writing;
    assert.equal((await buffer(await storage.read(key))).toString(), 'half and whole');
  });

  test('of a write that was cut by SIGKILL, is no file under any key', async () => {
    const killed = await mkdtemp(join(tmpdir(), 'chancery-storage-killed-'));
    const program = `
      import { PassThrough } from 'node:stream';
      import { createDiskStorage } from ${JSON.stringify(new URL('disk.ts', import.meta.url).href)};
      const storage = await createDiskStorage({ folder: ${JSON.stringify(killed)} });
      const source = new PassThrough();
      void storage.write(source, { maxBytes: 1e9 });
      source.write(Buffer.alloc(100_000));
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);
    `;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
    assert.equal(signal, 'SIGKILL');
    assert.deepEqual(await readdir(killed), ['incoming']);
    assert.equal((await readdir(join(killed, 'incoming'))).length, 1);
    const reopened = await createDiskStorage({ folder: killed });
    assert.equal(await reopened.removeAbandoned(0), 1);
    assert.deepEqual(await filesIn(killed), []);
    await rm(killed, { recursive: true });
  });
});

test('a full disk is told apart, leaves nothing, and takes files again once there is room', async (t) => {
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
