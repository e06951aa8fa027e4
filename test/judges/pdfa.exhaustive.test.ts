import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answersManuscript } from '../../src/intake/issued-documents/answers-document.ts';
import type { Manuscript } from '../../src/platform/typesetting/typesetter.ts';
import { openSetting } from '../../src/records/document-templates/setting.ts';
import { library } from '../../src/records/document-templates/library/templates.ts';
import type { FilledField } from '../../src/work/signatures/sealing/index.ts';
import { plainPdf } from '../plain-pdf.ts';
import { sign } from '../signed-pdf.ts';
import { openSealedFiles, type SealedFiles } from './sealed-files.ts';
import { askJava, withFiles, withoutJavaJudges } from './tools.ts';

/** The declared standard of a file with its broken rules, and the broken rules of PDF/UA-1. */
type Verdict = { declared: string; accessible: string[] };

describe('veraPDF', { skip: withoutJavaJudges }, () => {
  let files: SealedFiles;
  const verdicts: Record<'issued' | 'sealed' | 'certificates' | 'broken', Verdict[]> = {
    issued: [],
    sealed: [],
    certificates: [],
    broken: [],
  };
  before(async () => {
    files = await openSealedFiles();
    const made = { issued: await issued(), sealed: await sealed(), certificates: await certificates(), broken: [await broken()] };
    // One start of Java takes longer than the validation.
    const lines = await withFiles(Object.values(made).flat(), (paths) => askJava('VeraPdf.java', paths));
    for (const [kind, some] of Object.entries(made) as [keyof typeof made, Uint8Array[]][])
      verdicts[kind] = some.map(() => ({ declared: lines.shift() ?? '', accessible: (lines.shift() ?? '').split('\t').slice(1) }));
  });
  after(() => files.close());

  const page = (standard?: string) =>
    files.typesetter.typeset({
      files: { 'main.typ': '#set document(title: "A")\n= Heading\n#page(flipped: true)[Tagged]' },
      data: {},
      ...(standard === undefined ? {} : { standard: standard as NonNullable<Manuscript['standard']> }),
    });
  const place = { page: 1, x: 72, y: 500, width: 200, height: 40 };
  const fields: FilledField[] = [
    { ...place, kind: 'signature', value: { text: 'Mara محمد 山田' } },
    { ...place, y: 560, width: 20, height: 20, kind: 'checkbox', value: { checked: true } },
  ];

  /** The documents of submissions in each language, and those of all library templates. */
  async function issued(): Promise<Uint8Array[]> {
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const image = { bytes: png, type: 'png', alt: 'Signature of Zoë' } as const;
    const answers = ['en', 'de', 'ar', 'ja'].map((locale) =>
      answersManuscript(
        {
          locale,
          team: 'Harbour & Lane Legal LLP',
          title: 'New client intake',
          timeZone: 'Europe/Berlin',
          submittedAt: new Date('2026-11-22T17:38:05Z'),
          reference: '019aabcd-1111-7000-8000-0123456789ab',
          version: 3,
          logo: { ...image, alt: 'Harbour & Lane' },
          sections: [
            {
              title: 'About you',
              answers: [
                { kind: 'text', label: 'الاسم', text: 'محمد 王小明 やまだ Анна Zoë 😀 𓀀 \u{e000}' },
                { kind: 'table', label: 'Directors', columns: ['Name'], rows: [['Zoë'], ['王小明']] },
                { kind: 'files', label: 'Proof', files: [{ name: 'passport.pdf', size: 482_113, sha256: 'ab'.repeat(32) }] },
                { kind: 'consent', label: 'I agree to the terms.', given: true },
                { kind: 'image', label: 'Signature', image },
              ],
            },
          ],
        },
        { code: '7K2QD-XW9MR-A41TC-8ZJ0P', url: 'https://chancery.example.org/verify/7K2QD-XW9MR-A41TC-8ZJ0P' },
      ),
    );
    const setting = openSetting({ log: { warn: () => undefined }, fontsFolder: undefined });
    try {
      const templates = library().map(({ source, schema }) =>
        setting.document('team', { source, schema, pictures: {} }, (schema.examples as unknown[])[0]),
      );
      return (await Promise.all([...answers.map((one) => files.typesetter.typeset(one)), ...templates])).map(({ pdf }) => pdf);
    } finally {
      await setting.close();
    }
  }

  const standards = ['1a', '1b', '2a', '2b', '2u', '3a', '4'];

  async function sealed(): Promise<Uint8Array[]> {
    const made: Uint8Array[] = [];
    for (const standard of standards) {
      const { pdf } = await page(`a-${standard}`);
      made.push(await files.seal(pdf), await files.seal(pdf, { fields, language: 'ar', level: 'B-LT' }));
    }
    return made;
  }

  async function certificates(): Promise<Uint8Array[]> {
    const signed = await sign(plainPdf(['One']), { folder: files.folder, name: 'Olivia' });
    return Promise.all(['en', 'de', 'ar', 'ja'].map((language) => files.seal(signed, { language })));
  }

  /** The second line of the file is a comment with bytes above 127 (ISO 19005-2, 6.1.2). */
  async function broken(): Promise<Uint8Array> {
    const pdf = Buffer.from((await page()).pdf);
    pdf.write('aaaa', pdf.indexOf('\n%') + 2);
    return pdf;
  }

  test('finds documents of submissions and templates to be PDF/A-2a', () => {
    assert.deepEqual(new Set(verdicts.issued.map(({ declared }) => declared)), new Set(['2a']));
  });

  test('finds that they lack only the declaration of PDF/UA-1 and a setting of the viewer', () => {
    for (const { accessible } of verdicts.issued)
      assert.deepEqual(
        accessible.map((rule) => rule.split(':')[0]),
        ['7.1-10', '5-1'],
      );
  });

  test('finds a sealed file to conform like the uploaded file', () => {
    assert.deepEqual(
      verdicts.sealed.map(({ declared }) => declared),
      standards.flatMap((standard) => [standard, standard]),
    );
  });

  test('finds the certificate of an already signed file to be PDF/A-3a', () => {
    assert.deepEqual(new Set(verdicts.certificates.map(({ declared }) => declared)), new Set(['3a']));
  });

  test('finds a file that does not conform', () => {
    assert.match(verdicts.broken[0]?.declared ?? '', /^2a\t6\.1\.2-2: /);
  });
});
