import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFiumLibrary } from '@hyzyla/pdfium';

const tools = ['qpdf', 'pdftotext', 'pdfinfo', 'pdfimages'];

/** Why tests that look into PDFs with other people's tools are skipped; false when they are not. */
export const withoutPdfTools: string | false =
  tools.some((tool) => spawnSync(tool, ['--version']).error !== undefined) &&
  'there is no qpdf, pdftotext, pdfinfo or pdfimages: install qpdf and poppler-utils';

/** What a tool says of a PDF; `PDF` among the arguments stands for its file. Throws when the tool refuses it. */
export function askTool(pdf: Uint8Array, tool: string, ...args: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancery-pdf-'));
  try {
    const file = join(folder, 'document.pdf');
    writeFileSync(file, pdf);
    const { status, stdout, stderr } = spawnSync(
      tool,
      args.map((arg) => (arg === 'PDF' ? file : arg)),
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`${tool}: ${stdout}${stderr}`);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The text of a PDF without the marks of direction that pdftotext puts around what is written from right to left. */
export function textOf(pdf: Uint8Array): string {
  return askTool(pdf, 'pdftotext', 'PDF', '-').replaceAll(/[\u{202a}-\u{202e}]/gu, '');
}

/** What a PDF says of itself, in the metadata that PDF/A asks to be readable without a PDF reader. */
export function declaredStandard(pdf: Uint8Array): string {
  const text = Buffer.from(pdf).toString('latin1');
  const [part, level] = ['part', 'conformance'].map((member) => new RegExp(`<pdfaid:${member}>(\\w)<`).exec(text)?.[1]);
  return `PDF/A-${part}${level?.toLowerCase()}`;
}

/** The colours of a page (from 0) as PDFium draws it: one pixel a point, counted from the left and from the top, as `red,green,blue`. */
export async function pixelsOf(pdf: Uint8Array, page: number): Promise<(x: number, y: number) => string> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  try {
    const { width, data } = await document.getPage(page).render({ scale: 1, render: ({ data: pixels }) => Promise.resolve(pixels) });
    return (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)].join();
  } finally {
    document.destroy();
    library.destroy();
  }
}
