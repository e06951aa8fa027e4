import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import { authorityUsage } from './signed-pdf.ts';

const run = promisify(execFile);

export type TimestampAuthority = {
  url: string;
  /** The certificate of its certificate authority (PEM). */
  ca: string;
  /** Responds to the next `times` requests with 503. */
  refuse: (times: number) => void;
  /** Responds with the timestamp of another request. */
  replay: (on: boolean) => void;
  requestCount: () => number;
  close: () => Promise<void>;
};

/** Starts a timestamp authority (RFC 3161) that serves OpenSSL over HTTP and stores its files in a folder. */
export async function startTimestampAuthority(folder: string): Promise<TimestampAuthority> {
  const at = (name: string) => join(folder, name);
  const key = ['-newkey', 'rsa:2048', '-nodes', '-sha256'];
  await run('openssl', [
    'req',
    '-x509',
    ...key,
    '-keyout',
    at('tsa-ca.key'),
    '-out',
    at('tsa-ca.pem'),
    '-days',
    '3650',
    '-subj',
    '/CN=Clock Authority',
    ...authorityUsage,
  ]);
  await run('openssl', ['req', ...key, '-keyout', at('tsa.key'), '-out', at('tsa.csr'), '-subj', '/CN=Clock']);
  await writeFile(at('tsa.ext'), 'basicConstraints=CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping\n');
  const issue = ['x509', '-req', '-in', at('tsa.csr'), '-CA', at('tsa-ca.pem'), '-CAkey', at('tsa-ca.key'), '-CAcreateserial', '-sha256'];
  await run('openssl', [...issue, '-days', '3650', '-extfile', at('tsa.ext'), '-out', at('tsa.pem')]);
  const config = [
    '[tsa]',
    `serial = ${at('tsa-serial')}`,
    `signer_cert = ${at('tsa.pem')}`,
    `signer_key = ${at('tsa.key')}`,
    `certs = ${at('tsa-ca.pem')}`,
    'signer_digest = sha256',
    'default_policy = 1.2.3.4.1',
    'digests = sha256, sha384, sha512',
    'ess_cert_id_alg = sha256',
    'clock_precision_digits = 0',
  ];
  await Promise.all([writeFile(at('tsa.cnf'), config.join('\n')), writeFile(at('tsa-serial'), '01')]);
  let refusals = 0;
  let requestCount = 0;
  let kept: Buffer | undefined;
  let replays = false;
  const server = createServer((request, response) => {
    requestCount += 1;
    void buffer(request).then(async (query) => {
      if (refusals > 0) {
        refusals -= 1;
        response.writeHead(503).end();
        return;
      }
      if (!replays || !kept) {
        await writeFile(at('query.tsq'), query);
        const args = ['ts', '-reply', '-config', at('tsa.cnf'), '-section', 'tsa', '-queryfile', at('query.tsq'), '-out', at('reply.tsr')];
        await run('openssl', args);
        kept = await readFile(at('reply.tsr'));
      }
      response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(kept);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ca: await readFile(at('tsa-ca.pem'), 'utf8'),
    refuse: (times) => {
      refusals = times;
    },
    replay: (on) => {
      replays = on;
    },
    requestCount: () => requestCount,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Returns a revocation list (DER) of an authority. Its certificate and key have that name in the folder. `revoked` are serial numbers. */
export async function revocationList(folder: string, name: string, revoked: readonly string[] = []): Promise<Buffer> {
  const at = (suffix: string) => join(folder, `${name}${suffix}`);
  const index = revoked.map((serial) => `R\t301231235959Z\t261101000000Z\t${serial}\tunknown\t/CN=${serial}\n`).join('');
  const config = ['[ca]', 'default_ca = list', '[list]', `database = ${at('-index')}`, 'default_md = sha256', 'default_crl_days = 30'];
  await Promise.all([writeFile(at('-list.cnf'), config.join('\n')), writeFile(at('-index'), index)]);
  const made = ['-cert', at('.pem'), '-keyfile', at('.key'), '-out', at('-list.pem')];
  await run('openssl', ['ca', '-gencrl', '-config', at('-list.cnf'), ...made]);
  await run('openssl', ['crl', '-in', at('-list.pem'), '-outform', 'DER', '-out', at('-list.der')]);
  return readFile(at('-list.der'));
}

export type Responder = {
  /** A certificate (PEM) that names this responder. Its key is the key `name` of the folder. */
  certificate: string;
  /** Sets the next responses: the status of the certificate, or a response of a delegated signer or of an unauthorized signer. */
  says: (state: 'good' | 'revoked' | 'delegated' | 'forged') => void;
  requestCount: () => number;
  close: () => Promise<void>;
};

/** Starts an OCSP responder that serves OpenSSL over HTTP, and issues a certificate for the key `name` of the folder that names it. */
export async function startResponder(folder: string, name: string): Promise<Responder> {
  const at = (file: string) => join(folder, file);
  let state: Parameters<Responder['says']>[0] = 'good';
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount += 1;
    void buffer(request).then(async (question) => {
      const line =
        state === 'revoked' ? 'R\t301231235959Z\t261101000000Z\t2A\tunknown\t/CN=x\n' : 'V\t301231235959Z\t\t2A\tunknown\t/CN=x\n';
      await Promise.all([writeFile(at('ocsp-question'), question), writeFile(at('ocsp-index'), line)]);
      const [by, key] = {
        good: [`${name}-ca`, `${name}-ca`],
        revoked: [`${name}-ca`, `${name}-ca`],
        delegated: ['ocsp-delegate', 'Rob'],
        forged: ['ocsp', name],
      }[state];
      const signer = ['-rsigner', at(`${by}.pem`), '-rkey', at(`${key}.key`)];
      const args = [
        '-index',
        at('ocsp-index'),
        '-CA',
        at(`${name}-ca.pem`),
        ...signer,
        '-reqin',
        at('ocsp-question'),
        '-respout',
        at('ocsp-answer'),
        '-ndays',
        '1',
      ];
      await run('openssl', ['ocsp', ...args]);
      response.writeHead(200, { 'content-type': 'application/ocsp-response' }).end(await readFile(at('ocsp-answer')));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await writeFile(at('ocsp.ext'), `keyUsage=digitalSignature\nauthorityInfoAccess=OCSP;URI:${place}\n`);
  const issue = [
    'x509',
    '-req',
    '-in',
    at(`${name}.csr`),
    '-CA',
    at(`${name}-ca.pem`),
    '-CAkey',
    at(`${name}-ca.key`),
    '-set_serial',
    '42',
    '-sha256',
  ];
  await run('openssl', [...issue, '-days', '365', '-extfile', at('ocsp.ext'), '-out', at('ocsp.pem')]);
  await writeFile(at('ocsp-delegate.ext'), 'keyUsage=digitalSignature\nextendedKeyUsage=OCSPSigning\n');
  const delegate = issue.with(issue.indexOf(at(`${name}.csr`)), at('Rob.csr')).with(issue.indexOf('42'), '43');
  await run('openssl', [...delegate, '-days', '365', '-extfile', at('ocsp-delegate.ext'), '-out', at('ocsp-delegate.pem')]);
  return {
    certificate: await readFile(at('ocsp.pem'), 'utf8'),
    says: (next) => {
      state = next;
    },
    requestCount: () => requestCount,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
