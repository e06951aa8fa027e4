import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import {
  checkWith,
  checkFields,
  type Condition,
  evaluateCondition,
  type Field,
  type FieldType,
  fieldTypes,
  holds,
  jsonSchemaOf,
  numberOf,
} from './index.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const optionIds = ['x', 'y', 'z'];
const english = { locale: 'en' };

const withOptions = new Set<FieldType>(['select', 'multiselect', 'radio']);
const scalar = fc.oneof(fc.constantFrom('x', 'y', '1', '', '2026-01-01', '10:00'), fc.integer({ min: -2, max: 2 }), fc.boolean());
const leaf = fc.oneof(
  fc.record({ field: fc.constantFrom(...ids), eq: scalar }),
  fc.record({ field: fc.constantFrom(...ids), ne: scalar }),
  fc.record({ field: fc.constantFrom(...ids), gt: fc.integer({ min: -2, max: 2 }) }),
  fc.record({ field: fc.constantFrom(...ids), lt: fc.constantFrom('2026-01-01', 'x') }),
  fc.record({ field: fc.constantFrom(...ids), in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ field: fc.constantFrom(...ids), empty: fc.boolean() }),
);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ),
}));

/** A form in which each field depends only on earlier fields, so that it has no cycle. */
const form: fc.Arbitrary<Field[]> = fc
  .tuple(
    ...ids.map(() =>
      fc.record({ type: fc.constantFrom(...fieldTypes), required: fc.boolean(), visibleIf: fc.option(condition, { nil: undefined }) }),
    ),
  )
  .map((made) =>
    made.map(({ type, required, visibleIf }, place): Field => {
      const own = visibleIf && only(visibleIf, ids.slice(0, place));
      return {
        id: ids[place]!,
        type,
        label: 'L',
        ...(required && type !== 'hidden' && type !== 'heading' ? { required } : {}),
        ...(withOptions.has(type) ? { options: optionIds.map((id) => ({ id })) } : {}),
        ...(type === 'registry' ? { registryTypeId: '0195b1f0-0000-7000-8000-000000000001' } : {}),
        ...(own ? { visibleIf: own } : {}),
      };
    }),
  );

/** Restricts a condition to allowed fields; other comparisons become a condition that always holds. */
function only(one: Condition, allowed: string[]): Condition {
  if ('all' in one) return { all: one.all.map((inner) => only(inner, allowed)) };
  if ('any' in one) return { any: one.any.map((inner) => only(inner, allowed)) };
  if ('not' in one) return { not: only(one.not, allowed) };
  return allowed.includes(one.field) ? one : { all: [] };
}

/** Values that fit some field types. Random values alone would always be rejected. */
const fitting = fc.constantFrom<unknown>(
  'x',
  ['x', 'y'],
  'ada@example.com',
  '+49 30 901820',
  1,
  true,
  false,
  '2026-01-01',
  '10:00',
  '2026-01-01T10:00:00Z',
  { amount: '1.50', currency: 'EUR' },
  { value: 'Road 1' },
  { name: 'Ada' },
  'DE',
  'https://example.com',
  '0195b1f0-0000-7000-8000-000000000001',
);
const data = fc.dictionary(fc.constantFrom(...ids, 'other'), fc.oneof(fitting, scalar, fc.anything()));

test('no function throws, for any input', () => {
  const anything = fc.oneof(data, fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true, withSet: true }));
  fc.assert(
    fc.property(form, anything, (fields, sent) => {
      const { errors, values } = checkWith(fields, sent, english);
      for (const { reason, pointer } of errors) assert.ok(reason.length > 0 && pointer.startsWith('/data/'));
      assert.ok(Object.keys(values).every((id) => ids.includes(id)));
    }),
    { numRuns: 2_000 },
  );
});

test('the value of an invisible field is dropped, and valid answers stay unchanged when checked again', () => {
  fc.assert(
    fc.property(form, data, (fields, sent) => {
      const first = checkWith(fields, sent, english);
      for (const id of Object.keys(first.values)) assert.ok(first.visible.has(id), id);
      const again = checkWith(fields, first.values, english);
      assert.deepEqual([again.values, again.visible, again.errors], [first.values, first.visible, first.errors]);
    }),
    { numRuns: 2_000 },
  );
});

