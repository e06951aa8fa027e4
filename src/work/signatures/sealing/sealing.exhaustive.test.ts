import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, sign as signBytes, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { askTool, declaredStandard, pixelsOf, textOf, withoutPdfTools } from '../../../../test/pdf.ts';
import { stream } from '../../../../test/pdf-parts.ts';
import { plainPdf } from '../../../../test/plain-pdf.ts';
import { append, makeSigner, sign } from '../../../../test/signed-pdf.ts';
import { revocationList, startResponder, startTimestampAuthority } from '../../../../test/timestamp-authority.ts';
import { byQpdf, filledForm, letterWith } from '../../../../test/uploads.ts';
import type { Limits } from '../../../platform/reading/sandbox.ts';
import { writePng } from '../../../platform/reading/png.ts';
import { createTypesetter, type Typesetter } from '../../../platform/typesetting/typesetter.ts';
import { findSignatures } from '../verifying/find-signatures.ts';
import { inspectSignedFile } from '../verifying/index.ts';
import { verdictOn } from '../verifying/verdict.ts';
import { prepare as prepareFile } from './prepare.ts';
import {
  type FilledField,
  openSealing,
  pkcs12Signer,
  type PageRectangle,
  type PreparedPdf,
  proofsFrom,
  SealFailed,
  type Sealing,
  type SealSigner,
  timestampsFrom,
  Unsealable,
} from './index.ts';
import type { SealOrder } from './pdf-sealer.ts';
import type { Ask } from './timestamps.ts';
import { workOnFile } from './work.ts';

const letter = plainPdf(['The first page', 'The second page']);
const log = { warn: () => undefined };
const someHash = 'ab'.repeat(32);
let folder: string;
let typesetter: Typesetter;
let sealing: Sealing;
let trusted: string;

async function signerOf(name: string, algorithm: SealSigner['algorithm']): Promise<SealSigner> {
  const certificate = async (file: string) => new X509Certificate(await readFile(join(folder, file))).raw;
  const key = createPrivateKey(await readFile(join(folder, `${name}.key`)));
  return {
    certificate: await certificate(`${name}.pem`),
    chain: [await certificate(`${name}-ca.pem`)],
    algorithm,
    digest: 'sha256',
    sign: async (bytes) => signBytes('sha256', bytes, key),
  };
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-sealing-'));
  await Promise.all([makeSigner(folder, 'Olivia'), makeSigner(folder, 'Rob', ['-newkey', 'rsa:3072'])]);
  trusted = (await readFile(join(folder, 'Olivia-ca.pem'), 'utf8')) + (await readFile(join(folder, 'Rob-ca.pem'), 'utf8'));
  typesetter = createTypesetter({ log: { warn: () => undefined }, workers: 1 });
  sealing = openSealing({ log, typesetter, signer: () => signerOf('Olivia', 'ecdsa'), sealedBy: 'Chancery of Harbour' });
});
after(async () => {
  await typesetter.close();
  await rm(folder, { recursive: true, force: true });
});

const prepare = (file: Uint8Array, fields: PageRectangle[] = [], by = sealing) => by.prepare(async () => Readable.from([file]), { fields });

const order = ({ presented, manner, findings, pages }: PreparedPdf, fields: FilledField[] = [], language = 'en'): SealOrder => ({
  presented,
  manner,
  findings,
  pages,
  fields,
  evidence: {
    language,
    requestId: '019d2f4e-6a00-7c2b-9a54-0000000000a1',
    documentName: 'Lease of the harbour',
    teamName: 'Harbour & Söhne',
    requestedBy: 'Rob',
    requestedAt: new Date('2026-03-10T08:00:00Z'),
    completedAt: new Date('2026-03-11T09:30:00Z'),
    verifyUrl: 'https://chancery.example/verify',
    signers: [
      {
        name: 'Mara #strong[Lind]',
        email: 'mara@example.com',
        role: 'signer' as const,
        known: 'code' as const,
        how: 'typed' as const,
        signedAt: new Date('2026-03-11T09:00:00Z'),
        consentLanguage: 'de',
        hasField: true,
        evidenceSha256: someHash,
      },
      {
        name: 'محمد علي',
        typedName: '山田',
        role: 'approver' as const,
        known: 'account' as const,
        how: 'confirmed' as const,
        signedAt: new Date('2026-03-11T09:30:00Z'),
        consentLanguage: 'ar',
        hasField: false,
        evidenceSha256: someHash,
      },
    ],
    history: [{ at: new Date('2026-03-10T08:05:00Z'), act: 'viewed', name: 'Mara Lind' }],
  },
});

