import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownMembers } from '../../platform/http/known-members.ts';
import { checkOf } from '../../platform/http/validators.ts';
import { Type } from 'typebox';
import { chooseRule, ruleErrors, ruleMembers, type RulesInput, sourceOf, withDefaults } from './rules.ts';

const id = '0195b1f0-0000-7000-8000-00000000000a';
const finance = { count: 2, from: [`group:${id}`] };
const amount = (value: string) => ({ field: 'facts/amount', gt: { amount: value, currency: 'EUR' } });
const authority: RulesInput = {
  rules: [
    { id: 'large', when: amount('50000'), need: [finance, { count: 1, from: ['role:owner'] }] },
    { id: 'small', need: [{ count: 1, from: ['role:admin', 'role:owner'] }] },
  ],
};
const schema = Type.Object(ruleMembers, { additionalProperties: false });
const pointers = (input: object) =>
  ruleErrors({ ...authority, ...input } as RulesInput).map(({ pointer, reason }) => `${pointer} ${reason}`);
const lastWith = (...from: string[]) => ({ rules: [{ id: 'small', need: [{ count: 1, from }] }] });

test('valid rules have no error and get defaults', () => {
  assert.deepEqual(ruleErrors(authority), []);
  assert.equal(checkOf(schema)(structuredClone(authority)), undefined);
  const { rules, ...members } = withDefaults({ ...authority, ...lastWith(`user:${id.toUpperCase()}`, `user:${id}`, 'parameter:Buyer') });
  assert.deepEqual(members, { exclude: ['creator', 'uploader', 'submitter'], onMissing: 'refuse', onRejection: 'first' });
  assert.deepEqual(rules[0]?.need, [{ count: 1, from: [`user:${id}`, 'parameter:Buyer'] }]);
  assert.deepEqual(withDefaults({ ...authority, exclude: [] }).exclude, []);
});

test('an unknown member is named with the nearest one', () => {
  const found = unknownMembers(schema, { ...authority, onRejecton: 'first', proof: 'passkey' }, []);
  assert.deepEqual(
    found.map(({ pointer, reason }) => `${pointer} ${reason}`),
    ['/onRejecton is unknown; did you mean `onRejection`?', '/proof is unknown'],
  );
});

test('a source has one of four forms', () => {
  assert.deepEqual(sourceOf(`group:${id.toUpperCase()}`), { kind: 'group', value: id });
  assert.deepEqual(sourceOf('parameter:second buyer'), { kind: 'parameter', value: 'second buyer' });
  const at = '/rules/0/need/0/from/0';
  assert.deepEqual(pointers(lastWith('rolle:admin')), [
    `${at} must begin with one of \`user:\`, \`role:\`, \`group:\`, \`parameter:\`: did you mean \`role:\`?`,
  ]);
  assert.deepEqual(pointers(lastWith('role:amdin')), [`${at} must name one of the roles owner, admin, member: did you mean \`admin\`?`]);
  assert.deepEqual(pointers(lastWith('group:finance')), [`${at} must have the identifier of a group after \`group:\``]);
  for (const wrong of [id, '', 'user:', 'role:viewer', 'role:toString', 'parameter:', 'parameter: x', `parameter:${'x'.repeat(51)}`])
    assert.equal(pointers(lastWith(wrong)).length, 1, wrong);
});

test('only the last rule has no condition, and identifiers are unique', () => {
  const [large, small] = authority.rules;
  assert.deepEqual(pointers({ rules: [small, large] }), [
    '/rules/0/when is required: only the last rule has no condition',
    '/rules/1/when must be absent: the last rule applies if no other does',
  ]);
  assert.deepEqual(pointers({ rules: [large, large, small] }), ['/rules/1/id must be unique']);
  assert.deepEqual(pointers({ rules: [large, { ...small, id: 'refuse' }] }), ['/rules/1/id is reserved: it is a value of `onMissing`']);
  assert.deepEqual(pointers({ onMissing: 'lage' }), ['/onMissing must be `refuse` or the id of a rule: did you mean `large`?']);
  assert.deepEqual(pointers({ onMissing: 'large' }), []);
});

