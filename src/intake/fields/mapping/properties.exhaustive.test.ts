import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { misfit } from '../../../platform/typesetting/schema-check.ts';
import { checkAnswers, type Condition, type Field, type FieldType } from '../engine/index.ts';
import type { JsonSchema } from '../json-schema.ts';
import {
  answerSchema,
  applyMapping,
  checkMappingShape,
  compareMapping,
  contains,
  countSources,
  edgeAnswers,
  inputsOfForm,
  type Mapping,
  namesInSource,
  type ValueSource,
  valuesOfSubmission,
} from './index.ts';

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const present = (schema: object): JsonSchema => Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));

/** Random schemas of sources and places. */
const scalarSchema: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: fc.integer({ min: 1, max: 3 }), maxLength: fc.integer({ min: 3, max: 9 }) }),
  fc.record({
    type: fc.constant('string'),
    minLength: fc.constant(1),
    maxLength: fc.constant(6),
    pattern: fc.constantFrom('^[a-z]+$', '^x'),
  }),
  fc
    .record({
      type: fc.constantFrom('integer', 'number'),
      minimum: optional(fc.integer({ min: -3, max: 5 })),
      maximum: optional(fc.integer({ min: 5, max: 12 })),
      exclusiveMaximum: optional(fc.integer({ min: 8, max: 14 })),
      multipleOf: fc.option(fc.constantFrom(1, 2), { nil: undefined, freq: 5 }),
    })
    .map(present),
  fc.subarray(['x', 'y', 'xyz', 1], { minLength: 1 }).map((values) => ({ enum: values })),
  fc.constant({ type: 'boolean' }),
  fc.constant({ type: ['string', 'integer'] }),
  fc.constantFrom('x', 1, true).map((value) => ({ const: value })),
);
const { schema: anySchema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    scalarSchema,
    fc
      .record({
        type: fc.constant('array'),
        items: scalarSchema,
        minItems: fc.integer({ min: 0, max: 2 }),
        maxItems: fc.integer({ min: 2, max: 4 }),
        uniqueItems: optional(fc.constant(true)),
      })
      .map(present),
    fc
      .record({
        type: fc.constant('object'),
        properties: fc.record({ p: tie('schema'), q: tie('schema'), r: scalarSchema }, { requiredKeys: ['p'] }),
        required: fc.subarray(['p', 'q', 'r']),
        additionalProperties: optional(fc.constant(false)),
      })
      .map(present),
    scalarSchema.map((one) => ({ ...one, default: 'x' })),
    scalarSchema.map((one) => ({ allOf: [one] })),
  ),
}));

/** Returns a random value that a schema accepts, most of the time. */
function someOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  if (Array.isArray(schema.allOf)) return someOf(schema.allOf[0] as JsonSchema);
  const { minimum = -9, maximum = 25 } = schema as { minimum?: number; maximum?: number };
  switch ([schema.type].flat()[0]) {
    case 'string':
      return fc.string({
        unit: fc.constantFrom('x', 'y', 'z', '😀'),
        minLength: Number(schema.minLength ?? 0),
        maxLength: Number(schema.maxLength ?? 12),
      });
    case 'integer':
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));
    case 'number':
      return fc.oneof(fc.double({ min: minimum, max: maximum, noNaN: true }), fc.constantFrom(minimum, maximum));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(someOf(schema.items as JsonSchema), { minLength: Number(schema.minItems), maxLength: Number(schema.maxItems) });
    default: {
      const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
        ([name, one]) => [name, someOf(one)] as const,
      );
      return fc.record(Object.fromEntries(members), {
        requiredKeys: (schema.required as string[]).filter((name) => members.some(([one]) => one === name)),
      });
    }
  }
}

test('no value of a source is invalid where containment is proven', () => {
  const ajv = new Ajv2020({ strict: false, useDefaults: true });
  const counts = { proven: 0, unproven: 0, misfit: 0 };
  let refused = 0;
  fc.assert(
    fc.property(
      anySchema.chain((source) =>
        fc.tuple(
          fc.constant(source),
          fc.oneof({ weight: 2, arbitrary: anySchema }, { weight: 1, arbitrary: fc.constant(source) }),
          fc.array(someOf(source), { minLength: 30, maxLength: 30 }),
        ),
      ),
      ([source, place, values]) => {
        const fit = contains(source, place, place);
        counts[fit.is] += 1;
        const [isSource, isPlace] = [ajv.compile(source), ajv.compile(place)];
        for (const value of values.filter((one) => isSource(structuredClone(one)))) {
          const isValid = isPlace(structuredClone(value));
          if (!isValid) refused += 1;
          if (fit.is === 'proven') assert.ok(isValid, `${JSON.stringify(value)} is invalid: ${ajv.errorsText(isPlace.errors)}`);
          if (fit.is === 'misfit' && fit.never) assert.ok(!isValid, `${JSON.stringify(value)} is valid`);
        }
        if (fit.is === 'misfit' && fit.example !== undefined && isSource(structuredClone(fit.example)))
          assert.ok(typeof fit.example === 'object' || !isPlace(structuredClone(fit.example)), `${JSON.stringify(fit.example)} is valid`);
      },
    ),
    { numRuns: 1_500, endOnFailure: true },
  );
  // The samples contain all results, so the property is not empty.
  assert.ok(counts.proven > 150 && counts.misfit > 300 && counts.unproven > 50 && refused > 1_000, JSON.stringify({ counts, refused }));
});

