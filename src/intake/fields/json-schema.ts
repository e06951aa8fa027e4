import { countries } from './engine/codes.ts';
import { longest } from './engine/checks.ts';
import { type Field, isList } from './engine/field.ts';
import { resolveText } from './engine/texts.ts';

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Record<string, unknown>;

/**
 * Returns the JSON Schema of the `data` of a submission, for API clients that fill in a form. Every valid submission matches it.
 * It is weaker than the form: a conditional field has `x-visible-if` and is never required.
 */
export function jsonSchemaOf(fields: readonly Field[], locale: string, defaultLocale = locale): JsonSchema {
  const questions = fields.filter(({ type }) => type !== 'heading' && type !== 'hidden');
  const required = questions.filter((field) => field.required && field.visibleIf === undefined).map(({ id }) => id);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(questions.map((field) => [field.id, described(field, locale, defaultLocale)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function described(field: Field, locale: string, defaultLocale: string): JsonSchema {
  const inWords = (text: NonNullable<Field['label']>) => resolveText(text, locale, defaultLocale);
  return {
    ...(field.label === undefined ? {} : { title: inWords(field.label) }),
    ...(field.help === undefined ? {} : { description: inWords(field.help) }),
    ...valueSchema(field, inWords),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.visibleIf === undefined ? {} : { 'x-visible-if': field.visibleIf }),
    ...(field.registryTypeId === undefined ? {} : { 'x-registry-type-id': field.registryTypeId }),
  };
}

type InWords = (text: NonNullable<Field['label']>) => string;

function valueSchema(field: Field, inWords: InWords): JsonSchema {
  if (!isList(field)) return itemSchema(field, inWords);
  const { minItems, maxItems } = field.validation ?? {};
  return {
    type: 'array',
    items: itemSchema(field, inWords),
    uniqueItems: true,
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

function itemSchema(field: Field, inWords: InWords): JsonSchema {
  switch (field.type) {
    case 'number':
    case 'integer':
      return { type: field.type, ...bounds(field) };
    case 'boolean':
      return { type: 'boolean' };
    case 'consent':
      return { type: 'boolean', const: true };
    case 'money':
      return moneySchema(field);
    case 'address':
      return addressSchema;
    case 'signature':
      return signatureSchema;
    case 'country':
      return { type: 'string', enum: [...countries] };
    case 'file':
    case 'registry':
      return { type: 'string', format: 'uuid' };
    default:
      if (field.type === 'checkbox' && !field.options) return { type: 'boolean', const: true };
      return field.options ? { oneOf: field.options.map((option) => choice(option, inWords)) } : textSchema(field);
  }
}

function choice({ id, label }: NonNullable<Field['options']>[number], inWords: InWords): JsonSchema {
  return { const: id, ...(label === undefined ? {} : { title: inWords(label) }) };
}

function bounds({ validation: { min, max, step } = {} }: Field): JsonSchema {
  return {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
    // JSON Schema counts multiples from 0, and a form counts from `min`.
    ...(step === undefined || (typeof min === 'number' && min % step !== 0) ? {} : { 'x-step': step }),
  };
}

/** Returns the schema of a text. Omits formats that are stricter than the form, because they would reject valid answers. */
function textSchema({ type, validation = {} }: Field): JsonSchema {
  const { minLength, maxLength = longest[type], pattern } = validation;
  return {
    type: 'string',
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(type === 'date' ? { format: 'date' } : {}),
    ...(type === 'url' ? { format: 'uri-reference' } : {}),
    ...(pattern === undefined || !isNative(pattern) ? {} : { pattern: `^(?:${pattern})$` }),
  };
}

/** Whether a pattern is also valid in JavaScript syntax, which JSON Schema uses. Forms use RE2 syntax. */
function isNative(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function moneySchema({ options }: Field): JsonSchema {
  return {
    type: 'object',
    properties: {
      amount: { type: 'string', pattern: '^-?\\d{1,15}(?:\\.\\d{1,4})?$' },
      currency: options ? { enum: options.map(({ id }) => id) } : { type: 'string', pattern: '^[A-Z]{3}$' },
    },
    required: ['amount', 'currency'],
    additionalProperties: false,
  };
}

const short = { type: 'string', maxLength: 500 };
const addressSchema: JsonSchema = {
  type: 'object',
  properties: {
    value: short,
    street: short,
    city: short,
    region: short,
    postalCode: short,
    country: short,
    latitude: { type: 'number' },
    longitude: { type: 'number' },
  },
  required: ['value'],
  additionalProperties: false,
};

const signatureSchema: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 255 }, fileId: { type: 'string', format: 'uuid' } },
  minProperties: 1,
  additionalProperties: false,
};
