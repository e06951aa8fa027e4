import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { type Chancery, startChancery } from '../../test/harness.ts';
import { withoutPdfTools } from '../../test/pdf.ts';
import { plainPdf } from '../../test/plain-pdf.ts';
import { append, makeSigner, sign, type Signer } from '../../test/signed-pdf.ts';
import type { Limits } from '../platform/reading/confined.ts';
import { lookAtFile, TooBusy, TooHard } from './verifying/index.ts';
import { onlyProofsBehind } from './verifying/proofs-behind.ts';
import { verdictOn } from './verifying/verdict.ts';

const run = promisify(execFile);
const path = '/api/v1/signatures/verify';
const letter = plainPdf(['The first page', 'The second page']);
let folder: string;
let olivia: Signer;
let rob: Signer;
let signed: Buffer;
let trusted: string;
const asked = (more: { trusted?: string; now?: number } = {}) => ({ trusted, now: Date.now(), ...more });
const pem = (name: string) => readFile(join(folder, `${name}.pem`), 'utf8');

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-signatures-'));
  olivia = await makeSigner(folder, 'Olivia');
  rob = await makeSigner(folder, 'Rob', ['-newkey', 'rsa:2048']);
  signed = await sign(letter, olivia);
  trusted = (await pem('Olivia-ca')) + (await pem('Rob-ca'));
});
after(() => rm(folder, { recursive: true, force: true }));

test(
  'a signed PDF is valid where its authority is trusted, with who and when, and what other tools say is said here',
  { skip: withoutPdfTools },
  async () => {
    const file = join(folder, 'signed.pdf');
    await writeFile(file, signed);
    const { stdout } = await run('pdfsig', ['-nocert', file]);
    assert.match(stdout, /Total document signed[^]*Signature is Valid/);
    const { signatures, ...verdict } = verdictOn(signed, asked());
    assert.deepEqual(verdict, { status: 'valid' });
    const [{ signedAt, ...signature } = {}, ...others] = signatures;
    assert.deepEqual(signature, { status: 'valid', kind: 'signature', covers: 'whole', name: 'Olivia', issuer: 'Olivia Authority' });
    assert.ok(Math.abs(Date.parse(signedAt ?? '') - Date.now()) < 3_600_000, String(signedAt));
    assert.deepEqual(others, []);
  },
);

test('RSA, PSS, a key named by its identifier and a message without attributes are understood; SHA-1 and an expired or unknown certificate are told', async () => {
  const by = (...more: string[]) => sign(letter, rob, more);
  const kinds = { rsa: ['-cades'], pss: ['-md', 'sha512', '-keyopt', 'rsa_padding_mode:pss'], keyid: ['-keyid'], plain: ['-noattr'] };
  for (const [kind, more] of Object.entries(kinds)) {
    const verdict = verdictOn(await by(...more), asked());
    assert.equal(verdict.status, 'valid', `${kind}: ${JSON.stringify(verdict)}`);
    // Of a message that says no time the dictionary's is told.
    if (kind === 'plain') assert.equal(verdict.signatures[0]?.signedAt, '2026-03-10T08:00:00.000Z');
  }
  const why = (verdict: ReturnType<typeof verdictOn>) => [verdict.status, verdict.reason];
  assert.deepEqual(why(verdictOn(await by('-md', 'sha1'), asked())), ['invalid', 'weak_algorithm']);
  const later = Date.now() + 400 * 86_400_000;
  assert.deepEqual(why(verdictOn(signed, asked({ now: later }))), ['unknown', 'expired']);
  assert.deepEqual(why(verdictOn(signed, asked({ trusted: await pem('Rob-ca') }))), ['unknown', 'untrusted']);
  // A certificate that is trusted itself needs no authority; one that it has issued is nobody's.
  assert.equal(verdictOn(signed, asked({ trusted: await pem('Olivia') })).status, 'valid');
});

