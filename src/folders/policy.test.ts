import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Actor } from '../platform/scope.ts';
import { byRole } from '../platform/reasons.ts';
import { moveFrom } from './place.ts';
import { accessToFolder, type FolderFacts, mayConsent, mayRelocate, mayShare, mayWall } from './policy.ts';
import { noWall } from './visibility-queries.ts';

const person = (role: string, id = 'me'): Actor => ({ type: 'user', id, role });
const client: Actor = { type: 'client', id: 'c', scopes: new Set() };
const confined: Actor = { type: 'client', id: 'c', scopes: new Set(), folderIds: ['f'] };
const none: FolderFacts = {
  user_id: 'other',
  shared: null,
  shared_above: null,
  closed: false,
  closed_above: false,
  by_opening: false,
  within: false,
  within_above: false,
};
const facts = (some: Partial<FolderFacts>): FolderFacts => ({ ...none, ...some });
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
  ['an administrator with a share', person('admin'), write, 'all share placed'],
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
    test(`${who}: ${expected}; through broken glass to read at most, from outside of its wall a name, and nothing from outside of one around it`, () => {
      assert.equal(told(facts(some)), expected);
      assert.equal(told(facts({ ...some, by_opening: true })), expected === 'nothing' ? 'nothing' : `read ${expected.split(' ')[1]}`);
      const outside = told(facts({ ...some, closed: true }));
      assert.equal(outside, expected === 'nothing' ? 'nothing' : `name ${expected.split(' ')[1]}`);
      assert.equal(told(facts({ ...some, closed_above: true })), 'nothing');
    });
  }
});

test('a thing changes its owner by its owner or an administrator, and leaves a wall by its owner alone', () => {
  const at = (user: string, wall: string) => ({ user_id: user, wall_id: wall });
  const may = (level: 'read' | 'name' | 'write' | 'all', via: 'owner' | 'share' | 'role', ...move: Parameters<typeof moveFrom>) =>
    mayRelocate({ level, via }, moveFrom(...move));
  const open = at('a', noWall);
  for (const to of [at('b', noWall), at('a', 'v'), 'the top'] as const) {
    assert.equal(may('write', 'share', open, to), false);
    for (const via of ['owner', 'role'] as const) assert.equal(may('all', via, open, to), true);
  }
  const walled = at('a', 'w');
  for (const to of [at('b', noWall), at('a', 'v'), at('a', noWall), 'the top'] as const) {
    for (const [level, via] of [
      ['write', 'share'],
      ['all', 'role'],
      ['all', 'share'],
    ] as const)
      assert.equal(may(level, via, walled, to), false);
    assert.equal(may('all', 'owner', walled, to), true);
  }
  assert.equal(may('all', 'role', walled, at('a', 'w')), true);
  assert.equal(may('write', 'share', walled, at('a', 'w')), true);
  assert.equal(may('all', 'role', at('a', 'own'), at('b', noWall), noWall), true, 'a walled folder that no other wall stands around');
  assert.equal(may('all', 'role', at('a', 'own'), at('a', noWall), 'w'), false, 'and one that another stands around');
  for (const level of ['read', 'name'] as const) assert.equal(may(level, 'share', open, open), false);
});

test('who shares: owner, administrators, and the client that made all of it', () => {
  const may = (actor: Actor, some: Partial<FolderFacts>, madeByActor = false) => {
    const access = accessToFolder(actor, facts(some));
    return access !== undefined && mayShare(actor, access, { madeByActor });
  };
  assert.deepEqual(
    [
      may(person('member'), mine),
      may(person('admin'), {}),
      may(person('member'), below),
      may(client, {}),
      may(client, {}, true),
      may(client, { closed: true }, true),
      may(person('admin'), { closed: true }),
      may(person('admin'), { by_opening: true }),
    ],
    [true, true, false, false, true, false, false, false],
  );
});

test('who sets a wall: the owner inside for good, and an administrator who is where the owner is not, or nobody is', () => {
  const all = { level: 'all', via: 'role', placed: true } as const;
  const through = { level: 'read', via: 'role', placed: false } as const;
  const held = { ownerIsInside: true, isDeserted: false };
  const left = { ownerIsInside: false, isDeserted: false };
  const deserted = { ownerIsInside: false, isDeserted: true };
  assert.equal(mayWall(person('member'), { ...all, via: 'owner' }, held), true);
  assert.equal(mayWall(person('admin'), all, held), false);
  assert.equal(mayWall(person('admin'), all, left), true);
  assert.equal(mayWall(person('admin'), through, left), false, 'an opening is not enough');
  assert.equal(mayWall(person('owner'), { ...through, via: 'owner' }, left), false);
  assert.equal(mayWall(person('admin'), through, deserted), true);
  assert.equal(mayWall(person('member'), { ...through, via: 'share' }, deserted), false);
  assert.equal(mayWall(person('owner'), { ...all, level: 'name' }, deserted), false);
});

test('an act is by role alone where what was given to the actor does not allow it', () => {
  const told = (some: Partial<FolderFacts>, right: 'write' | 'place' | 'all') => {
    const access = accessToFolder(person('admin'), facts(some));
    return access && byRole(right, access).via === 'role';
  };
  const rights = ['write', 'place', 'all'] as const;
  for (const [some, expected] of [
    [mine, [false, false, false]],
    [{}, [true, true, true]],
    [read, [true, true, true]],
    [write, [false, true, true]],
    [below, [false, false, true]],
  ] as const)
    assert.deepEqual(
      rights.map((right) => told(some, right)),
      expected,
    );
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
