import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Condition } from '#fields';
import { chooseRule, type Rule, withDefaults } from '../rules.ts';
import { neverApplied } from './reachable.ts';

const need = [{ count: 1, from: ['role:owner'] }];
const rulesOf = (...conditions: Condition[]): Rule[] => [
  ...conditions.map((when, at) => ({ id: `r${at}`, when, need })),
  { id: 'last', need },
];
const never = (conditions: Condition[], onMissing = 'refuse') => [...neverApplied(rulesOf(...conditions), onMissing)];
const euro = (amount: string) => ({ amount, currency: 'EUR' });

test('rules that can apply are not named', () => {
  assert.deepEqual(never([]), []);
  assert.deepEqual(
    never([
      { field: 'a', gt: euro('50000') },
      { field: 'a', gt: euro('10000') },
    ]),
    [],
  );
  const one = {
    all: [
      { field: 'a', lt: euro('50000') },
      { field: 'a', eq: 1 },
    ],
  };
  assert.deepEqual(never([one]), [], 'an amount also compares with a number');
  assert.deepEqual(
    never([
      {
        all: [
          { field: 'k', eq: 'x' },
          { field: 'k', eq: 'y' },
        ],
      },
    ]),
    [],
    'a list answer has several choices',
  );
  assert.deepEqual(
    never([
      {
        all: [
          { field: 'd', gt: '2026-01-01' },
          { field: 'd', lt: '2026-01-03' },
        ],
      },
    ]),
    [],
  );
  assert.deepEqual(
    never([
      {
        all: [
          { field: 'n', gt: 1 },
          { field: 'n', lt: 2 },
        ],
      },
    ]),
    [],
  );
});

test('a rule whose condition cannot hold never applies', () => {
  assert.deepEqual(
    never([
      {
        all: [
          { field: 'a', gt: euro('5') },
          { field: 'a', lt: euro('5') },
        ],
      },
    ]),
    ['r0'],
  );
  assert.deepEqual(
    never([
      {
        all: [
          { field: 'd', gt: '2026-01-03' },
          { field: 'd', lt: '2026-01-01' },
        ],
      },
    ]),
    ['r0'],
  );
  assert.deepEqual(
    never([
      {
        all: [
          { field: 't', gt: '2026-01-03T00:00:00Z' },
          { field: 't', lt: '2026-01-03T01:00:00+02:00' },
        ],
      },
    ]),
    ['r0'],
  );
  assert.deepEqual(
    never([
      {
        all: [
          { field: 'k', empty: true },
          { field: 'k', eq: 'x' },
        ],
      },
    ]),
    ['r0'],
  );
});

test('a rule behind a wider one never applies', () => {
  assert.deepEqual(
    never([
      { field: 'a', gt: euro('10000') },
      { field: 'a', gt: euro('50000') },
    ]),
    ['r1'],
  );
  assert.deepEqual(never([{ field: 'k', eq: 'x' }, { not: { field: 'k', eq: 'x' } }]), ['last']);
  assert.deepEqual(never([{ field: 'k', eq: 'x' }, { not: { field: 'k', eq: 'x' } }], 'last'), [], 'a missing answer can choose a rule');
});

test('too many combinations make no statement', () => {
  const many = { all: ['a', 'b', 'c', 'd', 'e', 'f'].map((field) => ({ field, in: [1, 2, 3] })) };
  assert.deepEqual(never([many, many]), []);
  assert.deepEqual(never([{ field: 'k', in: Array.from({ length: 7 }, (_, at) => at) }]), []);
});

test('no rule is named that an answer chooses', () => {
  const value = fc.oneof(
    fc.constantFrom('x', 'y', '2026-01-01', '10:00', '2026-01-01T10:00:00Z'),
    fc.integer({ min: -2, max: 2 }),
    fc.boolean(),
  );
  const amount = fc.record({ amount: fc.constantFrom('1', '2.5'), currency: fc.constantFrom('EUR', 'USD') });
  const field = fc.constantFrom('a', 'b');
  const one = fc.oneof(
    fc.record({ field, eq: value }),
    fc.record({ field, ne: value }),
    fc.record({ field, gt: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom('2026-01-01', 'x'), amount) }),
    fc.record({ field, lt: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom('2026-01-01', 'x'), amount) }),
    fc.record({ field, empty: fc.boolean() }),
  ) as fc.Arbitrary<Condition>;
  const condition = fc.oneof(
    one,
    fc.array(one, { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    one.map((not) => ({ not })),
  );
  const answer = fc.oneof(
    fc.constant(undefined),
    value,
    amount,
    fc.constantFrom('zebra', '1999-12-31', ['x', 'y'], { amount: '9', currency: 'GBP' }),
  );
  let named = 0;
  fc.assert(
    fc.property(
      fc.array(condition, { minLength: 1, maxLength: 3 }),
      fc.array(fc.record({ a: answer, b: answer })),
      (conditions, answers) => {
        const rules = rulesOf(...conditions);
        const found = neverApplied(rules, 'refuse');
        named += found.size;
        for (const given of answers) {
          const { rule } = chooseRule(withDefaults({ rules }), (name) => given[name as 'a' | 'b']);
          assert.ok(rule === undefined || !found.has(rule.id), JSON.stringify([conditions, given]));
        }
      },
    ),
    { numRuns: 1_000 },
  );
  assert.ok(named > 100, `enough rules are named: ${named}`);
});