const refused = (reason: Unsealable['reason']) => (error: unknown) =>
  error instanceof Unsealable && error.reason === reason && /[A-Z].*\.$/.test(error.message);

/** Returns the verdict of independent tools on a sealed file. */
async function toolReport(sealed: Buffer): Promise<string> {
  askTool(sealed, 'qpdf', '--check', 'PDF');
  return askTool(sealed, 'pdfsig', '-nocert', 'PDF');
}
const valid = /ETSI\.CAdES\.detached[^]*Total document signed[^]*Signature is Valid/;

describe('a sealed file', { skip: withoutPdfTools }, () => {
  let prepared: PreparedPdf;
  let sealed: Buffer;
  const fields: FilledField[] = [
    { page: 1, x: 72, y: 500, width: 200, height: 40, kind: 'signature', value: { text: 'Mara Lind' } },
    { page: 2, x: 72, y: 500, width: 100, height: 20, kind: 'date', value: { text: '2026-03-11' } },
    { page: 2, x: 72, y: 540, width: 20, height: 20, kind: 'checkbox', value: { checked: true } },
    { page: 2, x: 72, y: 560, width: 20, height: 20, kind: 'checkbox', value: { checked: false } },
  ];
  before(async () => {
    prepared = await prepare(letter, fields);
    ({ sealed } = await sealing.seal(order(prepared, fields)));
  });

  test('begins with the presented file, has a signature of the whole file, and shows the signatures in fields and certificate', async () => {
    assert.deepEqual([prepared.findings, prepared.manner, prepared.pages.length], [[], 'append', 2]);
    assert.ok(prepared.presented.equals(letter) && sealed.subarray(0, letter.length).equals(letter));
    assert.match(await toolReport(sealed), valid);
    const text = textOf(sealed);
    for (const part of [
      'The first page',
      'Mara Lind',
      '2026-03-11',
      'Certificate of signing',
      'Harbour & Söhne',
      'Mara #strong[Lind]',
      'محمد علي',
      '山田',
      someHash,
      prepared.sha256,
      'access to the mailbox',
      'simple electronic signatures',
    ])
      assert.ok(text.includes(part), `${part} is missing in ${text}`);
    assert.match(askTool(sealed, 'qpdf', '--show-object=trailer', 'PDF'), /Root/);
    const verdict = verdictOn(sealed, { trusted, now: Date.now() });
    assert.deepEqual([verdict.status, verdict.signatures.length, verdict.signatures[0]?.covers], ['valid', 1, 'whole']);
    // The seal claims its time, and nothing confirms it.
    assert.ok(Math.abs(Date.parse(verdict.signatures[0]?.signedAt ?? '') - Date.now()) < 600_000);
  });

  test('is reported as changed by this service and other tools after a flipped byte, an added revision or a removed page', async () => {
    for (const at of [20, letter.length + 40, sealed.length - 20]) {
      const flipped = Buffer.from(sealed);
      flipped[at]! ^= 1;
      assert.notEqual(verdictOn(flipped, { trusted, now: Date.now() }).status, 'valid', `byte ${at}`);
    }
    const inside = Buffer.from(sealed);
    inside[letter.indexOf('The first') + 1]! ^= 1;
    assert.match(askTool(inside, 'pdfsig', '-nocert', 'PDF'), /Digest Mismatch/);
    const added = append(sealed, { 90: '<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(no)>>' });
    assert.match(askTool(added, 'pdfsig', '-nocert', 'PDF'), /Not total document signed/);
    assert.equal(verdictOn(added, { trusted, now: Date.now() }).status, 'modified');
    const cut = byQpdf(sealed, '--pages', '.', '1-2', '--');
    assert.throws(() => askTool(cut, 'pdfsig', '-nocert', 'PDF'), /does not contain any signatures/);
    assert.notEqual(verdictOn(cut, { trusted, now: Date.now() }).status, 'valid');
  });
});