test('a rule has at most as many places as a round has candidates, and rules have at most 16 KiB', () => {
  const many = { count: 26, from: ['role:member'] };
  assert.deepEqual(pointers({ rules: [{ id: 'small', need: [many, many] }] }), ['/rules/0/need has 52 places: the maximum is 50']);
  const long = { field: 'x', in: Array.from({ length: 600 }, (_, at) => `choice ${at} with some text`) };
  assert.deepEqual(pointers({ rules: [{ ...authority.rules[0], when: long }, authority.rules[1]] }), [
    '/rules have more than 16 KiB of JSON',
  ]);
});

test('conditions are checked, with the types of known fields', () => {
  const [large, small] = authority.rules;
  const withWhen = (when: object) => ({ rules: [{ ...large, when }, small] });
  assert.deepEqual(pointers(withWhen({ all: [{ field: 'a', greater: 5 }] })), [
    '/rules/0/when/all/0 must be { all }, { any }, { not }, or a field with one of eq, ne, gt, lt, in, empty',
  ]);
  const money = ruleErrors(withWhen({ field: 'facts/amount', gt: 50_000 }) as RulesInput, {
    at: '/steps/1/config/approval',
    fieldOf: (name) => (name === 'facts/amount' ? { id: name, type: 'money' } : undefined),
  });
  assert.deepEqual(
    money.map(({ pointer, rule }) => [pointer, rule]),
    [['/steps/1/config/approval/rules/0/when/gt', 'currency']],
  );
  const unknown = ruleErrors(authority, { fieldOf: () => undefined, unknown: (name) => `does not name an answer: ${name}` });
  assert.deepEqual(
    unknown.map(({ pointer, reason }) => [pointer, reason]),
    [['/rules/0/when/field', 'does not name an answer: facts/amount']],
  );
});

const chosen = (input: Partial<RulesInput>, answers: Record<string, unknown>) => {
  const { rule, missing } = chooseRule(withDefaults({ ...authority, ...input }), (field) => answers[field]);
  return [rule?.id, missing];
};
const euros = (value: string, currency = 'EUR') => ({ 'facts/amount': { amount: value, currency } });

test('the first rule whose condition holds applies', () => {
  assert.deepEqual(chosen({}, euros('50001')), ['large', undefined]);
  assert.deepEqual(chosen({}, euros('50000')), ['small', undefined]);
});

test('a missing answer that decides never skips a rule', () => {
  assert.deepEqual(chosen({}, {}), [undefined, ['facts/amount']]);
  assert.deepEqual(chosen({}, euros('60000', 'JPY')), [undefined, ['facts/amount']]);
  assert.deepEqual(chosen({ onMissing: 'large' }, {}), ['large', ['facts/amount']]);
  assert.deepEqual(chosen({ onMissing: 'small' }, euros('1', 'JPY')), ['small', ['facts/amount']]);
});

test('an answer that does not decide may be missing', () => {
  const [large, small] = authority.rules;
  const either = { rules: [{ ...large!, when: { any: [amount('50000'), { field: 'kind', eq: 'supply' }] } }, small!] };
  assert.deepEqual(chosen(either, { kind: 'supply' }), ['large', undefined]);
  assert.deepEqual(chosen(either, { kind: 'nda' }), [undefined, ['facts/amount']]);
  assert.deepEqual(chosen(either, { kind: 'nda', ...euros('5') }), ['small', undefined]);
});

test('a number without currency never compares with an amount', () => {
  const [large, small] = authority.rules;
  const bare = { rules: [{ ...large!, when: { field: 'facts/amount', gt: 50_000 } }, small!] };
  assert.deepEqual(chosen(bare, euros('49000', 'GBP')), [undefined, ['facts/amount']]);
  assert.deepEqual(chosen(bare, { 'facts/amount': 60_000 }), ['large', undefined]);
});
