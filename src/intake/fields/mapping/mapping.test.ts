import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition, Field } from '../engine/index.ts';
import {
  applyMapping,
  checkMappingShape,
  compareMapping,
  countSources,
  inputsOfForm,
  type Mapping,
  mappingLimits,
  valuesOfSubmission,
  warningsOf,
} from './index.ts';

const registry = '0195b1f0-0000-7000-8000-000000000001';
const fields: Field[] = [
  { id: 'company', type: 'text', label: 'Company', required: true, validation: { maxLength: 200 } },
  { id: 'seat', type: 'address', label: 'Seat', required: true },
  { id: 'fee', type: 'money', label: 'Fee', options: [{ id: 'EUR' }, { id: 'USD' }] },
  { id: 'years', type: 'integer', label: 'Years', required: true, validation: { min: 1, max: 30 } },
  {
    id: 'kind',
    type: 'radio',
    label: 'Kind',
    required: true,
    options: [
      { id: 'mutual', label: { en: 'mutual', de: 'gegenseitig' } },
      { id: 'oneway', label: 'one-way' },
    ],
  },
  { id: 'start', type: 'date', label: 'From', required: true, visibleIf: { field: 'kind', eq: 'mutual' } },
  { id: 'note', type: 'textarea', label: 'Note' },
  { id: 'lawyer', type: 'registry', label: 'Lawyer', registryTypeId: registry },
];
const form = {
  fields,
  locales: ['en', 'de'],
  registries: new Map([[registry, [{ id: 'name', type: 'text', label: 'Name', required: true }] satisfies Field[]]]),
};
const inputs = inputsOfForm(form);
const lawyer = '0195b1f0-0000-7000-8000-0000000000aa';
const values = valuesOfSubmission(form, {
  id: '0195b1f0-0000-7000-8000-0000000000bb',
  at: new Date('2026-03-09T08:00:00Z'),
  locale: 'de',
  values: {
    company: 'Acme {{seat/value}}',
    seat: { value: 'Hafenweg 3' },
    fee: { amount: '12.50', currency: 'EUR' },
    years: 2,
    kind: 'mutual',
    start: '2026-03-09',
    lawyer,
  },
  records: { [lawyer]: { data: { name: 'Berg' } } },
});

const shape = (mapping: unknown) =>
  checkMappingShape(mapping, '/m', { inputs, count: countSources() }).map(({ pointer, reason }) => `${pointer} ${reason}`);
const compare = (mapping: Mapping, schema: Record<string, unknown>) => {
  const { errors, places } = compareMapping(mapping, { inputs, target: { schema, called: 'the template' }, at: '/m' });
  return {
    errors: errors.map(({ pointer, reason }) => `${pointer} ${reason}`),
    places: Object.fromEntries(places.map(({ path, fit }) => [path, fit.is])),
    warnings: warningsOf(places, '/m', 'the template'),
  };
};

test('a mapping fills in nested values from answers, parts, texts, labels and conditions', () => {
  const mapping: Mapping = {
    'party.name': { from: 'company' },
    'party.address': { from: 'seat/value' },
    title: { text: 'NDA {{company}}, {{ fee }}' },
    kind: { label: 'kind' },
    from: { label: 'start' },
    fee: { from: 'fee/amount', as: 'number' },
    lawyer: { from: 'lawyer/name' },
    id: { from: 'submission/id' },
    at: { from: 'submission/at' },
    mutual: { first: [{ when: { field: 'kind', eq: 'mutual' }, then: { value: true } }], else: { value: false } },
    none: { first: [{ when: { field: 'kind', eq: 'oneway' }, then: { value: true } }] },
    absent: { from: 'note' },
    gap: { text: 'Note: {{note}}' },
  };
  assert.deepEqual(shape(mapping), []);
  assert.deepEqual(applyMapping(mapping, values), {
    party: { name: 'Acme {{seat/value}}', address: 'Hafenweg 3' },
    title: 'NDA Acme {{seat/value}}, 12.50 EUR',
    kind: 'gegenseitig',
    from: '9. März 2026',
    fee: 12.5,
    lawyer: 'Berg',
    id: '0195b1f0-0000-7000-8000-0000000000bb',
    at: '2026-03-09T08:00:00.000Z',
    mutual: true,
  });
});

