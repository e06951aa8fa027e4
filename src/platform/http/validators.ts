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
 * Returns whether all systems read a text as the same time. JavaScript rejects an offset in hours only and a leap second, and it
 * reads an early year differently if a space separates date and hours. PostgreSQL rejects other separators.
 */
const isReadable = (text: string): boolean =>
  usualTime.validate(text) && beforeHours.test(text) && Date.parse(text) === Date.parse(text.replace(' ', 'T'));

function ajv({ coerceTypes, allErrors }: { coerceTypes: boolean | 'array'; allErrors: boolean }) {
  // The published package is CommonJS; in ES modules its class is the `default` member.
  // Schema validation is off: the types guarantee that schemas are valid, and it takes as long as compiling thirty schemas.
  const instance = new Ajv.default({
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    allErrors,
    strict: false,
    validateSchema: false,
  });
  addFormats.default(instance);
  // The minimum length counts visible characters, so that a comment or reason cannot consist of spaces.
  instance.removeKeyword('minLength');
  instance.addKeyword({
    keyword: 'minLength',
    type: 'string',
    schemaType: 'number',
    compile: (least: number) => (text: string) => showsAtLeast(text, least),
    error: {
      message: ({ schemaCode }) => str`must have at least ${schemaCode} characters, without leading and trailing invisible characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
  });
  instance.addFormat('date-time', { ...usualTime, validate: isReadable });
  return instance;
}

/** Compiled validators by schema, so that tests that start the service again do not recompile them. */
const compilers = {
  body: ajv({ coerceTypes: false, allErrors: false }),
  all: ajv({ coerceTypes: false, allErrors: true }),
  text: ajv({ coerceTypes: 'array', allErrors: true }),
};

/**
 * Maximum number of values in a body for which all errors are collected. Each value can have several errors, which together use a hundred times the
 * size of a large body.
 */
const maxValues = 5_000;

/** Returns `left` minus the number of values in `value`, at least 0. */
function fewerThan(value: unknown, left: number): number {
  if (typeof value !== 'object' || value === null) return left - 1;
  for (const member of Object.values(value)) {
    left = fewerThan(member, left);
    if (left <= 0) break;
  }
  return left - 1;
}

/**
 * Validates bodies without conversion. Parameters of paths and query strings are text and are converted to the type of the schema. Each
 * validator is compiled at its first use; compiling all at the start takes 1/6 s longer.
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

/** Returns the validation errors of data, or undefined. */
export type Check = (data: unknown) => FastifySchemaValidationError[] | undefined;

/** Returns the validator of one part of a request; by default of the body. */
export function checkOf(schema: object, httpPart = 'body'): Check {
  const compiled: Partial<Record<keyof typeof compilers, ValidateFunction>> = {};
  /** Returns the errors and clears them in the compiled function, so that they can be garbage-collected. */
  function errorsOf(data: unknown, kind: keyof typeof compilers): FastifySchemaValidationError[] | undefined {
    const check = (compiled[kind] ??= compilers[kind].compile(schema));
    const valid = check(data);
    const errors = check.errors as FastifySchemaValidationError[];
    check.errors = null;
    return valid ? undefined : errors;
  }
  return (data) => {
    const errors = errorsOf(data, httpPart === 'body' ? 'body' : 'text');
    if (errors) return (httpPart === 'body' && fewerThan(data, maxValues) > 0 ? errorsOf(data, 'all') : undefined) ?? errors;
    if (httpPart !== 'params') lowerIdentifiers(schema, data);
    return undefined;
  };
}
