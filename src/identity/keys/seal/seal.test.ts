import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { sign as signBytes, verify, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { activeSeal, pemOf, renewSeal } from '#keys';
import { type Chancery, startChancery } from '../../../../test/harness.ts';
import { makeAuthority, makeRevocationList } from './certificates.ts';
import { loadMasterKey, type MasterKey } from '../../../platform/crypto/master-key.ts';

const run = promisify(execFile);
let chancery: Chancery;
let masterKey: MasterKey;
let folder: string;
const settings = { name: 'Harbour & Söhne', baseUrl: 'https://chancery.example/' };

before(async () => {
  chancery = await startChancery({ role: 'api' });
  masterKey = await loadMasterKey({ configured: chancery.masterKey, dataDir: '', generate: 'never' });
  folder = await mkdtemp(join(tmpdir(), 'chancery-seal-'));
});
after(async () => {
  await chancery.stop();
  await rm(folder, { recursive: true, force: true });
});

const active = () => activeSeal(chancery.database, masterKey, settings);
const published = async (name: string) => Buffer.from(await (await fetch(`${chancery.url}/.well-known/${name}`)).arrayBuffer());
/** Returns the status of a certificate by the published revocation list, according to OpenSSL. */
async function opensslStatus(certificate: Buffer): Promise<string> {
  const files = {
    'leaf.pem': pemOf([certificate]),
    'ca.pem': await published('seal-authority.pem'),
    'list.der': await published('seal-revocations.crl'),
  };
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)));
  await run('openssl', ['crl', '-inform', 'DER', '-in', 'list.der', '-out', 'list.pem'], { cwd: folder });
  const check = ['verify', '-x509_strict', '-crl_check', '-CAfile', 'ca.pem', '-CRLfile', 'list.pem', '-purpose', 'smimesign', 'leaf.pem'];
  const { stdout, stderr } = await run('openssl', check, { cwd: folder }).catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

test('fifty concurrent first seals create one authority and one certificate that OpenSSL accepts', async () => {
  assert.equal((await published('seal-authority.pem')).length, 0);
  const all = await Promise.all(Array.from({ length: 50 }, active));
  assert.equal(new Set(all.map(({ certificate }) => certificate.toString('hex'))).size, 1);
  const [{ certificate, key, authority } = await active()] = all;
  const [leaf, issuer] = [new X509Certificate(certificate), new X509Certificate(authority)];
  assert.ok(issuer.ca && !leaf.ca && leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey));
  assert.deepEqual([leaf.subject, issuer.subject], ['CN=Harbour & Söhne', 'CN=Harbour & Söhne Seal Authority']);
  const content = Buffer.from('a contract');
  assert.ok(verify('sha256', content, leaf.publicKey, signBytes('sha256', content, key)), 'the key belongs to the certificate');
  const days = (leaf.validToDate.getTime() - Date.now()) / 86_400_000;
  assert.ok(days > 728 && days < 731, String(days));
  assert.match(await opensslStatus(certificate), /leaf\.pem: OK/);
  const { stdout } = await run('openssl', ['x509', '-in', join(folder, 'leaf.pem'), '-noout', '-text']);
  for (const part of [
    /Digital Signature, Non Repudiation/,
    /1\.3\.6\.1\.5\.5\.7\.3\.36, E-mail Protection|E-mail Protection, 1\.3/,
    /https:\/\/chancery\.example\/\.well-known\/seal-revocations\.crl/,
  ])
    assert.match(stdout, part);
  // The private keys in the database are encrypted.
  const { rows } = await chancery.pool.query('SELECT private_key FROM seal_authority UNION ALL SELECT private_key FROM seal_certificate');
  const plain = key.export({ format: 'der', type: 'pkcs8' }).subarray(-40);
  assert.ok(rows.length === 2 && rows.every(({ private_key: sealed }: { private_key: Buffer }) => !sealed.includes(plain)));
});

test('a renewed certificate signs, the previous one stays published without its key, and a revoked one is on the list', async () => {
  const first = await active();
  await renewSeal(chancery.database, masterKey, settings, 'renewed');
  const second = await active();
  assert.notDeepEqual(second.certificate, first.certificate);
  assert.match(await opensslStatus(first.certificate), /leaf\.pem: OK/);
  await renewSeal(chancery.database, masterKey, settings, 'revoked');
  assert.match(await opensslStatus(second.certificate), /certificate revoked/);
  assert.match(await opensslStatus((await active()).certificate), /leaf\.pem: OK/);
  const all = (await published('seal-certificates.pem')).toString();
  for (const { certificate } of [first, second, await active()]) assert.ok(all.includes(pemOf([certificate])));
  const { rows } = await chancery.pool.query(
    "SELECT status, private_key IS NULL AS gone FROM seal_certificate WHERE status <> 'active' ORDER BY status",
  );
  assert.deepEqual(rows, [
    { status: 'retired', gone: true },
    { status: 'revoked', gone: true },
  ]);
  const acts = await chancery.pool.query(
    "SELECT data FROM audit_entry WHERE type = 'key.rotated' AND data->>'purpose' = 'seal' ORDER BY id",
  );
  assert.deepEqual(
    acts.rows.map(({ data }) => data.reason),
    ['first', 'command', 'compromised'],
  );
});

test('the number of a revocation list grows beyond 255, and OpenSSL reads the list', async () => {
  const now = new Date();
  const authority = await makeAuthority('Harbour', now);
  for (const number of [1, 255, 256, 70_000]) {
    const revoked = [{ certificate: authority.certificate, at: now }];
    const list = await makeRevocationList(authority, { number, now, until: new Date(now.getTime() + 86_400_000), revoked });
    await Promise.all([writeFile(join(folder, 'own.der'), list), writeFile(join(folder, 'own.pem'), pemOf([authority.certificate]))]);
    const args = ['crl', '-inform', 'DER', '-in', 'own.der', '-noout', '-crlnumber', '-CAfile', 'own.pem'];
    const { stdout, stderr } = await run('openssl', args, { cwd: folder });
    const [, hex = ''] = /crlNumber=(?:0x)?([\dA-F]+)/i.exec(stdout) ?? [];
    assert.equal(Number.parseInt(hex, 16), number);
    assert.match(stderr, /verify OK/);
  }
});