test('a name may begin with `submission/`, and a condition reads parts', () => {
  const mapping: Mapping = {
    name: { from: 'submission/company' },
    kind: { label: 'submission/kind' },
    euros: { first: [{ when: { field: 'fee/currency', eq: 'EUR' }, then: { from: 'submission/fee/amount' } }] },
    berg: { first: [{ when: { field: 'submission/lawyer/name', eq: 'Berg' }, then: { value: true } }] },
  };
  assert.deepEqual(shape(mapping), []);
  assert.deepEqual(applyMapping(mapping, values), { name: 'Acme {{seat/value}}', kind: 'gegenseitig', euros: '12.50', berg: true });
  assert.deepEqual(shape({ a: { first: [{ when: { field: 'fee/currency', eq: 'GBP' }, then: { value: 1 } }] } }), [
    '/m/a/first/0/when/eq cannot be an answer to fee/currency',
  ]);
  const own = inputsOfForm({ fields: [...fields, { id: 'submission', type: 'money' }], locales: ['en'] });
  assert.deepEqual([own.find('submission/currency')?.needs, own.find('submission/company')], [['submission'], undefined]);
});

test('a conversion never changes a number', () => {
  const converting = (text: string, as: 'number' | 'integer') =>
    applyMapping({ a: { from: 'company', as } }, { valueOf: () => text, labelOf: () => undefined }).a;
  assert.equal(converting('42', 'integer'), 42);
  assert.equal(converting('42.5', 'integer'), '42.5');
  assert.equal(converting('999999999999999.9999', 'number'), '999999999999999.9999');
  assert.equal(converting('abc', 'number'), 'abc');
});

test('a path cannot reach the prototype of an object', () => {
  const made = applyMapping({ '__proto__.polluted': { value: true } }, values);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  assert.deepEqual(Object.keys(made), ['__proto__']);
});

test('an unknown name is an error with the nearest one', () => {
  assert.deepEqual(
    shape({
      a: { form: 'company' },
      b: { from: 'compony' },
      c: { from: 'seat/citty' },
      d: { from: 'company', az: 'text' },
      e: { text: 'x {{compny}}' },
      f: { first: [{ wenn: {}, then: { value: 1 } }] },
      g: { from: 'company', value: 1 },
      h: { label: 'lawyer' },
      i: { text: 'open {{company' },
      j: { first: [{ when: { field: 'kynd', eq: 'x' }, then: { value: 1 } }] },
      k: { from: 'submission/ip' },
      'a.b': { value: 1 },
      'x..y': { value: 1 },
    }),
    [
      '/m/a.b is a part of another place of this mapping',
      '/m/a/form is unknown; did you mean `from`?',
      '/m/b/from does not name an answer: compony; did you mean `company`?',
      '/m/c/from does not name a part of `seat`: seat/citty; did you mean `seat/city`?',
      '/m/d/az is unknown; did you mean `as`?',
      '/m/e/text does not name an answer: compny; did you mean `company`?',
      '/m/f/first/0/wenn is unknown; did you mean `when`?',
      '/m/g must have exactly one of from, text, value, label, first',
      '/m/h/label has no text for people: lawyer',
      '/m/i/text has `{{` or `}}` that encloses no name, such as `{{company}}`',
      '/m/j/first/0/when/field does not name an answer: kynd; did you mean `kind`?',
      '/m/k/from does not name an answer: submission/ip; did you mean `submission/id`?',
      '/m/x..y is not a path such as `party.name`',
    ],
  );
});

test('the sources and levels of a definition are limited', () => {
  let nested: unknown = { value: 1 };
  for (let level = 0; level < mappingLimits.depth; level += 1)
    nested = { first: [{ when: { field: 'kind', eq: 'mutual' }, then: nested }] };
  assert.match(shape({ a: nested })[0] ?? '', /has more than 8 levels/);
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, place) => [`p${place}`, { value: 1 }]));
  assert.deepEqual(shape(many), ['/m/p500 is more than 500 sources in one definition']);
});

const party = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 200 }, city: { type: 'string', maxLength: 10 } },
  additionalProperties: false,
};

test('a comparison proves places, and shows a value that does not fit', () => {
  const schema = { type: 'object', required: ['party'], properties: { party: { $ref: '#/$defs/party' } }, $defs: { party } };
  const { errors, places, warnings } = compare({ 'party.name': { from: 'company' }, 'party.city': { from: 'seat/city' } }, schema);
  assert.deepEqual(errors, []);
  assert.deepEqual(places, { 'party.name': 'proven', 'party.city': 'misfit' });
  assert.deepEqual(warnings, [
    {
      name: 'party.city',
      pointer: '/m/party.city',
      reason: 'can be invalid for the template: can be longer than 10 characters',
      rule: 'misfit',
      example: '"xxxxxxxxxxx"',
    },
  ]);
});

