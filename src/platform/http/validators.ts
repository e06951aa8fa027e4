import Ajv, { _, type FormatDefinition, str, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { showsAtLeast } from '../text.ts';
import { lowerIdentifiers } from './body-identifiers.ts';

const usualTime = fullFormats['date-time'] as FormatDefinition<string> & { validate: (text: string) => boolean };

const beforeHours = /^.{10}[t ]/i;

/**
 * Whether a text is a time that is read as the same one everywhere. An offset of hours alone and a leap second are none to JavaScript, which
 * reads another year of an early one where a space stands before the hours; other spaces there are none to the database.
 */
const isReadable = (text: string): boolean =>
  usualTime.validate(text) && beforeHours.test(text) && Date.parse(text) === Date.parse(text.replace(' ', 'T'));

function ajv({ coerceTypes, allErrors }: { coerceTypes: boolean | 'array'; allErrors: boolean }) {
  // The published package is CommonJS; under Node's loader its class is the `default` member.
  // That our own schemas are schemas is told by their types: what would check that takes as long to compile as thirty of them.
  const instance = new Ajv.default({
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    allErrors,
    strict: false,
    validateSchema: false,
  });
  addFormats.default(instance);
  // The least length of a text is asked of what of it can be seen: a comment or a reason of spaces alone says nothing.
  instance.removeKeyword('minLength');
  instance.addKeyword({
    keyword: 'minLength',
    type: 'string',
    schemaType: 'number',
    compile: (least: number) => (text: string) => showsAtLeast(text, least),
    error: {
      message: ({ schemaCode }) => str`must have at least ${schemaCode} characters, those around it that nobody sees left out`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
  });
  instance.addFormat('date-time', { ...usualTime, validate: isReadable });
  return instance;
}

/** What was compiled, kept by its schema: a process that starts the service again, as tests do, compiles nothing anew. */
const compilers = {
  body: ajv({ coerceTypes: false, allErrors: false }),
  faults: ajv({ coerceTypes: false, allErrors: true }),
  text: ajv({ coerceTypes: 'array', allErrors: true }),
};

/** Values in a body whose faults are all looked for: each may have several, and in a large one they take a hundred times its size. */
const maxValues = 5_000;

/** Whether a value has more values in it than so many; what is left of these otherwise. */
function fewerThan(value: unknown, left: number): number {
  if (typeof value !== 'object' || value === null) return left - 1;
  for (const member of Object.values(value)) {
    left = fewerThan(member, left);
    if (left <= 0) break;
  }
  return left - 1;
}

/**
 * Bodies are taken as they are; what stands in a path or query string is text, and is read as the schema says. Each is
 * compiled when first asked for: a start that compiles all of them takes a sixth of a second longer.
 */
export function validators(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    const errorsOf = checkOf(schema, httpPart);
    return (data: unknown) => {
      const errors = errorsOf(data);
      return errors ? { error: errors } : true;
    };
  };
}

/** What of some data does not fit the schema of this part of a request; nothing where all does. */
export type Check = (data: unknown) => FastifySchemaValidationError[] | undefined;

/** The check of one part of requests, a body unless another is said. */
export function checkOf(schema: object, httpPart = 'body'): Check {
  const compiled: Partial<Record<keyof typeof compilers, ValidateFunction>> = {};
  /** The faults of some data, of which the function that found them keeps none. */
  function errorsOf(data: unknown, kind: keyof typeof compilers): FastifySchemaValidationError[] | undefined {
    const check = (compiled[kind] ??= compilers[kind].compile(schema));
    const valid = check(data);
    const errors = check.errors as FastifySchemaValidationError[];
    check.errors = null;
    return valid ? undefined : errors;
  }
  return (data) => {
    const errors = errorsOf(data, httpPart === 'body' ? 'body' : 'text');
    if (errors) return (httpPart === 'body' && fewerThan(data, maxValues) > 0 ? errorsOf(data, 'faults') : undefined) ?? errors;
    if (httpPart !== 'params') lowerIdentifiers(schema, data);
    return undefined;
  };
}
