import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { after, test } from 'node:test';
import { askTool, declaredStandard, textOf, withoutPdfTools } from '../../../test/pdf.ts';
import { createTypesetter } from '../../platform/typesetting/typesetter.ts';
import { type AnswersDocument, answersManuscript } from './answers-document.ts';
import { prepareText } from './script-runs.ts';

const typesetter = createTypesetter({ log: { warn: () => undefined }, workers: 1 });
after(() => typesetter.close());

const verification = { code: '7K2QD-XW9MR-A41TC-8ZJ0P', url: 'https://chancery.example.org/verify/7K2QD-XW9MR-A41TC-8ZJ0P' };
const base = {
  team: 'Harbour & Lane Legal LLP',
  title: 'New client intake',
  timeZone: 'Europe/Berlin',
  submittedAt: new Date('2026-11-22T17:38:05Z'),
  reference: '019aabcd-1111-7000-8000-0123456789ab',
  version: 3,
};
const answers: AnswersDocument['sections'] = [
  {
    title: 'About you',
    answers: [
      { kind: 'text', label: 'Full name', text: 'Zoë Åkerström-Nguyễn' },
      { kind: 'text', label: 'Полное имя', text: 'Анна Каренина' },
      { kind: 'text', label: '名前', text: 'やまだ 太郎' },
      { kind: 'text', label: '姓名', text: '王小明' },
      { kind: 'text', label: 'الاسم', text: 'محمد بن عبد الله للاختبار' },
      { kind: 'text', label: 'Markup', text: '#panic("x") *bold* <label> $x$ <script>alert(1)</script>' },
      { kind: 'boolean', label: 'Traded before?', value: false },
      { kind: 'none', label: 'Telephone' },
    ],
  },
  {
    title: 'The company',
    answers: [
      { kind: 'text', label: 'Purpose', text: 'A long text. '.repeat(40) },
      { kind: 'list', label: 'Services', items: ['Formation', 'Registered office'] },
      {
        kind: 'table',
        label: 'Directors',
        columns: ['Name', 'Shares'],
        rows: [
          ['Zoë', '600'],
          ['王小明', '250'],
        ],
      },
      { kind: 'files', label: 'Proof', files: [{ name: 'passport.pdf', size: 482_113, sha256: 'ab'.repeat(32) }] },
      { kind: 'heading', text: 'Declarations' },
      { kind: 'consent', label: 'I agree to the terms.', given: true },
      { kind: 'consent', label: 'You may write to me.', given: false },
    ],
  },
];

/** Typesets the document. To inspect the PDF files, set a folder: `PDFS=/tmp/pdfs npm test -- answers-document`. */
async function made(name: string, document: Partial<AnswersDocument> & { locale: string }): Promise<Uint8Array> {
  const { pdf } = await typesetter.typeset(answersManuscript({ ...base, sections: answers, ...document }, verification));
  if (process.env.PDFS !== undefined) {
    mkdirSync(process.env.PDFS, { recursive: true });
    writeFileSync(`${process.env.PDFS}/${name}.pdf`, pdf);
  }
  return pdf;
}

test('the PDF contains all answers, and is complete, tagged and PDF/A-2a', { skip: withoutPdfTools }, async () => {
  const pdf = await made('en', { locale: 'en' });
  assert.equal(declaredStandard(pdf), 'PDF/A-2a');
  assert.match(askTool(pdf, 'qpdf', '--check', 'PDF'), /No syntax or stream encoding errors/);
  const text = textOf(pdf).replaceAll(/\s+/g, ' ');
  for (const expected of [
    'New client intake',
    'November 22, 2026',
    base.reference,
    'Zoë Åkerström-Nguyễn',
    'Анна Каренина',
    'やまだ 太郎',
    '王小明',
    'محمد بن عبد الله للاختبار',
    '#panic("x") *bold* <label> $x$ <script>alert(1)</script>',
    'No answer',
    'passport.pdf 482.1 kB',
    'Agreed',
    verification.code,
    'chancery.example.org/verify/7K2QD-XW9MR-A41TC-8ZJ0P',
    '1 of 2',
  ]) {
    assert.ok(text.includes(expected), `${expected} in ${text}`);
  }
  const about = askTool(pdf, 'pdfinfo', 'PDF');
  assert.match(about, /Title:\s+New client intake/);
  assert.match(about, /Tagged:\s+yes/);
  const tree = askTool(pdf, 'pdfinfo', '-struct-text', 'PDF');
  for (const element of ['H1 "New client intake"', 'H2 "About you"', 'Table', 'TH', 'Figure'])
    assert.ok(tree.includes(element), `${element} in ${tree}`);
  const catalogue = JSON.parse(askTool(pdf, 'qpdf', '--json', 'PDF')) as { qpdf: [unknown, Record<string, { value?: any }>] };
  assert.doesNotMatch(
    JSON.stringify(catalogue),
    /"\/(?:JS|JavaScript|OpenAction|AA|Launch|EmbeddedFile)"/,
    'the PDF has no active content',
  );
  const root = Object.values(catalogue.qpdf[1]).find(({ value }) => value?.['/Type'] === '/Catalog')?.value;
  assert.equal(root['/Lang'], 'u:en');
  assert.equal(root['/MarkInfo']['/Marked'], true);
});

