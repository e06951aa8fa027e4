import assert from 'node:assert/strict';
import process from 'node:process';
import fc from 'fast-check';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import {
  evaluateCondition,
  answersFromForm,
  answerText,
  checkAnswers,
  checkFields as checkFieldsOf,
  checkWith,
  chooseLocale,
  type Condition,
  type Field,
  fieldTypes,
  localAmount,
  messageLocales,
} from './index.ts';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { recordsIn, recordText, resolveFields, uploadsIn } from './index.ts';
import { messageOf } from './engine/index.ts';
import { PatternTexts } from './patterns.ts';
import * as schemas from './schemas.ts';

const inEnglish = { locales: ['en'], defaultLocale: 'en' };
const english = { locale: 'en' };
const id = '0195b1f0-0000-7000-8000-000000000001';

const ask = (type: Field['type'], more: Partial<Field> = {}): Field => ({ id: 'it', type, label: 'It', ...more });
const options = [{ id: 'a' }, { id: 'b' }];
const rulesBroken = (field: Field, value: unknown) => checkWith([field], { it: value }, english).errors.map(({ rule }) => rule);
const checkFields = (fields: readonly Field[], languages: typeof inEnglish) => checkFieldsOf(fields, languages, 'team');
const errorsOf = async (...fields: Field[]) =>
  (await checkFields(fields, inEnglish)).errors.map(({ pointer, rule }) => `${pointer} ${rule}`);

test('each type accepts valid answers and rejects invalid ones', async () => {
  const cases: [Field, good: unknown[], bad: unknown[]][] = [
    [
      ask('text', { validation: { minLength: 2, maxLength: 3 } }),
      ['ab', '😀😀😀', ' ab '],
      ['a', 'abcd', 1, ['ab'], 'a\u0000b', 'a\nb', '\ud800a'],
    ],
    [ask('textarea'), ['two\nlines', 'tab\t'], ['\u0007', {}]],
    [
      ask('email'),
      ['ada@example.com', 'o’neil+x@bücher.example'],
      ['ada', 'a@b', 'a b@c.de', '@x.de', 'a@-x.de', 'a@x..de', `a@${'x'.repeat(254)}.de`],
    ],
    [ask('phone'), ['+44 20 7946 0000', '(030) 901-820'], ['call me', '12', `+${'1'.repeat(16)}`, '+']],
    [ask('url'), ['https://example.com/a?b=c', 'http://bücher.example'], ['javascript:alert(1)', 'example.com', 'https://', 'https://a b']],
    [ask('number', { validation: { min: 0, max: 1, step: 0.1 } }), [0, 0.3, 0.7, 1], [-0.1, 1.1, 0.25, '0.3', Infinity, null]],
    [ask('integer', { validation: { min: 1, step: 2 } }), [1, 3, 5], [2, 1.5, 2 ** 53, '1', true]],
    // Also for a step that is small compared with the number, and for numbers without rounding errors only.
    [ask('integer', { validation: { step: 2 } }), [2_000_000_000, 2 ** 53 - 2, -4, 0], [1_000_000_001, 2 ** 53 - 1]],
    [ask('number', { validation: { step: 0.01 } }), [0.1 + 0.2, 1_234_567.89, 1e21, -0.07], [1_234_567.891, 1e-300, 0.005]],
    [
      ask('money', { validation: { step: 0.01 } }),
      ['0.10', '5000000.01', '999999999999999.99', '-3'].map((amount) => ({ amount, currency: 'EUR' })),
      ['1234567.891', '5000000.005', '999999999999999.9999'].map((amount) => ({ amount, currency: 'EUR' })),
    ],
    [
      ask('money'),
      [{ amount: '12.50', currency: 'EUR' }],
      [{ amount: 12.5, currency: 'EUR' }, { amount: '1' }, { amount: '1', currency: 'XX' }, '12 EUR'],
    ],
    [
      ask('money', { options: [{ id: 'EUR' }], validation: { max: 10 } }),
      [{ amount: '10', currency: 'EUR' }],
      [
        { amount: '10.01', currency: 'EUR' },
        { amount: '1', currency: 'USD' },
      ],
    ],
    [
      ask('date', { validation: { min: '2026-01-01' } }),
      ['2026-01-01', '2028-02-29'],
      ['2025-12-31', '2026-02-29', '2026-2-1', '1 May', 20260101],
    ],
    [
      ask('time', { validation: { min: '09:00', max: '17:00:00' } }),
      ['09:00', '17:00', '16:59:59'],
      ['08:59', '17:00:01', '24:00', '9:00'],
    ],
    [
      ask('datetime', { validation: { max: '2026-01-01T12:00:00Z' } }),
      ['2026-01-01T13:00:00+02:00', '2026-01-01T12:00Z'],
      ['2026-01-01T12:01:00Z', '2026-01-01', '2026-02-30T10:00:00Z', '2026-01-01T10:00:00+25:00'],
    ],
    [ask('datetime'), ['2026-01-01T13:00', '0001-01-01T00:00:00.123456789'], ['2026-01-01T13', '2026-01-01 13:00']],
    [ask('boolean', { required: true }), [true, false], ['true', 1]],
    [ask('select', { options }), ['a'], ['c', ['a'], 'A']],
    [ask('radio', { options }), ['b'], ['toString', {}]],
    [ask('multiselect', { options, validation: { minItems: 1, maxItems: 2 } }), [['a'], ['a', 'b']], [['a', 'a'], ['c'], 'a', [['a']]]],
    [ask('checkbox', { options }), [['a']], ['a', true]],
    [ask('checkbox'), [true, false], ['yes', 1]],
    [ask('file'), [id], ['x', [id], 7]],
    [ask('file', { validation: { maxItems: 2 } }), [[id]], [id, [id, id], [id, 'x']]],
    [
      ask('address'),
      ['1 Main St', { value: '1 Main St', city: 'X', latitude: 1.5 }],
      [{ city: 'X' }, { value: 'x', evil: 1 }, { value: 'x', latitude: 'north' }, 5],
    ],
    [ask('registry', { registryTypeId: id }), [id], ['x', {}]],
    [ask('country'), ['DE', 'JP'], ['de', 'XX', 'Germany', 'EU']],
    [ask('signature'), [{ name: 'Ada' }, { fileId: id }, { name: 'Ada', fileId: id }], ['Ada', { fileId: 'x' }, { name: 5 }, { other: 1 }]],
    [ask('consent', { required: true }), [true], [false, 'true', 1]],
  ];
  for (const [field, good, bad] of cases) {
    assert.deepEqual(await errorsOf(field), [], field.type);
    for (const value of good) assert.deepEqual(rulesBroken(field, value), [], `${field.type} accepts ${JSON.stringify(value)}`);
    // An empty value and an unchecked box are not answers: a required field rejects them.
    const needed = { ...field, required: true };
    for (const value of bad) assert.notDeepEqual(rulesBroken(needed, value), [], `${field.type} rejects ${JSON.stringify(value)}`);
  }
  const tried = new Set(cases.map(([{ type }]) => type));
  assert.deepEqual(
    fieldTypes.filter((type) => !tried.has(type)),
    ['hidden', 'heading'],
    'the test covers all types',
  );
});

