import fastJsonStringify from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';

type Serialize = (data: unknown) => string;

/** What was made, by its schema, for all services of the process. */
const made = new WeakMap<object, Serialize>();

/**
 * Writes answers as Fastify does by default, with code made from their schema, but made when an answer of that schema is first
 * written, and once for all routes that share it: a start that makes it for each status of each route takes a fifth longer.
 */
export function serializers(): FastifySerializerCompiler<object> {
  return ({ schema }) => {
    let serialize: Serialize | undefined;
    return (data) => {
      if (serialize === undefined) {
        serialize = made.get(schema) ?? fastJsonStringify(schema);
        made.set(schema, serialize);
      }
      return serialize(data);
    };
  };
}
