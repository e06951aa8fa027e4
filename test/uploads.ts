import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { append } from './signed-pdf.ts';
import { plainPdf } from './plain-pdf.ts';

/** Runs `qpdf` on a PDF with these arguments and returns the result. */
export function byQpdf(pdf: Uint8Array, ...args: string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'chancery-qpdf-'));
  try {
    const [from, to] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
    writeFileSync(from, pdf);
    execFileSync('qpdf', [from, ...args, to]);
    return readFileSync(to);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const catalog = (more: string) => `<</Type/Catalog/Pages 2 0 R${more}>>`;
/** Returns a letter with additional catalog members and objects. */
export const letterWith = (more: string, objects: Readonly<Record<number, string>> = {}) =>
  append(plainPdf(['The first page', 'The second page']), { 1: catalog(more), ...objects });

/** Returns a form with a text field that has an appearance and a calculation script. */
export const filledForm = () =>
  letterWith('/AcroForm<</Fields[20 0 R]/DA(/F1 12 Tf)/DR<</Font<</F1 3 0 R>>>>/CO[20 0 R]>>', {
    4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>/Annots[20 0 R]>>',
    20: '<</Type/Annot/Subtype/Widget/FT/Tx/T(sum)/V(forty-two)/DA(/F1 12 Tf 0 g)/Rect[72 500 300 520]/P 4 0 R/F 4/AA<</C<</S/JavaScript/JS(1)>>>>>>',
  });
