import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { drawn, page, stream } from '../../../../test/pdf-parts.ts';
import { letterWith } from '../../../../test/uploads.ts';
import { Unsealable } from './pdf-sealer.ts';
import { prepare } from './prepare.ts';

const fixture = (name: string) => readFile(new URL(`../../../../test/fixtures/pdf/${name}.pdf`, import.meta.url));
const refusal = async (file: Buffer): Promise<string> =>
  prepare(file, []).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Unsealable && /[A-Z].*\.$/.test(error.message) ? error.reason : Promise.reject(error as Error)),
  );

describe('content that some viewers show and others hide is rejected', () => {
  const layers = (more = '', usual = '') => `/OCProperties<</OCGs[20 0 R]/D<</Order[20 0 R]${usual}>>${more}>>`;
  const group = (usage: string) => ({ 20: `<</Type/OCG/Name(a)/Usage<<${usage}>>>>`, 21: '/OFF', 22: '/ON' });
  const member = (more: string) => ({ 20: '<</Type/OCG/Name(a)>>', 4: page(`/PieceInfo<</L<</Type/OCMD/OCGs[20 0 R]${more}>>>>`) });
  const annotation = (flags: string, kind = 'FreeText') => ({
    4: page('/Annots[20 0 R]'),
    20: `<</Type/Annot/Subtype/${kind}/Rect[20 100 280 130]${flags}/AP<</N 21 0 R>>>>`,
    21: drawn('0 0 9 9 re f', '/BBox[0 0 9 9]'),
  });
  const cases: Record<string, [file: Buffer, reason: string]> = {
    'a screen-only layer by reference': [letterWith(layers(), group('/View<</ViewState 21 0 R>>')), 'active_content'],
    'a layer hidden in print': [letterWith(layers(), group('/Print<</PrintState/OFF>>')), 'active_content'],
    'a layer hidden in exports': [letterWith(layers(), group('/Export<</ExportState/OFF>>')), 'active_content'],
    'a layer that depends on the zoom': [letterWith(layers(), group('/Zoom<</min 4>>')), 'active_content'],
    'a layer that depends on the language': [letterWith(layers(), group('/Language<</Lang(de)>>')), 'active_content'],
    'a layer that is always visible': [letterWith(layers(), group('/View<</ViewState 22 0 R>>/Print<</PrintState/ON>>')), 'accepted'],
    'membership by AllOff': [letterWith(layers(), member('/P/AllOff')), 'active_content'],
    'membership by AnyOff': [letterWith(layers(), member('/P/AnyOff')), 'active_content'],
    'membership by an expression': [letterWith(layers(), member('/VE[/Not 20 0 R]')), 'active_content'],
    'membership by AllOn': [letterWith(layers(), member('/P/AllOn')), 'accepted'],
    'an annotation only on screen': [letterWith('', annotation('')), 'active_content'],
    'an annotation only in print': [letterWith('', annotation('/F 36')), 'active_content'],
    'an annotation that depends on the pointer': [letterWith('', annotation('/F 260')), 'active_content'],
    'an annotation on screen and in print': [letterWith('', annotation('/F 4')), 'accepted'],
    'an annotation that is always hidden': [letterWith('', annotation('/F 2')), 'accepted'],
    'a link': [letterWith('', annotation('', 'Link')), 'accepted'],
    'a different image in print': [letterWith('', { 5: stream('q Q', '/Alternates[]') }), 'active_content'],
    'PostScript for printers': [
      letterWith('', { 4: page('/PieceInfo 20 0 R'), 20: stream('showpage', '/Type/XObject/Subtype/PS') }),
      'active_content',
    ],
  };
  for (const [name, [file, reason]] of Object.entries(cases)) test(name, async () => assert.equal(await refusal(file), reason));

  test('the reported cases', async () => {
    for (const name of ['hid-annNoViewPrint', 'hid-ocmdAllOff', 'hid-ocmdVE', 'hid-usageInd'])
      assert.equal(await refusal(await fixture(name)), 'active_content', name);
  });

  test('a form field that is visible only in print', async () => {
    const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(x)/DA(/F1 12 Tf)/Rect[72 500 300 520]/F 36>>';
    assert.equal(await refusal(letterWith('/AcroForm<</Fields[20 0 R]>>', { 4: page('/Annots[20 0 R]'), 20: field })), 'active_content');
  });
});
