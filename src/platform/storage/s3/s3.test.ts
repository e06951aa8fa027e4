import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, before, test } from 'node:test';
import { type InjectedError, type S3Server, s3Credentials, slowDown, startS3 } from '../../../../test/s3-server.ts';
import { behavesAsStorage, limit, refused, sha256 } from '../../../../test/storage-behaviour.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import type { StorageError } from '../storage.ts';
import { readS3Place } from './place.ts';
import { createS3Storage, type S3Store } from './storage.ts';

const mebibyte = 1024 * 1024;
/** Long timeouts for a busy machine. Tests of missing responses use the store with short timeouts. */
const retryPolicy = { connectMs: 10_000, answerMs: 20_000, tries: 3, pauseMs: 1 };

let s3: S3Server;
let storage: S3Store;
let hasty: S3Store;
before(async () => {
  s3 = await startS3();
  const place = readS3Place(s3.settings.STORAGE_URL ?? '');
  storage = createS3Storage(place, s3Credentials, { retryPolicy, spoolBytes: 64 * mebibyte });
  hasty = createS3Storage(place, s3Credentials, { retryPolicy: { ...retryPolicy, answerMs: 400 }, spoolBytes: mebibyte });
});
afterEach(() => {
  s3.injected = undefined;
  s3.requests.length = 0;
});
after(async () => {
  await Promise.all([storage.close(), hasty.close()]);
  await s3.stop();
});

const leftInS3 = async () => [...s3.objects.keys(), ...[...s3.uploads.values()].map(({ key }) => `part of ${key}`)];
behavesAsStorage(() => storage, leftInS3, 60);

/** An injected error that has sent the response itself. */
const answered = (...calls: unknown[]): boolean => calls.length === 1;

/** Injects an error into the first matching requests. */
function first(times: number, fits: (method: string, query: URLSearchParams) => boolean, injected: InjectedError): InjectedError {
  let met = 0;
  return (call, response, serve) => fits(call.method, call.query) && (met += 1) <= times && injected(call, response, serve);
}
const write = (bytes: Buffer | string = 'x', to = storage) => to.write(Readable.from([Buffer.from(bytes)]), limit);
const read = async (key: string, range?: { start: number; end: number }) => buffer(await storage.read(key, range));

/** Checks that a write fails soon as `unavailable` and stores nothing. */
async function notKept(bytes: Buffer | string = 'x', by = storage): Promise<void> {
  const kept = await leftInS3();
  await assert.rejects(write(bytes, by), refused('unavailable'));
  s3.injected = undefined;
  assert.deepEqual((await leftInS3()).toSorted(), kept.toSorted());
}

test('a wrong range is rejected before a byte is read', async () => {
  const { key } = await write('0123456789');
  for (const [end, length] of [
    [9, 8],
    [3, 2],
    [5, 2],
    [5, 8],
  ] as const) {
    s3.injected = (_, response) => {
      response.writeHead(206, { 'content-range': `bytes 2-${end}/10`, 'content-length': length });
      return answered(response.end('23456789'.slice(0, length)));
    };
    await assert.rejects(read(key, { start: 2, end: 5 }), refused('unavailable'), `${end} ${length}`);
  }
  s3.injected = undefined;
  assert.equal(String(await read(key, { start: 2, end: 5 })), '2345');
});

