import { Ajv2020, type ErrorObject, type SchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import type { TypesetError, Finding } from './messages.ts';

const maxFindings = 200;
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Runs patterns on a regular expression engine with linear time. */
const linearTime = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    // The validator distinguishes patterns by their text.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: 'linear time' },
);

/**
 * Returns the errors of the values or of the JSON Schema (2020-12) itself, or undefined. Fills in the defaults of the schema. Does not fetch
 * references. The caller limits time and memory.
 *
 * With `known`, the schema itself is not validated, because compiling the meta-schema takes most of the time.
 */
export function misfit(schemaText: string, data: unknown, known = false): TypesetError | undefined {
  const schema = JSON.parse(schemaText) as SchemaObject;
  if (schema.$schema !== undefined && schema.$schema !== dialect)
    return wrongSchema([{ pointer: '/$schema', message: `must be ${dialect}, or absent`, rule: 'dialect' }]);
  if (schema.$async !== undefined) return wrongSchema([{ pointer: '/$async', message: 'is not supported', rule: 'keyword' }]);
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    useDefaults: true,
    inlineRefs: false,
    logger: false,
    validateSchema: !known,
    code: { regExp: linearTime },
  });
  addFormats.default(ajv);
  if (!known && !ajv.validateSchema(schema)) return wrongSchema(findingsOf(ajv.errors));
  let fits;
  try {
    fits = ajv.compile(schema);
  } catch (error) {
    return wrongSchema([
      { message: `is invalid: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500), rule: 'schema' },
    ]);
  }
  if (fits(data)) return undefined;
  return { reason: 'data', message: 'The values do not match the schema.', findings: findingsOf(fits.errors) };
}

const wrongSchema = (findings: Finding[]): TypesetError => ({
  reason: 'schema',
  message: 'The schema is invalid or not supported.',
  findings,
});

function findingsOf(errors: readonly ErrorObject[] | null | undefined): Finding[] {
  return (errors ?? []).slice(0, maxFindings).map(({ instancePath, message = 'is invalid', keyword, params }) => {
    const missing: unknown = params.missingProperty;
    const extra: unknown = params.additionalProperty ?? params.unevaluatedProperty;
    const name = typeof missing === 'string' ? missing : typeof extra === 'string' ? extra : undefined;
    const pointer = name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const what =
      typeof missing === 'string' ? 'is required' : typeof extra === 'string' ? 'is not allowed: the schema has no such member' : message;
    return { pointer: pointer.slice(0, 500), message: what.slice(0, 300), rule: keyword };
  });
}
