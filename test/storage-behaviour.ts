/** Tests that every file storage must pass, independent of its backend. */
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { type FileStore, maxNoteBytes, type NoteStore, StorageError } from '../src/platform/storage/storage.ts';

export const limit = { maxBytes: 10_000_000 };
export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
export const refused = (reason: StorageError['reason']) => (error: unknown) => error instanceof StorageError && error.reason === reason;

/** Counts the open files of this process on Linux. Elsewhere it returns 0, so the checks always pass. */
const openFiles = async () => (await readdir('/proc/self/fd').catch(() => [])).length;

/**
 * Declares the tests that hold for every storage.
 * @param left returns the names of all stored files, complete or partial; `spare` is the number of files and sockets that it may keep open
 */
export function behavesAsStorage(store: () => FileStore & NoteStore, left: () => Promise<string[]>, spare: number): void {
  /** Checks that work fails and leaves no file. */
  async function leavesNothing(work: () => Promise<unknown>): Promise<void> {
    const [files, opened] = await Promise.all([left(), openFiles()]);
    await work();
    assert.ok((await openFiles()) <= opened + spare, 'no open files remain');
    assert.deepEqual((await left()).toSorted(), files.toSorted());
  }

  describe('a file that was written', () => {
    test('comes back byte for byte with its size and hash, under a unique key', async () => {
      const bytes = randomBytes(300_000);
      const stored = await store().write(Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]), limit);
      assert.deepEqual(stored, { key: stored.key, size: bytes.length, sha256: sha256(bytes) });
      assert.match(stored.key, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.ok((await buffer(await store().read(stored.key))).equals(bytes));
    });

    test('is not stored if its sender breaks off before the first read, and the process survives', () =>
      leavesNothing(async () => {
        const stream = new PassThrough();
        process.nextTick(() => stream.destroy(new Error('broken off')));
        await assert.rejects(store().write(stream, limit));
      }));

    test('may be empty or have exactly the allowed size', async () => {
      const empty = await store().write(Readable.from([]), limit);
      assert.equal(empty.sha256, sha256(Buffer.alloc(0)));
      assert.equal((await buffer(await store().read(empty.key))).length, 0);
      assert.equal((await store().write(Readable.from([Buffer.alloc(1000)]), { maxBytes: 1000 })).size, 1000);
    });

    test('can be read in any range of bytes, both ends included', async () => {
      const bytes = randomBytes(70_000);
      const { key } = await store().write(Readable.from([bytes]), limit);
      const ends = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: bytes.length - 1 }));
      await fc.assert(
        fc.asyncProperty(ends, async ([a, b]) => {
          const [start, end] = [Math.min(a, b), Math.max(a, b)];
          assert.ok((await buffer(await store().read(key, { start, end }))).equals(bytes.subarray(start, end + 1)));
        }),
        { numRuns: 40 },
      );
    });

    test('is closed after an invalid range and after a reader that stops early', async () => {
      const { key } = await store().write(Readable.from([randomBytes(200_000)]), limit);
      const opened = await openFiles();
      for (let n = 0; n < 20; n += 1) {
        const range = [
          { start: 5, end: 1 },
          { start: -1, end: 1 },
          { start: 0, end: Number.NaN },
          { start: 0.5, end: 1 },
        ][n % 4];
        await assert.rejects(store().read(key, range), RangeError);
        const stream = await store().read(key);
        stream.destroy();
        await once(stream, 'close');
      }
      assert.ok((await openFiles()) <= opened + spare);
    });

    test('is gone once removed; removing it again is not an error', async () => {
      const { key } = await store().write(Readable.from(['x']), limit);
      await store().remove(key);
      await store().remove(key);
      await assert.rejects(store().read(key), refused('missing'));
    });

    test('does not disturb 49 other files that are written at the same time', async () => {
      const contents = Array.from({ length: 50 }, () => randomBytes(1 + Math.floor(Math.random() * 100_000)));
      const stored = await Promise.all(contents.map((bytes) => store().write(Readable.from([bytes]), limit)));
      assert.equal(new Set(stored.map(({ key }) => key)).size, 50);
      for (const [index, { key, sha256: hash }] of stored.entries()) {
        const bytes = contents[index] ?? Buffer.alloc(0);
        assert.equal(hash, sha256(bytes));
        assert.ok((await buffer(await store().read(key))).equals(bytes));
      }
    });
  });

  describe('no part of a file remains', () => {
    test('if its stream fails', async () => {
      await leavesNothing(async () => {
        const source = new PassThrough();
        const writing = store().write(source, limit);
        source.write(randomBytes(100_000));
        await wait(20);
        source.destroy(new Error('the cable was pulled'));
        await assert.rejects(writing, /the cable was pulled/);
      });
    });

    test('if its stream ended before the start', async () => {
      await leavesNothing(async () => {
        const source = new PassThrough();
        source.destroy();
        await assert.rejects(store().write(source, limit));
      });
    });

    test('if its sender disconnects in the middle of an HTTP body', async () => {
      const outcome = Promise.withResolvers<unknown>();
      const server = createServer((incoming) => void store().write(incoming, limit).then(outcome.resolve, outcome.reject));
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

    test('if it is larger than allowed; the rest of the sender is not read', async () => {
      await leavesNothing(async () => {
        let sent = 0;
        const endless = new Readable({
          read() {
            sent += 65_536;
            this.push(Buffer.alloc(65_536));
          },
        });
        await assert.rejects(store().write(endless, { maxBytes: 1_000_000 }), refused('too_large'));
        assert.ok(endless.destroyed && sent < 4_000_000);
      });
    });
  });

  describe('a key', () => {
    test('outside of the folder or in another format finds nothing', async () => {
      const outside = '/tmp/secret';
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
        await assert.rejects(store().read(key), refused('missing'), JSON.stringify(key));
        if (key !== valid) await assert.rejects(store().remove(key), refused('missing'), JSON.stringify(key));
      }
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: fc.constantFrom('.', '/', '\\', '\0', 'a', '0', '-'), maxLength: 40 }), (key) =>
          assert.rejects(store().read(key), refused('missing')),
        ),
      );
    });
  });

  test('lists the keys of all files, checks which keys exist, and returns the age of files', async () => {
    const kept = await Promise.all(Array.from({ length: 5 }, () => store().write(Readable.from(['x']), limit)));
    const keys = (await Array.fromAsync(store().keys())).flat();
    for (const { key } of kept) assert.ok(keys.includes(key));
    assert.equal(new Set(keys).size, keys.length);
    const [{ key } = { key: '' }] = kept;
    assert.deepEqual([await store().has(key), await store().has(randomUUIDv7()), await store().has('../x')], [true, false, false]);
    assert.deepEqual(
      [await store().isOlder(key, 60_000), await store().isOlder(key, -60_000), await store().isOlder(randomUUIDv7(), -60_000)],
      [false, true, false],
    );
  });

  test('replaces a note completely, and does not list it as a file', async () => {
    const name = 'audit-checkpoints.json';
    assert.equal(await store().readNote(name), undefined);
    await store().writeNote(name, `{"text":"${'ü'.repeat(1000)}"}`);
    await store().writeNote(name, '{"text":"Żółć"}');
    assert.equal(await store().readNote(name), '{"text":"Żółć"}');
    assert.ok(!(await Array.fromAsync(store().keys())).flat().includes(name));
    await store().writeNote(name, 'x'.repeat(maxNoteBytes + 1));
    await assert.rejects(store().readNote(name), refused('too_large'));
  });
}
