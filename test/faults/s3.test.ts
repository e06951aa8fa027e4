import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { type Config, readConfig } from '../../src/config.ts';
import { openStorage, storageError } from '../../src/open-storage.ts';
import { ConfigError } from '../../src/platform/settings.ts';
import { retryingRemovals } from '../../src/platform/storage/removal-jobs.ts';
import { readS3Place } from '../../src/platform/storage/s3/place.ts';
import { createS3Storage } from '../../src/platform/storage/s3/storage.ts';
import { type Chancery, startChancery, type TestTeam } from '../harness.ts';
import { type S3Server, s3Credentials, slowDown, startS3 } from '../s3-server.ts';
import { eventually } from '../webhook-receiver.ts';

const documents = '/api/v1/smartdoc/documents/';

let s3: S3Server;
let chancery: Chancery;
let team: TestTeam;
before(async () => {
  s3 = await startS3();
  chancery = await startChancery({ settings: { ...s3.settings, UPLOAD_SPOOL_MIB: '16' } });
  team = await chancery.team();
});
after(async () => {
  await chancery.stop();
  await s3.stop();
});

function upload(bytes: Buffer, { owner }: TestTeam = team) {
  const form = new FormData();
  form.set('title', 'On S3');
  form.set('file', new Blob([new Uint8Array(bytes)]), 'a.bin');
  return chancery.call('POST', documents, { token: owner.token, body: form });
}
const content = (id: string, headers: Record<string, string> = {}) =>
  chancery.call('GET', `${documents}${id}/content`, { token: team.owner.token, headers });

test('documents are stored in a bucket and can be read in full and in ranges', async () => {
  const bytes = randomBytes(6 * 1024 * 1024);
  const made = await upload(bytes);
  assert.equal(made.status, 201, made.text);
  assert.equal([...s3.objects.keys()].filter((key) => key.startsWith('chancery/kept/')).length, 1);
  const part = await content(made.body.id, { range: 'bytes=5242870-5242890' });
  assert.equal(part.status, 206);
  assert.equal((await content(made.body.id)).headers.get('content-length'), String(bytes.length));
});

test('a team whose slow uploads used their share of the disk gets an error, but its smaller uploads and other teams succeed', async () => {
  const [neighbour, slow] = [await chancery.team(), Promise.withResolvers<void>()];
  async function* slowly() {
    yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
    yield Buffer.alloc(300_000);
    await slow.promise;
    yield Buffer.from('\r\n--b\r\ncontent-disposition: form-data; name="title"\r\n\r\nSlow\r\n--b--\r\n');
  }
  const headers = { authorization: `Bearer ${team.owner.token}`, 'content-type': 'multipart/form-data; boundary=b' };
  const open = fetch(`${chancery.url}${documents}`, {
    method: 'POST',
    headers,
    body: Readable.from(slowly()) as never,
    duplex: 'half',
  } as RequestInit);
  const large = randomBytes(100_000);
  await eventually('the team reached its share', async () => (await upload(large)).status === 429);
  const refused = await upload(large);
  assert.deepEqual([refused.body.code, refused.headers.get('retry-after')], ['rate_limited', '5']);
  assert.deepEqual([(await upload(Buffer.alloc(1_000))).status, (await upload(large, neighbour)).status], [201, 201]);
  slow.resolve();
  assert.equal((await open).status, 201);
  assert.equal((await upload(large)).status, 201);
});

test('while the bucket is unreachable or overloaded, uploads and downloads get an error and store nothing, and they recover after it', async () => {
  const made = await upload(Buffer.from('kept before'));
  const madeOf = async () => (await chancery.pool.query("SELECT count(*) FROM document WHERE title = 'On S3'")).rows;
  const known = await madeOf();
  for (const outage of ['away', 'busy']) {
    const kept = [...s3.objects.keys()];
    if (outage === 'away') await s3.goAway();
    else s3.injected = (_, response) => slowDown(response);
    for (const { status, headers, body } of [await upload(Buffer.from('lost')), await content(made.body.id)]) {
      assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'unavailable', '30']);
    }
    if (outage === 'away') await s3.comeBack();
    s3.injected = undefined;
    assert.deepEqual([...s3.objects.keys()], kept);
    assert.deepEqual(await madeOf(), known);
    assert.equal((await content(made.body.id)).text, 'kept before');
  }
});

test('a file whose deletion fails is deleted later', async () => {
  const storage = createS3Storage(readS3Place(s3.settings.STORAGE_URL ?? ''), s3Credentials, {
    retryPolicy: { connectMs: 500, answerMs: 500, tries: 1, pauseMs: 1 },
    spoolBytes: 1,
  });
  const { key } = await storage.write(Readable.from(['x']), { maxBytes: 1 });
  let refusals = 0;
  s3.injected = ({ method }, response) => method === 'DELETE' && (refusals += 1) === 1 && slowDown(response);
  await retryingRemovals(storage, chancery.database).remove(key);
  await eventually('the deletion of the file', async () => !(await storage.has(key)));
  s3.injected = undefined;
  await storage.close();
});

test('the start reports an incorrect setting, and doctor reports a temporary failure', async () => {
  const settings: Record<string, string> = { ...s3.settings, DATA_DIR: chancery.config.DATA_DIR };
  const config = (changed: Record<string, string>): Config => readConfig({ ...settings, ...changed });
  const url = settings.STORAGE_URL ?? '';
  for (const [changed, sentence] of [
    [
      { STORAGE_URL: url.replace('files-of-tests', 'no-such-bucket') },
      /^STORAGE_URL names the bucket no-such-bucket, which does not exist at http/,
    ],
    [{ AWS_SECRET_ACCESS_KEY: 'hunter2secret' }, /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not valid .*SignatureDoesNotMatch/],
    [{ STORAGE_URL: url.replace('eu-test-1', 'eu-test-2') }, /^The store of STORAGE_URL rejects this service .*Check endpoint, region/],
    [
      { STORAGE_URL: 's3://bucket?endpoint=http://nowhere.invalid' },
      /^STORAGE_URL names the endpoint http:\/\/nowhere\.invalid, whose host name cannot be resolved/,
    ],
  ] as [Record<string, string>, RegExp][]) {
    const error = await openStorage(config(changed)).catch((refused: unknown) => refused);
    assert.ok(error instanceof ConfigError, String(error));
    assert.match(error.message, sentence);
    assert.doesNotMatch(error.message, /hunter2/);
  }
  assert.equal(await storageError(config({})), undefined);
  s3.injected = ({ method }, response) =>
    method === 'DELETE' && Boolean(response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'));
  await assert.rejects(openStorage(config({})), /needs permission to write, read, list and delete/);
  s3.injected = undefined;
  assert.match(
    (await storageError(config({ STORAGE_URL: url.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1') }))) ?? '',
    /failed or did not respond.*ECONNREFUSED/,
  );
});