test(
  'a byte that was changed, a page that was taken away, something added and a range with a hole are each found',
  { skip: withoutPdfTools },
  async () => {
    const [file, cut] = [join(folder, 'whole.pdf'), join(folder, 'cut.pdf')];
    await writeFile(file, signed);
    await run('qpdf', [file, '--pages', '.', '1', '--', cut]);
    assert.equal(verdictOn(await readFile(cut), asked()).status, 'modified');

    const added = verdictOn(append(signed, { 40: '<</Type/Annot/Subtype/Text>>', 41: '<</Type/Page>>' }), asked());
    assert.deepEqual([added.status, added.reason], ['modified', 'added_after_signing']);
    assert.deepEqual([added.added?.objects, added.added?.types], [2, ['Annot', 'Page']]);
    assert.deepEqual([added.signatures[0]?.status, added.signatures[0]?.covers], ['valid', 'part']);

    // A signed file within a signed file is none of its own.
    const attached = append(letter, { 9: `<</Length ${signed.length}>>\nstream\n${signed.toString('latin1')}\nendstream` });
    const around = verdictOn(await sign(attached, olivia), asked());
    assert.deepEqual([around.status, around.signatures.length], ['valid', 1], JSON.stringify(around));

    // Another object beside the message, where nothing is signed: every reader would show what stands there.
    const text = signed.toString('latin1');
    const [, start = 0, end = 0] = (/ByteRange\[0 (\d+) (\d+)/.exec(text) ?? []).map(Number);
    const hole = Buffer.from(`${text.slice(0, end - 40)}>/X(${'y'.repeat(35)})${text.slice(end)}`, 'latin1');
    assert.equal(hole.length, signed.length);
    assert.deepEqual([start < end, verdictOn(hole, asked()).status], [true, 'modified']);

    fc.assert(
      fc.property(fc.nat(signed.length - 1), fc.integer({ min: 1, max: 255 }), (at, bits) => {
        const changed = Buffer.from(signed);
        changed[at] = (changed[at] ?? 0) ^ bits;
        const { status } = verdictOn(changed, asked());
        // Of the message itself some says nothing: what fills it up, or how its digits are written.
        return status !== 'valid' || (at > start && at < end - 1);
      }),
      { numRuns: 150 },
    );
  },
);

test('proofs may be extended under another name, and no object is hidden among them, however its heading or what is in it is written', async () => {
  const catalog = [...signed.toString('latin1').matchAll(/\n1 0 obj\n(<<.*>>)\nendobj/g)].at(-1)?.[1] ?? '';
  const proofs = (number: number) => ({ 1: catalog.replace('<<', `<</DSS ${number} 0 R`), [number]: '<</Certs[]>>' });
  const proven = append(signed, proofs(90));
  const note = '<</Type/Annot/Subtype/Text/Rect[0 0 99 99]/Contents(no)>>';
  assert.equal(await onlyProofsBehind(proven, signed.length), true);
  assert.equal(
    await onlyProofsBehind(append(proven, proofs(95)), signed.length),
    true,
    'what the first catalog calls the proofs proves still',
  );
  assert.equal(await onlyProofsBehind(append(append(proven, { 999: note }), proofs(95)), signed.length), false);

  // Between the last object and the table of them.
  const text = proven.toString('latin1');
  const at = text.lastIndexOf('xref\n', text.lastIndexOf('startxref') - 1);
  const beside = (what: string) =>
    Buffer.from(`${text.slice(0, at)}${what}\n${text.slice(at).replace(/startxref\n\d+/, `startxref\n${at + what.length + 1}`)}`, 'latin1');
  for (const harmless of ['% a comment', '999 0 obj\n<</Type/XRef/Size 1/W[1 1 1]/Length 3/Root 1 0 R>>\nstream\nabc\nendstream\nendobj'])
    assert.equal(await onlyProofsBehind(beside(harmless), signed.length), true, harmless);
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
  ])
    assert.equal(await onlyProofsBehind(beside(`${hidden}\nendobj`), signed.length), false, hidden.slice(0, 60));
});

test('whatever a file holds, something is said of it', () => {
  const piece = fc.oneof(
    fc.constantFrom('/ByteRange[0 60 90 20]', '/ByteRange [0 1 2 3', '<30800609', '00>', ' obj', 'endobj', '/Contents', '\0'),
    fc.string({ maxLength: 20 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const { status } = verdictOn(Buffer.from(`%PDF-1.7\n${pieces.join('')}`, 'latin1'), asked());
      assert.notEqual(status, 'valid');
    }),
    { numRuns: 300 },
  );
});

test('a file that takes more than it may is ended, and one that hides much in little is refused before', async () => {
  const within = (limits: Partial<Limits>) =>
    lookAtFile(Readable.from([signed]), asked(), { cpuSeconds: 10, wallSeconds: 60, dataMb: 700, heapMb: 256, ...limits });
  assert.equal((await within({})).status, 'valid');
  await assert.rejects(within({ heapMb: 2 }), TooHard);
  await assert.rejects(within({ wallSeconds: 0 }), TooBusy);

  const nothings = `<3084001e8480${'0500'.repeat(1_000_000)}>`;
  const range = `%PDF-1.7\n/ByteRange[0 50 ${50 + nothings.length} 10]`.padEnd(50);
  const bomb = verdictOn(Buffer.from(range + nothings + ' '.repeat(10), 'latin1'), asked());
  assert.deepEqual([bomb.status, bomb.signatures.length], ['unknown', 1]);
});

test('anybody asks over the API; nothing is kept, and an address waits after ten files', async () => {
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
