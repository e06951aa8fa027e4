import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { NodeCompiler, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler';
import { coverageOf } from './coverage.ts';
import { displayable, displayableValue } from './supported-characters.ts';
import type { TypesetResponse, TypesetRequest, TypesetError, Finding, WorkerSetting } from './messages.ts';

/**
 * The process of the Typst compiler. It handles one document at a time and sees only the files of the template and the fonts. It has no network: its
 * environment sends package downloads to an unreachable port.
 */

const { limits, fonts, watch } = JSON.parse(process.argv[2] ?? '') as WorkerSetting;
/** A folder that does not exist. The compiler has all template files in memory. */
const root = '/nonexistent/template';
const keptDocuments = 5;
const maxRounds = 4;
/** Maximum size of a query result, in characters of JSON. */
const maxFound = 512 * 1024;

const coverage = coverageOf(fonts.files);
const compiler = NodeCompiler.create({ workspace: root, fontArgs: [{ fontPaths: fonts.files }] });
const turn = new Int32Array(new SharedArrayBuffer(4));
new Worker(watch, { workerData: { turn, limits } }).unref();

class TemplateError extends Error {
  readonly typesetError: TypesetError;
  constructor(typesetError: TypesetError) {
    super(typesetError.message);
    this.typesetError = typesetError;
  }
}

type Diagnostic = { message: string; path: string; range: { start?: { line: number } } | null; severity: number };

const maxFindings = 20;
const errors = (diagnostics: readonly Diagnostic[]) => diagnostics.filter(({ severity }) => severity === 1).slice(0, maxFindings);

/** Returns the errors of a template, one per line, with file and line. */
function sentences(diagnostics: readonly Diagnostic[]): string {
  return errors(diagnostics)
    .slice(0, 5)
    .map(({ message, path, range }) => {
      const line = range?.start === undefined ? '' : `:${range.start.line + 1}`;
      return `${path.replace(`${root}/`, '')}${line}: ${message}`;
    })
    .join('\n');
}

/** Returns the errors of a template as findings. */
function findingsOf(diagnostics: readonly Diagnostic[]): Finding[] {
  return errors(diagnostics).map(({ message, range }) => ({
    message: message.replaceAll(`${root}/`, '').slice(0, 500),
    ...(range?.start === undefined ? {} : { line: range.start.line + 1 }),
  }));
}

/** Returns the errors of the PDF export for the template author. The export reports no positions. */
function findingsOfExport(message: string): Finding[] {
  const said = [...message.matchAll(/message: "((?:[^"\\]|\\.)*)", trace: .*?hints: \[((?:"(?:[^"\\]|\\.)*"(?:, )?)*)\]/g)];
  const plain = (text: string) => text.replaceAll(/\\(.)/g, '$1');
  return said.slice(0, maxFindings).map(([, what = '', hints = '']) => ({
    message: [plain(what), ...[...hints.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, hint = '']) => plain(hint))].join('; ').slice(0, 500),
  }));
}

/** Returns the characters that the PDF export could not draw in their context. */
function undrawn(message: string): number[] {
  const texts = [...message.matchAll(/the text `\\?"((?:[^"\\]|\\.)*?)\\?"` could not be displayed/g)].map(([, text = '']) =>
    text.replaceAll(/\\u\{([\da-f]+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
  );
  return Array.from(texts.join(''), (character) => character.codePointAt(0) ?? 0);
}

type TypesetPdf = { pdf: Uint8Array; pages: number; found?: unknown[] };

function set(request: TypesetRequest, data: unknown, missing: ReadonlySet<number>): TypesetPdf | { missing: number[] } {
  const shown = displayableValue(data, (text) => displayable(text, coverage, missing));
  const result = compiler.compile({
    mainFilePath: `${root}/main.typ`,
    inputs: { data: JSON.stringify(shown), fonts: JSON.stringify(fonts.families) },
  });
  const document = result.result;
  if (!document) {
    const found = result.takeDiagnostics();
    const diagnostics = found ? (compiler.fetchDiagnostics(found) as Diagnostic[]) : [];
    const message = sentences(diagnostics) || 'The template could not be compiled.';
    throw new TemplateError({ reason: 'template', message, findings: findingsOf(diagnostics) });
  }
  const pages = document.numOfPages;
  if (pages > limits.pages)
    throw new TemplateError({ reason: 'pages', message: `The document has ${pages} pages. The maximum is ${limits.pages}.` });
  try {
    const found = request.query === undefined ? {} : { found: foundIn(document, request.query) };
    return { pdf: compiler.pdf(document, { pdfStandard: request.standard }), pages, ...found };
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const found = undrawn(message).filter((codePoint) => !missing.has(codePoint));
    if (found.length > 0) return { missing: found };
    throw new TemplateError({ reason: 'template', message: message.slice(0, 2_000), findings: findingsOfExport(message) });
  }
}

/** Returns the values of the metadata with a label, in document order. */
function foundIn(document: NodeTypstDocument, selector: string): unknown[] {
  const found = compiler.query(document, { selector, field: 'value' }) as unknown[];
  if (JSON.stringify(found).length <= maxFound) return found;
  throw new TemplateError({ reason: 'template', message: `The metadata of ${selector} is too large.` });
}

/** Typesets the document. Replaces characters without a glyph by their names, and repeats until all characters can be drawn. */
async function setWhole(request: TypesetRequest): Promise<TypesetPdf> {
  const data: unknown = JSON.parse(request.data);
  if (request.schema !== undefined) {
    // Most documents have no schema, and the validator is as much code as all the rest.
    const { misfit } = await import('./schema-check.ts');
    const typesetError = misfit(request.schema, data, request.schemaKnown);
    if (typesetError) throw new TemplateError(typesetError);
  }
  const missing = new Set<number>();
  compiler.resetShadow();
  for (const [path, content] of Object.entries(request.files)) compiler.mapShadow(`${root}/${path}`, Buffer.from(content));
  for (let round = 0; round < maxRounds; round += 1) {
    const made = set(request, data, missing);
    if ('pdf' in made) return made;
    for (const codePoint of made.missing) missing.add(codePoint);
  }
  throw new TemplateError({ reason: 'template', message: 'Some text cannot be displayed with the available fonts.' });
}

async function answer(request: TypesetRequest): Promise<TypesetResponse> {
  const rss = () => process.memoryUsage.rss();
  try {
    const made = await setWhole(request);
    return { id: request.id, rss: rss(), ...made };
  } catch (error) {
    if (error instanceof TemplateError) return { id: request.id, rss: rss(), error: error.typesetError };
    throw error;
  } finally {
    compiler.evictCache(keptDocuments);
  }
}

process.on('message', async (request: TypesetRequest) => {
  Atomics.store(turn, 0, request.id);
  Atomics.notify(turn, 0);
  const answered = await answer(request);
  Atomics.store(turn, 0, 0);
  process.send?.(answered);
});
// The process ends with its parent.
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
