import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeSigner } from '../../../../test/signed-pdf.ts';
import { revocationList, startTimestampAuthority, type TimestampAuthority } from '../../../../test/timestamp-authority.ts';
import { proofsFrom } from './index.ts';
import { checkList } from './revocation-list.ts';
import { timestampsFrom, type Ask } from './timestamps.ts';

let folder: string;
let authority: TimestampAuthority;
let server: Server;
/** The list at the address in the certificate. */
let published: Buffer;
let certificate: X509Certificate;
let issuer: X509Certificate;
const read = async (name: string) => new X509Certificate(await readFile(join(folder, `${name}.pem`)));
const ask: Ask = async (url, init) => fetch(url, init as RequestInit);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-lists-'));
  server = createServer((_, response) => response.writeHead(200, { connection: 'close' }).end(published)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const place = `crlDistributionPoints=URI:http://127.0.0.1:${(server.address() as AddressInfo).port}/list.crl`;
  await Promise.all([makeSigner(folder, 'Olivia', undefined, [place]), makeSigner(folder, 'Rob')]);
  authority = await startTimestampAuthority(folder);
  [certificate, issuer] = [await read('Olivia'), await read('Olivia-ca')];
});
after(async () => {
  server.close();
  await authority.close();
  await rm(folder, { recursive: true, force: true });
});

const about = () => ({ certificate: certificate.raw, issuer: issuer.raw });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

test('a list reports a certificate as good or revoked; a list of another authority or an expired one is unfit', async () => {
  const [good, revoked, other] = [
    await revocationList(folder, 'Olivia-ca'),
    await revocationList(folder, 'Olivia-ca', ['2A', certificate.serialNumber]),
    await revocationList(folder, 'Rob-ca'),
  ];
  assert.equal(checkList(good, about(), inDays(0)), 'good');
  assert.equal(checkList(revoked, about(), inDays(0)), 'revoked');
  assert.equal(checkList(good, about(), inDays(31)), 'unfit');
  assert.equal(checkList(other, about(), inDays(0)), 'unfit');
  assert.throws(() => checkList(Buffer.concat([good, Buffer.alloc(1)]), about(), inDays(0)), /not DER/);
});

test('a list with a changed byte never reports a certificate as good', async () => {
  const list = await revocationList(folder, 'Olivia-ca', ['2A', certificate.serialNumber]);
  for (let at = 0; at < list.length; at += 1) {
    const changed = Buffer.from(list);
    changed[at]! ^= 1;
    const state = (() => {
      try {
        return checkList(changed, about(), inDays(0));
      } catch {
        return 'unfit';
      }
    })();
    assert.notEqual(state, 'good', `byte ${at}`);
  }
});

test('a revocation list with 20 000 entries proves a certificate good, and a revoked certificate is rejected', async () => {
  const { token } = await timestampsFrom(authority.url, ask)(Buffer.from('x'));
  const own = [await revocationList(folder, 'tsa-ca')];
  const proofs = proofsFrom(
    ask,
    async () => own,
    () => new Date(),
  );
  const collect = async (revoked: string[]) => {
    published = await revocationList(folder, 'Olivia-ca', revoked);
    return proofs([certificate.raw, issuer.raw], token);
  };
  const many = Array.from({ length: 20_000 }, (_, n) => (0x10_00_00 + n).toString(16).toUpperCase());
  const proof = await collect(many);
  assert.ok(published.length > 300_000);
  assert.deepEqual(proof?.lists, [published, ...own]);
  await assert.rejects(collect([certificate.serialNumber]), /revoked a certificate/);
  published = await revocationList(folder, 'Rob-ca');
  await assert.rejects(proofs([certificate.raw, issuer.raw], token), /not from its issuer/);
});
