import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { PDF, PdfArray, PdfDict } from '@libpdf/core';
import { BitString, fromBER, Integer, Sequence } from 'asn1js';
import fc from 'fast-check';
import { Certificate } from 'pkijs';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { withoutPdfTools } from '../../../test/pdf.ts';
import { plainPdf } from '../../../test/plain-pdf.ts';
import { append, makeSigner, sign, type Signer } from '../../../test/signed-pdf.ts';
import { readDer, writeDer } from '../../platform/crypto/asn1.ts';
import type { Limits } from '../../platform/reading/sandbox.ts';
import { openVerifying } from './service.ts';
import { inspectSignedFile, TooBusy, TooHard } from './verifying/index.ts';
import { onlyProofsBehind } from './verifying/appended-validation-data.ts';
import { verdictOn } from './verifying/verdict.ts';

const run = promisify(execFile);
const path = '/api/v1/signatures/verify';
const letter = plainPdf(['The first page', 'The second page']);
let folder: string;
let olivia: Signer;
let rob: Signer;
let signed: Buffer;
let trusted: string;
/** A file with two cross-reference tables. Some programs show content that differs from the signed content. */
let hybrid: Buffer;
const stream = (content: string) => `<</Length ${content.length}>>\nstream\n${content}\nendstream`;
const verifyRequest = (more: { trusted?: string; now?: number } = {}) => ({ trusted, now: Date.now(), ...more });
const pem = (name: string) => readFile(join(folder, `${name}.pem`), 'utf8');

/** A file with additional content before and in its last cross-reference table. */
function beside(pdf: Buffer, what: string, { entries = '', trailer = '' } = {}): Buffer {
  const text = pdf.toString('latin1');
  const at = text.lastIndexOf('xref\n', text.lastIndexOf('startxref') - 1);
  const table = text
    .slice(at)
    .replace('xref\n', `xref\n${entries}`)
    .replace('/Prev', `${trailer}/Prev`)
    .replace(/startxref\n\d+/, `startxref\n${at + what.length}`);
  return Buffer.from(`${text.slice(0, at)}${what}${table}`, 'latin1');
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-signatures-'));
  olivia = await makeSigner(folder, 'Olivia');
  rob = await makeSigner(folder, 'Rob', ['-newkey', 'rsa:2048']);
  signed = await sign(letter, olivia);
  trusted = (await pem('Olivia-ca')) + (await pem('Rob-ca'));
});
after(() => rm(folder, { recursive: true, force: true }));

test(
  'a signed PDF of a trusted authority is valid, with its signer and time, and other tools agree',
  { skip: withoutPdfTools },
  async () => {
    const file = join(folder, 'signed.pdf');
    await writeFile(file, signed);
    const { stdout } = await run('pdfsig', ['-nocert', file]);
    assert.match(stdout, /Total document signed[^]*Signature is Valid/);
    const { signatures, ...verdict } = verdictOn(signed, verifyRequest());
    assert.deepEqual(verdict, { status: 'valid' });
    const [{ signedAt, ...signature } = {}, ...others] = signatures;
    assert.deepEqual(signature, { status: 'valid', kind: 'signature', covers: 'whole', name: 'Olivia', issuer: 'Olivia Authority' });
    assert.ok(Math.abs(Date.parse(signedAt ?? '') - Date.now()) < 3_600_000, String(signedAt));
    assert.deepEqual(others, []);
  },
);