test('a field shows its whole value in a legible font, on several lines if necessary', { skip: withoutPdfTools }, async () => {
  const boxes = [
    { x: 72, y: 300, width: 220, height: 40, text: Array.from({ length: 90 }, (_, at) => `w${at}`).join(' ') },
    { x: 72, y: 400, width: 60, height: 12, text: `${'m'.repeat(40)} end0` },
    { x: 72, y: 450, width: 200, height: 60, text: '山田太郎は東京都に住んでいます。'.repeat(12) },
    { x: 72, y: 550, width: 200, height: 14, text: 'A word or two' },
  ];
  const fields = boxes.map(({ text, ...place }): FilledField => ({ ...place, page: 1, kind: 'text', value: { text } }));
  const { sealed } = await sealing.seal(order(await prepare(plainPdf(['.']), fields), fields));
  const words = [
    ...askTool(sealed, 'pdftotext', '-f', '1', '-l', '1', '-bbox', 'PDF', '-').matchAll(
      /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</g,
    ),
  ].map(([, left, top, right, bottom, word = '']) => ({
    left: Number(left),
    top: Number(top),
    right: Number(right),
    bottom: Number(bottom),
    word,
  }));
  for (const { x, y, width, height, text } of boxes) {
    const inside = words.filter(
      ({ left, right, top, bottom }) => left >= x && right <= x + width && (top + bottom) / 2 > y && (top + bottom) / 2 < y + height,
    );
    const said = inside.map(({ word }) => word).join('');
    assert.equal(said.replaceAll('\u200b', ''), text.replaceAll(' ', ''));
    for (const { top, bottom, word } of inside) assert.ok(bottom - top > 3, `${word} is ${bottom - top} points high`);
  }
});

test('the certificate shows long texts completely, even if a word is longer than a line', { skip: withoutPdfTools }, async () => {
  const sealOrder = order(await prepare(plainPdf(['A page'])));
  const [signer] = sealOrder.evidence.signers;
  const word = (of: string) => `${of.repeat(199)}.`;
  const name = `${word('M')} ${'👩\u200d👧'.repeat(3)}`;
  assert.ok(signer);
  const evidence = {
    ...sealOrder.evidence,
    documentName: word('W'),
    teamName: word('H'),
    signers: [{ ...signer, name, typedName: word('ب'), email: `${'e'.repeat(64)}@${'d'.repeat(60)}.example` }],
    history: [{ at: new Date('2026-03-10T08:05:00Z'), act: 'viewed' as const, name: word('N') }],
  };
  const { sealed } = await sealing.seal({ ...sealOrder, evidence });
  const shown = textOf(sealed).replaceAll(/[\s\u200b\u202a-\u202e\u2066-\u2069]/g, '');
  for (const [one, least] of Object.entries({ W: 199, M: 199, H: 199, N: 199, ب: 199, e: 64, d: 60 }))
    assert.ok(shown.split(one).length - 1 >= least, `${one} is there ${shown.split(one).length - 1} times`);
});

test(
  'an address on the certificate can be copied unchanged, and a signer without a field has a line',
  { skip: withoutPdfTools },
  async () => {
    const ordered = order(await prepare(plainPdf(['A page'])));
    const [signer] = ordered.evidence.signers;
    assert.ok(signer);
    const email = 'anna-katharina.mustermann-schmidt@legal.example.org';
    for (const [language, line] of [
      ['en', 'Signed electronically by Mara Lind, 2026-03-11 09:00:00 UTC'],
      ['de', 'Elektronisch unterzeichnet von Mara Lind, 2026-03-11 09:00:00 UTC'],
      ['ja', 'Mara Lindが電子署名しました（2026-03-11 09:00:00 UTC）'],
    ] as const) {
      const textWith = async (hasField: boolean): Promise<string> => {
        const evidence = { ...ordered.evidence, language, signers: [{ ...signer, name: 'Mara Lind', email, hasField }] };
        return textOf((await sealing.seal({ ...ordered, evidence })).sealed);
      };
      const [without, withField] = [await textWith(false), await textWith(true)];
      assert.ok(without.split(/\s+/).includes(email), without);
      assert.ok(!without.includes('\u200b'));
      assert.ok(without.includes(line), without);
      assert.ok(!withField.includes(line), withField);
    }
  },
);

