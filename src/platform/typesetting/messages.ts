import type { Fonts } from './fonts.ts';
import type { Limits } from './limits.ts';

/**
 * A document to typeset: the template files by path, with `main.typ`, and its values. The template reads them with `json(bytes(sys.inputs.data))`.
 * Values are data and are never interpreted as markup.
 */
export type Manuscript = {
  files: Readonly<Record<string, string | Uint8Array>>;
  data: unknown;
  /** PDF/A-3a is for documents with attachments, PDF/A-1a for pages that a PDF/A-1 file gets. */
  standard?: 'a-1a' | 'a-2a' | 'a-3a';
  /** JSON Schema (2020-12) of the values, as JSON. The worker validates it, so that its time and memory are limited too. */
  schema?: string;
  /** Whether the schema was validated before. The validation takes as long as a short document. */
  schemaKnown?: boolean;
  /** A Typst label such as `<note>`. The response contains the values of the metadata with that label. */
  query?: string;
};

/** Start setting of a worker. `watch` is the file of its watch thread. */
export type WorkerSetting = { limits: Limits; fonts: Fonts; watch: string };

/** Request for one document. `data` is JSON. */
export type TypesetRequest = {
  id: number;
  files: Manuscript['files'];
  data: string;
  standard: string;
  schema: string | undefined;
  schemaKnown: boolean;
  query?: string;
};

/** An error with its line in the template, or a JSON pointer into the schema or the values. */
export type Finding = { message: string; line?: number; pointer?: string; rule?: string };

/**
 * Why a document could not be typeset. `template`: errors of the template with their lines. `schema`: errors of the schema. `data`: values that do
 * not match the schema.
 */
export type TypesetError = { reason: 'template' | 'pages' | 'schema' | 'data'; message: string; findings?: Finding[] };

/** Response of a worker, with its current memory in bytes. */
export type TypesetResponse = { id: number; rss: number } & (
  | { pdf: Uint8Array; pages: number; found?: unknown[] }
  | { error: TypesetError }
);