test('RSA, PSS, key identifiers and messages without attributes are supported; SHA-1, expired and unknown certificates are reported', async () => {
  const by = (...more: string[]) => sign(letter, rob, more);
  const kinds = { rsa: ['-cades'], pss: ['-md', 'sha512', '-keyopt', 'rsa_padding_mode:pss'], keyid: ['-keyid'], plain: ['-noattr'] };
  for (const [kind, more] of Object.entries(kinds)) {
    const verdict = verdictOn(await by(...more), verifyRequest());
    assert.equal(verdict.status, 'valid', `${kind}: ${JSON.stringify(verdict)}`);
    // A message without a time uses the time of the dictionary.
    if (kind === 'plain') assert.equal(verdict.signatures[0]?.signedAt, '2026-03-10T08:00:00.000Z');
  }
  const why = (verdict: ReturnType<typeof verdictOn>) => [verdict.status, verdict.reason];
  assert.deepEqual(why(verdictOn(await by('-md', 'sha1'), verifyRequest())), ['invalid', 'weak_algorithm']);
  const later = Date.now() + 400 * 86_400_000;
  assert.deepEqual(why(verdictOn(signed, verifyRequest({ now: later }))), ['unknown', 'expired']);
  assert.deepEqual(why(verdictOn(signed, verifyRequest({ trusted: await pem('Rob-ca') }))), ['unknown', 'untrusted']);
  // A directly trusted certificate needs no authority, and certificates issued by it are not trusted.
  assert.equal(verdictOn(signed, verifyRequest({ trusted: await pem('Olivia') })).status, 'valid');
});