const types: FieldType[] = [
  'text',
  'textarea',
  'email',
  'number',
  'integer',
  'money',
  'date',
  'boolean',
  'select',
  'multiselect',
  'address',
  'country',
  'consent',
  'checkbox',
  'hidden',
  'url',
  'phone',
];
const options = [{ id: 'x', label: 'The first' }, { id: 'y', label: { en: 'Second', de: 'Zweite' } }, { id: '24' }];

const formField = (id: string, earlier: string | undefined): fc.Arbitrary<Field> =>
  fc
    .record({
      type: fc.constantFrom(...types),
      required: fc.boolean(),
      isConditional: fc.boolean(),
      lengths: fc.boolean(),
      range: fc.boolean(),
    })
    .map(({ type, required, isConditional, lengths, range }): Field => {
      const isText = ['text', 'textarea', 'email', 'url', 'phone'].includes(type);
      const isNumber = ['number', 'integer', 'money'].includes(type);
      return {
        id,
        type,
        label: id,
        ...(required && type !== 'hidden' ? { required } : {}),
        ...(type === 'select' || type === 'multiselect' ? { options } : {}),
        ...(type === 'hidden' ? { default: 'fixed' } : {}),
        ...(isConditional && earlier !== undefined ? { visibleIf: { field: earlier, empty: false } } : {}),
        ...(isText && lengths ? { validation: { minLength: 2, maxLength: 40 } } : {}),
        ...(isNumber && range ? { validation: { min: 1, max: 50 } } : {}),
      };
    });
const ids = ['a', 'b', 'c', 'd'];
const formFields = fc.tuple(...ids.map((id, place) => formField(id, ids[place - 1])));

const simple: fc.Arbitrary<ValueSource> = fc.oneof(
  fc.record({ from: fc.constantFrom(...ids, 'a/amount', 'b/value', 'c/currency', 'd/city', 'submission/at', 'submission/locale') }),
  fc.record({ from: fc.constantFrom(...ids, 'a/amount'), as: fc.constantFrom('number' as const, 'text' as const, 'integer' as const) }),
  fc.record({ text: fc.constantFrom('for {{a}}', '{{b}} and {{c}}', 'none', '{{d}}') }),
  fc.record({ label: fc.constantFrom(...ids) }),
  fc.record({ value: fc.constantFrom<unknown>('x', 3, true) }),
);
const when: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field: fc.constantFrom(...ids), empty: fc.boolean() }),
  fc.record({ not: fc.record({ field: fc.constantFrom(...ids), empty: fc.constant(true) }) }),
);
const source: fc.Arbitrary<ValueSource> = fc.oneof(
  { weight: 3, arbitrary: simple },
  { weight: 1, arbitrary: fc.record({ first: fc.array(fc.record({ when, then: simple }), { minLength: 1, maxLength: 2 }), else: simple }) },
  { weight: 1, arbitrary: fc.record({ first: fc.array(fc.record({ when, then: simple }), { minLength: 1, maxLength: 2 }) }) },
);

const place: fc.Arbitrary<JsonSchema> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<JsonSchema>({}, { type: ['string', 'boolean', 'number'], maxLength: 20_000 }) },
  fc.record({ type: fc.constant('string'), maxLength: fc.constantFrom(30, 300, 20_000) }),
  fc.record({ type: fc.constant('string'), minLength: fc.constant(1) }),
  fc.constant({ type: 'string' }),
  fc.constant({ type: 'string', format: 'date' }),
  fc.constant({ type: 'number', minimum: 0 }),
  fc.constant({ type: 'number' }),
  fc.constant({ type: 'integer' }),
  fc.constant({ type: ['string', 'boolean', 'number'] }),
  fc.constant({ type: 'array', items: { type: 'string' }, maxItems: 3, uniqueItems: true }),
  fc.constant({ enum: ['x', 'y', '24', 'The first', 'Second', 'Zweite'] }),
  fc.constant({}),
  fc.constant({
    type: 'object',
    required: ['amount', 'currency'],
    properties: { amount: { type: 'string', maxLength: 21 }, currency: { type: 'string' } },
  }),
);
const target = fc
  .record({ p: place, q: place, r: place, s: place, required: fc.subarray(['p', 'q', 'o']), inner: fc.subarray(['r', 's']) })
  .map(({ p, q, r, s, required, inner }) => ({
    type: 'object',
    properties: { p, q, o: { type: 'object', properties: { r, s }, required: inner, additionalProperties: false } },
    required,
    additionalProperties: false,
  }));
