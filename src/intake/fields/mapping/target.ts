import type { Field } from '../engine/index.ts';
import type { JsonSchema } from '../json-schema.ts';
import { answerSchema } from './inputs.ts';

/**
 * Returns the schema of the values that fields accept, such as the fields of a registry. Where containment in it is proven, a value is valid. It is a
 * target of mappings only: its formats and ranges are not standard.
 */
export function schemaOfFields(fields: readonly Field[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.id, placeSchema(field)])),
    // Defaults are valid, so a field with one needs no value.
    required: fields.filter((field) => field.required === true && field.default === undefined).map(({ id }) => id),
    additionalProperties: false,
  };
}

function placeSchema(field: Field): JsonSchema {
  const { 'x-patterns': _, ...schema } = answerSchema(field);
  const pattern = field.validation?.pattern;
  return pattern === undefined ? schema : { ...schema, pattern };
}
