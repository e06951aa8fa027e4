import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { coverageOf } from './coverage.ts';
import { displayable, displayableValue } from './displayable.ts';
import { familiesByLanguage, fontFiles } from './fonts.ts';
import type { Answered, Asked, Fault, WorkerSetting } from './messages.ts';

/**
 * The process that Typst runs in. It has one document at a time, sees no file but the template's and the fonts, and reaches no
 * network: its environment leads whatever would fetch a package to a port that nobody can listen on.
 */

const { limits, fontsFolder } = JSON.parse(process.argv[2] ?? '') as WorkerSetting;
/** A folder that there is not: all that a template can read lies in the compiler's memory. */
const root = '/nonexistent/template';
const keptDocuments = 5;
const mostRounds = 4;

const fonts = fontFiles(fontsFolder);
const coverage = coverageOf(fonts);
const compiler = NodeCompiler.create({ workspace: root, fontArgs: [{ fontPaths: fonts }] });
const turn = new Int32Array(new SharedArrayBuffer(4));
new Worker(new URL('watch.ts', import.meta.url), { workerData: { turn, limits } }).unref();

class TemplateFault extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

type Diagnostic = { message: string; path: string; range: { start?: { line: number } } | null; severity: number };

/** What the compiler says of a template, a line a fault, with the place. */
function sentences(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .filter(({ severity }) => severity === 1)
    .slice(0, 5)
    .map(({ message, path, range }) => {
      const line = range?.start === undefined ? '' : `:${range.start.line + 1}`;
      return `${path.replace(`${root}/`, '')}${line}: ${message}`;
    })
    .join('\n');
}

/** The characters of which the export says that no font draws them where they stand. */
function undrawn(message: string): number[] {
  const texts = [...message.matchAll(/the text `\\?"((?:[^"\\]|\\.)*?)\\?"` could not be displayed/g)].map(([, text = '']) =>
    text.replaceAll(/\\u\{([\da-f]+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
  );
  return Array.from(texts.join(''), (character) => character.codePointAt(0) ?? 0);
}

function set(asked: Asked, data: unknown, missing: ReadonlySet<number>): { pdf: Uint8Array; pages: number } | { missing: number[] } {
  const shown = displayableValue(data, (text) => displayable(text, coverage, missing));
  const result = compiler.compile({
    mainFilePath: `${root}/main.typ`,
    inputs: { data: JSON.stringify(shown), fonts: JSON.stringify(familiesByLanguage) },
  });
  const document = result.result;
  if (!document) {
    const found = result.takeDiagnostics();
    const told = found ? sentences(compiler.fetchDiagnostics(found) as Diagnostic[]) : '';
    throw new TemplateFault({ reason: 'template', message: told || 'the template could not be set' });
  }
  const pages = document.numOfPages;
  if (pages > limits.pages) throw new TemplateFault({ reason: 'pages', message: `it has ${pages} pages, and ${limits.pages} are allowed` });
  try {
    return { pdf: compiler.pdf(document, { pdfStandard: asked.standard }), pages };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const found = undrawn(message).filter((codePoint) => !missing.has(codePoint));
    if (found.length > 0) return { missing: found };
    throw new TemplateFault({ reason: 'template', message: message.slice(0, 2_000) });
  }
}

/** Sets the document; characters that turn out to have no glyph beside their neighbours are named instead, and it is set again. */
function setWhole(asked: Asked): { pdf: Uint8Array; pages: number } {
  const data: unknown = JSON.parse(asked.data);
  const missing = new Set<number>();
  compiler.resetShadow();
  for (const [path, content] of Object.entries(asked.files)) compiler.mapShadow(`${root}/${path}`, Buffer.from(content));
  for (let round = 0; round < mostRounds; round += 1) {
    const made = set(asked, data, missing);
    if ('pdf' in made) return made;
    for (const codePoint of made.missing) missing.add(codePoint);
  }
  throw new TemplateFault({ reason: 'template', message: 'some of its text cannot be displayed with the fonts there are' });
}

function answer(asked: Asked): Answered {
  const rss = () => process.memoryUsage.rss();
  try {
    const made = setWhole(asked);
    return { id: asked.id, rss: rss(), ...made };
  } catch (error) {
    if (error instanceof TemplateFault) return { id: asked.id, rss: rss(), fault: error.fault };
    throw error;
  } finally {
    compiler.evictCache(keptDocuments);
  }
}

process.on('message', (asked: Asked) => {
  Atomics.store(turn, 0, asked.id);
  Atomics.notify(turn, 0);
  const answered = answer(asked);
  Atomics.store(turn, 0, 0);
  process.send?.(answered);
});
// Without its parent it has nothing to do.
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
