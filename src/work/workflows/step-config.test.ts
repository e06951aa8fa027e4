import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StepInput } from './schemas.ts';
import { stepErrors, wakeTime } from './step-config.ts';

const pointersOf = (...steps: Partial<StepInput>[]) =>
  stepErrors(steps.map((step, index) => ({ id: `s${index}`, type: 'task', ...step }))).map(({ pointer }) => pointer);
const wait = (config: Record<string, unknown>) => pointersOf({ type: 'wait', config });

test('a wait has exactly one period or time, within limits', () => {
  for (const config of [
    { minutes: 0.5 },
    { hours: 2 },
    { days: 3_650 },
    { until: '2030-01-01T00:00:00Z' },
    { until: '1970-01-01T02:00+02:00' },
  ])
    assert.deepEqual(wait(config), [], JSON.stringify(config));
  assert.deepEqual(wait({}), ['/steps/0/config']);
  assert.deepEqual(wait({ hours: 1, days: 1 }), ['/steps/0/config']);
  assert.deepEqual(wait({ fortnights: 1 }), ['/steps/0/config/fortnights']);
  for (const minutes of [0, -1, '5', null, 5_256_001, 1e300]) assert.deepEqual(wait({ minutes }), ['/steps/0/config/minutes']);
  for (const until of [
    '0000-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59-01:00',
    'tomorrow',
    5,
  ])
    assert.deepEqual(wait({ until }), ['/steps/0/config/until'], String(until));
});

test('the end of every wait is a valid time', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('minutes', 'hours', 'days', 'until'), fc.jsonValue()), fc.string(), (config, until) => {
      for (const given of [config, { ...config, until }])
        assert.match(wakeTime(given, new Date()), /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }),
  );
});

test('onReject names an earlier step, in a step that can be rejected', () => {
  const back = (type: string, onReject: unknown) => pointersOf({}, { type, config: { onReject } }, {});
  assert.deepEqual(back('approval', 's0'), []);
  for (const onReject of ['s1', 's2', 'zzz', 7, '']) assert.deepEqual(back('review', onReject), ['/steps/1/config/onReject']);
  assert.deepEqual(back('task', 's0'), ['/steps/1/config/onReject']);
});

test('outcomes are accepted only for some types, and are valid names', () => {
  const chosen = (type: string, outcomes: unknown) => pointersOf({ type, config: { outcomes } });
  assert.deepEqual(chosen('task', ['filed', 'not needed']), []);
  assert.deepEqual(chosen('site-visit', ['ok']), []);
  for (const outcomes of [[], ['a', 'a'], 'a', null, Array.from({ length: 21 }, (_, at) => `o${at}`)])
    assert.deepEqual(chosen('task', outcomes), ['/steps/0/config/outcomes']);
  for (const outcomes of [[''], [1], ['x'.repeat(101)], ['a/b']])
    assert.deepEqual(chosen('task', outcomes), ['/steps/0/config/outcomes/0']);
  for (const type of ['approval', 'review', 'signature', 'form']) assert.deepEqual(chosen(type, ['fine']), ['/steps/0/config/outcomes']);
});

test('notification steps accept no settings, and onNewVersion has three values', () => {
  assert.deepEqual(pointersOf({ type: 'webhook', config: { url: 'https://example.org' } }), ['/steps/0/config/url']);
  assert.deepEqual(pointersOf({ type: 'notification', config: { 'a/b': 1 } }), ['/steps/0/config/a~1b']);
  assert.deepEqual(pointersOf({ type: 'approval', config: { onNewVersion: 'refuse' } }), []);
  assert.deepEqual(pointersOf({ type: 'approval', config: { onNewVersion: 'panic' } }), ['/steps/0/config/onNewVersion']);
});

test('sizes and counts have limits', () => {
  assert.deepEqual(pointersOf({ config: { 'x-note': 'x'.repeat(16 * 1024) } }), ['/steps/0/config']);
  const many = (count: number, step: Partial<StepInput>) => pointersOf(...Array.from({ length: count }, () => step));
  assert.deepEqual(many(20, { config: { 'x-note': 'x'.repeat(15 * 1024) } }), ['/steps']);
  for (const type of ['webhook', 'notification']) {
    assert.deepEqual(many(20, { type }), []);
    assert.deepEqual(many(21, { type }), ['/steps']);
  }
  const assignees = Array.from({ length: 50 }, (_, at) => `00000000-0000-0000-0000-0000000000${String(at).padStart(2, '0')}`);
  assert.deepEqual(many(10, { assignees }), []);
  assert.deepEqual(many(11, { assignees }), ['/steps']);
});

test('the case of an identifier does not matter', () => {
  const id = 'abcdefab-0000-4000-8000-000000000000';
  const spellings = Array.from({ length: 50 }, (_, at) => id.slice(0, at % 8).toUpperCase() + id.slice(at % 8));
  assert.deepEqual(
    pointersOf(...Array.from({ length: 200 }, () => ({ assignees: spellings }))).filter((pointer) => pointer === '/steps').length,
    1,
    'too large',
  );
  assert.deepEqual(pointersOf(...Array.from({ length: 60 }, () => ({ assignees: spellings }))), []);
});

test('an unknown member of `config` is rejected with the nearest name, and `x-` members are accepted', () => {
  const errorsOf = (type: string, config: Record<string, unknown>) =>
    stepErrors([
      { id: 'a', type: 'task' },
      { id: 'b', type, config },
    ]).map(({ pointer, reason, rule }) => [pointer.slice(16), rule, reason]);
  const near = (name: string) => `is not known: did you mean \`${name}\`?`;
  assert.deepEqual(errorsOf('signature', { request: true, inTrun: true }), [['inTrun', 'unknown', near('inTurn')]]);
  assert.deepEqual(errorsOf('approval', { onRejct: 'a' }), [['onRejct', 'unknown', near('onReject')]]);
  assert.deepEqual(errorsOf('form', { interfaceid: '01999999-0000-7000-8000-000000000000' }), [
    ['interfaceid', 'unknown', near('interfaceId')],
  ]);
  assert.deepEqual(
    errorsOf('task', { escalate: [{ afterDays: 1, too: 'role:admin' }] })
      .map(([at]) => at)
      .toSorted(),
    ['escalate/0/to', 'escalate/0/too'],
  );
  assert.deepEqual(
    errorsOf('task', { quorum: 2 }).map(([at, rule]) => [at, rule]),
    [['quorum', 'unknown']],
  );
  for (const type of ['task', 'review', 'signature', 'form', 'acknowledgement', 'notification', 'webhook', 'site-visit', 'failed_step'])
    assert.deepEqual(errorsOf(type, { 'x-note': { deep: [1] } }), [], type);
});
