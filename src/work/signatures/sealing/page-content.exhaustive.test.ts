import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PDF } from '@libpdf/core';
import fc from 'fast-check';
import { textOf, withoutPdfTools } from '../../../../test/pdf.ts';
import { contentOf, page, stream } from '../../../../test/pdf-parts.ts';
import { plainPdf } from '../../../../test/plain-pdf.ts';
import { append } from '../../../../test/signed-pdf.ts';
import { scanContent } from './content-scan.ts';
import { requireInk } from './drawn-pages.ts';
import { drawOver } from './page-content.ts';

describe('a drawing over a page is visible in its place and changes nothing else', () => {
  const place = { page: 1, x: 72, y: 100, width: 60, height: 40 };
  const ink = '72 652 60 40 re f BT /F1 12 Tf 80 660 Td (Signed) Tj ET';
  const size = [{ width: 612, height: 792 }];

  async function requireSeen(content: string): Promise<Buffer> {
    const file = append(plainPdf(['x']), { 5: stream(content) });
    const pdf = await PDF.load(file);
    const sheet = append(plainPdf(['x']), { 4: page(''), 5: stream(ink) });
    const { ref: embedded } = await pdf.embedPage(await PDF.load(sheet), 0);
    drawOver(pdf, pdf.getPage(0)!.dict, [{ ref: embedded, matrix: [1, 0, 0, 1, 0, 0], artifact: true }]);
    const saved = Buffer.from(await pdf.save({ incremental: true }));
    await requireInk(file, saved, [sheet], { overlays: [{ file: 0, page: 0, onto: 0 }], places: [place], pages: size });
    const { saved: open, marked, inText, unfinished, excess } = scanContent(await contentOf(saved));
    assert.deepEqual([open, marked, inText, unfinished, excess], [0, 0, false, false, []], content);
    return saved;
  }

  test('in Poppler, over content with an unknown operator or one with too few operands', { skip: withoutPdfTools }, async () => {
    for (const end of ['/F1 Tf', 'BT /F1 1e2 Tf 9 9 Td ET', 'q Tj'])
      assert.match(textOf(await requireSeen(`BT /F1 16 Tf 20 700 Td (Lease) Tj ET ${end}`)), /Lease[^]*Signed/, end);
  });

  test('over content that leaves states open, restores too often or is truncated', async () => {
    const open = ['q', 'Q', 'BT', 'ET', '/P BMC', 'EMC', '0 0 300 200 re W n', '0.3 0 0 0.3 10 10 cm', '0 0 50 50 re', 'W', 'f', '1 g'];
    const whole = [
      'BT /F1 16 Tf 20 700 Td (Pay \\(100\\) EUR) Tj ET',
      'BI /W 1 /H 1 /BPC 8 /CS /G ID x\nEI',
      '0 1 0 rg 300 300 90 90 re f',
    ];
    const operators = fc.constantFrom(...open, ...whole);
    const ends = fc.constantFrom('', '', '(Pay', '/P <</MCID', '10 20', 'BI /W 1 /H 1 /BPC 8 /CS /G ID x', '% comment');
    await fc.assert(
      fc.asyncProperty(
        fc.array(operators, { maxLength: 12 }),
        ends,
        async (all, end) => void (await requireSeen([...all, end].join('\n'))),
      ),
      { numRuns: 40 },
    );
  });
});
