import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Actor } from '../platform/scope.ts';
import { accessToFolder, type FolderFacts, mayConsent, mayRelocate, mayShare, mayWall } from './policy.ts';

const person = (role: string, id = 'me'): Actor => ({ type: 'user', id, role });
const client: Actor = { type: 'client', id: 'c', scopes: new Set() };
const confined: Actor = { type: 'client', id: 'c', scopes: new Set(), folderIds: ['f'] };
const nothing: FolderFacts = {
  user_id: 'other',
  made_by_client: null,
  shared: null,
  shared_above: null,
  closed: false,
  closed_above: false,
  within: false,
  within_above: false,
};
const facts = (some: Partial<FolderFacts>): FolderFacts => ({ ...nothing, ...some });
const mine = { user_id: 'me' };
const read = { shared: 'read' } as const;
const write = { shared: 'write' } as const;
const below = { shared: 'write', shared_above: 'write' } as const;

const cells: [string, Actor, Partial<FolderFacts>, string][] = [
  ['a stranger', person('member'), {}, 'nothing'],
  ['its owner', person('member'), mine, 'all owner placed'],
  ['its owner who became a viewer', person('viewer'), mine, 'read owner'],
  ['whom it is shared with to read', person('member'), read, 'read share'],
  ['whom it is shared with to write', person('member'), write, 'write share'],
  ['who writes above it', person('member'), below, 'write share placed'],
  ['a viewer with a share to write', person('viewer'), below, 'read share'],
  ['a viewer', person('viewer'), {}, 'nothing'],
  ['an administrator', person('admin'), {}, 'all role placed'],
  ['the owner of the team with a share', person('owner'), read, 'all share placed'],
  ['an API client', client, {}, 'write client placed'],
  ['a confined client elsewhere', confined, {}, 'nothing'],
  ['a confined client at its folder', confined, { within: true }, 'write client'],
  ['a confined client below its folder', confined, { within: true, within_above: true }, 'write client placed'],
  ['an agent', { type: 'agent', id: 'a', scopes: new Set() }, {}, 'write client placed'],
  ['staff', { type: 'staff', id: 's' }, mine, 'nothing'],
  ['the service itself', { type: 'system' }, {}, 'all system placed'],
];

describe('what may be done with a folder', () => {
  for (const [who, actor, some, expected] of cells) {
    const told = (given: FolderFacts) => {
      const access = accessToFolder(actor, given);
      return access ? [access.level, access.via, ...(access.placed ? ['placed'] : [])].join(' ') : 'nothing';
    };
    test(`${who}: ${expected}; from outside of its wall a name at most, and nothing from outside of one around it`, () => {
      assert.equal(told(facts(some)), expected);
      const outside = told(facts({ ...some, closed: true }));
      assert.equal(outside, expected === 'nothing' ? 'nothing' : `name ${expected.split(' ')[1]}`);
      assert.equal(told(facts({ ...some, closed_above: true })), 'nothing');
    });
  }
});

test('a thing changes its owner or leaves its wall only by its owner or an administrator', () => {
  const at = (user: string, wall: string) => ({ user_id: user, wall_id: wall });
  const from = at('a', 'w');
  for (const to of [at('b', 'w'), at('a', 'v'), at('a', 'none'), 'the top'] as const) {
    assert.equal(mayRelocate('write', from, to), false);
    assert.equal(mayRelocate('all', from, to), true);
  }
  assert.equal(mayRelocate('write', from, at('a', 'w')), true);
  for (const level of ['read', 'name'] as const) assert.equal(mayRelocate(level, from, from), false);
});

test('who shares: owner, administrators, and the client that made it', () => {
  const may = (actor: Actor, some: Partial<FolderFacts>) => {
    const given = facts(some);
    const access = accessToFolder(actor, given);
    return access !== undefined && mayShare(actor, access, given);
  };
  assert.deepEqual(
    [
      may(person('member'), mine),
      may(person('admin'), {}),
      may(person('member'), below),
      may(client, {}),
      may(client, { made_by_client: 'c' }),
      may(client, { made_by_client: 'd' }),
      may(person('admin'), { closed: true }),
    ],
    [true, true, false, false, true, false, false],
  );
});

test('who sets a wall: the owner inside, and an administrator inside where the owner is not', () => {
  const all = { level: 'all', via: 'owner', placed: true } as const;
  assert.equal(mayWall(person('member'), all, { isActor: true, isInside: true }), true);
  assert.equal(mayWall(person('admin'), all, { isActor: false, isInside: true }), false);
  assert.equal(mayWall(person('admin'), all, { isActor: false, isInside: false }), true);
  assert.equal(mayWall(person('member'), { ...all, level: 'write' }, { isActor: false, isInside: false }), false);
  assert.equal(mayWall(person('owner'), { ...all, level: 'name' }, { isActor: true, isInside: false }), false);
});

test('the glass takes two persons: never who asks, and of others an administrator or the owner inside', () => {
  const opening = { asker: 'asker', folderOwner: 'me', ownerIsInside: true };
  const cases: [Actor, typeof opening, boolean][] = [
    [person('admin', 'asker'), opening, false],
    [person('admin', 'another'), opening, true],
    [person('member'), opening, true],
    [person('member'), { ...opening, ownerIsInside: false }, false],
    [person('member', 'third'), opening, false],
    [client, opening, false],
  ];
  for (const [actor, of, expected] of cases) assert.equal(mayConsent(actor, of), expected);
});