test('errors have a position and text, in the order of the form', async () => {
  const fields = [
    ask('email', { id: 'email', required: true }),
    ask('multiselect', { id: 'many', options }),
    ask('consent', { id: 'ok', required: true }),
  ];
  const { errors } = checkWith(fields, { many: ['a', 'z'], email: ' ' }, english);
  assert.deepEqual(
    errors.map(({ name, pointer, rule }) => [name, pointer, rule]),
    [
      ['email', '/data/email', 'required'],
      ['many', '/data/many/1', 'option'],
      ['ok', '/data/ok', 'consent'],
    ],
  );
  assert.equal(errors[0]?.reason, 'Please answer this question.');
});

test('hidden and unknown answers are dropped before validation, and a hidden required field needs no answer', async () => {
  const fields: Field[] = [
    ask('radio', { id: 'kind', options: [{ id: 'person' }, { id: 'company' }] }),
    ask('text', { id: 'company', required: true, visibleIf: { field: 'kind', eq: 'company' } }),
    ask('number', { id: 'staff', visibleIf: { field: 'company', empty: false } }),
    ask('hidden', { id: 'source', default: 'web' }),
    ask('heading', { id: 'title' }),
  ];
  const sent = {
    kind: 'person',
    company: 'Acme',
    staff: 'not a number',
    source: 'forged',
    title: 'x',
    other: 1,
    __proto__: { kind: 'company' },
  };
  const person = checkWith(fields, sent, english);
  assert.deepEqual([person.values, person.errors], [{ kind: 'person', source: 'web' }, []]);
  const company = checkWith(fields, { kind: 'company', company: 'Acme', staff: 3 }, english);
  assert.deepEqual([company.values, company.errors], [{ kind: 'company', company: 'Acme', staff: 3, source: 'web' }, []]);
  assert.deepEqual(
    checkWith(fields, { kind: 'company' }, english).errors.map(({ pointer }) => pointer),
    ['/data/company'],
  );
  for (const odd of [null, [], 'text', 7, undefined]) assert.deepEqual(checkWith(fields, odd, english).values, { source: 'web' });
});

