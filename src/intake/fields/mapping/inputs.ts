import { type Answers, answerText, countries, type Field, type FieldType, isList, ownMember } from '../engine/index.ts';
import { longest } from '../engine/checks.ts';
import { currencies } from '../engine/codes.ts';
import { usualLocale } from '../locales.ts';
import { type JsonSchema, jsonSchemaOf } from '../json-schema.ts';
import { longestLabel } from './longest-label.ts';
import { membersOf } from './place.ts';
import { type MappingValues, partOf } from './source.ts';

/** A name that a mapping can use. */
export type MappingInput = {
  /** The schema of all its values. */
  schema: JsonSchema;
  /** The names whose absence leaves it without a value. */
  needs: readonly string[];
  /** The schema of its text for people, if it has one. */
  label?: JsonSchema;
  /** Why its values can differ from the schema. */
  unsure?: string;
};

/** The names that a mapping can use. */
export type MappingInputs = {
  find: (name: string) => MappingInput | undefined;
  /** The names without their parts, to suggest one. */
  names: readonly string[];
  /** Returns the field of a name in conditions. */
  fieldOf: (name: string) => Field | undefined;
};

const textTypes = new Set(['text', 'textarea', 'email', 'phone', 'url']);
const formats: Readonly<Record<string, string>> = { email: 'x-email', phone: 'x-phone', url: 'x-url' };

/** The limits of dates, amounts and steps, which only equal limits are proven to fit. */
function rangeSchema({ type, validation: { min, max, step } = {} }: Field): JsonSchema {
  const isNumber = type === 'number' || type === 'integer';
  const limits = isNumber ? (step === undefined ? [] : [min, step]) : [min, max, step];
  return limits.some((limit) => limit !== undefined) ? { 'x-answer-range': JSON.stringify(limits) } : {};
}

/** Returns the schema of the answers to a field, with all limits that the validation of answers ensures. */
export function answerSchema(field: Field): JsonSchema {
  const item = { ...itemSchema(field), ...(isList(field) ? {} : rangeSchema(field)) };
  if (!isList(field)) return item;
  const { minItems = 1, maxItems = field.options?.length ?? 1 } = field.validation ?? {};
  return { type: 'array', items: item, uniqueItems: true, minItems: Math.max(1, minItems), maxItems };
}

function itemSchema(field: Field): JsonSchema {
  const { type, options, validation = {} } = field;
  if (textTypes.has(type)) return textSchema(field);
  if (type === 'integer')
    return {
      type,
      minimum: typeof validation.min === 'number' ? validation.min : Number.MIN_SAFE_INTEGER,
      maximum: typeof validation.max === 'number' ? validation.max : Number.MAX_SAFE_INTEGER,
    };
  if (type === 'hidden') return { const: field.default };
  if (type === 'date') return { type: 'string', format: 'date', minLength: 10, maxLength: 10, 'x-answer-line': true };
  if (type === 'time') return { type: 'string', format: 'x-time', minLength: 5, maxLength: 8, 'x-answer-line': true };
  if (type === 'datetime') return { type: 'string', format: 'x-datetime', minLength: 16, maxLength: 35, 'x-answer-line': true };
  if (type === 'file' || type === 'registry')
    return { type: 'string', format: 'uuid', minLength: 36, maxLength: 36, 'x-answer-line': true };
  if (type === 'money') return amountSchema(field);
  if (type === 'country') return { enum: [...countries] };
  if (options) return { enum: options.map(({ id }) => id) };
  const { properties } = jsonSchemaOf([{ ...field, id: 'answer' }], 'en') as { properties: { answer: JsonSchema } };
  return nonEmpty(properties.answer);
}

function textSchema({ type, validation: { minLength = 1, maxLength = longest[type] ?? 1_000, pattern } = {} }: Field): JsonSchema {
  return {
    type: 'string',
    minLength: Math.max(1, minLength),
    maxLength,
    ...(formats[type] === undefined ? {} : { format: formats[type] }),
    ...(pattern === undefined ? {} : { 'x-patterns': [pattern, `^(?:${pattern})$`] }),
    ...(type === 'textarea' ? {} : { 'x-answer-line': true }),
  };
}

/** Amounts with at most this many units, which have at most 4 decimals, are exact as numbers. */
const maxExactUnits = 99_999_999_999;

