import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFiumLibrary } from '@hyzyla/pdfium';

const tools = ['qpdf', 'pdftotext', 'pdfinfo', 'pdfimages'];

/** Why tests with third-party PDF tools are skipped, or false if they run. */
export const withoutPdfTools: string | false =
  tools.some((tool) => spawnSync(tool, ['--version']).error !== undefined) &&
  'qpdf, pdftotext, pdfinfo or pdfimages not found: install qpdf and poppler-utils';

/** Runs a tool on a PDF and returns its output; `PDF` among the arguments stands for the file. Throws if the tool fails. */
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

/** Returns the text of a PDF without the direction marks that pdftotext puts around right-to-left text. */
export function textOf(pdf: Uint8Array): string {
  return askTool(pdf, 'pdftotext', 'PDF', '-').replaceAll(/[\u{202a}-\u{202e}]/gu, '');
}

/** Returns the PDF/A standard that the XMP metadata declare. PDF/A requires these metadata to be readable without a PDF reader. */
export function declaredStandard(pdf: Uint8Array): string {
  const text = Buffer.from(pdf).toString('latin1');
  const [part, level] = ['part', 'conformance'].map((member) => new RegExp(`<pdfaid:${member}>(\\w)<`).exec(text)?.[1]);
  return `PDF/A-${part}${level?.toLowerCase()}`;
}

/** Returns the colours of a page (from 0) as PDFium renders it: one pixel for each point, from the top left corner, as `red,green,blue`. */
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