describe('the value of a field is visible on the page', { skip: withoutPdfTools }, () => {
  const clipped = () => readFile(new URL('../../../../test/fixtures/pdf/unbalanced-q-clip.pdf', import.meta.url));
  const field: FilledField = { page: 1, x: 20, y: 20, width: 120, height: 30, kind: 'signature', value: { text: 'Mara Lind' } };
  const white = Buffer.from(writePng({ width: 60, height: 20, data: Buffer.alloc(60 * 20 * 4, 255) }));
  const note = '<</Type/Annot/Subtype/Square/F 4/Rect[0 0 300 792]/AP<</N 21 0 R>>>>';
  const covered = letterWith('', {
    4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>/Annots[20 0 R]>>',
    20: note,
    21: '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 18>>\nstream\n1 g 0 0 9 9 re f Q \nendstream',
  });

  test('if the page content ends within a clip', async () => {
    const { sealed } = await sealing.seal(order(await prepare(await clipped(), [field]), [field]));
    assert.match(await toolReport(sealed), valid);
    const at = await pixelsOf(sealed, 0);
    const dark = Array.from({ length: 120 * 30 }, (_, n) => at(20 + (n % 120), 20 + Math.floor(n / 120))).filter(
      (color) => Number.parseInt(color, 10) < 128,
    );
    assert.ok(dark.length > 20, `${dark.length} pixels`);
  });

  test('at the requested size, if the page unit is two points', async () => {
    const large = append(letter, {
      4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 306 396]/UserUnit 2/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>>>',
    });
    const far: FilledField = { ...field, x: 400, y: 700 };
    const prepared = await prepare(large, [far]);
    await sealing.seal(order(prepared, [far]));
    assert.deepEqual(prepared.pages[0], { width: 612, height: 792 });
  });

  test('the file is rejected before any signer is asked if other content covers the field', async () => {
    await assert.rejects(prepare(covered, [field]), refused('field_not_visible'));
    await prepare(covered, [{ ...field, x: 400 }]);
  });

  test('the file is rejected if the page is almost as dark as the ink, and accepted on a lighter color', async () => {
    const colored = (color: string) => letterWith('', { 5: stream(`${color} rg 0 0 612 792 re f`) });
    await assert.rejects(prepare(colored('0.125 0.125 0.125'), [field]), refused('field_not_visible'));
    await prepare(colored('0.12 0.3 0.61'), [field]);
  });

  test('the file is not sealed if the value is not visible', async () => {
    const prepared = await prepare(letter, [field]);
    await assert.rejects(sealing.seal(order(prepared, [{ ...field, value: { png: white } }])), refused('field_not_visible'));
    await assert.rejects(sealing.seal(order(await prepare(covered), [field])), refused('field_not_visible'));
  });
});

test('RSA keys can seal, and OpenSSL reads the expected message', { skip: withoutPdfTools }, async () => {
  const rsa = openSealing({ log, typesetter, signer: () => signerOf('Rob', 'rsa'), sealedBy: 'Rob' });
  const { sealed } = await rsa.seal(order(await prepare(letter)));
  assert.match(await toolReport(sealed), valid);
  assert.equal(verdictOn(sealed, { trusted, now: Date.now() }).status, 'valid');
});

test(
  'a timestamp is requested again if the authority is unavailable, and a timestamp for other data is rejected',
  { skip: withoutPdfTools },
  async () => {
    const authority = await startTimestampAuthority(folder);
    try {
      const ask: Ask = async (url, init) => fetch(url, init as RequestInit);
      const stamped = openSealing({
        typesetter,
        signer: () => signerOf('Olivia', 'ecdsa'),
        sealedBy: 'Chancery of Harbour',
        timestamps: timestampsFrom(authority.url, ask),
      });
      const prepared = await prepare(letter);
      authority.refuse(1);
      const { sealed, level, timestampedAt } = await stamped.seal(order(prepared));
      assert.deepEqual([level, authority.requestCount()], ['B-T', 2]);
      assert.ok(Math.abs(Number(timestampedAt) - Date.now()) < 60_000);
      assert.match(await toolReport(sealed), valid);
      // The authority confirms the time, so the signature stays valid after its certificate expires.
      const later = Date.now() + 400 * 86_400_000;
      const [signature] = verdictOn(sealed, { trusted, now: Date.now() }).signatures;
      assert.deepEqual([signature?.status, signature?.signedAt], ['valid', timestampedAt?.toISOString()]);
      assert.equal(verdictOn(sealed, { trusted, now: later }).reason, 'expired');
      assert.equal(verdictOn(sealed, { trusted: trusted + authority.ca, now: later }).status, 'valid');

      authority.replay(true);
      await assert.rejects(stamped.seal(order(prepared)), (error: unknown) => error instanceof SealFailed && error.step === 'timestamp');
      authority.refuse(9);
      await assert.rejects(stamped.seal(order(prepared)), (error: unknown) => error instanceof SealFailed && /503/.test(error.message));
    } finally {
      await authority.close();
    }
  },
);

