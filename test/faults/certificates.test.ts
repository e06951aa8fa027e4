import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer as createSecure, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type DnsServer, startDnsServer } from '../dns-server.ts';
import { enqueue } from '../enqueue.ts';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { type Spawned, spawnWorker } from '../spawned.ts';
import { eventually, isProven } from '../webhook-receiver.ts';

/* Receivers with faulty TLS: the service sends nothing until the TLS is valid, and then delivers everything. */

const openssl = spawnSync('openssl', ['version']).status === 0;
const name = 'hooks.example';
const waitMs = 300;

let chancery: Chancery;
let dns: DnsServer;
let worker: Omit<Spawned, 'url'> | undefined;
let owner: User;
let folder: string;
const closing: (() => void)[] = [];

before(async () => {
  [chancery, dns] = await Promise.all([startChancery({ role: 'api' }), startDnsServer()]);
  ({ owner } = await chancery.team());
  dns.answer = ({ type }) => ({ addresses: type === 'A' ? ['127.0.0.1'] : [] });
  folder = mkdtempSync(join(tmpdir(), 'chancery-certificates-'));
});
after(async () => {
  await worker?.kill();
  await chancery.stop();
  await dns.close();
  for (const close of closing) close();
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `openssl ${args.join(' ')}: ${stderr}`);
}