test(
  'captions, dates and page numbers are in the requested language, and Arabic is set from right to left',
  { skip: withoutPdfTools },
  async () => {
    const words = {
      de: ['Eingereicht', '22. November 2026', '1 von 2'],
      ar: ['تاريخ الإرسال', 'من 2', 'سجل الإجابات'],
      ja: ['送信日時', '2026年11月22日'],
    };
    for (const [locale, expected] of Object.entries(words)) {
      const pdf = await made(locale, { locale });
      const text = textOf(pdf)
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/(?<=\d) (?=[年月日])|(?<=[年月日]) (?=\d)/g, '');
      for (const word of expected) assert.ok(text.includes(word), `${word} in ${text}`);
      assert.equal(declaredStandard(pdf), 'PDF/A-2a');
    }
    // The team name is on the right in Arabic and on the left in English.
    const leftOf = (pdf: Uint8Array) =>
      Number(/<word xMin="([\d.]+)"[^>]*>Harbour</.exec(askTool(pdf, 'pdftotext', '-bbox', '-l', '1', 'PDF', '-'))?.[1]);
    assert.ok(leftOf(await made('ar', { locale: 'ar' })) > 300);
    assert.ok(leftOf(await made('en', { locale: 'en' })) < 100);
  },
);

test('a document with little content and one with many rows are typeset', async () => {
  assert.ok((await made('short', { locale: 'fr-CA', sections: [] })).length > 0);
  const rows = Array.from({ length: 300 }, (_, at) => [String(at), 'x'.repeat(at % 50)]);
  const long = await made('long', {
    locale: 'en',
    accent: '#ffff00',
    sections: [{ answers: [{ kind: 'table', label: 'Rows', columns: ['No.', 'Text'], rows }] }],
  });
  assert.ok(long.length > 0);
});

test('any answers of 64 KiB are typeset, without text beyond the page', { skip: withoutPdfTools }, async () => {
  const hostile = {
    'one word': 'x'.repeat(60_000),
    'marks on one letter': `a${'\u{301}'.repeat(20_000)}`,
    'no font has it': '𓀀'.repeat(8_000),
  };
  for (const [label, text] of Object.entries(hostile)) {
    const pdf = await made(label, { locale: 'en', sections: [{ answers: [{ kind: 'text', label, text }] }] });
    const pages = Number(/Pages:\s+(\d+)/.exec(askTool(pdf, 'pdfinfo', 'PDF'))?.[1]);
    assert.ok(pages > 5 && pages < 60, `${label}: ${pages} pages`);
  }
  const word = 'https://example.org/a/very/long/address/that/goes/on/and/on/for/more/than/a/line/of/the/column/'.repeat(3);
  const pdf = await made('long word', { locale: 'en', sections: [{ answers: [{ kind: 'text', label: 'Address', text: word }] }] });
  assert.ok(
    textOf(pdf)
      .replaceAll(/[\s\u{200b}]/gu, '')
      .includes(word),
  );
});

test('pictures have an alternative text', { skip: withoutPdfTools }, async () => {
  const bytes = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const image = { bytes, type: 'png', alt: 'Signature of Zoë' } as const;
  const pdf = await made('pictures', {
    locale: 'en',
    logo: { ...image, alt: 'Harbour & Lane' },
    sections: [{ answers: [{ kind: 'image', label: 'Signature', image }] }],
  });
  assert.match(askTool(pdf, 'pdfinfo', '-struct', 'PDF'), /Figure/);
  assert.ok(askTool(pdf, 'qpdf', '--json', 'PDF').includes('Signature of Zoë'));
});

test('the first letter determines the direction of a text, and its script the language', () => {
  assert.deepEqual(prepareText('שלום abc', 'en'), { text: 'שלום abc', dir: 'rtl', arabic: false, lang: 'he' });
  assert.equal(prepareText('12: abc مرحبا', 'en'), '12: abc مرحبا', 'a text without special settings is plain');
  assert.equal(prepareText('2026', 'ar'), '2026');
  assert.deepEqual(prepareText('abc', 'ar'), { text: 'abc', dir: 'ltr', arabic: false });
  assert.equal(prepareText('太郎', 'ja'), '太郎');
  assert.deepEqual(prepareText('王小明', 'en'), { text: '王小明', dir: 'ltr', arabic: false, lang: 'zh' });
  assert.deepEqual(prepareText('たろう', 'zh'), { text: 'たろう', dir: 'ltr', arabic: false, lang: 'ja' });
  assert.deepEqual(prepareText('a\r\nb\n \n\nc', 'en'), {
    text: 'a\nb\n \n\nc',
    dir: 'ltr',
    arabic: false,
    paragraphs: [['a', 'b'], ['c']],
  });
});