test('conditions do not convert types, compare each choice of lists, and compare times and amounts by value', async () => {
  const shown = (visibleIf: Field['visibleIf'], answer: unknown, type: Field['type'] = 'text') => {
    const fields: Field[] = [
      ask(type, { id: 'a', ...(type === 'multiselect' ? { options } : {}) }),
      ask('text', { id: 'b', visibleIf: visibleIf! }),
    ];
    return checkWith(fields, { a: answer }, english).visible.has('b');
  };
  assert.equal(shown({ field: 'a', eq: 1 }, '1'), false);
  assert.equal(shown({ field: 'a', eq: 1 }, 1, 'number'), true);
  assert.equal(shown({ field: 'a', eq: 'a' }, ['b', 'a'], 'multiselect'), true);
  assert.equal(shown({ field: 'a', ne: 'a' }, ['b'], 'multiselect'), true);
  assert.equal(shown({ field: 'a', in: ['x', 'b'] }, ['b'], 'multiselect'), true);
  assert.equal(shown({ field: 'a', ne: 'x' }, undefined), true);
  assert.equal(shown({ field: 'a', empty: true }, '  '), true);
  assert.equal(shown({ field: 'a', empty: true }, false, 'boolean'), false);
  assert.equal(shown({ field: 'a', empty: true }, false, 'consent'), true);
  assert.equal(shown({ field: 'a', gt: 9 }, { amount: '10', currency: 'EUR' }, 'money'), true);
  const nine = { amount: '9', currency: 'EUR' };
  assert.equal(shown({ field: 'a', gt: nine }, { amount: '10', currency: 'EUR' }, 'money'), true);
  assert.equal(shown({ field: 'a', gt: nine }, { amount: '10', currency: 'JPY' }, 'money'), false);
  assert.equal(shown({ field: 'a', eq: nine }, { amount: '9.00', currency: 'EUR' }, 'money'), true);
  assert.equal(shown({ field: 'a', eq: nine }, { amount: '9', currency: 'JPY' }, 'money'), false);
  assert.equal(shown({ field: 'a', in: [nine] }, { amount: '9', currency: 'JPY' }, 'money'), false);
  assert.equal(shown({ field: 'a', gt: '10:00' }, '10:00:00', 'time'), false);
  assert.equal(shown({ field: 'a', eq: '2026-01-01T10:00:00Z' }, '2026-01-01T11:00:00+01:00', 'datetime'), true);
  assert.equal(shown({ field: 'a', lt: '2026-01-02' }, '2026-01-01', 'date'), true);
  assert.equal(
    shown(
      {
        all: [
          { not: { field: 'a', eq: 'x' } },
          {
            any: [
              { field: 'a', eq: 'y' },
              { field: 'a', eq: 'z' },
            ],
          },
        ],
      },
      'z',
    ),
    true,
  );
});

test('a condition is unknown if a missing answer decides, and known if another answer decides', async () => {
  const amount = { field: 'amount', gt: 5 };
  const kind = { field: 'kind', eq: 'nda' };
  const result = (condition: Condition, answers: Record<string, unknown>) => evaluateCondition(condition, (field) => answers[field]);
  assert.deepEqual(
    [amount, { not: amount }, { all: [amount, kind] }, { any: [amount, kind] }].map((one) => result(one, { kind: 'nda' })),
    ['unknown', 'unknown', 'unknown', true],
  );
  assert.deepEqual(
    [{ all: [amount, kind] }, { any: [amount, kind] }, { not: { all: [kind, amount] } }].map((one) => result(one, { kind: 'supply' })),
    [false, 'unknown', true],
  );
  // A condition with `empty` expects that the answer can be missing.
  assert.equal(result({ any: [amount, { field: 'amount', empty: true }] }, {}), true);
  assert.equal(result({ all: [amount, { field: 'amount', empty: false }] }, {}), false);
});

test('an amount in a currency that the condition does not name is unknown', async () => {
  const above = (amount: string, currency: string): Condition => ({ field: 'a', gt: { amount, currency } });
  const result = (condition: Condition, amount: string, currency: string) => evaluateCondition(condition, () => ({ amount, currency }));
  assert.deepEqual(
    [
      result(above('50000', 'EUR'), '60000', 'EUR'),
      result(above('50000', 'EUR'), '40000', 'EUR'),
      result(above('50000', 'EUR'), '60000', 'JPY'),
    ],
    [true, false, 'unknown'],
  );
  const either = { any: [above('50000', 'EUR'), above('55000', 'USD')] };
  assert.deepEqual(
    [result(either, '56000', 'USD'), result(either, '54000', 'USD'), result(either, '60000', 'JPY')],
    [true, false, 'unknown'],
  );
  assert.equal(result({ any: [above('50000', 'EUR'), { field: 'a', empty: true }] }, '60000', 'JPY'), 'unknown');
});

test('a condition on an amount needs a currency of the field', async () => {
  const euro = ask('money', { id: 'm', options: [{ id: 'EUR' }] });
  const conditionErrors = (visibleIf: unknown, field = euro) =>
    errorsOf(field, ask('text', { id: 't', visibleIf: visibleIf as Condition }));
  assert.deepEqual(await conditionErrors({ field: 'm', gt: 5 }), ['/fields/1/visibleIf/gt currency']);
  assert.deepEqual(await conditionErrors({ field: 'm', in: [5] }), ['/fields/1/visibleIf/in currency']);
  assert.deepEqual(await conditionErrors({ field: 'm', gt: { amount: '5', currency: 'USD' } }), ['/fields/1/visibleIf/gt type']);
  assert.deepEqual(await conditionErrors({ field: 'm', gt: { amount: 'five', currency: 'EUR' } }), ['/fields/1/visibleIf/gt type']);
  assert.deepEqual(await conditionErrors({ field: 'm', gt: { amount: 5, currency: 'EUR' } }), []);
  assert.deepEqual(await conditionErrors({ field: 'm', gt: { amount: '5', currency: 'USD' } }, ask('money', { id: 'm' })), []);
});

