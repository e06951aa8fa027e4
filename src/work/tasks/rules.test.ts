import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '../../platform/scope.ts';
import { completionRefusal, mayCreate, mayView, reassignRefusal, type TaskFacts } from './access.ts';

const person = (id: string, role = 'member'): Actor => ({ type: 'user', id, role });
const callers: Record<string, Actor> = {
  owner: person('owner', 'owner'),
  admin: person('admin', 'admin'),
  giver: person('giver'),
  holder: person('holder'),
  doer: person('doer'),
  other: person('other'),
  viewer: person('viewer', 'viewer'),
  client: { type: 'client', id: 'client', scopes: new Set() },
};
const task = (type: string, more: Partial<TaskFacts> = {}): TaskFacts => ({
  type,
  assigned_to: 'holder',
  status: 'open',
  owner_id: 'giver',
  participant_id: null,
  emergency: false,
  on_behalf_of: null,
  workflow_id: null,
  created_by_type: 'user',
  ...more,
});
const those = (allowed: (actor: Actor) => boolean) => Object.keys(callers).filter((name) => allowed(callers[name] ?? { type: 'system' }));

test('assignee, creator, participant, team managers and programs see a task', () => {
  assert.deepEqual(
    those((actor) => mayView(actor, task('task', { participant_id: 'doer' }))),
    ['owner', 'admin', 'giver', 'holder', 'doer', 'client'],
  );
});

test('everyone except viewers can create tasks', () => {
  assert.deepEqual(those(mayCreate), ['owner', 'admin', 'giver', 'holder', 'doer', 'other', 'client']);
});

for (const [type, assigned, allowed] of [
  ['task', 'holder', ['holder']],
  ['task', 'viewer', ['viewer']],
  ['task', null, ['owner', 'admin', 'giver', 'holder', 'doer', 'other', 'viewer', 'client']],
  ['site-visit', 'holder', ['holder']],
  ['site-visit', 'viewer', []],
  ['site-visit', null, ['owner', 'admin', 'giver', 'holder', 'doer', 'other', 'client']],
  ['acknowledgement', 'viewer', ['viewer']],
  ['acknowledgement', null, ['owner', 'admin', 'giver', 'holder', 'doer', 'other', 'viewer']],
  ['form', null, ['owner', 'admin', 'giver', 'holder', 'doer', 'other']],
  ['approval', 'holder', ['holder']],
  ['approval', 'viewer', []],
  ['approval', null, []],
  ['review', 'holder', ['holder']],
  ['review', null, []],
  ['signature', 'holder', ['holder']],
  ['signature', null, []],
] as const) {
  test(`${type} with the assignee ${assigned ?? 'none'} can be completed by ${allowed.join(', ') || 'no one'}`, () => {
    assert.deepEqual(
      those((actor) => completionRefusal(actor, task(type, { assigned_to: assigned })) === undefined),
      [...allowed],
    );
  });
}

test('the uploader of a version cannot complete the task that judges it', () => {
  assert.deepEqual(
    those((actor) => completionRefusal(actor, task('approval'), true) === undefined),
    [],
  );
  assert.equal(completionRefusal(callers.holder ?? { type: 'system' }, task('approval'), true), 'second_person');
});

for (const [type, target, behind, allowed] of [
  ['task', 'other', [], ['owner', 'admin', 'giver', 'holder']],
  ['task', 'giver', ['giver'], ['owner', 'admin', 'giver', 'holder']],
  ['approval', 'other', ['giver'], ['owner', 'admin', 'holder']],
  ['approval', 'giver', ['giver'], []],
  ['approval', 'admin', ['giver'], ['owner', 'admin', 'holder']],
  ['approval', 'admin', ['giver', 'admin'], []],
  ['approval', 'holder', ['giver', 'holder'], ['owner', 'admin', 'holder']],
  ['signature', 'giver', ['giver'], []],
] as const) {
  test(`${type} can be reassigned to ${target} by ${allowed.join(', ') || 'no one'} with conflicts of ${behind.join(', ') || 'no one'}`, () => {
    assert.deepEqual(
      those((actor) => reassignRefusal(actor, task(type), { target, conflicted: new Set(behind) }) === undefined),
      [...allowed],
    );
  });
}

test('a program reassigns tasks that it created, but no decisions; a viewer reassigns none', () => {
  const client = callers.client ?? { type: 'system' };
  const passing = { target: 'other', conflicted: new Set<string>() };
  assert.equal(reassignRefusal(client, task('task', { owner_id: 'client' }), passing), undefined);
  assert.equal(reassignRefusal(client, task('approval', { owner_id: 'client' }), passing), 'not_theirs');
  assert.equal(reassignRefusal(callers.viewer ?? client, task('task', { assigned_to: 'viewer' }), passing), 'not_theirs');
});

test('a program with access to some folders sees the tasks that it created', () => {
  const confined: Actor = { type: 'client', id: 'client', scopes: new Set(), folderIds: ['f'] };
  assert.deepEqual([mayView(confined, task('task')), mayView(confined, task('task', { owner_id: 'client' }))], [false, true]);
});
