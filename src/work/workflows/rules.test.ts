import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '../../platform/scope.ts';
import { listedFor, mayCancel, mayCreate, mayEdit, mayManageTemplate } from './access.ts';

const person = (id: string, role = 'member'): Actor => ({ type: 'user', id, role });
const callers: Record<string, Actor> = {
  owner: person('owner', 'owner'),
  admin: person('admin', 'admin'),
  maker: person('maker'),
  given: person('given'),
  other: person('other'),
  viewer: person('viewer', 'viewer'),
  unknownRole: { type: 'user', id: 'unknown' },
  client: { type: 'client', id: 'client', scopes: new Set() },
  agent: { type: 'agent', id: 'agent', scopes: new Set() },
};
const those = (allowed: (actor: Actor) => boolean) => Object.keys(callers).filter((name) => allowed(callers[name] ?? { type: 'system' }));
const workflow = { owner_id: 'maker' };

test('all is seen by those who run the team and by programs, and by others what concerns them', () => {
  assert.deepEqual(
    those((actor) => listedFor(actor) === null),
    ['owner', 'admin', 'client', 'agent'],
  );
  assert.equal(listedFor(person('viewer', 'viewer')), 'viewer');
});

test('a workflow is changed by its maker and those who run the team; a program changes what it made', () => {
  assert.deepEqual(
    those((actor) => mayEdit(actor, workflow)),
    ['owner', 'admin', 'maker'],
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

test('templates are made by all but viewers, and changed by who added them or runs the team', () => {
  assert.deepEqual(
    those((actor) => mayCreate(actor)),
    ['owner', 'admin', 'maker', 'given', 'other', 'client', 'agent'],
  );
  assert.deepEqual(
    those((actor) => mayManageTemplate(actor, { owner_id: 'maker' })),
    ['owner', 'admin', 'maker'],
  );
  assert.deepEqual(
    those((actor) => mayManageTemplate(actor, { owner_id: null })),
    ['owner', 'admin'],
  );
});

test('a program that is confined to folders sees what it made', () => {
  const confined: Actor = { type: 'client', id: 'client', scopes: new Set(), folderIds: ['f'] };
  assert.equal(listedFor(confined), 'client');
});
