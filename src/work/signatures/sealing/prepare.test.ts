import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { askTool, pixelsOf, textOf, withoutPdfTools } from '../../../../test/pdf.ts';
import { contentOf, drawn, page, stream, utf16 } from '../../../../test/pdf-parts.ts';
import { plainPdf } from '../../../../test/plain-pdf.ts';
import { append } from '../../../../test/signed-pdf.ts';
import { byQpdf, letterWith } from '../../../../test/uploads.ts';
import { scanContent } from './content-scan.ts';
import { type PageSize, Unsealable } from './pdf-sealer.ts';
import { prepare } from './prepare.ts';

const fixture = (name: string) => readFile(new URL(`../../../../test/fixtures/pdf/${name}.pdf`, import.meta.url));
const refusal = async (file: Buffer): Promise<string> =>
  prepare(file, []).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Unsealable && /[A-Z].*\.$/.test(error.message) ? error.reason : Promise.reject(error as Error)),
  );
const presented = async (file: Buffer): Promise<Buffer> => Buffer.from((await prepare(file, [])).file);
const pagesOf = async (file: Buffer): Promise<PageSize[]> => {
  const { response } = await prepare(file, []);
  return 'done' in response && response.done === 'prepare' ? response.pages : [];
};

describe('the presented file shows each form value on its page', { skip: withoutPdfTools }, () => {
  const field = (more: string) => `<</Type/Annot/Subtype/Widget/T(a)/DA(/F1 12 Tf 0 g)/Rect[72 500 300 520]/P 4 0 R/F 4${more}>>`;
  const form = (more: string, objects: Record<number, string>) =>
    letterWith(`/AcroForm<</Fields[20 0 R]/DA(/F1 12 Tf 0 g)/DR<</Font<</F1 3 0 R>>>>${more}>>`, {
      4: page('/Annots[20 0 R]'),
      ...objects,
    });
  const textField = (value: string, more = '', objects: Record<number, string> = {}) =>
    form('/NeedAppearances true', { 20: field(`/FT/Tx/V${utf16(value)}${more}`), ...objects });

  test('in Latin, Greek and Cyrillic letters, with quotes, dashes and currencies', async () => {
    assert.match(textOf(await presented(await fixture('form-value-euro'))), /€ 5 – “x”/);
    assert.match(textOf(await presented(await fixture('form-value-polish'))), /Łukasz Żółć/);
    for (const value of ['Привет, Анна', 'Ελένη', 'Nguyễn Đức ₫ 12']) assert.ok(textOf(await presented(textField(value))).includes(value));
    const lines = textOf(await presented(textField('First Ł\nSecond Ż', '/Ff 4096')));
    assert.match(lines, /First Ł\s+Second Ż/);
  });

  test('completely, in a smaller font if it is long, or the file is rejected', async () => {
    const long = Array.from({ length: 30 }, (_, at) => `${at}`).join(' ');
    const file = await presented(textField(long));
    const box = /xMax="([\d.]+)"[^>]*>29</.exec(askTool(file, 'pdftotext', '-bbox', '-l', '1', 'PDF', '-'))?.[1];
    assert.ok(Number(box) < 300, String(box));
    assert.equal(await refusal(textField('x '.repeat(300))), 'form_value_not_shown');
    assert.equal(await refusal(textField('محمد')), 'form_value_not_shown');
    assert.equal(await refusal(textField('山田')), 'form_value_not_shown');
  });

  test('an appearance that shows the value stays, an empty one is redrawn, and a different one is rejected', async () => {
    const written = (text: string) => drawn(`/Tx BMC q BT /F1 12 Tf 1 0 0 rg 2 6 Td (${text}) Tj ET Q EMC`, '/BBox[0 0 228 20]');
    const empty = drawn('/Tx BMC EMC', '/BBox[0 0 228 20]');
    const kinds = { text: '/FT/Tx/V(Green)', choice: '/FT/Ch/Ff 131072/Opt[(Red)(Green)]/V(Green)', list: '/FT/Ch/Opt[[(g)(Green)]]/V(g)' };
    for (const [kind, members] of Object.entries(kinds))
      for (const anyway of ['', '/NeedAppearances true']) {
        const kept = await presented(form(anyway, { 20: field(`${members}/AP<</N 21 0 R>>`), 21: written('Green') }));
        assert.match(textOf(kept), /Green/, kind);
        assert.ok(kept.includes('1 0 0 rg') && !kept.includes('NotoSans'), kind);
        const made = await presented(form(anyway, { 20: field(`${members}/AP<</N 21 0 R>>`), 21: empty }));
        assert.match(textOf(made), /Green/, kind);
        assert.ok(made.includes('NotoSans'), kind);
      }
    const other = form('', { 20: field('/FT/Tx/V(Green)/AP<</N 21 0 R>>'), 21: written('Brown') });
    assert.equal(await refusal(other), 'form_value_not_shown');
    const formatted = form('', { 20: field('/FT/Tx/V(12)/AP<</N 21 0 R>>/AA<</F<</S/JavaScript/JS(x)>>>>'), 21: written('twelve') });
    assert.match(textOf(await presented(formatted)), /twelve/);
  });

  test('even if the page has the same words elsewhere', async () => {
    const empty = drawn('/Tx BMC EMC', '/BBox[0 0 228 20]');
    for (const kind of ['/FT/Tx/V(first)', '/FT/Ch/Ff 131072/Opt[(first)(last)]/V(first)', '/FT/Ch/Opt[(first)(last)]/V(first)']) {
      const file = await presented(form('/NeedAppearances true', { 20: field(`${kind}/AP<</N 21 0 R>>`), 21: empty }));
      assert.equal(textOf(file).match(/first/g)?.length, 2, kind);
    }
  });

  test('with its frame, and without a clipped capital letter', async () => {
    const low = (more: string) => field(`${more}/MK<</BC[1 0 0]>>`).replace('300 520', '300 514').replace('12 Tf', '11 Tf');
    for (const kind of ['/FT/Tx', '/FT/Ch/Ff 131072/Opt[(a)]']) {
      const at = await pixelsOf(await presented(form('', { 20: low(`${kind}/V${utf16('Agq')}`) })), 0);
      const row = (y: number) => new Set(Array.from({ length: 40 }, (_, x) => at(76 + x, 792 - 514 + y)));
      assert.deepEqual([row(0).has('255,0,0'), row(1)], [true, new Set(['255,255,255'])], kind);
      assert.ok(row(7).size > 1, kind);
    }
  });

  test('the frame of a field without a value or an appearance is drawn', async () => {
    for (const kind of ['/FT/Tx', '/FT/Ch/Ff 131072/Opt[(a)]', '/FT/Btn/AS/Off', '/FT/Btn/Ff 32768/AS/Off']) {
      const at = await pixelsOf(await presented(form('', { 20: field(`${kind}/MK<</BC[1 0 0]>>`) })), 0);
      assert.deepEqual([at(150, 792 - 520), at(150, 792 - 510), at(150, 792 - 501)], ['255,0,0', '255,255,255', '255,0,0'], kind);
    }
  });

  test('the tick of an active box is drawn if its appearance cannot be drawn', async () => {
    const box = (more: string) => `<</Type/Annot/Subtype/Widget/FT/Btn/T(a)/Rect[72 500 92 520]/P 4 0 R/F 4${more}>>`;
    const isInked = async (more: string) => {
      const at = await pixelsOf(await presented(form('', { 20: box(more), 21: stream('0 0 9 9 re f') })), 0);
      return Array.from({ length: 400 }, (_, n) => at(72 + (n % 20), 272 + Math.floor(n / 20))).some((color) => color !== '255,255,255');
    };
    for (const appearance of ['', '/AP<</N<</Off null>>>>', '/AP<</N<</Yes 21 0 R>>>>'])
      assert.ok(await isInked(`/V/Yes/AS/Yes${appearance}`), appearance);
    assert.ok(await isInked('/V/Yes'));
    assert.equal(await isInked('/V/Off/AS/Off'), false);
  });

  test('on a page without content, whose drawing begins with no saved state', async () => {
    const file = await presented(await fixture('form-page-without-contents'));
    assert.match(textOf(file), /Red/);
    assert.deepEqual(scanContent(await contentOf(file)).excess, []);
  });

  test('over annotations below the field, and below annotations above it', async () => {
    const square = (number: number, color: string, rect: string) => ({
      [number]: `<</Type/Annot/Subtype/Square/F 4/Rect[${rect}]/AP<</N ${number + 1} 0 R>>>>`,
      [number + 1]: drawn(`${color} rg 0 0 100 100 re f`, '/BBox[0 0 100 100]'),
    });
    const file = await presented(
      form('', {
        4: page('/Annots[30 0 R 20 0 R 40 0 R]'),
        20: field('/FT/Tx/V(Green)/AP<</N 21 0 R>>'),
        21: drawn('0 1 0 rg 0 0 228 20 re f 0 g BT /F1 12 Tf 2 6 Td (Green) Tj ET', '/BBox[0 0 228 20]'),
        ...square(30, '1 0 0', '100 480 340 540'),
        ...square(40, '0 0 1', '200 480 240 540'),
      }),
    );
    const at = await pixelsOf(file, 0);
    assert.deepEqual([at(150, 792 - 510), at(320, 792 - 510), at(220, 792 - 510)], ['0,255,0', '255,0,0', '0,0,255']);
  });
});