test(
  'validation data is appended as a revision that keeps the signature valid; other content is a change',
  { skip: withoutPdfTools },
  async () => {
    const authority = await startTimestampAuthority(folder);
    try {
      const list = (name: string) => revocationList(folder, name);
      const own = await Promise.all(['Olivia-ca', 'tsa-ca'].map(list));
      const ask: Ask = async (url, init) => fetch(url, init as RequestInit);
      const proofs = proofsFrom(
        ask,
        async () => own,
        () => new Date(),
      );
      const parts = {
        log,
        typesetter,
        signer: () => signerOf('Olivia', 'ecdsa'),
        sealedBy: 'x',
        timestamps: timestampsFrom(authority.url, ask),
      };
      const prepared = await prepare(letter);
      const { sealed, level } = await openSealing({ ...parts, proofs }).seal(order(prepared));
      assert.equal(level, 'B-LT');
      askTool(sealed, 'qpdf', '--check', 'PDF');
      assert.match(askTool(sealed, 'pdfsig', '-nocert', 'PDF'), /Signature is Valid/);
      const look = (file: Buffer) => inspectSignedFile(Readable.from([file]), { trusted, now: Date.now() });
      const verdict = await look(sealed);
      assert.deepEqual([verdict.status, verdict.signatures[0]?.covers, verdict.added], ['valid', 'whole', undefined]);
      const end = findSignatures(sealed)[0]?.end ?? 0;
      assert.ok(end > 0 && end < sealed.length);
      // The same revision with other content beside the validation data: page content, an annotation, a catalog entry, an unreachable object.
      const catalog = /\n1 0 obj\s(<<[^]*?>>)\s*endobj/.exec(`\n${sealed.toString('latin1', end)}`)?.[1] ?? '';
      assert.match(catalog, /DSS/);
      const page = /\n4 0 obj\n(<<.*>>)\nendobj/.exec(letter.toString('latin1'))?.[1] ?? '';
      const changes: Record<number, string>[] = [
        { 5: '<</Length 5>>\nstream\n0 0 m\nendstream' },
        { 4: page.replace('<</Type/Page/', '<</Type/Page/Annots[<</Type/Annot/Subtype/Text/Rect[0 0 99 99]/Contents(no)>>]/') },
        { 1: catalog.replace('<<', '<</OpenAction[4 0 R/Fit]') },
        { 2: '<</Type/Pages/Kids[4 0 R]/Count 1>>' },
        { 999: '<</Type/Annot/Subtype/Text/Rect[0 0 99 99]/Contents(no)>>' },
        { 999: '<</Type/ObjStm/N 1/First 6/Length 17>>\nstream\n998 0 <</a(no)>>\nendstream' },
      ];
      assert.equal((await look(append(sealed, { 1: catalog }))).status, 'valid', 'a catalog with the same content');
      for (const change of changes) {
        const changed = await look(append(sealed, change));
        assert.deepEqual([changed.status, changed.reason], ['modified', 'added_after_signing'], JSON.stringify(change));
      }
      // A certificate with an OCSP responder. Its response is cached, and only an authorized signature is accepted.
      const responder = await startResponder(folder, 'Olivia');
      try {
        const { raw } = new X509Certificate(responder.certificate);
        const signer = async () => ({ ...(await signerOf('Olivia', 'ecdsa')), certificate: raw });
        const tsa = own.slice(1);
        const asking = () =>
          proofsFrom(
            ask,
            async () => tsa,
            () => new Date(),
          );
        const answered = openSealing({ ...parts, signer, proofs: asking() });
        const first = await answered.seal(order(prepared));
        assert.deepEqual([first.level, (await answered.seal(order(prepared))).level, responder.requestCount()], ['B-LT', 'B-LT', 1]);
        assert.match(askTool(first.sealed, 'pdfsig', '-nocert', 'PDF'), /Signature is Valid/);
        assert.match(first.sealed.toString('latin1'), /\/OCSPs/);
        assert.equal((await look(first.sealed)).status, 'valid');
        const stamp = await parts.timestamps(Buffer.from('x'));
        const { certificate, chain } = await signer();
        for (const [state, error] of [
          ['revoked', /revoked a certificate/],
          ['forged', /not signed by the issuer/],
        ] as const) {
          responder.says(state);
          await assert.rejects(asking()([certificate, ...chain], stamp.token), error);
        }
        responder.says('delegated');
        assert.equal((await asking()([certificate, ...chain], stamp.token))?.answers.length, 1);
        responder.says('good');
        const late = proofsFrom(
          ask,
          async () => tsa,
          () => new Date(Date.now() + 3 * 86_400_000),
        );
        await assert.rejects(late([certificate, ...chain], stamp.token), /not current/);
      } finally {
        await responder.close();
      }
      // Without a revocation list, the level of the seal is lower.
      const without = await openSealing({
        ...parts,
        proofs: proofsFrom(
          ask,
          async () => [],
          () => new Date(),
        ),
      }).seal(order(prepared));
      assert.equal(without.level, 'B-T');
    } finally {
      await authority.close();
    }
  },
);