/** Creates a key and a self-signed certificate. */
function selfSigned(file: string, ...extensions: string[]): void {
  const extended = extensions.flatMap((extension) => ['-addext', extension]);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${file}.key`];
  run('req', '-x509', ...key, '-out', `${file}.pem`, '-days', '2', '-subj', `/CN=${file}`, ...extended);
}

const stamp = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().replaceAll(/[-:T]|\.\d+/g, '');

type Issue = { by?: string; names?: string; from?: number; until?: number };

/** Issues certificates for one key from test authorities. Days count from now. */
function issue(file: string, { by = 'authority', names = `DNS:${name}`, from = -2, until = 2 }: Issue = {}): ServerOptions {
  const lines = [
    '[ca]',
    'default_ca=own',
    '[own]',
    `database=${by}.index`,
    'new_certs_dir=.',
    'rand_serial=yes',
    'default_md=sha256',
    'policy=any',
  ];
  writeFileSync(
    join(folder, 'ca.conf'),
    [...lines, 'unique_subject=no', '[any]', 'commonName=supplied', '[leaf]', `subjectAltName=${names}`].join('\n'),
  );
  writeFileSync(join(folder, `${by}.index`), '');
  const signing = ['-cert', `${by}.pem`, '-keyfile', `${by}.key`, '-startdate', stamp(from), '-enddate', stamp(until)];
  run('ca', '-batch', '-config', 'ca.conf', '-extensions', 'leaf', ...signing, '-in', 'leaf.csr', '-out', `${file}.pem`, '-notext');
  return { key: read('leaf.key'), cert: read(`${file}.pem`) };
}

const read = (file: string) => readFileSync(join(folder, file), 'utf8');

/** Starts a server on a port that any protocol can use, and records what arrives. */
async function receiver(options: ServerOptions, front?: (socket: Socket) => void) {
  const seen = { connections: 0, requests: [] as { id: string; proven: boolean }[], raw: '', secret: '' };
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const proven = isProven(Buffer.concat(chunks), request.headers, seen.secret);
      seen.requests.push({ id: String(request.headers['x-service-event-id']), proven });
      response.writeHead(204).end();
    });
  };
  const secure = createSecure(options, listener);
  let current = front;
  const server = createServer((socket) => {
    seen.connections += 1;
    socket.on('error', () => undefined);
    if (current) current(socket);
    else secure.emit('connection', socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  secure.on('tlsClientError', () => undefined);
  closing.push(() => {
    secure.closeAllConnections();
    server.close();
  });
  const mend = (good: ServerOptions): void => {
    secure.setSecureContext({ minVersion: 'TLSv1.2', ...good });
    current = undefined;
  };
  return { port: (server.address() as AddressInfo).port, seen, mend };
}

test(
  'a receiver with a faulty certificate or without TLS gets nothing, the attempt has the reason, and deliveries arrive after the repair',
  { skip: !openssl && 'this machine has no openssl' },
  async () => {
    for (const authority of ['authority', 'stranger']) selfSigned(authority, 'basicConstraints=critical,CA:true');
    selfSigned('own', `subjectAltName=DNS:${name}`);
    run(
      'req',
      '-new',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      'leaf.key',
      '-out',
      'leaf.csr',
      '-subj',
      '/CN=leaf',
    );
    const good = issue('good');
    const strange = issue('strange', { by: 'stranger' });
    const old: ServerOptions = { ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    const plain = createPlain((request, response) => {
      request.resume();
      response.writeHead(200).end('plain');
    }).on('clientError', (_, socket) => void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'));
    let receivedText = '';
    const speakPlain = (socket: Socket): void => {
      socket.once('data', (chunk: Buffer) => {
        receivedText += chunk.toString('latin1');
        socket.unshift(chunk);
        plain.emit('connection', socket);
      });
    };
    const other = { names: 'DNS:other.example,DNS:example' };
    const cases: [string, ServerOptions, string, RegExp, ((socket: Socket) => void)?][] = [
      ['expired', issue('expired', { from: -3, until: -1 }), 'tls_error', /: the certificate has expired \(CERT_HAS_EXPIRED\)$/],
      ['not yet valid', issue('early', { from: 1, until: 3 }), 'tls_error', /: the certificate is not valid yet \(CERT_NOT_YET_VALID\)$/],
      [
        'another name',
        issue('other', other),
        'tls_error',
        /: the certificate is for other names than the one in the URL \(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
      ],
      // Resuming a TLS session of an earlier version could skip the check of the name.
      ['another name, TLS 1.2', { ...issue('other12', other), maxVersion: 'TLSv1.2' }, 'tls_error', /other names than the one in the URL/],
      [
        'self-signed',
        { key: read('own.key'), cert: read('own.pem') },
        'tls_error',
        /: the certificate is self-signed, not signed by an authority \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
      ],
      ['an unknown authority', strange, 'tls_error', /an untrusted authority.*\(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/],
      [
        'an unknown authority, sent along',
        { ...strange, cert: `${read('strange.pem')}${read('stranger.pem')}` },
        'tls_error',
        /an untrusted authority.*\(SELF_SIGNED_CERT_IN_CHAIN\)$/,
      ],
      ['TLS 1.1', old, 'tls_error', /: the receiver does not support TLS 1\.2 or newer \(ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION\)$/],
      ['plain HTTP', good, 'tls_error', /: the receiver does not use TLS on this port \(ERR_SSL_[A-Z_]+\)$/, speakPlain],
      ['a reset', good, 'connection_reset', /ECONNRESET$/, (socket) => void socket.once('data', () => socket.resetAndDestroy())],
    ];
    const all = await Promise.all(
      cases.map(async ([what, options, error, detail, front]) => {
        const { port, seen, mend } = await receiver(options, front);
        const body = { name: what, url: `https://${name}:${port}/hook`, events: ['folder.updated'] };
        const { body: made } = await chancery.call('POST', '/api/v1/webhooks/', { token: owner.token, body });
        seen.secret = made.secret;
        await enqueue(chancery.pool, { id: made.id, team: owner.team }, 1, { maxAttempts: 40 });
        const get = async (rest: string) =>
          (await chancery.call('GET', `/api/v1/webhooks/${made.id}/deliveries${rest}`, { token: owner.token, unchecked: true })).body;
        const [{ id, eventId }] = await get('');
        return { what, error, detail, seen, mend, eventId, delivery: () => get(`/${id}`), attempts: () => get(`/${id}/attempts`) };
      }),
    );
    worker = spawnWorker({
      DATABASE_URL: chancery.databaseUrl,
      DATA_DIR: chancery.config.DATA_DIR,
      MASTER_KEY: chancery.masterKey,
      WEBHOOKS_DNS_SERVERS: dns.address,
      WEBHOOKS_CA_FILE: join(folder, 'authority.pem'),
      WEBHOOK_TIMEOUT_SECONDS: '2',
      // Long enough for a busy machine: an attempt whose lease expires before it is recorded would be missing from the log.
      WEBHOOK_LEASE_SECONDS: '30',
      WEBHOOK_RETRY_SCHEDULE: `${waitMs}ms`,
    });
    for (const { what, error, detail, seen, delivery, attempts } of all) {
      const failed = await eventually(what, async () => ((await attempts()).length >= 3 ? ((await attempts()) as any[]) : undefined));
      for (const [index, one] of failed.entries()) {
        assert.deepEqual([one.attempt, one.error, one.responseStatus], [index + 1, error, undefined], what);
        assert.match(one.errorDetail, detail, what);
        const last = failed[index - 1];
        if (last) assert.ok(Date.parse(one.startedAt) - Date.parse(last.startedAt) >= waitMs, `${what}: retried by the schedule`);
      }
      const { status, nextRetryAt } = await delivery();
      assert.ok(status === 'pending' && nextRetryAt, what);
      assert.ok(seen.connections >= 3, what);
      assert.deepEqual(seen.requests, [], `${what}: no request arrived`);
    }
    assert.ok(
      receivedText.length > 0 && !/POST|evt_|whsec_|x-service/i.test(receivedText),
      'the plain connection carried only a TLS greeting',
    );

    for (const { mend } of all) mend(good);
    for (const { what, error, seen, eventId, delivery, attempts } of all) {
      await eventually(`${what} mended`, async () => (await delivery()).status === 'delivered');
      const [last, ...earlier] = ((await attempts()) as any[]).toReversed();
      assert.deepEqual([last.responseStatus, last.error, ...new Set(earlier.map((one) => one.error))], [204, undefined, error], what);
      assert.deepEqual(seen.requests, [{ id: eventId, proven: true }], what);
    }
  },
);