/** A simple reference implementation of conditions, according to the documentation. */
function plainlyHolds(one: any, answer: (id: string) => any): boolean {
  if (one.all) {
    for (const inner of one.all) if (!plainlyHolds(inner, answer)) return false;
    return true;
  }
  if (one.any) {
    for (const inner of one.any) if (plainlyHolds(inner, answer)) return true;
    return false;
  }
  if (one.not) return !plainlyHolds(one.not, answer);
  const value = answer(one.field);
  const choices = Array.isArray(value) ? value : [value];
  if (one.empty !== undefined) return (value === undefined || value === '' || choices.length === 0) === one.empty;
  if (one.eq !== undefined) return choices.includes(one.eq);
  if (one.ne !== undefined) return !choices.includes(one.ne);
  if (one.in !== undefined) return choices.some((choice) => one.in.includes(choice));
  if (one.gt !== undefined) return typeof value === typeof one.gt && value > one.gt;
  return typeof value === typeof one.lt && value < one.lt;
}

/** A simple reference implementation of visibility, which evaluates all dependencies again for each field. */
function plainlyShown(fields: Field[], id: string, sent: Record<string, unknown>): boolean {
  const field = fields.find((one) => one.id === id);
  if (!field) return false;
  if (!field.visibleIf) return true;
  return plainlyHolds(field.visibleIf, (other) => (plainlyShown(fields, other, sent) ? sent[other] : undefined));
}

test('visibility matches the reference implementation', () => {
  const plain = fc.oneof(
    fc.constantFrom('x', 'y', '1', '2026-01-01', '2025-12-31'),
    fc.integer({ min: -3, max: 3 }),
    fc.constant(['x']),
    fc.constant(true),
  );
  const answers = fc.dictionary(fc.constantFrom(...ids), plain);
  // Types that store answers unchanged. Normalization has separate tests.
  const plainForm = form.map((fields) => fields.map((field): Field => ({ ...field, type: 'number' })));
  fc.assert(
    fc.property(plainForm, answers, (fields, sent) => {
      const { visible } = checkWith(fields, sent, english);
      assert.deepEqual(
        ids.filter((id) => visible.has(id)),
        ids.filter((id) => plainlyShown(fields, id, sent)),
      );
    }),
    { numRuns: 3_000 },
  );
});

test('a condition is known only if no missing answer can change it, and then equals two-valued logic', () => {
  const given = fc.record(Object.fromEntries(ids.map((id) => [id, fc.oneof(fc.constant(undefined), scalar)])));
  fc.assert(
    fc.property(condition, given, fc.array(fc.oneof(scalar, fc.constant(undefined)), { minLength: 1 }), (one, answers, others) => {
      const result = evaluateCondition(one, (id) => answers[id]);
      if (Object.values(answers).every((answer) => answer !== undefined && answer !== ''))
        assert.equal(
          result,
          holds(one, (id) => answers[id]),
        );
      if (result === 'unknown' || JSON.stringify(one).includes('"empty"')) return;
      for (const other of others)
        assert.equal(
          holds(one, (id) => answers[id] ?? other),
          result,
        );
    }),
    { numRuns: 2_000 },
  );
});

test('every valid submission matches the JSON Schema of the form', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  let taken = 0;
  const few = fc.dictionary(fc.constantFrom(...ids), fitting, { maxKeys: 2 });
  fc.assert(
    fc.property(form, few, (fields, sent) => {
      const { values, errors } = checkWith(fields, sent, english);
      if (errors.length > 0) return;
      taken += 1;
      const schema = jsonSchemaOf(fields, 'en');
      assert.equal(ajv.validate(schema, values), true, `${ajv.errorsText()}: ${JSON.stringify([schema, values])}`);
    }),
    { numRuns: 300 },
  );
  assert.ok(taken > 10, `enough valid submissions: ${taken}`);
});

test('checking a definition never throws, for any conditions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...ids), fc.oneof(condition, fc.anything())), { maxLength: 6 }), async (made) => {
      const fields = made.map(([id, visibleIf]): Field => ({ id, type: 'number', label: 'L', visibleIf: visibleIf as Condition }));
      for (const { pointer, reason } of (await checkFields(fields, { locales: ['en'], defaultLocale: 'en' }, 'team')).errors)
        assert.ok(pointer.startsWith('/fields/') && reason.length > 0);
    }),
    { numRuns: 2_000 },
  );
});

test('numbers of at most fifteen digits and numbers written by this service are read exactly', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
      assert.equal(numberOf(String(value)), value === 0 ? 0 : value),
    ),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), fc.nat(15), (digits, places) => {
      const [, sign = '', whole = ''] = /(-?)(.+)/.exec(String(digits)) ?? [];
      const padded = whole.padStart(places + 1, '0');
      const text = places === 0 ? `${sign}${whole}` : `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
      assert.equal(typeof numberOf(text), 'number', text);
    }),
  );
});