test('an unknown place, a place that nothing fits and a required place without a value are errors', () => {
  const schema = {
    type: 'object',
    required: ['name', 'term', 'party'],
    properties: { name: { type: 'string' }, term: { type: 'integer', maximum: 0 }, party },
  };
  assert.deepEqual(compare({ naem: { from: 'company' }, term: { from: 'years' }, 'party.name': { from: 'note' } }, schema).errors, [
    '/m/name is required by the template, and the mapping has no value for it',
    '/m/party is required by the template, and can have no value; add `first` with `else`, or make its answer required',
    '/m/naem is not a place of the template; did you mean `name`?',
    '/m/term never fits the template: can be more than 0',
  ]);
});

test('errors name the path of the nearest place, the nearest option and the parts of an answer', () => {
  const schema = { type: 'object', properties: { party, fee: { type: 'number' } } };
  const source: Mapping = {
    'party.name': { from: 'company' },
    'party.cityy': { from: 'company' },
    fee: { from: 'fee', as: 'number' },
  };
  assert.deepEqual(compare(source, schema).errors, [
    '/m/party.cityy is not a place of the template; did you mean `party.city`?',
    '/m/fee never fits the template: is of type object, not number; use a part: `fee/amount`, `fee/currency`',
  ]);
  assert.deepEqual(shape({ a: { first: [{ when: { field: 'kind', eq: 'mutal' }, then: { value: 1 } }] } }), [
    '/m/a/first/0/when/eq cannot be an answer to kind; did you mean `mutual`?',
  ]);
});

test('an amount that a number cannot represent is a warning that says how to limit the field', () => {
  const schema = { type: 'object', properties: { fee: { type: 'number' } } };
  assert.deepEqual(
    compare({ fee: { from: 'fee/amount', as: 'number' } }, schema).warnings.map(({ reason }) => reason),
    ['can be invalid for the template: is a text if a number cannot represent the amount; set `min` and `max` of the field'],
  );
});

test('an optional object is complete if its values come from one answer', () => {
  const schema = {
    type: 'object',
    properties: {
      fee: {
        type: 'object',
        required: ['sum', 'unit'],
        properties: { sum: { type: 'string' }, unit: { type: 'string' } },
        additionalProperties: false,
      },
    },
  };
  assert.deepEqual(compare({ 'fee.sum': { from: 'fee/amount' }, 'fee.unit': { from: 'fee/currency' } }, schema).errors, []);
  assert.equal(compare({ 'fee.sum': { from: 'note' }, 'fee.unit': { from: 'fee/currency' } }, schema).errors.length, 2);
});

test('a condition proves that an answer exists', () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
  const errors = (when: Condition, from: string) =>
    compare({ a: { first: [{ when, then: { from } }], else: { value: 'none' } } }, schema).errors.length;
  assert.equal(errors({ field: 'note', empty: false }, 'note'), 0);
  assert.equal(errors({ not: { field: 'note', empty: true } }, 'note'), 0);
  assert.equal(
    errors(
      {
        any: [
          { field: 'note', empty: false },
          { field: 'kind', eq: 'mutual' },
        ],
      },
      'note',
    ),
    1,
  );
  assert.equal(errors({ field: 'note', ne: 'x' }, 'note'), 1);
  // The answer is required where it is visible.
  assert.equal(errors({ field: 'kind', eq: 'mutual' }, 'start'), 0);
  assert.equal(errors({ field: 'kind', eq: 'oneway' }, 'start'), 1);
});

test('a default of the target fills in an absent value', () => {
  const schema = { type: 'object', required: ['mutual'], properties: { mutual: { type: 'boolean', default: true } } };
  assert.deepEqual(compare({}, schema), { errors: [], places: {}, warnings: [] });
});

test('records and patterns are unproven', () => {
  const schema = {
    type: 'object',
    properties: { lawyer: { type: 'string', maxLength: 2_000 }, company: { type: 'string', pattern: '^[A-Z]+$' } },
  };
  assert.deepEqual(compare({ lawyer: { from: 'lawyer/name' }, company: { from: 'company' } }, schema).places, {
    lawyer: 'unproven',
    company: 'unproven',
  });
});

test('the label of a date has the length of its longest text in the languages of the form', () => {
  const label = (locales: string[]) => inputsOfForm({ fields, locales }).find('start')?.label?.maxLength;
  assert.deepEqual(
    [label(['en']), label(['en', 'de']), label(['fr'])],
    ['September 10, 2026', '10. September 2026', '10 septembre 2026'].map(({ length }) => length),
  );
  const { places } = compareMapping(
    { date: { first: [{ when: { field: 'kind', eq: 'mutual' }, then: { label: 'start' } }] } },
    { inputs, target: { schema: { properties: { date: { type: 'string', maxLength: 40 } } }, called: 'the template' }, at: '/m' },
  );
  assert.deepEqual(places, [{ path: 'date', fit: { is: 'proven' } }]);
});