test('definition errors beyond the schema are reported with their positions', async () => {
  const when = (visibleIf: unknown) => ask('text', { id: 'b', visibleIf: visibleIf as NonNullable<Field['visibleIf']> });
  const a = ask('number', { id: 'a' });
  assert.deepEqual(await errorsOf(a, a), ['/fields/1/id unique']);
  assert.deepEqual(await errorsOf(ask('select')), ['/fields/0/options required']);
  assert.deepEqual(await errorsOf(ask('select', { options: [{ id: 'x' }, { id: 'x' }] })), ['/fields/0/options/1/id unique']);
  assert.deepEqual(await errorsOf(ask('text', { options })), ['/fields/0/options unknown']);
  assert.deepEqual(await errorsOf({ id: 'x', type: 'text' }), ['/fields/0/label required']);
  assert.deepEqual(await errorsOf(ask('registry')), ['/fields/0/registryTypeId required']);
  assert.deepEqual(await errorsOf(ask('signature', { prefill: true })), ['/fields/0/prefill prefill']);
  assert.deepEqual(await errorsOf(ask('hidden', { required: true })), ['/fields/0/required required']);
  assert.deepEqual(await errorsOf(ask('hidden', { default: {} })), ['/fields/0/default type']);
  assert.deepEqual(await errorsOf(ask('text', { validation: { min: 1 } })), ['/fields/0/validation/min unknown']);
  assert.deepEqual(await errorsOf(ask('number', { validation: { min: 2, max: 1 } })), ['/fields/0/validation/min min']);
  assert.deepEqual(await errorsOf(ask('date', { validation: { min: 'soon' } })), ['/fields/0/validation/min type']);
  assert.deepEqual(await errorsOf(ask('number', { default: 'x' })), ['/fields/0/default number']);
  assert.deepEqual(await errorsOf(a, when({ field: 'zz', eq: 1 })), ['/fields/1/visibleIf/field reference']);
  assert.deepEqual(await errorsOf(a, when({ field: 'a', eq: '1' })), ['/fields/1/visibleIf/eq type']);
  assert.deepEqual(await errorsOf(a, when({ field: 'a', in: [1, '1'] })), ['/fields/1/visibleIf/in type']);
  assert.deepEqual(await errorsOf(a, when({ any: [{ field: 'a', gt: 1 }, { field: 'a' }] })), ['/fields/1/visibleIf/any/1 condition']);
  assert.deepEqual(await errorsOf(a, when({ field: 'a', eq: 1, ne: 2 })), ['/fields/1/visibleIf condition']);
  for (const odd of [null, [], 'x', {}, { all: [] }, { not: null }, { field: 'a', empty: 'yes' }])
    assert.equal((await errorsOf(a, when(odd))).length, 1);
  assert.deepEqual(await errorsOf(ask('file', { id: 'f' }), when({ field: 'f', eq: 'x' })), ['/fields/1/visibleIf/eq type']);
});

test('cycles of conditions of any length are found', async () => {
  const chain = (length: number, last: string): Field[] =>
    Array.from({ length }, (_, place) =>
      ask('text', { id: `f${place}`, visibleIf: { field: place === length - 1 ? last : `f${place + 1}`, empty: false } }),
    );
  assert.deepEqual(await errorsOf(ask('text', { visibleIf: { field: 'it', empty: false } })), ['/fields/0/visibleIf cycle']);
  const [found] = (await checkFields(chain(3, 'f1'), inEnglish)).errors;
  assert.deepEqual([found?.rule, found?.reason], ['cycle', 'depends on itself: f1 → f2 → f1']);
  assert.equal((await errorsOf(...chain(500, 'f0'))).length, 1);
  // A chain as long as the largest form, with the deepest conditions, does not exhaust the stack.
  const deep = (inner: Field['visibleIf'], left: number): NonNullable<Field['visibleIf']> =>
    left === 0 ? inner! : { all: [deep(inner, left - 1)] };
  const long = [...chain(499, 'end').map((field) => ({ ...field, visibleIf: deep(field.visibleIf, 15) })), ask('text', { id: 'end' })];
  assert.deepEqual((await checkFields(long, inEnglish)).errors, []);
  const all = Object.fromEntries(long.map((field) => [field.id, 'x']));
  assert.equal(checkWith(long, all, english).visible.size, 500);
  assert.equal(checkWith(long, { ...all, end: '' }, english).visible.size, 1);
  assert.deepEqual(
    (await errorsOf(ask('text', { id: 'a' }), ask('text', { id: 'b', visibleIf: deep({ field: 'a', empty: true }, 16) }))).length,
    1,
  );
});