test('a large file is sent in parts, with one part read in advance, and returns complete', async () => {
  const bytes = randomBytes(16 * mebibyte + 3);
  let given = 0;
  let ahead = 0;
  const received = () => s3.requests.reduce((sum, { size }) => sum + size, 0);
  async function* source() {
    for (; given < bytes.length; given += 100_000) {
      ahead = Math.max(ahead, given - received());
      yield bytes.subarray(given, given + 100_000);
    }
  }
  const stored = await storage.write(Readable.from(source()), { maxBytes: 20 * mebibyte });
  assert.deepEqual([stored.size, stored.sha256], [bytes.length, sha256(bytes)]);
  assert.equal(s3.requests.filter(({ query }) => query.has('partNumber')).length, 4);
  assert.ok(ahead < 5 * mebibyte + 400_000, `${ahead} bytes were read in advance`);
  assert.ok((await read(stored.key)).equals(bytes));
  const [start, end] = [5 * mebibyte - 2, 5 * mebibyte + 9];
  assert.ok((await read(stored.key, { start, end })).equals(bytes.subarray(start, end + 1)));
  await storage.remove(stored.key);
  // A file of exactly one part needs no multipart upload.
  await storage.remove((await write(bytes.subarray(0, 5 * mebibyte))).key);
});

test('a store that fails once is retried; one that fails always is unavailable, and nothing is acknowledged', async () => {
  for (const injected of [(_, response) => slowDown(response), (_, response) => answered(response.destroy())] as InjectedError[]) {
    s3.injected = first(2, () => true, injected);
    const { key } = await write('kept');
    s3.injected = first(2, () => true, injected);
    assert.equal((await read(key)).toString(), 'kept');
    s3.injected = injected;
    await notKept();
    s3.injected = injected;
    await notKept(Buffer.alloc(6 * mebibyte));
    s3.injected = injected;
    await assert.rejects(storage.read(key), refused('unavailable'));
    await assert.rejects(storage.remove(key), refused('unavailable'));
    // A store without a response does not mean a missing file.
    await assert.rejects(storage.has(key), refused('unavailable'));
    await assert.rejects(Array.fromAsync(storage.keys()), refused('unavailable'));
  }
});

test('a slow store is awaited, but not one that never responds', async () => {
  s3.injected = (_, __, serve) => answered(setTimeout(serve, 100));
  const { key } = await write('slowly');
  assert.equal((await read(key)).toString(), 'slowly');
  s3.injected = () => true;
  await notKept('x', hasty);
  await s3.goAway();
  await notKept();
  await assert.rejects(storage.read(key), refused('unavailable'));
  await s3.comeBack();
  assert.equal((await read(key)).toString(), 'slowly');
});

test('wrong lengths are detected', async () => {
  const { key } = await write('twelve bytes');
  const lying: InjectedError[] = [
    // Fewer bytes than announced, more, no length, another range than requested, and the whole file.
    (_, response) =>
      answered(response.writeHead(206, { 'content-range': 'bytes 2-6/12', 'content-length': 5 }).write('el', () => response.destroy())),
    (_, response) => answered(response.writeHead(206, { 'content-range': 'bytes 2-6/12' }).end('elve byt')),
    (_, response) => answered(response.writeHead(206, { 'content-range': 'bytes 3-7/12', 'content-length': 5 }).end('lve b')),
    (_, response) => answered(response.writeHead(200, { 'content-length': 12 }).end('twelve bytes')),
  ];
  for (const injected of lying) {
    s3.injected = injected;
    await assert.rejects(read(key, { start: 2, end: 6 }), refused('unavailable'));
  }
  s3.injected = undefined;
  for (const length of [0, 3, 2_000]) {
    s3.injected = (call, response) => call.method === 'HEAD' && answered(response.writeHead(200, { 'content-length': length }).end());
    await notKept('five!');
  }
  s3.injected = ({ method, key: call }, response) =>
    method === 'PUT' ? answered(s3.objects.set(call, { bytes: Buffer.from('fi'), at: new Date() }) && response.end()) : false;
  await notKept('five!');
});

