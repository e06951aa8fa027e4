import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