test('fields and bytes of a definition are limited, and 10 000 options are accepted', async () => {
  const many = Array.from({ length: 501 }, (_, place) => ask('text', { id: `f${place}` }));
  assert.deepEqual(await errorsOf(...many), ['/fields maxItems']);
  assert.deepEqual(await errorsOf(...many.slice(1)), []);
  assert.deepEqual(await errorsOf(ask('text', { help: 'x'.repeat(512 * 1024) })), ['/fields size']);
  const choices = Array.from({ length: 10_000 }, (_, place) => ({ id: `o${place}`, label: `Option ${place}` }));
  const field = ask('multiselect', { options: choices });
  const used = await cpuTimeOf(async () => {
    assert.deepEqual(await errorsOf(field), []);
    assert.deepEqual(
      rulesBroken(
        field,
        choices.map(({ id: one }) => one),
      ),
      [],
    );
    assert.deepEqual(rulesBroken(field, ['o9999', 'o10000']), ['option']);
  });
  assert.ok(used < 10_000, `${used} ms`);
});

const matches = async (pattern: string, text: string) =>
  (await checkAnswers([ask('textarea', { validation: { pattern } })], { it: text }, { ...english, team: 'team' })).errors.length === 0;

test('patterns match complete answers in linear time; unsupported patterns are rejected with the reason', async () => {
  assert.equal(await matches('[A-Z]{2}\\d+', 'AB12'), true);
  assert.equal(await matches('[A-Z]{2}', 'xABx'), false);
  assert.equal(await matches('\\p{L}+', 'Łódź漢字'), true);
  const evil = ask('textarea', { validation: { pattern: '(a+)+$', maxLength: 20_000 } });
  assert.deepEqual(await errorsOf(evil), []);
  const { errors } = await checkAnswers([evil], { it: `${'a'.repeat(19_000)}!` }, { ...english, team: 'team' });
  assert.deepEqual(
    errors.map(({ rule }) => rule),
    ['pattern'],
  );
  const reason = async (pattern: string) =>
    (await checkFields([ask('text', { validation: { pattern } })], inEnglish)).errors[0]?.reason ?? '';
  assert.match(await reason('(?=a)b'), /look-around/);
  assert.match(await reason('(?<!a)b'), /look-around/);
  assert.match(await reason('(a)\\1'), /reference back/);
  assert.match(await reason('(a'), /missing closing/);
  assert.match(await reason('a{1001}'), /repeat count/);
  const costly = Array.from({ length: 20 }, (_, place) => ask('textarea', { id: `f${place}`, validation: { pattern: '[ab]{1,400}' } }));
  assert.match((await errorsOf(...costly))[0] ?? '', /validation\/pattern cost$/);
  assert.deepEqual(await errorsOf(ask('text', { default: 'x1', validation: { pattern: 'x\\d' } })), []);
  assert.deepEqual(await errorsOf(ask('text', { default: 'x', validation: { pattern: 'x\\d' } })), ['/fields/0/default pattern']);
});

test('patterns with a slow compilation are rejected, without CPU time of the event loop', async () => {
  const pattern = (place: number) => `(?i)[${'\\pL\\PL'.repeat(75)}]${place}`;
  const fields = Array.from({ length: 150 }, (_, place) => ask('text', { id: `f${place}`, validation: { pattern: pattern(place) } }));
  const before = process.threadCpuUsage();
  const { errors } = await checkFields(fields, inEnglish);
  const { user, system } = process.threadCpuUsage(before);
  assert.deepEqual([errors.length, errors[0]?.pointer, errors[0]?.rule], [150, '/fields/0/validation/pattern', 'cost']);
  assert.match(errors[0]?.reason ?? '', /take too much CPU time/);
  assert.ok(user + system < 300_000, `${(user + system) / 1_000} ms`);
  // The next team is served by a new thread.
  assert.equal(await matches('a+', 'aaa'), true);
});

test('an answer with a slow pattern is rejected with the reason, without CPU time of the event loop', async () => {
  // The definition was stored by a version with a higher limit of steps.
  const fields = Array.from({ length: 40 }, (_, place) =>
    ask('textarea', { id: `f${place}`, validation: { pattern: `[ab]*a[ab]{400}${place}`, maxLength: 20_000 } }),
  );
  let text = '';
  for (let state = 1; text.length < 1_500; state = (state * 1_103_515_245 + 12_345) % 2_147_483_648)
    text += state % 65_536 > 32_768 ? 'a' : 'b';
  const given = Object.fromEntries(fields.map(({ id: name }) => [name, text]));
  const before = process.threadCpuUsage();
  const { errors } = await checkAnswers(fields, given, { ...english, team: 'team' });
  const { user, system } = process.threadCpuUsage(before);
  assert.deepEqual([errors.length, errors[0]?.rule], [40, 'patternTime']);
  assert.match(errors[0]?.reason ?? '', /could not check this format in time/);
  assert.ok(user + system < 300_000, `${(user + system) / 1_000} ms`);
});