test('a file that needs a password or a certificate is reported as locked for every encryption', { skip: withoutPdfTools }, async () => {
  const letter = plainPdf(['The first page']);
  for (const how of [
    ['--allow-weak-crypto', '--encrypt', 'secret', 'owner', '128', '--use-aes=y', '--'],
    ['--allow-weak-crypto', '--encrypt', 'secret', 'owner', '128', '--use-aes=n', '--'],
    ['--encrypt', 'secret', 'owner', '256', '--'],
    ['--object-streams=generate', '--encrypt', 'secret', 'owner', '256', '--'],
  ])
    assert.equal(await refusal(byQpdf(letter, ...how)), 'password', how.join(' '));
  const recipients = '/Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4/Length 128/Recipients[<3003020100>]';
  const trailer = `trailer<</Encrypt<<${recipients}>>/ID[<00><00>]`;
  const plain = Buffer.from(letter.toString('latin1').replace('trailer<<', trailer), 'latin1');
  assert.equal(await refusal(plain), 'password');
});

test('sizes are in points, even if the page has larger units', async () => {
  const file = append(plainPdf(['x']), { 4: page('/UserUnit 2').replace('[0 0 612 792]', '[0 0 306 396]') });
  assert.deepEqual(await pagesOf(file), [{ width: 612, height: 792 }]);
});
