import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '../platform/scope.ts';
import { mayChange, mayChangeTemplate, mayMake, seerOf } from './policy.ts';

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
  system: { type: 'system' },
};
const those = (allowed: (actor: Actor) => boolean) => Object.keys(callers).filter((name) => allowed(callers[name] ?? { type: 'system' }));
const workflow = { owner_id: 'maker' };

test('all is seen by those who run the team and by programs, and by others what concerns them', () => {
  assert.deepEqual(
    those((actor) => seerOf(actor).seer === null),
    ['owner', 'admin', 'client', 'agent', 'system'],
  );
  assert.deepEqual(seerOf(person('viewer', 'viewer')), { seer: 'viewer', viewer: true });
});

test('a workflow is changed by its maker and those who run the team; a program changes what it made', () => {
  assert.deepEqual(
    those((actor) => mayChange(actor, workflow)),
    ['owner', 'admin', 'maker'],
  );
  assert.deepEqual(
    those((actor) => mayChange(actor, { owner_id: 'client' })),
    ['owner', 'admin', 'client'],
  );
  assert.equal(mayChange(person('viewer', 'viewer'), { owner_id: 'viewer' }), false);
});

test('templates are made by all but viewers, and changed by who added them or runs the team', () => {
  assert.deepEqual(those(mayMake), ['owner', 'admin', 'maker', 'given', 'other', 'unknownRole', 'client', 'agent']);
  assert.deepEqual(
    those((actor) => mayChangeTemplate(actor, { owner_id: 'maker' })),
    ['owner', 'admin', 'maker'],
  );
  assert.deepEqual(
    those((actor) => mayChangeTemplate(actor, { owner_id: null })),
    ['owner', 'admin'],
  );
});

test('a program that is confined to folders sees what it made', () => {
  const confined: Actor = { type: 'client', id: 'client', scopes: new Set(), folderIds: ['f'] };
  assert.deepEqual(seerOf(confined), { seer: 'client', viewer: false });
});
