import type { Logger } from 'pino';
import { FairQueue, QueueFullError } from '../../platform/fair-queue.ts';
import { type FieldError, Problem, problems } from '../../platform/problems.ts';
import type { FieldPlace } from '#signatures';
import { createTypesetter, TypesettingError } from '../../platform/typesetting/typesetter.ts';
import { templateProblems } from './problems.ts';
import { placesLabel, placesOf } from './signature-places.ts';

/** The content of a template for rendering. `pictures` is by the paths in the source. */
export type Content = { source: string; schema: Record<string, unknown>; pictures: Readonly<Record<string, Uint8Array>> };

/** A rendered document and its signature fields. */
export type SetDocument = { pdf: Uint8Array; places: FieldPlace[] };

/** Renders documents from templates, each in a separate process. Teams take turns. */
export type DocumentRenderer = {
  /** Renders a document. Errors: 422 `document_data_invalid`, `document_limit_exceeded`, 429. */
  document(team: string, content: Content, data: unknown): Promise<SetDocument>;
  /** Tests a template with the first example of its schema, and returns the signers of its signature fields. Errors: 422 `document_template_invalid`, `document_limit_exceeded`, 429. */
  trial(team: string, content: Content): Promise<string[]>;
  /** Validates many values against a schema at once and returns the errors. Errors: 422 `document_limit_exceeded`, 429. */
  compare(team: string, schema: Record<string, unknown>, values: readonly unknown[]): Promise<Misfit[]>;
  close(): Promise<void>;
};

/** A validation error: `at` is the index of the value, `pointer` the location in it. */
export type Misfit = { at: number; pointer: string; reason: string; rule: string };

const limits = { cpuSeconds: 10, wallSeconds: 40, memoryMb: 512, pages: 200 };
const atOnce = 2;
/** Maximum bytes of a document. A picture is embedded once, even if it is used several times. */
const maxBytes = 32 * 1024 * 1024;

/** A line before the source that disables functions that turn text into code. Line numbers in errors do not include it. */
const before = '#let (eval, plugin, std) = (none, none, none)\n';
const linesBefore = 1;

export function openSetting({ log, fontsFolder }: { log: Pick<Logger, 'warn'>; fontsFolder: string | undefined }): DocumentRenderer {
  const typesetter = createTypesetter({ log, workers: atOnce, fontsFolder, limits, confined: true });
  const queue = new FairQueue({ concurrency: atOnce, concurrencyPerKey: 1, maxWaiting: 100, maxWaitingPerKey: 10 });

  async function set(team: string, { source, schema, pictures }: Content, data: unknown, schemaKnown: boolean): Promise<SetDocument> {
    const files = { ...pictures, 'main.typ': before + source };
    const made = await queue.run(team, () =>
      typesetter.typeset({ files, data, schema: JSON.stringify(schema), schemaKnown, query: placesLabel }),
    );
    if (made.pdf.length > maxBytes) throw new TypesettingError('memory', 'it has more than 32 MiB');
    return { pdf: made.pdf, places: placesOf(made) };
  }

  return {
    // The schema is known to be valid, because templates are stored only after a test.
    document: (team, content, data) => set(team, content, data, true).catch((error: unknown) => Promise.reject(misused(error))),
    async trial(team, content) {
      const [example] = Array.isArray(content.schema.examples) ? (content.schema.examples as unknown[]) : [];
      if (typeof example !== 'object' || example === null || Array.isArray(example))
        throw invalid([
          fieldError(
            '/schema/examples',
            'must begin with an object that is valid for the schema, because Chancery tests the template with it',
            'example',
          ),
        ]);
      const { places } = await set(team, content, example, false).catch((error: unknown) => Promise.reject(faulty(error)));
      return [...new Set(places.map(({ signer }) => signer))];
    },
    compare: (team, schema, values) =>
      set(team, { source: '', schema: ofEach(schema), pictures: {} }, values, true).then(
        () => [],
        (error: unknown) => misfits(error),
      ),
    close: () => typesetter.close(),
  };
}