test('patterns match the same texts as JavaScript expressions, for the common syntax', async () => {
  const leaf = fc.constantFrom('a', 'b', 'Ab', '.', '\\d', '\\w', '\\s', '[ab]', '[^a]', '[a-c]', 'é', '(?:)', '\\.');
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
      fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '*?')).map(([one, often]) => `(?:${one})${often}`),
      tie('pattern').map((one) => `(${one})`),
    ),
  }));
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'c', '1', ' ', '.', 'é'), maxLength: 8 }), { maxLength: 20 });
  const made = fc.sample(fc.tuple(pattern, texts), { numRuns: 300, seed: 7 });
  const collected = new PatternTexts();
  for (const [one, each] of made) for (const text of each) collected.add(one, text);
  const found = await collected.check('team');
  let fitting = 0;
  for (const [one, each] of made)
    for (const text of each) {
      const native = new RegExp(`^(?:${one})$`, 'u').test(text);
      fitting += native ? 1 : 0;
      assert.equal(found.matches(one, text), native, `${one} ${text}`);
    }
  assert.ok(fitting > 100, `${fitting} texts match`);
});

test('texts can have one version or one for each language; gaps are errors in the default language and warnings in others', async () => {
  const field = ask('select', {
    label: { en: 'Colour', de: 'Farbe' },
    options: [
      { id: 'r', label: { en: 'Red' } },
      { id: 'g', label: { de: 'Grün', fr: 'Vert' } },
    ],
  });
  const checked = await checkFields([field], { locales: ['en', 'de'], defaultLocale: 'en' });
  const named = (errors: typeof checked.errors) => errors.map(({ pointer, rule }) => `${pointer} ${rule}`);
  assert.deepEqual(named(checked.errors), ['/fields/0/options/1/label text']);
  assert.deepEqual(named(checked.warnings), ['/fields/0/options/0/label text', '/fields/0/options/1/label/fr locale']);
  const [german] = resolveFields([field], 'de-AT', 'en');
  assert.deepEqual(
    [german?.label, german?.options],
    [
      'Farbe',
      [
        { id: 'r', label: 'Red' },
        { id: 'g', label: 'Grün' },
      ],
    ],
  );
  assert.equal(resolveFields([field], 'ja', 'en')[0]?.label, 'Colour');
});

test('the language of a form is the requested one, then that of the browser, then the default', async () => {
  const offered = ['en', 'de', 'pt-BR'];
  assert.equal(chooseLocale({ wanted: 'de-AT', accepted: 'en' }, offered, 'en'), 'de');
  assert.equal(chooseLocale({ accepted: 'fr, de;q=0.5, en;q=0.4' }, offered, 'en'), 'de');
  assert.equal(chooseLocale({ accepted: 'pt' }, offered, 'en'), 'pt-BR');
  assert.equal(chooseLocale({ accepted: 'en;q=0, fr' }, offered, 'de'), 'de');
  for (const odd of ['', ';;,', '*', ';q=1', ','.repeat(5_000)]) assert.equal(chooseLocale({ accepted: odd }, offered, 'en'), 'en');
});

test('errors have texts in four languages, with formatted limits, or the own text of the form', async () => {
  const field = ask('date', { validation: { min: '2026-05-01' } });
  const said = (locale: string) => checkWith([field], { it: '2026-04-30' }, { locale }).errors[0]?.reason;
  assert.equal(said('en'), 'Too early: the earliest is May 1, 2026.');
  assert.equal(said('de-CH'), 'Zu früh: Frühestens 1. Mai 2026 ist möglich.');
  assert.match(said('ar') ?? '', /مايو/);
  assert.match(said('ja') ?? '', /2026年5月1日/);
  assert.equal(said('fr'), said('en'));
  const own = ask('text', { validation: { pattern: '\\d+', message: { en: 'Digits, please', de: 'Bitte Ziffern' } } });
  const ownWords = async (locale: string) =>
    (await checkAnswers([own], { it: 'x' }, { locale, defaultLocale: 'en', team: 'team' })).errors[0]?.reason;
  assert.deepEqual([await ownWords('de'), await ownWords('ja')], ['Bitte Ziffern', 'Digits, please']);
  const rules = Object.keys(checkEveryRule('en'));
  for (const locale of messageLocales) assert.deepEqual(Object.keys(checkEveryRule(locale)), rules);
});

/** Returns the error texts of all rules in a language. Each language must have distinct texts. */
function checkEveryRule(locale: string): Record<string, string> {
  const rules = ['required', 'text', 'email', 'min', 'max', 'minLength', 'maxItems', 'pattern', 'consent', 'characters'] as const;
  const said = Object.fromEntries(rules.map((rule) => [rule, messageOf({ rule, limit: 3 }, locale)]));
  for (const [rule, text] of Object.entries(said)) {
    assert.ok(text.length > 2 && !text.includes('{limit}'), `${locale} ${rule}`);
    if (locale !== 'en') assert.notEqual(text, messageOf({ rule: rule as 'text', limit: 3 }, 'en'));
  }
  return said;
}