test('changed bytes, removed pages, added content and byte ranges with a gap are detected', { skip: withoutPdfTools }, async () => {
  const [file, cut] = [join(folder, 'whole.pdf'), join(folder, 'cut.pdf')];
  await writeFile(file, signed);
  await run('qpdf', [file, '--pages', '.', '1', '--', cut]);
  assert.equal(verdictOn(await readFile(cut), verifyRequest()).status, 'modified');

  const added = verdictOn(append(signed, { 40: '<</Type/Annot/Subtype/Text>>', 41: '<</Type/Page>>' }), verifyRequest());
  assert.deepEqual([added.status, added.reason], ['modified', 'added_after_signing']);
  assert.deepEqual([added.added?.objects, added.added?.types], [2, ['Annot', 'Page']]);
  assert.deepEqual([added.signatures[0]?.status, added.signatures[0]?.covers], ['valid', 'part']);

  // The signatures of an attached signed file do not count.
  const attached = append(letter, { 9: `<</Length ${signed.length}>>\nstream\n${signed.toString('latin1')}\nendstream` });
  const around = verdictOn(await sign(attached, olivia), verifyRequest());
  assert.deepEqual([around.status, around.signatures.length], ['valid', 1], JSON.stringify(around));

  // Another object beside the message, in the unsigned gap, which every viewer would show.
  const text = signed.toString('latin1');
  const [, start = 0, end = 0] = (/ByteRange\[0 (\d+) (\d+)/.exec(text) ?? []).map(Number);
  const hole = Buffer.from(`${text.slice(0, end - 40)}>/X(${'y'.repeat(35)})${text.slice(end)}`, 'latin1');
  assert.equal(hole.length, signed.length);
  assert.deepEqual([start < end, verdictOn(hole, verifyRequest()).status], [true, 'modified']);

  fc.assert(
    fc.property(fc.nat(signed.length - 1), fc.integer({ min: 1, max: 255 }), (at, bits) => {
      const changed = Buffer.from(signed);
      changed[at] = (changed[at] ?? 0) ^ bits;
      const { status } = verdictOn(changed, verifyRequest());
      // Some bytes of the message are insignificant: its padding and the case of its digits.
      return status !== 'valid' || (at > start && at < end - 1);
    }),
    { numRuns: 150 },
  );
});

test('a signature value from another key is invalid, with and without signed attributes', async () => {
  for (const kind of ['-cades', '-noattr']) {
    const forged = Buffer.from(await sign(letter, rob, [kind, '-md', 'sha256']));
    assert.equal(verdictOn(forged, verifyRequest()).status, 'valid', kind);
    // The signature value is at the end of the message: `30 82`, two bytes of length, and the value.
    const message = forged.lastIndexOf('/Contents<3082') + '/Contents<'.length;
    const bytes = 4 + Number.parseInt(forged.toString('latin1', message + 4, message + 8), 16);
    const lastDigit = message + 2 * bytes - 1;
    forged.write(forged.toString('latin1', lastDigit, lastDigit + 1) === '0' ? '1' : '0', lastDigit, 'latin1');
    const { status, reason } = verdictOn(forged, verifyRequest());
    assert.deepEqual([status, reason], ['invalid', 'broken_signature'], kind);
  }
});

test('a certificate of an authority with the same name as a trusted one is untrusted', async () => {
  const elsewhere = join(folder, 'impostor');
  await mkdir(elsewhere);
  // Without the authority key identifier, the certificate identifies its issuer only by the subject.
  const impostor = await makeSigner(elsewhere, 'Olivia', undefined, ['authorityKeyIdentifier=none']);
  const { status, reason } = verdictOn(await sign(letter, impostor), verifyRequest());
  assert.deepEqual([status, reason], ['unknown', 'untrusted']);
});

test('a revoked certificate stays revoked if its signature is replaced by the other valid form', async () => {
  const elsewhere = join(folder, 'revoked');
  await mkdir(elsewhere);
  const signer = await makeSigner(elsewhere, 'Mara');
  const at = (name: string) => join(elsewhere, name);
  const [authority, leaf] = [await readFile(at('Mara-ca.pem'), 'utf8'), new X509Certificate(await readFile(at('Mara.pem')))];
  const revoked = [{ issuer: leaf.issuer, serialNumber: leaf.serialNumber, at: Date.now() }];
  const why = async () => {
    const { status, reason } = verdictOn(await sign(letter, signer), { ...verifyRequest({ trusted: authority }), revoked });
    return [status, reason];
  };
  assert.deepEqual(await why(), ['invalid', 'revoked']);

  // If (r, s) is a valid signature, (r, n - s) is valid too.
  const certificate = readDer(Certificate, leaf.raw);
  const { result } = fromBER(certificate.signatureValue.valueBlock.valueHexView);
  const [r, s] = (result as Sequence).valueBlock.value as [Integer, Integer];
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const other = new Sequence({ value: [r, Integer.fromBigInt(order - s.toBigInt()).convertToDER()] });
  certificate.signatureValue = new BitString({ valueHex: other.toBER() });
  const copy = new X509Certificate(writeDer(certificate));
  assert.notEqual(copy.fingerprint256, leaf.fingerprint256);
  assert.ok(copy.verify(new X509Certificate(authority).publicKey));
  await writeFile(at('Mara.pem'), copy.toString());
  assert.deepEqual(await why(), ['invalid', 'revoked']);
});

test('validation data can be extended in a new object, and no other object can hide in it', async () => {
  const catalog = [...signed.toString('latin1').matchAll(/\n1 0 obj\n(<<.*>>)\nendobj/g)].at(-1)?.[1] ?? '';
  const proofs = (number: number) => ({ 1: catalog.replace('<<', `<</DSS ${number} 0 R`), [number]: '<</Certs[]>>' });
  const proven = append(signed, proofs(90));
  const note = '<</Type/Annot/Subtype/Text/Rect[0 0 99 99]/Contents(no)>>';
  assert.equal(await onlyProofsBehind(proven, signed.length), true);
  assert.equal(
    await onlyProofsBehind(append(proven, proofs(95)), signed.length),
    true,
    'a new DSS object instead of the first one still counts',
  );
  assert.equal(await onlyProofsBehind(append(append(proven, { 999: note }), proofs(95)), signed.length), false);

  for (const harmless of ['% a comment\n', '\n\n'])
    assert.equal(await onlyProofsBehind(beside(proven, harmless), signed.length), true, harmless);
  for (const hidden of [
    `999 0 obj ${note}`,
    '999 0 obj <</Type/Annot/Contents(no /Type /XRef )>>',
    '999 0 obj <</Type/Annot/A<</Type/XRef>>>>',
    '999 0 obj <</Type/XRef/Subtype/Text>>',
    `999%\n0 obj ${note}`,
    `999 0% a comment\nobj ${note}`,
    `999%${'c'.repeat(2_000)}\n0 obj ${note}`,
    `999 %a comment 1\n0 obj ${note}`,
    `999 0 % 1 0\nobj ${note}`,
    `999 0${' '.repeat(2_000)}obj ${note}`,
    `999 0obj ${note}`,
    `00000000000999 0 obj ${note}`,
    '999 0 obj\n<</Type/XRef/Size 1/W[1 1 1]/Length 3/Root 1 0 R>>\nstream\nabc\nendstream',
    // A copy of visible content, which programs find if they ignore the tables.
    `5 0 obj\n${stream('(no) Tj')}`,
    `% 5 0 obj ${stream('(no) Tj')}`,
  ])
    assert.equal(await onlyProofsBehind(beside(proven, `${hidden}\nendobj\n`), signed.length), false, hidden.slice(0, 60));
});

test('content after a signature does not count as validation data if a viewer could read it differently', async () => {
  const text = signed.toString('latin1');
  const newest = (number: number) => [...text.matchAll(new RegExp(`\\n${number} 0 obj\\n([^]*?)\\nendobj`, 'g'))].at(-1)?.[1] ?? '';
  const [catalog, page] = [newest(1), newest(4)];
  const proofs = { 1: catalog.replace('<<', '<</DSS 90 0 R'), 90: '<</Certs[]/Other 91 0 R>>', 91: stream('BT (no) Tj ET') };
  const proven = append(signed, proofs);
  const entry = (place: number, generation = 0) => `${String(place).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
  const content = text.indexOf('\n5 0 obj') + 1;
  const stamp = '/Type/Annot/FT/Sig/T(Stamp)/F 132/P 4 0 R/V 93 0 R';
  const stamped = (field: string, kind = 'ETSI.RFC3161') =>
    append(signed, {
      ...proofs,
      4: page.replace(/Annots\[([^\]]*)/, 'Annots[$1 92 0 R'),
      92: field,
      93: `<</Type/DocTimeStamp/Filter/Adobe.PPKLite/SubFilter/${kind}>>`,
    });
  const is = async (expected: boolean, file: Buffer, what: string) =>
    assert.equal(await onlyProofsBehind(file, signed.length), expected, what);
  await is(true, proven, 'proofs');
  await is(true, stamped(`<<${stamp}/Subtype/Widget/Rect[0 0 0 0]>>`), 'a document timestamp');
  await is(true, append(signed, { ...proofs, 4: page }), 'a page with the same content');

  // The old table leads to other content, and the stream beside it, which some programs read first, to the signed content.
  const [evil, place] = [
    `5 0 obj\n${stream('BT /F1 12 Tf 72 600 Td (no) Tj ET')}\nendobj\n`,
    proven.toString('latin1').lastIndexOf('xref\n', proven.length - 30),
  ];
  const row = Buffer.from([1, 0, 0, content >> 8, content & 255, 0, 0]).toString('latin1');
  const table = `200 0 obj\n<</Type/XRef/Size 201/W[1 4 2]/Index[5 1]/Length 7/Root 1 0 R>>\nstream\n${row}\nendstream\nendobj\n`;
  const more = { entries: `5 1\n${entry(place)}`, trailer: `/XRefStm ${place + evil.length}` };
  const both = `200 0 obj\n<</Type/XRef/Size 201/W[1 4 2]/Index[201 1]/Length 7/Root 1 0 R>>\nstream\n${'\0'.repeat(7)}\nendstream\nendobj\n`;
  await is(true, beside(proven, both, { trailer: `/XRefStm ${place}` }), 'two tables that agree');
  hybrid = beside(proven, evil + table, more);
  await is(false, hybrid, 'two tables that disagree');
  await is(false, beside(proven, '', { entries: `5 1\n${entry(content, 7)}` }), 'a different generation number');
  await is(false, beside(proven, '', { entries: `5 1\n${entry(content)}` }), 'a table that points into the signed content');
  await is(false, beside(proven, '', { entries: '97 1\n0000000000 00000 n \n' }), 'a table that points to nothing');
  await is(false, beside(proven, '', { trailer: '/Encrypt<</Filter/Standard/V 1/R 2/P -4>>' }), 'an unknown key');
  await is(false, beside(proven, '', { trailer: '/Root 91 0 R' }), 'two catalogs');
  await is(false, append(signed, { ...proofs, 4: page.replace('/Contents 5 0 R', '/Contents 91 0 R/Contents 5 0 R') }), 'two contents');
  await is(false, append(signed, { ...proofs, 4: page.replace('/Contents 5 0 R', '/Cont#65nts 91 0 R/Contents 5 0 R') }), 'two contents');
  await is(false, append(signed, { ...proofs, 4: `${page}\n<<>>` }), 'an object with more than one value');
  await is(false, append(signed, { ...proofs, 5: newest(5) }), 'a rewritten content stream');
  await is(false, stamped(`<<${stamp}/Subtype/Text/Contents(no)/Rect[9 9 9 9]>>`), 'an annotation, which is visible at any size');
  await is(false, stamped(`<<${stamp}/Subtype/Widget/Rect[0 0 0 0]/Popup 91 0 R>>`), 'a field with an annotation');
  await is(false, stamped(`<<${stamp}/Subtype/Widget/Rect[0 0 0 0]>>`, 'ETSI.CAdES.detached'), 'a signature instead of a timestamp');

  // The annotation list of a page may change. Other content in the same object may not.
  const shared = append(Buffer.from(letter.toString('latin1').replace('/Contents 5 0 R', '/Contents 8 0 R'), 'latin1'), { 8: '[5 0 R]' });
  const whole = await sign(shared, olivia);
  const pageThen = [...whole.toString('latin1').matchAll(/\n4 0 obj\n([^]*?)\nendobj/g)].at(-1)?.[1] ?? '';
  assert.match(pageThen, /Annots\[10 0 R\].*Contents 8 0 R/);
  const listed = append(whole, { 4: pageThen.replace('[10 0 R]', ' 8 0 R'), 8: '[10 0 R]' });
  assert.equal(await onlyProofsBehind(listed, whole.length), false, 'a content stream that is also an annotation list');
});

test(
  'validation data in object streams with a cross-reference stream is accepted, without other content',
  { skip: withoutPdfTools },
  async () => {
    const [plain, packed] = [join(folder, 'plain.pdf'), join(folder, 'packed.pdf')];
    await writeFile(plain, letter);
    await run('qpdf', ['--object-streams=generate', plain, packed]);
    const whole = await readFile(packed);
    const pdf = await PDF.load(whole);
    const root = pdf.context.info.trailer.getRef('Root')!;
    pdf.context.catalog.getDict().set('DSS', pdf.context.register(new PdfDict([['Certs', PdfArray.of()]])));
    const proven = Buffer.from(await pdf.save({ incremental: true }));
    assert.equal(proven.subarray(0, whole.length).equals(whole), true);
    assert.equal(await onlyProofsBehind(proven, whole.length), true, 'a cross-reference stream');

    const pages = /\/Pages (\d+) 0 R/.exec(proven.toString('latin1', whole.length))?.[1] ?? '';
    const previous = Number(/startxref\n(\d+)/.exec(whole.toString('latin1', whole.length - 60))?.[1]);
    /** A file with the catalog and validation data in an object stream, of which `listed` objects are in the table. */
    const files = (objects: Record<number, string>, listed = Object.keys(objects).length) => {
      const numbers = Object.keys(objects).map(Number);
      const bodies = Object.values(objects);
      const places = bodies.map((_, n) => bodies.slice(0, n).join('\n').length + (n > 0 ? 1 : 0));
      const head = numbers.map((number, n) => `${number} ${places[n]} `).join('');
      const inside = head + bodies.join('\n');
      const container = `\n80 0 obj\n<</Type/ObjStm/N ${numbers.length}/First ${head.length}/Length ${inside.length}>>\nstream\n${inside}\nendstream\nendobj\n`;
      const at = whole.length + container.length;
      const rows = [
        ...numbers.slice(0, listed).map((number, n): [number, number[]] => [number, [2, 0, 0, 80, n]]),
        [80, [1, 0, ...pair(whole.length + 1), 0]] as [number, number[]],
      ];
      const data = Buffer.from(rows.flatMap(([, row]) => row)).toString('latin1');
      const index = rows.map(([number]) => `${number} 1`).join(' ');
      const table = `81 0 obj\n<</Type/XRef/Size 95/W[1 3 1]/Index[${index}]/Root ${root.objectNumber} 0 R/Prev ${previous}/Length ${data.length}>>\nstream\n${data}\nendstream\nendobj\n`;
      return Buffer.concat([whole, Buffer.from(`${container}${table}startxref\n${at}\n%%EOF\n`, 'latin1')]);
    };
    const pair = (place: number) => [place >> 8, place & 255];
    const catalog = { [root.objectNumber]: `<</Type/Catalog/Pages ${pages} 0 R/DSS 90 0 R>>` };
    const is = async (expected: boolean, file: Buffer, what: string) =>
      assert.equal(await onlyProofsBehind(file, whole.length), expected, what);
    await is(true, files({ ...catalog, 90: '<</Certs[]>>' }), 'validation data in an object stream');
    await is(false, files({ ...catalog, 90: '<</Certs[]>>', 91: '<</Type/Annot>>' }), 'an unreachable object');
    await is(false, files({ ...catalog, 90: '<</Certs[]>>', [pages]: '<</Type/Pages/Kids[]/Count 0>>' }, 2), 'an unlisted object');
    await is(false, files({ ...catalog, 90: '<</Certs[]/Certs[9]>>' }), 'a duplicate key');
  },
);

test('a signature after another one adds content under every name, and only a timestamp authority confirms a time', async () => {
  const twice = await sign(signed, rob);
  const verdict = verdictOn(twice, verifyRequest(), new Set([signed.length]));
  assert.deepEqual([verdict.status, verdict.reason], ['modified', 'added_after_signing']);
  assert.deepEqual(
    verdict.signatures.map(({ covers }) => covers),
    ['part', 'whole'],
  );

  // A document timestamp with an email certificate of a trusted authority.
  const file = await sign(letter, rob);
  const [, start = 0, end = 0] = (/ByteRange\[0 (\d+) (\d+)/.exec(file.toString('latin1')) ?? []).map(Number);
  const digest = createHash('sha256').update(file.subarray(0, start)).update(file.subarray(end)).digest('hex');
  const [conf, info, token] = ['info.conf', 'info.der', 'token.der'].map((name) => join(folder, name));
  await writeFile(
    conf!,
    `asn1=SEQUENCE:info\n[info]\nversion=INTEGER:1\npolicy=OID:1.2.3.4\nimprint=SEQUENCE:imprint\nserial=INTEGER:1\ntime=GENTIME:20260310090000Z\n[imprint]\nalgorithm=SEQUENCE:algorithm\nhash=FORMAT:HEX,OCT:${digest}\n[algorithm]\nname=OID:sha256\nnone=NULL\n`,
  );
  await run('openssl', ['asn1parse', '-genconf', conf!, '-noout', '-out', info!]);
  const by = ['-signer', join(folder, 'Rob.pem'), '-inkey', join(folder, 'Rob.key'), '-md', 'sha256', '-cades'];
  const kind = ['-nodetach', '-econtent_type', '1.2.840.113549.1.9.16.1.4'];
  await run('openssl', ['cms', '-sign', '-binary', ...by, ...kind, '-outform', 'DER', '-in', info!, '-out', token!]);
  file.write((await readFile(token!)).toString('hex').padEnd(end - start - 2, '0'), start + 1, 'latin1');
  const stamped = verdictOn(file, verifyRequest());
  assert.deepEqual([stamped.status, stamped.reason, stamped.signatures[0]?.kind], ['unknown', 'untrusted', 'timestamp']);
});

test('every file gets a verdict', () => {
  const piece = fc.oneof(
    fc.constantFrom('/ByteRange[0 60 90 20]', '/ByteRange [0 1 2 3', '<30800609', '00>', ' obj', 'endobj', '/Contents', '\0'),
    fc.string({ maxLength: 20 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const { status } = verdictOn(Buffer.from(`%PDF-1.7\n${pieces.join('')}`, 'latin1'), verifyRequest());
      assert.notEqual(status, 'valid');
    }),
    { numRuns: 300 },
  );
});

test('a file above a limit is stopped, and a compressed bomb is rejected before', async () => {
  const within = (limits: Partial<Limits>) =>
    inspectSignedFile(Readable.from([signed]), verifyRequest(), { cpuSeconds: 10, wallSeconds: 600, dataMb: 700, heapMb: 256, ...limits });
  const file = new Readable({ read: () => undefined });
  setImmediate(() => file.destroy(new Error('the store broke off')));
  await assert.rejects(inspectSignedFile(file, verifyRequest()), /the store broke off/);
  assert.equal((await within({})).status, 'valid');
  await assert.rejects(within({ heapMb: 2 }), TooHard);
  await assert.rejects(within({ wallSeconds: 0 }), TooBusy);

  const nothings = `<3084001e8480${'0500'.repeat(1_000_000)}>`;
  const range = `%PDF-1.7\n/ByteRange[0 50 ${50 + nothings.length} 10]`.padEnd(50);
  const bomb = verdictOn(Buffer.from(range + nothings + ' '.repeat(10), 'latin1'), verifyRequest());
  assert.deepEqual([bomb.status, bomb.signatures.length], ['unknown', 1]);
});

test('the API verifies files anonymously, stores nothing, and limits an address to ten files a minute', async () => {
  const files = join(folder, 'files');
  const settings = { VERIFY_TRUST: join(folder, 'Olivia-ca.pem'), STORAGE_URL: `file:${files}` };
  const chancery: Chancery = await startChancery({ role: 'api', settings });
  try {
    const ask = (bytes: Buffer) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'letter.pdf');
      return chancery.call('POST', path, { body: form });
    };
    const answer = await ask(signed);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.status, answer.body.signatures[0].name], ['valid', 'Olivia']);
    assert.deepEqual([answer.headers.get('cache-control'), (await ask(letter)).body.reason], ['no-store', 'unsigned']);

    const two = (await ask(hybrid)).body;
    assert.deepEqual([two.status, two.reason], ['modified', 'added_after_signing']);

    const none = await chancery.call('POST', path, { body: new FormData() });
    assert.deepEqual([none.status, none.body.code], [400, 'file_required']);
    const kept = await readdir(files, { recursive: true, withFileTypes: true });
    assert.deepEqual(
      kept.filter((entry) => entry.isFile()).map(({ name }) => name),
      [],
    );

    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(Buffer.from('no PDF'))));
    assert.ok(answers.some(({ status }) => status === 429));
  } finally {
    await chancery.stop();
  }
});

test('a file is closed if the trust cannot be loaded', async () => {
  const verifying = openVerifying({
    trust: () => Promise.reject(new Error('away')),
    now: () => new Date(),
    requestBySeal: async () => undefined,
  });
  const file = Readable.from([letter]);
  let opened = false;
  const open = async () => {
    opened = true;
    return file;
  };
  await assert.rejects(verifying.verify({ sha256: '', open }), /away/);
  assert.equal(opened, file.destroyed);
});
