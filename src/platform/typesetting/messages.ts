import type { Limits } from './limits.ts';

/**
 * What is set: the files of a template by their paths, among them `main.typ`, and the values it works with, which it reads with
 * `json(bytes(sys.inputs.data))`. Values are data: nothing in them is ever read as markup.
 */
export type Manuscript = {
  files: Readonly<Record<string, string | Uint8Array>>;
  data: unknown;
  /** PDF/A-3a is for documents with attachments. */
  standard?: 'a-2a' | 'a-3a';
  /** The JSON Schema (2020-12) that the values must fit, as JSON: compared in the same process, where what it takes is bounded too. */
  schema?: string;
  /** Whether that was looked at before, and found to be a schema: to look again takes as long as a short document. */
  schemaKnown?: boolean;
  /** A label of Typst, such as `<note>`: the values of the metadata that has it are answered beside the document. */
  query?: string;
};

/** What a worker is told when it begins. `watch` is the file of its thread. */
export type WorkerSetting = { limits: Limits; fontsFolder?: string; watch: string };

/** One document asked of a worker; `data` as JSON. */
export type TypesetRequest = {
  id: number;
  files: Manuscript['files'];
  data: string;
  standard: string;
  schema: string | undefined;
  schemaKnown: boolean;
  query?: string;
};

/** One thing that is wrong: in which line of the template, or where in the schema or the values, by a JSON pointer. */
export type Finding = { message: string; line?: number; pointer?: string; rule?: string };

/**
 * Why a document could not be set. `template` names faults of the template, with where they are; `schema` those of the schema, and
 * `data` where the values do not fit it.
 */
export type TypesetError = { reason: 'template' | 'pages' | 'schema' | 'data'; message: string; findings?: Finding[] };

/** A worker's answer, with how much memory it holds by now, in bytes. */
export type TypesetResponse = { id: number; rss: number } & (
  | { pdf: Uint8Array; pages: number; found?: unknown[] }
  | { error: TypesetError }
);
