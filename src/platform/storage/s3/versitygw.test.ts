import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { behavesAsStorage } from '../../../../test/storage-behaviour.ts';
import { startVersitygw, type Versitygw, withoutVersitygw } from '../../../../test/versitygw.ts';
import { readS3Place } from './place.ts';
import { createS3Storage, type S3Store } from './storage.ts';

/* Tests with an independent S3 server: the Versity S3 Gateway. */

describe('a bucket of the Versity S3 Gateway', { skip: withoutVersitygw }, () => {
  const mebibyte = 1024 * 1024;
  let s3: Versitygw;
  let storage: S3Store;
  before(async () => {
    s3 = await startVersitygw();
    storage = createS3Storage(readS3Place(s3.settings.STORAGE_URL ?? ''), s3.credentials, { spoolBytes: 64 * mebibyte });
  });
  after(async () => {
    await storage.close();
    await s3.stop();
  });

  test('passes the check of a start', () => storage.probe());

  behavesAsStorage(
    () => storage,
    () => s3.left(),
    60,
  );

  test('stores a multipart file and returns ranges across parts', async () => {
    const bytes = randomBytes(12 * mebibyte + 3);
    const { key } = await storage.write(Readable.from([bytes]), { maxBytes: 20 * mebibyte });
    assert.ok((await buffer(await storage.read(key))).equals(bytes));
    const [start, end] = [5 * mebibyte - 2, 10 * mebibyte + 9];
    assert.ok((await buffer(await storage.read(key, { start, end }))).equals(bytes.subarray(start, end + 1)));
  });

  test('stores no part of a large file whose upload is interrupted', async () => {
    const kept = (await s3.left()).toSorted();
    async function* broken() {
      yield randomBytes(7 * mebibyte);
      throw new Error('broken off');
    }
    await assert.rejects(storage.write(Readable.from(broken()), { maxBytes: 20 * mebibyte }), /broken off/);
    assert.deepEqual((await s3.left()).toSorted(), kept);
  });
});