test('a plain HTML form results in the same answers as JSON', async () => {
  const fields: Field[] = [
    ask('number', { id: 'n' }),
    ask('money', { id: 'm' }),
    ask('boolean', { id: 'b' }),
    ask('consent', { id: 'c' }),
    ask('multiselect', { id: 'l', options }),
    ask('address', { id: 'a' }),
    ask('signature', { id: 's' }),
    ask('text', { id: 't' }),
  ];
  const read = (query: string, locale = 'en') => answersFromForm(fields, new URLSearchParams(query), locale);
  assert.deepEqual(read('n=12.5&m.amount=1&m.currency=EUR&b=false&c=on&l=a&l=b&a.value=Road&s.name=Ada&t=x'), {
    n: 12.5,
    m: { amount: '1', currency: 'EUR' },
    b: false,
    c: true,
    l: ['a', 'b'],
    a: { value: 'Road' },
    s: { name: 'Ada' },
    t: 'x',
  });
  assert.deepEqual([read('n=12,5', 'de').n, read('n=12,5').n, read('n=%D9%A1%D9%A2', 'ar').n, read('n=１２').n], [12.5, '12,5', 12, 12]);
  assert.deepEqual(read('n=&m.amount=&m.currency=EUR'), { c: false, l: [] });
  assert.equal(read('b=maybe').b, 'maybe');
});

test('grouped numbers are read in the format of the page language, and shown in a format that is read the same way', async () => {
  const fields: Field[] = [ask('number', { id: 'n' }), ask('money', { id: 'm' })];
  const read = (text: string, locale: string, by?: 'link') =>
    (answersFromForm(fields, [['m.amount', text]], locale, by).m as { amount: string } | undefined)?.amount;
  for (const [locale, text, meant] of [
    ['de', '1.234', '1234'],
    ['de', '-12.345.678,5', '-12345678.5'],
    ['en', '1,234.50', '1234.50'],
    ['ar', '1,234', '1234'],
    ['de-CH', '1’234.50', '1234.50'],
    ['fr', '1 234,5', '1234.5'],
    // Numbers without valid groups have a decimal point in all languages.
    ['de', '1.5', '1.5'],
    ['de', '12.50', '12.50'],
    ['de', '0.125', '0.125'],
    ['de', '1234.567', '1234.567'],
    ['fr', '1.234', '1.234'],
    ['en', '1.234', '1.234'],
    ['en', '12,34', '12,34'],
    ['de', '1.23,5', '1.23,5'],
  ] as const)
    assert.equal(read(text, locale), meant, `${text} in ${locale}`);
  assert.deepEqual([read('1.234', 'de', 'link'), read('1,5', 'de', 'link')], ['1.234', '1.5'], 'a link has no group separators');
  assert.deepEqual([answersFromForm(fields, [['n', '1.234']], 'de').n, answersFromForm(fields, [['n', '1,234']], 'en').n], [1234, 1234]);
  for (const locale of ['en', 'de', 'ar', 'ja', 'fr', 'not a locale'])
    for (const amount of ['1.234', '-1.234', '1234.5', '12', '0.125', '999999999999999.9999'])
      assert.equal(read(localAmount(amount, locale), locale), amount, `${amount} in ${locale}`);
});

test('a number whose digits cannot all be preserved is rejected and never changed', async () => {
  const account = ask('number', { id: 'n' });
  const given = (text: string, field = account, locale = 'en') => answersFromForm([field], [['n', text]], locale);
  const rules = (text: string, field = account) => checkWith([field], given(text, field), english).errors.map(({ rule }) => rule);
  assert.deepEqual(
    [given('9007199254740993').n, given('0.12345678901234567', account, 'en').n],
    ['9007199254740993', '0.12345678901234567'],
  );
  assert.deepEqual(
    [rules('9007199254740993'), rules('12345678901234567890'), rules('0.1234567890123456789')],
    [['digits'], ['digits'], ['digits']],
  );
  assert.deepEqual(rules('9007199254740993', ask('integer', { id: 'n' })), ['digits']);
  // Twenty-one digits that are preserved, more digits than a double has, and a text that is not a number.
  assert.deepEqual([rules('100000000000000000000'), rules(`1${'0'.repeat(400)}`), rules('12a')], [[], ['digits'], ['number']]);
});

test('answers are formatted in a language', async () => {
  const said = (field: Partial<Field> & { type: Field['type'] }, value: unknown, locale = 'en') => answerText(field, value, locale);
  assert.equal(said({ type: 'radio', options: [{ id: 'a', label: { en: 'Apple', de: 'Apfel' } }] }, 'a', 'de'), 'Apfel');
  assert.equal(said({ type: 'country' }, 'JP', 'ja'), '日本');
  assert.equal(said({ type: 'money' }, { amount: '123456789012345.1234', currency: 'EUR' }), 'EUR\u00a0123,456,789,012,345.1234');
  assert.equal(said({ type: 'number' }, 1234.000000000015, 'de'), '1.234,000000000015');
  assert.equal(said({ type: 'boolean' }, true, 'ar'), 'نعم');
  assert.equal(said({ type: 'date' }, '2026-05-01', 'de'), '1. Mai 2026');
  assert.equal(said({ type: 'multiselect', options }, ['a', 'b']), 'a\nb');
  assert.equal(said({ type: 'text' }, undefined), '');
  assert.equal(recordText(['a'.repeat(299) + '😀']), 'a'.repeat(299), 'no half of a surrogate pair');
  assert.equal(said({ type: 'country' }, 'not one', 'not a locale'), 'not one');
});