function amountSchema({ options, validation: { min, max, step } = {} }: Field): JsonSchema {
  const isBounded = typeof min === 'number' && typeof max === 'number' && Math.max(-min, max) <= maxExactUnits;
  const isWhole = Number.isInteger(step) && (min === undefined || Number.isInteger(min));
  const asNumber = { type: isWhole ? 'integer' : 'number', minimum: min, maximum: max };
  return {
    type: 'object',
    properties: {
      amount: {
        type: 'string',
        format: 'x-amount',
        minLength: 1,
        maxLength: 21,
        'x-answer-line': true,
        ...(isBounded ? { 'x-number': asNumber } : {}),
      },
      currency: { enum: options?.map(({ id }) => id) ?? [...currencies()] },
    },
    required: ['amount', 'currency'],
    additionalProperties: false,
  };
}

/** Texts in composite answers are never empty. */
function nonEmpty(schema: JsonSchema): JsonSchema {
  if (schema.type === 'string') return { minLength: 1, ...schema };
  if (schema.properties === undefined) return schema;
  const properties = Array.from(membersOf(schema.properties), ([name, one]) => [name, nonEmpty(one as JsonSchema)] as const);
  return { ...schema, properties: Object.fromEntries(properties) };
}

const line = { type: 'string', minLength: 1, 'x-answer-line': true } as const;

/** Returns the schema of the texts of an answer for people: see {@link answerText}. */
function labelSchema(field: Field, locales: readonly string[]): JsonSchema | undefined {
  const { type, options, validation = {} } = field;
  if (['file', 'registry', 'signature', 'heading', 'hidden'].includes(type)) return undefined;
  if (options && type !== 'money') {
    const texts = [
      ...new Set(options.flatMap(({ id, label }) => (label === undefined ? id : typeof label === 'string' ? label : Object.values(label)))),
    ];
    if (!isList(field)) return { enum: texts };
    const most = Math.max(...texts.map((text) => Array.from(text).length)) + 1;
    return { type: 'string', minLength: 1, maxLength: most * (validation.maxItems ?? options.length) };
  }
  if (textTypes.has(type) || type === 'time' || type === 'datetime') return answerSchema(field);
  if (type === 'date' || type === 'country') return { ...line, maxLength: longestLabel(type, locales) };
  if (type === 'address') return { type: 'string', minLength: 1, maxLength: 500 };
  // The longest number has 309 digits and their separators.
  return { ...line, maxLength: type === 'number' ? 500 : 200 };
}

/** Describes the values of a field for mappings. `locales` are the languages of its text for people. */
export function inputOf(field: Field, locales: readonly string[] = [usualLocale]): MappingInput | undefined {
  const { id, type, required, visibleIf } = field;
  if (type === 'heading' || (type === 'hidden' && field.default === undefined)) return undefined;
  const label = labelSchema(field, locales);
  const isAlways = visibleIf === undefined && (required === true || type === 'hidden');
  return { schema: answerSchema(field), needs: isAlways ? [] : [id], ...(label === undefined ? {} : { label }) };
}

/** Returns a part of an input, such as the currency of an amount. */
export function partOfInput(name: string, input: MappingInput, parts: readonly string[]): MappingInput | undefined {
  let { schema } = input;
  const needs = [...input.needs];
  let path = name;
  for (const part of parts) {
    path += `/${part}`;
    const member = membersOf(schema.properties).get(part) as JsonSchema | undefined;
    if (member === undefined) return undefined;
    if (!(schema.required as unknown[] | undefined)?.includes(part)) needs.push(path);
    schema = member;
  }
  return { schema, needs, ...(input.unsure === undefined ? {} : { unsure: input.unsure }) };
}

/** The facts of a form that its mappings use. */
export type FormOfMapping = {
  fields: readonly Field[];
  /** The languages of the form, the default first. */
  locales: readonly string[];
  /** The displayed fields of the registries in the fields, by the id of the registry. */
  registries?: ReadonlyMap<string, readonly Field[]>;
};

const submissionNames = ['id', 'at', 'locale'] as const;

function submissionInput(name: string, locales: readonly string[]): MappingInput | undefined {
  const schema: Record<(typeof submissionNames)[number], JsonSchema> = {
    id: { ...line, format: 'uuid', minLength: 36, maxLength: 36 },
    at: { ...line, format: 'date-time', minLength: 24, maxLength: 24 },
    locale: { enum: [...locales] },
  };
  const known = submissionNames.find((one) => one === name);
  return known && { schema: schema[known], needs: [] };
}

/** The beginning of names of the answers to the form that started a workflow. */
const ofSubmission = 'submission/';

