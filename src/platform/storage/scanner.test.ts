import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { type Clamd, startClamd, virus, withoutClamd } from '../../../test/clamd.ts';
import { Problem } from '../problems.ts';
import { clamdScanner, type ScannerAddress } from './scanner.ts';

const skip = { skip: withoutClamd };
let clamd: Clamd | undefined;
before(async () => {
  if (withoutClamd === false) clamd = await startClamd({ StreamMaxLength: '2M' });
});
after(() => clamd?.stop());

const reported: unknown[] = [];
const scanner = (address: ScannerAddress = { path: clamd?.socket ?? '' }) => clamdScanner(address, (error) => reported.push(error));
const refused = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;
const of = (...chunks: (string | Buffer)[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

test('clean files are accepted: empty, a line, a mebibyte in uneven pieces', skip, async () => {
  await scanner().requireClean(of());
  await scanner().requireClean(of('a line', '', '\0'));
  await scanner().requireClean(of(...Array.from({ length: 64 }, (_, n) => randomBytes(1 + ((n * 7_919) % 32_000)))));
});

test('a virus is named, in any position of the file', skip, async () => {
  for (const file of [
    of(virus.bytes),
    of(randomBytes(100_000), virus.bytes, randomBytes(10)),
    of(virus.bytes.slice(0, 9), virus.bytes.slice(9)),
  ])
    await assert.rejects(
      scanner().requireClean(file),
      (error) => refused('file_infected')(error) && (error as Problem).members.signature === virus.signature,
    );
  assert.deepEqual(reported, []);
});

test('fifty concurrent files get separate results', skip, async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) => scanner().requireClean(of(randomBytes(10_000), n % 5 === 0 ? virus.bytes : 'clean'))),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    Array.from({ length: 50 }, (_, n) => (n % 5 === 0 ? 'rejected' : 'fulfilled')),
  );
});

test('a file above the limit of clamd is rejected and reported to the operator', skip, async () => {
  reported.splice(0);
  await assert.rejects(scanner().requireClean(of(randomBytes(3_000_000))), refused('unavailable'));
  assert.equal(reported.length, 1);
});

test('an unavailable scanner or an invalid response does not count as clean', async () => {
  const answers: ((socket: Socket) => void)[] = [
    (socket) => void socket.destroy(),
    (socket) => void socket.end(),
    (socket) => void socket.end('stream: OK but\0'),
    (socket) => void socket.end('UNKNOWN COMMAND\0'),
    (socket) => void socket.end('x'.repeat(100_000)),
    (socket) => void socket.end('stream: Can’t allocate memory ERROR\0'),
  ];
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    answers[0]?.(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  for (; answers.length > 0; answers.shift()) {
    reported.splice(0);
    await assert.rejects(scanner(address).requireClean(of('a file')), refused('unavailable'), answers[0]?.toString());
    assert.ok(reported.length <= 1);
  }
  await new Promise((closed) => server.close(closed));
  await assert.rejects(scanner(address).requireClean(of('a file')), refused('unavailable'));
  await assert.rejects(scanner({ path: '/nowhere/clamd.sock' }).requireClean(of('a file')), refused('unavailable'));
});

test('a response counts when it is complete, and a clean result only after the whole file was sent', async () => {
  let [said, afterFile] = ['', true];
  const server = createServer((socket) => {
    let last = Buffer.alloc(0);
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        last = Buffer.concat([last, chunk]).subarray(-4);
        if (!afterFile || last.equals(Buffer.alloc(4))) socket.end(said);
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  async function* going() {
    yield Buffer.from('the beginning');
    // Until the connection to the scanner is closed.
    await once(server, 'asked');
    yield Buffer.from('the rest');
  }
  const whole = 'stream: OK\0';
  for (let length = 0; length < whole.length; length += 1) {
    said = whole.slice(0, length);
    await assert.rejects(scanner(address).requireClean(of('a file')), refused('unavailable'), JSON.stringify(said));
  }
  said = 'stream: Some.Virus FOUND';
  await assert.rejects(scanner(address).requireClean(of('a file')), refused('unavailable'));
  said = `${whole}stream: Some.Virus FOUND\0`;
  await assert.rejects(scanner(address).requireClean(of('a file')), refused('unavailable'), 'one file has one response');
  said = whole;
  await scanner(address).requireClean(of('a file'));
  afterFile = false;
  await assert.rejects(scanner(address).requireClean(Readable.from(going())), refused('unavailable'));
  said = 'stream: Some.Virus FOUND\0';
  await assert.rejects(scanner(address).requireClean(Readable.from(going())), refused('file_infected'));
  await new Promise((closed) => server.close(closed));
});

test('a file that breaks off during the scan is rejected', skip, async () => {
  async function* breaking() {
    yield randomBytes(10_000);
    throw new Error('the disk is gone');
  }
  reported.splice(0);
  await assert.rejects(scanner().requireClean(Readable.from(breaking())), refused('unavailable'));
  assert.match(String(reported[0]), /the disk is gone/);
});
