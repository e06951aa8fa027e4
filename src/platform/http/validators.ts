import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySchemaValidationError, FastifyValidationResult } from 'fastify/types/schema.js';
import { lowerIdentifiers } from './body-identifiers.ts';

function ajv(coerceTypes: boolean | 'array') {
  // The published package is CommonJS; under Node's loader its class is the `default` member.
  const instance = new Ajv.default({ coerceTypes, useDefaults: true, removeAdditional: false, allErrors: true, strict: false });
  addFormats.default(instance);
  return instance;
}

/** What was compiled, kept by its schema: a process that starts the service again, as tests do, compiles nothing anew. */
const compilers = { body: ajv(false), text: ajv('array') };

/**
 * Bodies are taken as they are; what stands in a path or query string is text, and is read as the schema says. Each is
 * compiled when first asked for: a start that compiles all of them takes a sixth of a second longer.
 */
export function validators(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    let compiled: ValidateFunction | undefined;
    const validate: FastifyValidationResult = (data) => {
      compiled ??= compilers[httpPart === 'body' ? 'body' : 'text'].compile(schema);
      const valid = compiled(data);
      validate.errors = compiled.errors as FastifySchemaValidationError[] | null;
      if (valid && httpPart !== 'params') lowerIdentifiers(schema, data);
      return valid;
    };
    return validate;
  };
}