test(
  'a revoked certificate seals nothing valid; a PKCS#12 file can sign, and one that does not open is an error',
  { skip: withoutPdfTools },
  async () => {
    const { sealed } = await sealing.seal(order(await prepare(letter)));
    const { issuer, serialNumber } = new X509Certificate(await readFile(join(folder, 'Olivia.pem')));
    const verdict = verdictOn(sealed, { trusted, revoked: [{ issuer, serialNumber, at: Date.now() }], now: Date.now() });
    assert.deepEqual([verdict.status, verdict.reason], ['invalid', 'revoked']);
    for (const [name, more] of [
      ['Olivia', []],
      ['Rob', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1']],
    ] as const) {
      const file = join(folder, `${name}.p12`);
      const args = [
        '-export',
        '-inkey',
        `${name}.key`,
        '-in',
        `${name}.pem`,
        '-certfile',
        `${name}-ca.pem`,
        '-passout',
        'pass:secret',
        '-out',
        file,
      ];
      execFileSync('openssl', ['pkcs12', ...args, ...more], { cwd: folder });
      const signer = await pkcs12Signer(file, 'secret', new Date());
      assert.equal(signer.chain.length, 1);
      const made = await openSealing({ log, typesetter, signer: async () => signer, sealedBy: name }).seal(order(await prepare(letter)));
      assert.equal(verdictOn(made.sealed, { trusted, now: Date.now() }).status, 'valid');
      await assert.rejects(pkcs12Signer(file, 'wrong', new Date()), /SEAL_PKCS12_PASSWORD does not open/);
      await assert.rejects(pkcs12Signer(file, 'secret', new Date(Date.now() + 400 * 86_400_000)), /not valid now/);
    }
  },
);

describe('valid uploads of each kind become a sealed file', { skip: withoutPdfTools }, () => {
  // The heading of each certificate in its language, with embedded fonts.
  const headings: Record<string, string[]> = {
    en: ['Certificate of signing'],
    de: ['Unterschriftsnachweis', 'Postfach'],
    ja: ['署名証明書', '依頼', 'が文書を開きました'],
    ar: ['شهادة التوقيع', 'التوقيعات'],
  };
  const kinds: Record<string, { file: () => Buffer | Promise<Buffer>; findings?: PreparedPdf['findings']; language?: string }> = {
    'linearised, with streams of objects': { file: () => byQpdf(letter, '--linearize', '--object-streams=generate') },
    'with a table of objects as a stream': { file: () => byQpdf(letter, '--object-streams=generate') },
    'PDF 2.0': { file: () => byQpdf(letter, '--force-version=2.0') },
    'with an owner’s password': {
      file: () => byQpdf(letter, '--encrypt', '', 'owner', '256', '--modify=none', '--'),
      findings: ['owner_password_removed'],
    },
    'with a broken table of objects': {
      file: () => Buffer.from(letter.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1'),
      findings: ['repaired'],
      language: 'ar',
    },
    'with a form': { file: filledForm, findings: ['flattened'], language: 'de' },
    'PDF/A-2a': {
      language: 'ja',
      file: async () => {
        const { pdf } = await typesetter.typeset({
          files: { 'main.typ': '#set document(title: "A")\n#page(flipped: true)[Tagged]' },
          data: {},
        });
        return Buffer.from(pdf);
      },
    },
    'turned and cropped, with what its pages inherit': {
      file: () =>
        append(letter, {
          2: '<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2/Rotate 90/MediaBox[-20 -10 592 782]/Resources<</Font<</F1 3 0 R>>>>>>',
          4: '<</Type/Page/Parent 2 0 R/CropBox[0 0 500 700]/Contents 5 0 R>>',
        }),
    },
  };
  for (const [kind, { file, findings = [], language = 'en' }] of Object.entries(kinds)) {
    test(kind, async () => {
      const upload = await file();
      const field: FilledField = { page: 1, x: 10, y: 20, width: 90, height: 30, kind: 'text', value: { text: 'Here' } };
      const prepared = await prepare(upload, [field]);
      assert.deepEqual([prepared.findings, prepared.manner], [findings, 'append']);
      assert.equal(prepared.presented.equals(upload), findings.length === 0);
      const { sealed } = await sealing.seal(order(prepared, [field], language));
      assert.ok(sealed.subarray(0, prepared.presented.length).equals(prepared.presented));
      assert.match(await toolReport(sealed), valid);
      const shown = textOf(sealed);
      for (const part of headings[language] ?? []) assert.ok(shown.includes(part), `${part} is missing in ${shown}`);
      if (language !== 'en') assert.doesNotMatch(shown, /Certificate|Signed|Identified by/);
      if (kind === 'PDF/A-2a') assert.equal(declaredStandard(sealed), 'PDF/A-2a');
      assert.ok(shown.includes('Here') && (kind === 'PDF/A-2a' || shown.includes('The first page')), shown);
      if (kind === 'with a form') assert.match(shown, /forty-two/);
      if (kind.startsWith('turned')) {
        assert.deepEqual(prepared.pages, [
          { width: 700, height: 500 },
          { width: 792, height: 612 },
        ]);
        // The field is at the top of the rotated page.
        const [box] =
          /xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>Here/
            .exec(askTool(sealed, 'pdftotext', '-bbox', '-l', '1', 'PDF', '-'))
            ?.slice(1)
            .map(Number) ?? [];
        assert.ok(box !== undefined && box < 100, String(box));
      }
    });
  }

  test('a file with existing signatures stays unchanged and is attached to a sealed certificate', async () => {
    const upload = await sign(letter, { folder, name: 'Rob' });
    const prepared = await prepare(upload);
    assert.deepEqual([prepared.manner, prepared.findings, prepared.presented.equals(upload)], ['separate', ['signed_before'], true]);
    const { sealed } = await sealing.seal(order(prepared, [], 'ar'));
    assert.match(await toolReport(sealed), valid);
    assert.equal(declaredStandard(sealed), 'PDF/A-3a');
    const fonts = askTool(sealed, 'pdffonts', 'PDF').trim().split('\n').slice(2);
    assert.ok(
      fonts.some((font) => font.includes('Amiri')) && fonts.every((font) => / yes yes yes +\d+ +\d+$/.test(font)),
      fonts.join('\n'),
    );
    const attached = join(folder, 'original.pdf');
    await writeFile(join(folder, 'sealed.pdf'), sealed);
    askTool(sealed, 'pdfdetach', '-save', '1', '-o', attached, 'PDF');
    assert.ok((await readFile(attached)).equals(upload));
    await assert.rejects(prepare(upload, [{ page: 1, x: 0, y: 0, width: 9, height: 9 }]), refused('fields_not_possible'));
  });
});

test('invalid uploads fail with a message and within the limits', { skip: withoutPdfTools }, async () => {
  const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>';
  const page = (more: string) => ({
    4: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>${more}>>`,
  });
  // Most uploads are rejected by their content, which needs no separate process.
  const inside = (file: Buffer, fields: PageRectangle[] = []) => prepareFile(file, fields);
  const small: Limits = { cpuSeconds: 2, wallSeconds: 600, dataMb: 800, heapMb: 64 };
  const tight = openSealing({ log, typesetter, signer: () => signerOf('Olivia', 'ecdsa'), sealedBy: 'x', limits: small });
  const numbers = Array.from({ length: 5_000 }, (_, at) => 100 + at);
  const manyPages = append(letter, {
    2: `<</Type/Pages/Kids[${numbers.map((number) => `${number} 0 R`).join(' ')}]/Count 5000/MediaBox[0 0 612 792]>>`,
    ...Object.fromEntries(numbers.map((number) => [number, '<</Type/Page/Parent 2 0 R>>'])),
  });
  const bomb = deflateSync(Buffer.alloc(150_000_000, ' '));
  const objects = Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${bomb.length}>>\nstream\n`),
    bomb,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
  const packed = Buffer.concat([
    objects,
    Buffer.from('2 0 obj\n<</Type/XRef/W[1 2 2]/Size 4/Root 3 0 R/Length 20>>\nstream\n'),
    Buffer.from([0, 0, 0, 0, 0, 1, 0, 9, 0, 0, 1, 0, 0, 0, 0, 2, 0, 1, 0, 0]),
    Buffer.from(`\nendstream\nendobj\nstartxref\n${objects.length}\n%%EOF\n`),
  ]);
  const cases: [string, Unsealable['reason'] | Unsealable['reason'][], () => Promise<unknown>][] = [
    ['no PDF', 'not_a_pdf', () => inside(Buffer.from('PK'))],
    ['garbage', 'broken', () => inside(Buffer.from('%PDF-1.7\nand nothing'))],
    ['truncated', ['no_pages', 'broken'], () => inside(letter.subarray(0, 60))],
    ['a password', 'password', () => inside(byQpdf(letter, '--encrypt', 'secret', 'owner', '256', '--'))],
    ['XFA', 'xfa', () => inside(letterWith('/AcroForm<</Fields[]/XFA(<a/>)>>'))],
    ['a script at the start', 'active_content', () => inside(letterWith(`/OpenAction ${script}`))],
    ['a script by name', 'active_content', () => inside(letterWith(`/Names<</JavaScript<</Names[(a) ${script}]>>>>`))],
    ['an action of a page', 'active_content', () => inside(letterWith('', page('/AA<</O<</S/Launch/F(x.exe)>>>>')))],
    ['a film', 'active_content', () => inside(letterWith('', page('/Annots[<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]>>]')))],
    ['data elsewhere', 'active_content', () => inside(letterWith('', { 5: '<</Length 0/F(other.bin)>>\nstream\n\nendstream' }))],
    [
      'a layer that is off',
      'active_content',
      () => inside(letterWith('/OCProperties<</OCGs[20 0 R]/D<</OFF[20 0 R]>>>>', { 20: '<</Type/OCG/Name(a)>>' })),
    ],
    ['5 000 pages', 'too_many_pages', () => inside(manyPages)],
    ['a field beside the page', 'field_outside_page', () => inside(letter, [{ page: 1, x: 600, y: 0, width: 90, height: 9 }])],
    ['a field on no page', 'field_outside_page', () => inside(letter, [{ page: 3, x: 0, y: 0, width: 90, height: 9 }])],
    ['no PDF, in a process of its own', 'not_a_pdf', () => prepare(Buffer.from('PK'), [], tight)],
    ['a bomb', 'limit', () => prepare(packed, [], tight)],
  ];
  for (const [name, reasons, work] of cases)
    await assert.rejects(work, (error: unknown) => [reasons].flat().some((reason) => refused(reason)(error)), name);
});

test('a file is closed if its work is aborted', async () => {
  const file = Readable.from([letter]);
  const signal = AbortSignal.abort(new Error('nobody'));
  await assert.rejects(workOnFile({ work: 'prepare', fields: [] }, [file], { signal }), /nobody/);
  assert.ok(file.destroyed);
});
