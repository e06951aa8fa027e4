import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '../../platform/scope.ts';
import { claimRefusal, completionRefusal, mayCreate, mayView, reassignRefusal, type TaskFacts } from './access.ts';

const person = (id: string, role = 'member'): Actor => ({ type: 'user', id, role });
const callers: Record<string, Actor> = {
  owner: person('owner', 'owner'),
  admin: person('admin', 'admin'),
  grantor: person('grantor'),
  assignee: person('assignee'),
  doer: person('doer'),
  other: person('other'),
  viewer: person('viewer', 'viewer'),
  client: { type: 'client', id: 'client', scopes: new Set() },
};
const task = (type: string, more: Partial<TaskFacts> = {}): TaskFacts => ({
  type,
  assigned_to: 'assignee',
  assigned_group_id: null,
  candidate: false,
  status: 'open',
  owner_id: 'grantor',
  participant_id: null,
  emergency: false,
  on_behalf_of: null,
  workflow_id: null,
  created_by: 'grantor',
  created_by_type: 'user',
  ...more,
});
const those = (allowed: (actor: Actor) => boolean) => Object.keys(callers).filter((name) => allowed(callers[name] ?? { type: 'system' }));

test('assignee, creator, participant, team managers and programs see a task', () => {
  assert.deepEqual(
    those((actor) => mayView(actor, task('task', { participant_id: 'doer' }))),
    ['owner', 'admin', 'grantor', 'assignee', 'doer', 'client'],
  );
});

test('everyone except viewers can create tasks', () => {
  assert.deepEqual(those(mayCreate), ['owner', 'admin', 'grantor', 'assignee', 'doer', 'other', 'client']);
});

for (const [type, assigned, allowed] of [
  ['task', 'assignee', ['assignee']],
  ['task', 'viewer', ['viewer']],
  ['task', null, ['owner', 'admin', 'grantor', 'client']],
  ['site-visit', 'assignee', ['assignee']],
  ['site-visit', 'viewer', []],
  ['site-visit', null, ['owner', 'admin', 'grantor', 'client']],
  ['acknowledgement', 'viewer', ['viewer']],
  ['acknowledgement', null, ['owner', 'admin', 'grantor']],
  ['form', null, ['owner', 'admin', 'grantor']],
  ['approval', 'assignee', ['assignee']],
  ['approval', 'viewer', []],
  ['approval', null, []],
  ['review', 'assignee', ['assignee']],
  ['review', null, []],
  ['signature', 'assignee', ['assignee']],
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
  assert.equal(completionRefusal(callers.assignee ?? { type: 'system' }, task('approval'), true), 'second_person');
});

for (const [type, target, behind, allowed] of [
  ['task', 'other', [], ['owner', 'admin', 'grantor', 'assignee']],
  ['task', 'grantor', ['grantor'], ['owner', 'admin', 'grantor', 'assignee']],
  ['approval', 'other', ['grantor'], ['owner', 'admin', 'assignee']],
  ['approval', 'grantor', ['grantor'], []],
  ['approval', 'admin', ['grantor'], ['owner', 'admin', 'assignee']],
  ['approval', 'admin', ['grantor', 'admin'], []],
  ['approval', 'assignee', ['grantor', 'assignee'], ['owner', 'admin', 'assignee']],
  ['signature', 'grantor', ['grantor'], []],
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

test('a member of its group claims a task by the rules of the completion', () => {
  const ofGroup = (type: string, more: Partial<TaskFacts> = {}) =>
    task(type, { assigned_to: null, assigned_group_id: 'group', candidate: true, ...more });
  const claims = (type: string, more: Partial<TaskFacts> = {}, conflicted = false) =>
    Object.fromEntries(['doer', 'viewer', 'admin'].map((name) => [name, claimRefusal(callers[name]!, ofGroup(type, more), conflicted)]));
  assert.deepEqual(claims('task'), { doer: undefined, viewer: undefined, admin: undefined });
  assert.deepEqual(claims('approval'), { doer: undefined, viewer: 'viewer', admin: undefined });
  assert.deepEqual(claims('approval', {}, true), { doer: 'second_person', viewer: 'second_person', admin: 'second_person' });
  assert.deepEqual(claims('task', { candidate: false }), { doer: 'not_in_group', viewer: 'not_in_group', admin: 'not_in_group' });
  assert.deepEqual(claims('task', { emergency: true }), { doer: 'outside_barrier', viewer: 'outside_barrier', admin: 'outside_barrier' });
  assert.deepEqual(claims('task', { assigned_to: 'holder' }), { doer: 'claimed', viewer: 'claimed', admin: 'claimed' });
});

test('no member completes a task of a group before it is claimed', () => {
  const unclaimed = task('task', { assigned_to: null, assigned_group_id: 'group' });
  assert.equal(completionRefusal(person('doer'), { ...unclaimed, candidate: true }), 'unclaimed');
  assert.equal(completionRefusal(callers.owner!, unclaimed), 'another_person');
});