test('uploads and records in answers are found', async () => {
  const fields = [
    ask('file', { id: 'f', validation: { maxItems: 3 } }),
    ask('signature', { id: 's' }),
    ask('registry', { id: 'r', registryTypeId: 'R' }),
  ];
  assert.deepEqual(uploadsIn(fields, { f: ['x', 'y'], s: { fileId: 'z' } }), [
    { field: 'f', fileId: 'x' },
    { field: 'f', fileId: 'y' },
    { field: 's', fileId: 'z' },
  ]);
  assert.deepEqual(recordsIn(fields, { r: 'q' }), [{ field: 'r', registryTypeId: 'R', recordId: 'q' }]);
});

test('the schema of a definition accepts all types and rejects unknown ones', async () => {
  const shape = Compile(schemas.fields);
  for (const type of fieldTypes) assert.equal(shape.Check([{ id: 'a', type }]), true, type);
  const odd: unknown[] = [
    { id: '1', type: 'text' },
    { id: '__proto__', type: 'text' },
    { id: 'a', type: 'mystery' },
    { id: 'a', type: 'text', label: {} },
    { type: 'text' },
  ];
  for (const field of odd) assert.equal(shape.Check([field]), false, JSON.stringify(field));
  assert.equal(shape.Check([{ id: 'a', type: 'text', label: { en: 'x', 'pt-BR': 'y' } }]), true);
});

test('an answer with very many combining marks takes little CPU time', async () => {
  const fields = [
    { id: 'a', type: 'text', label: 'A' },
    { id: 'b', type: 'address', label: 'B' },
  ] as unknown as Field[];
  const marks = `a${'\u0301\u0316'.repeat(100_000)}`;
  const used = await cpuTimeOf(() => checkWith(fields, { a: marks, b: { value: marks } }, english));
  assert.ok(used < 10_000, `${used} ms`);
});

test('code for pages imports nothing from other folders and uses no Node API', async () => {
  for (const file of globSync('src/intake/fields/engine/*.ts')) {
    const text = readFileSync(file, 'utf8');
    const imported = [...text.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name);
    assert.deepEqual(
      imported.filter((name) => !/^\.\/[\w-]+\.ts$/.test(name)),
      [],
      file,
    );
    assert.doesNotMatch(text, /\b(?:Buffer|process|node:|require)\b/, file);
  }
});

let reads = 0;
const counted = <Name extends string>(name: Name, value: string) =>
  Object.defineProperty({} as Record<Name, string>, name, { enumerable: true, get: () => ((reads += 1), value) });
const comparing = { any: Array.from({ length: 20 }, () => ({ field: 'chosen', in: Array.from({ length: 1_000 }, () => 'o99') })) };

test('conditions with many values read each option of a field only once', async () => {
  const offered = Array.from({ length: 100 }, (_, place) => counted('id', `o${place}`));
  reads = 0;
  assert.deepEqual(await errorsOf(ask('multiselect', { id: 'chosen', options: offered }), ask('text', { visibleIf: comparing })), []);
  assert.ok(reads <= 10 * offered.length, `${reads} reads of ${offered.length} options`);
});

test('conditions with many values read each sent choice only once', async () => {
  // Conditions are evaluated before validation, so the answer can be anything, up to the size of a body.
  const sent = Array.from({ length: 100 }, () => counted('amount', '1'));
  const fields = [ask('multiselect', { id: 'chosen', options }), ask('text', { visibleIf: comparing })];
  reads = 0;
  assert.deepEqual([...checkWith(fields, { chosen: sent }, english).visible], ['chosen']);
  assert.ok(reads <= 10 * sent.length, `${reads} reads of ${sent.length} choices`);
});

test('formatting an answer with many choices reads each option once', async () => {
  const offered = Array.from({ length: 100 }, (_, place) => counted('id', `o${place}`));
  const chosen = Array.from({ length: 1_000 }, () => 'o99');
  reads = 0;
  assert.equal(answerText(ask('multiselect', { options: offered }), chosen, 'en').length, 4_000 - 1);
  assert.ok(reads <= 10 * offered.length, `${reads} reads of ${offered.length} options`);
  // Of two options with the same identifier the first counts.
  assert.equal(
    answerText(
      ask('select', {
        options: [
          { id: 'a', label: 'First' },
          { id: 'a', label: 'Second' },
        ],
      }),
      'a',
      'en',
    ),
    'First',
  );
});
