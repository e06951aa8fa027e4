import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeyFacts, planRotation, publishedSeconds, retiredSeconds } from './rotation.ts';

const day = 86_400;
const rules = { alg: 'ES256', rotationSeconds: 90 * day, keepRetired: retiredSeconds };
const fact = (status: string, members: Partial<KeyFacts> = {}): KeyFacts => ({
  kid: status,
  alg: 'ES256',
  status,
  publishedFor: 30 * day,
  activeFor: status === 'active' ? day : null,
  retiredFor: status === 'retired' ? 60 : null,
  due: false,
  ...members,
});
const plan = (keys: KeyFacts[], changed: Partial<Parameters<typeof planRotation>[1]> = {}) => {
  const { remove, activate, publish } = planRotation(keys, { ...rules, ...changed });
  return { remove, activate: activate?.kid, reason: activate?.reason, publish };
};
const nothing = { remove: [], activate: undefined, reason: undefined, publish: false };

test('an active and a next key need no change', () => {
  assert.deepEqual(plan([fact('active'), fact('next')]), nothing);
});

test('a purpose without keys gets a next key; without an active key the next one signs at once', () => {
  assert.deepEqual(plan([]), { ...nothing, publish: true });
  assert.deepEqual(plan([fact('next', { publishedFor: 0 })]), { ...nothing, activate: 'next', reason: 'first', publish: true });
});

test('a missing next key is published', () => {
  assert.deepEqual(plan([fact('active')]), { ...nothing, publish: true });
});

test('after ninety days the next key signs, and another is published', () => {
  const old = fact('active', { activeFor: 90 * day });
  assert.deepEqual(plan([old, fact('next')]), { ...nothing, activate: 'next', reason: 'age', publish: true });
  assert.deepEqual(plan([fact('active', { activeFor: 90 * day - 1 }), fact('next')]), nothing);
});

test('a key signs at the earliest ten minutes after its publication, unless an operator requests it', () => {
  const old = fact('active', { activeFor: 100 * day });
  assert.deepEqual(plan([old, fact('next', { publishedFor: publishedSeconds - 1 })]), nothing);
  assert.equal(plan([old, fact('next', { publishedFor: publishedSeconds })]).activate, 'next');
  assert.deepEqual(plan([fact('active'), fact('next', { publishedFor: 1, due: true })]), {
    ...nothing,
    activate: 'next',
    reason: 'command',
    publish: true,
  });
});

test('a changed algorithm replaces the next key at once and signs ten minutes later', () => {
  const changed = { alg: 'EdDSA' };
  assert.deepEqual(plan([fact('active'), fact('next')], changed), { ...nothing, remove: ['next'], publish: true });
  const fresh = fact('next', { alg: 'EdDSA', publishedFor: 10 });
  assert.deepEqual(plan([fact('active'), fresh], changed), nothing);
  assert.equal(plan([fact('active'), { ...fresh, publishedFor: publishedSeconds }], changed).reason, 'algorithm');
});

test('a retired key leaves the set after its last token has expired, or never if it is kept forever', () => {
  const keys = [fact('active'), fact('next'), fact('retired', { retiredFor: retiredSeconds + 1 })];
  assert.deepEqual(plan(keys).remove, ['retired']);
  assert.deepEqual(plan([fact('active'), fact('next'), fact('retired', { retiredFor: retiredSeconds })]).remove, []);
  assert.deepEqual(plan(keys, { keepRetired: 'forever' }).remove, []);
});

test('a retired key is published longer than a token lives, with skew and caches', () => {
  assert.ok(retiredSeconds > 15 * 60 + 5 + 300);
});