test('an interrupted response continues where it broke off', async () => {
  const bytes = randomBytes(300_000);
  const { key } = await write(bytes);
  const cut: InjectedError = ({ headers }, response) => {
    const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
    const rest = bytes.subarray(from);
    if (headers.range === undefined) response.writeHead(200, { 'content-length': rest.length });
    else response.writeHead(206, { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`, 'content-length': rest.length });
    return answered(response.write(rest.subarray(0, 50_000), () => response.destroy()));
  };
  s3.injected = first(3, (method) => method === 'GET', cut);
  assert.ok((await read(key)).equals(bytes));
  s3.injected = (call, response, serve) => cut({ ...call, headers: { range: 'bytes=299999-' } }, response, serve);
  await assert.rejects(read(key), refused('unavailable'));
});

test('incomplete parts are no file, and are completed once if the response was lost', async () => {
  const bytes = Buffer.alloc(6 * mebibyte, 'a');
  const completes = (method: string, query: URLSearchParams) => method === 'POST' && query.has('uploadId');
  s3.injected = first(1, completes, (_, response) => answered(response.end('<Error><Code>InternalError</Code></Error>')));
  await notKept(bytes);
  s3.injected = first(1, completes, (_, response, serve) => {
    // The work is done, but the connection breaks before the response.
    response.end = (() => response.destroy()) as never;
    serve();
    return true;
  });
  const { key } = await write(bytes);
  assert.ok((await read(key)).equals(bytes));
});

test('parts of a killed process are removed once they are old', async () => {
  s3.injected = ({ query }) => query.has('partNumber');
  const writing = write(Buffer.alloc(6 * mebibyte), hasty).catch(() => undefined);
  while (s3.uploads.size === 0) await new Promise((next) => setImmediate(next));
  assert.equal(await storage.removeAbandoned(60_000), 0);
  s3.uploads.set('others', { key: 'not/ours', at: new Date(0), parts: new Map() });
  assert.equal(await storage.removeAbandoned(-1_000), 1);
  assert.deepEqual([...s3.uploads.keys()], ['others']);
  s3.uploads.clear();
  s3.injected = undefined;
  await writing;
});

test('slow uploads do not stop others, and one owner can use only its part of the disk', async () => {
  const sent = async (ownerKey: string, bytes: number): Promise<PassThrough> => {
    const stream = new PassThrough();
    outcomes.push(
      storage.write(stream, { maxBytes: 10 * mebibyte, ownerKey }).then(
        () => 'kept',
        ({ reason }: StorageError) => reason,
      ),
    );
    // Until the part of the disk is used up; the rest waits in the stream.
    if (!stream.write(Buffer.alloc(bytes))) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
    return stream;
  };
  const outcomes: Promise<unknown>[] = [];
  const kept = await leftInS3();
  // None is complete: a few bytes in memory, and larger ones on the disk, where each owner has an eighth of 64 MiB.
  const slow = await Promise.all(Array.from({ length: 100 }, (_, n) => sent('slow', n < 80 ? 1_000 : mebibyte)));
  await eventually('all but one of the larger ones are rejected', async () => slow.filter(({ destroyed }) => destroyed).length === 19);
  const ended = ['another', 'a third', undefined].map((ownerKey) =>
    storage.write(Readable.from([Buffer.alloc(6 * mebibyte)]), {
      maxBytes: 10 * mebibyte,
      ...(ownerKey === undefined ? {} : { ownerKey }),
    }),
  );
  await Promise.all((await Promise.all(ended)).map(({ key }) => storage.remove(key)));
  assert.deepEqual(await leftInS3(), kept);
  for (const stream of slow.slice(0, 99)) stream.destroy();
  await Promise.all(outcomes.slice(0, 99));
  const freed = await sent('slow', mebibyte);
  for (const stream of [freed, ...slow.slice(99)]) stream.end();
  const all = await Promise.all(outcomes);
  assert.equal(all.filter((one) => one === 'crowded').length, 19);
  assert.equal(all.filter((one) => one === 'kept').length, slow[99]?.destroyed === true ? 1 : 2);
});

test('a full store is reported', async () => {
  s3.injected = (call, response) =>
    call.method === 'PUT' && answered(response.writeHead(507).end('<Error><Code>XMinioStorageFull</Code></Error>'));
  await assert.rejects(write(), refused('no_space'));
});
