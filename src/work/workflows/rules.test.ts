import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '../../platform/scope.ts';
import { listedFor, mayCancel, mayCreate, mayEdit, mayManageTemplate } from './access.ts';

const person = (id: string, role = 'member'): Actor => ({ type: 'user', id, role });
const callers: Record<string, Actor> = {
  owner: person('owner', 'owner'),
  admin: person('admin', 'admin'),
  creator: person('creator'),
  given: person('given'),
  other: person('other'),
  viewer: person('viewer', 'viewer'),
  unknownRole: { type: 'user', id: 'unknown' },
  client: { type: 'client', id: 'client', scopes: new Set() },
  agent: { type: 'agent', id: 'agent', scopes: new Set() },
};
const those = (allowed: (actor: Actor) => boolean) => Object.keys(callers).filter((name) => allowed(callers[name] ?? { type: 'system' }));
const workflow = { owner_id: 'creator' };

test('team managers and programs see all workflows, others those that concern them', () => {
  assert.deepEqual(
    those((actor) => listedFor(actor) === null),
    ['owner', 'admin', 'client', 'agent'],
  );
  assert.equal(listedFor(person('viewer', 'viewer')), 'viewer');
});

test('creator and team managers can change a workflow; a program changes those that it created', () => {
  assert.deepEqual(
    those((actor) => mayEdit(actor, workflow)),
    ['owner', 'admin', 'creator'],
  );
  assert.deepEqual(
    those((actor) => mayEdit(actor, { owner_id: 'client' })),
    ['owner', 'admin', 'client'],
  );
  assert.equal(mayEdit(person('viewer', 'viewer'), { owner_id: 'viewer' }), false);
  assert.equal(mayEdit(person('admin', 'admin'), { ...workflow, emergency: true }), false);
});

test('the owner of the document cancels a workflow on it, unless they are a viewer', () => {
  assert.deepEqual(
    those((actor) => mayCancel(actor, workflow, 'id' in actor && ['given', 'viewer'].includes(actor.id))),
    ['owner', 'admin', 'given'],
  );
});

test('everyone except viewers can create templates; creator and team managers can change them', () => {
  assert.deepEqual(
    those((actor) => mayCreate(actor)),
    ['owner', 'admin', 'creator', 'given', 'other', 'client', 'agent'],
  );
  assert.deepEqual(
    those((actor) => mayManageTemplate(actor, { owner_id: 'creator' })),
    ['owner', 'admin', 'creator'],
  );
  assert.deepEqual(
    those((actor) => mayManageTemplate(actor, { owner_id: null })),
    ['owner', 'admin'],
  );
});

test('a program with access to some folders sees the workflows that it created', () => {
  const confined: Actor = { type: 'client', id: 'client', scopes: new Set(), folderIds: ['f'] };
  assert.equal(listedFor(confined), 'client');
});