/**
 * Converts a name such as `submission/amount` to the name inside the form: a fact of the submission, or a field with its
 * parts. Other names stay the same.
 */
export function nameInForm(name: string): string {
  const own = name.startsWith(ofSubmission) ? name.slice(ofSubmission.length) : name;
  return submissionNames.some((one) => one === own) ? name : own;
}

/** Returns a function for names in a form. A field with the id `submission` has its own parts. */
const namesOf = (byId: ReadonlyMap<string, Field>) => (byId.has('submission') ? (name: string) => name : nameInForm);

/** Returns the names that the mappings of a form can use: fields, their parts, and the facts of the submission. */
export function inputsOfForm({ fields, locales, registries = new Map() }: FormOfMapping): MappingInputs {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const nameOf = namesOf(byId);
  const find = (name: string): MappingInput | undefined => {
    const [id = '', ...parts] = nameOf(name).split('/');
    const field = byId.get(id);
    if (!field) return id === 'submission' && parts.length === 1 ? submissionInput(parts[0] ?? '', locales) : undefined;
    const input = inputOf(field, locales);
    if (!input || parts.length === 0) return input;
    return field.type === 'registry' ? recordPart(field, input, parts, registries) : partOfInput(id, input, parts);
  };
  return {
    names: [...byId.keys(), ...submissionNames.map((name) => `submission/${name}`)],
    fieldOf: (name) => byId.get(nameOf(name)) ?? fieldOfPart(name, find(name)),
    find,
  };
}

/** The type of the field of a part, by the format of its schema. */
const typeOfFormat: Readonly<Record<string, FieldType>> = {
  date: 'date',
  'date-time': 'datetime',
  'x-time': 'time',
  'x-datetime': 'datetime',
};

/**
 * Returns a part of an answer, or a fact of the submission, as a field of conditions. Returns undefined for a part that
 * has parts itself.
 */
export function fieldOfPart(id: string, input: MappingInput | undefined): Field | undefined {
  const { enum: choices, type, format } = input?.schema ?? {};
  if (Array.isArray(choices)) return { id, type: 'select', options: choices.map((one) => ({ id: String(one) })) };
  if (type === 'string') return { id, type: typeOfFormat[String(format)] ?? 'text' };
  return type === 'number' || type === 'integer' ? { id, type } : undefined;
}

/** Returns a field of the record that an answer names. Records can be older than the rules of their registry. */
function recordPart(
  field: Field,
  { needs }: MappingInput,
  [column = '', ...parts]: readonly string[],
  registries: ReadonlyMap<string, readonly Field[]>,
): MappingInput | undefined {
  const own = registries.get(field.registryTypeId?.toLowerCase() ?? '')?.find(({ id }) => id === column);
  const input = own && !isList(field) ? inputOf(own) : undefined;
  if (!input) return undefined;
  const name = `${field.id}/${column}`;
  return partOfInput(name, { ...input, needs: [...needs, name], unsure: 'records can be older than the rules of the registry' }, parts);
}

/** The submission of a run. `values` has the answers to visible fields, `records` the records in them by id. */
export type SubmissionOfMapping = {
  id: string;
  at: Date;
  locale: string;
  values: Answers;
  records?: Readonly<Record<string, { data: Answers }>> | null;
};

/** Returns the values of a submission by the names that mappings use, such as `submission/id` and `amount/currency`. */
export function valuesOfSubmission({ fields, locales }: FormOfMapping, submission: SubmissionOfMapping): MappingValues {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const { locale, values, records } = submission;
  const [defaultLocale = locale] = locales;
  const facts: Readonly<Record<string, string>> = {
    'submission/id': submission.id,
    'submission/at': submission.at.toISOString(),
    'submission/locale': locale,
  };
  const nameOf = namesOf(byId);
  return {
    valueOf(name) {
      const [id = '', ...parts] = nameOf(name).split('/');
      const field = byId.get(id);
      if (!field) return facts[name];
      const value = ownMember(values, id);
      if (field.type !== 'registry' || parts.length === 0) return partOf(value, parts);
      const record = records && typeof value === 'string' ? ownMember(records, value.toLowerCase()) : undefined;
      return partOf(record, ['data', ...parts]);
    },
    labelOf(name) {
      const field = byId.get(nameOf(name));
      const value = field && ownMember(values, field.id);
      if (!field || value === undefined) return undefined;
      return answerText(field, value, locale, defaultLocale);
    },
  };
}