/** Builds the schema of a list of values. The `$id` keeps the references of the item schema inside it. */
const ofEach = (schema: Record<string, unknown>) => ({ type: 'array', items: { $id: 'https://template.invalid/schema', ...schema } });

function misfits(error: unknown): Misfit[] {
  if (!(error instanceof TypesettingError) || error.reason !== 'data') throw hindered(error);
  return error.findings.map(({ pointer = '', message, rule = 'schema' }) => {
    const [, at = '0', rest = ''] = /^\/(\d+)(.*)$/s.exec(pointer) ?? [];
    return { at: Number(at), pointer: rest, reason: message, rule };
  });
}

const fieldError = (pointer: string, reason: string, rule: string): FieldError => ({
  name: pointer.slice(1).replaceAll('/', '.'),
  pointer,
  reason,
  rule,
});
const invalid = (errors: FieldError[]) =>
  templateProblems.document_template_invalid('The template was not stored, because it contains errors. See `errors`.', {
    errors,
  });

/** Converts a rendering error during the test of a template. */
function faulty(error: unknown): unknown {
  if (error instanceof TypesettingError) {
    if (error.reason === 'schema')
      return invalid(error.findings.map((one) => fieldError(`/schema${one.pointer ?? ''}`, one.message, one.rule ?? 'schema')));
    if (error.reason === 'data')
      return invalid(error.findings.map((one) => fieldError(`/schema/examples/0${one.pointer ?? ''}`, one.message, one.rule ?? 'schema')));
    if (error.reason === 'template') return invalid(inSource(error, '/source'));
  }
  return hindered(error);
}

/** Converts a rendering error for the values of a stored template. */
function misused(error: unknown): unknown {
  if (error instanceof TypesettingError && ['data', 'template', 'schema'].includes(error.reason)) {
    const errors =
      error.reason === 'data'
        ? error.findings.map((one) => fieldError(`/data${one.pointer ?? ''}`, one.message, one.rule ?? 'schema'))
        : inSource(error, '/data');
    return invalidValues(errors);
  }
  return hindered(error);
}

/** The error of values that a template does not accept. */
export const invalidValues = (errors: FieldError[]) =>
  templateProblems.document_data_invalid('The document was not created, because the values do not match the template. See `errors`.', {
    errors,
  });

/** Converts compiler errors to field errors with the line in the source as sent. */
function inSource({ findings, message }: TypesettingError, pointer: string): FieldError[] {
  const found = findings.length === 0 ? [{ message }] : findings;
  return found.map((one) => {
    const line = 'line' in one && one.line !== undefined ? `line ${Math.max(1, one.line - linesBefore)}: ` : '';
    return fieldError(pointer, `${line}${plain(one.message)}`, 'typst');
  });
}

/** Replaces compiler messages about features that are not available. */
function plain(message: string): string {
  if (/`std\.|type none has no method|expected (?:function|module), found none/.test(message))
    return '`eval`, `plugin` and `std` are not available in templates';
  if (/package/.test(message)) return 'packages are not available in templates';
  return message.replaceAll('/nonexistent/template/', '').slice(0, 500);
}

const limitOf = { time: '10 seconds of processor time', memory: '512 MB of memory, or 32 MiB as a file', pages: '200 pages' } as const;

function hindered(error: unknown): unknown {
  const busy = () =>
    templateProblems.document_queue_full('Too many documents are in the queue. Send the request again in 10 seconds.', {
      headers: { 'retry-after': '10' },
    });
  if (error instanceof QueueFullError) return busy();
  if (!(error instanceof TypesettingError) || error instanceof Problem) return error;
  if (error.reason === 'time' || error.reason === 'memory' || error.reason === 'pages')
    return templateProblems.document_limit_exceeded(`The document needs more than ${limitOf[error.reason]}. It was not created.`, {
      members: { limit: error.reason },
    });
  if (error.reason === 'busy') return busy();
  // The log has the cause.
  return error.reason === 'crashed'
    ? problems.unavailable('The document was not created, because its typesetting process ended. Send the request again in 30 seconds.', {
        headers: { 'retry-after': '30' },
      })
    : error;
}