const mappingOf = fc.record({ p: source, q: source, 'o.r': source, 'o.s': source }, { requiredKeys: [] });

/** Answers to a field, at its limits and in between. */
function answersTo(field: Field): fc.Arbitrary<unknown> {
  if (field.type === 'hidden') return fc.constant(undefined);
  const { minLength = 1, maxLength = 60 } = field.validation ?? {};
  const { min, max } = { min: Number(field.validation?.min ?? -5), max: Number(field.validation?.max ?? 99_999) };
  const byType: Partial<Record<FieldType, fc.Arbitrary<unknown>>> = {
    text: fc.string({ unit: fc.constantFrom('a', '7', '{', '}', 'é', '😀'), minLength, maxLength }),
    textarea: fc.string({ unit: fc.constantFrom('a', '\n', '{'), minLength, maxLength }),
    email: fc.constantFrom('a@b.example', 'longer.name@example.org'),
    url: fc.constantFrom('https://example.org', 'http://b.example/x'),
    phone: fc.constantFrom('+49 30 1234', '1234567'),
    number: fc.double({ min, max, noNaN: true, noDefaultInfinity: true }),
    integer: fc.integer({ min, max }),
    money: fc.record({
      amount: fc.constantFrom('1', '12.50', '49.9999', ...(field.validation ? [] : ['-3', '999999999999999.9999'])),
      currency: fc.constantFrom('EUR', 'JPY'),
    }),
    date: fc.constantFrom('2026-01-31', '0001-01-01'),
    boolean: fc.boolean(),
    select: fc.constantFrom('x', 'y', '24'),
    multiselect: fc.subarray(['x', 'y', '24'], { minLength: 1 }),
    address: fc.record(
      { value: fc.constantFrom('x', 'y'.repeat(500)), city: fc.constantFrom('Bern', 'c'.repeat(500)) },
      { requiredKeys: ['value'] },
    ),
    country: fc.constantFrom('DE', 'GS'),
    consent: fc.constant(true),
    checkbox: fc.constant(true),
  };
  return byType[field.type] ?? fc.constant(undefined);
}

test('no submission is refused by a target whose places are all proven', () => {
  let proven = 0;
  let submissions = 0;
  fc.assert(
    fc.property(
      fc.tuple(formFields, mappingOf, target).chain(([fields, mapping, schema]) => {
        const given = Object.fromEntries(fields.map((field) => [field.id, optional(answersTo(field))]));
        return fc.tuple(
          fc.constant(fields),
          fc.constant(mapping),
          fc.constant(schema),
          fc.array(fc.record(given), { minLength: 5, maxLength: 5 }),
        );
      }),
      ([fields, drawn, schema, givens]) => {
        const form = { fields, locales: ['en', 'de'] };
        const inputs = inputsOfForm(form);
        const compared = (mapping: Mapping) => compareMapping(mapping, { inputs, target: { schema, called: 'the target' }, at: '' });
        const isProven = (path: string, one: ValueSource) =>
          checkMappingShape({ [path]: one }, '', { inputs, count: countSources() }).length === 0 &&
          compared({ [path]: one }).places.every((fit) => fit.path !== path || fit.fit.is === 'proven');
        const mapping = Object.fromEntries(Object.entries(drawn).filter(([path, one]) => isProven(path, one as ValueSource))) as Mapping;
        const { errors, places } = compared(mapping);
        if (errors.length > 0 || places.some(({ fit }) => fit.is !== 'proven')) return;
        proven += 1;
        const edges = edgeAnswers(fields, Object.values(mapping).flatMap(namesInSource), inputs);
        for (const given of [...givens, ...edges]) {
          const checked = checkAnswers(fields, given, { locale: 'en' });
          if (checked.errors.length > 0) continue;
          submissions += 1;
          const values = valuesOfSubmission(form, {
            id: '0195b1f0-0000-7000-8000-0000000000bb',
            at: new Date(0),
            locale: 'de',
            values: checked.values,
          });
          const made = applyMapping(mapping, values);
          const wrong = misfit(JSON.stringify(schema), structuredClone(made), true);
          assert.equal(wrong, undefined, `${JSON.stringify(made)}: ${JSON.stringify(wrong)}`);
        }
      },
    ),
    { numRuns: 2_400, endOnFailure: true },
  );
  assert.ok(proven > 500 && submissions > 2_000, `${proven} proven, ${submissions} submissions`);
});

test('each valid answer matches the schema of its field', () => {
  const ajv = new Ajv2020({ strict: false, formats: { date: true, uuid: true } });
  fc.assert(
    fc.property(
      formField('a', undefined).chain((field) => fc.tuple(fc.constant(field), answersTo(field))),
      ([field, given]) => {
        const { values, errors } = checkAnswers([field], { a: given }, { locale: 'en' });
        if (errors.length > 0 || values.a === undefined) return;
        assert.ok(ajv.validate(answerSchema(field), values.a), `${JSON.stringify(values.a)}: ${ajv.errorsText()}`);
      },
    ),
    { numRuns: 500, endOnFailure: true },
  );
});
