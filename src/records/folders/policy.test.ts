import { type Facts, noBarrier } from '#access';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Actor } from '../../platform/scope.ts';
import { movesWithin } from './folder-location.ts';
import { accessToFolder, type FolderAccess, mayRelocate, mayShare } from './policy.ts';

const person = (role: string, id = 'me'): Actor => ({ type: 'user', id, role });
const client: Actor = { type: 'client', id: 'c', scopes: new Set() };
const confined: Actor = { type: 'client', id: 'c', scopes: new Set(), folderIds: ['f'] };
const none: Facts = { relations: [], inherited: [], excluded: false, outsider: false };
const facts = (some: Partial<Facts>): Facts => ({ ...none, ...some });
const mine = { relations: ['owner'] };
const read = { relations: ['viewer'] };
const write = { relations: ['editor'] };
const below = { inherited: ['editor'] };

const levelOf = (access: FolderAccess) => (access.can('share') ? 'all' : access.can('edit') ? 'write' : 'read');

const cells: [string, Actor, Partial<Facts>, string][] = [
  ['a stranger', person('member'), {}, 'nothing'],
  ['its owner', person('member'), mine, 'all owner placed'],
  ['its owner who became a viewer', person('viewer'), mine, 'read owner'],
  ['with a read share', person('member'), read, 'read share'],
  ['with a write share', person('member'), write, 'write share'],
  ['who writes above it', person('member'), below, 'write share placed'],
  ['a viewer with a write share', person('viewer'), below, 'read share'],
  ['a viewer', person('viewer'), {}, 'nothing'],
  ['an administrator', person('admin'), {}, 'all role placed'],
  ['an administrator with a share', person('admin'), write, 'all share placed'],
  ['the owner of the team with a share', person('owner'), read, 'all share placed'],
  ['an API client', client, {}, 'write client placed'],
  ['a confined client elsewhere', confined, {}, 'nothing'],
  ['a confined client at its folder', confined, write, 'write client'],
  ['a confined client below its folder', confined, below, 'write client placed'],
  ['an agent', { type: 'agent', id: 'a', scopes: new Set() }, {}, 'write client placed'],
  ['staff', { type: 'staff', id: 's' }, {}, 'nothing'],
  ['the service itself', { type: 'system' }, {}, 'all system placed'],
];

describe('permissions on a folder', () => {
  for (const [who, actor, some, expected] of cells) {
    const decided = (given: Facts) => {
      const access = accessToFolder(actor, given);
      return access ? [levelOf(access), access.via, ...(access.placed ? ['placed'] : [])].join(' ') : 'nothing';
    };
    test(`${who}: ${expected}; only reading with emergency access, and nothing outside a barrier`, () => {
      assert.equal(decided(facts(some)), expected);
      // Barriers do not apply to the service itself.
      if (actor.type === 'system') return;
      assert.equal(decided(facts({ ...some, outsider: true })), expected === 'nothing' ? 'nothing' : `read ${expected.split(' ')[1]}`);
      assert.equal(decided(facts({ ...some, excluded: true, outsider: true })), 'nothing');
    });
  }
});

test('only the owner or an administrator moves a folder or document to another tree, to the top, or across a barrier', () => {
  const at = (user: string, barrier: string) => ({ user_id: user, barrier_id: barrier });
  const each = [read, write, mine].map((some) => accessToFolder(person('member'), facts(some)));
  for (const from of [at('a', noBarrier), at('a', 'w')])
    for (const [to, within] of [
      [at('a', from.barrier_id), true],
      [at('b', from.barrier_id), false],
      [at('a', 'v'), false],
      [undefined, false],
    ] as const)
      assert.deepEqual(
        each.map((access) => access && mayRelocate(access, movesWithin(from, to))),
        [false, within, true],
      );
});

test('the owner, administrators, and the client that created all of it may share', () => {
  const may = (actor: Actor, some: Partial<Facts>, madeByActor = false) => {
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
      may(client, { excluded: true, outsider: true }, true),
      may(person('admin'), { excluded: true, outsider: true }),
      may(person('admin'), { outsider: true }),
    ],
    [true, true, false, false, true, false, false, false],
  );
});

test('an action is by role alone if the actor’s grants do not allow it', () => {
  const decided = (some: Partial<Facts>) => {
    const access = accessToFolder(person('admin'), facts(some));
    return access && [access.byRole('edit'), access.placedByRole, access.byRole('share')].map(({ via }) => via === 'role');
  };
  for (const [some, expected] of [
    [mine, [false, false, false]],
    [{}, [true, true, true]],
    [read, [true, true, true]],
    [write, [false, true, true]],
    [below, [false, false, true]],
  ] as const)
    assert.deepEqual(decided(some), expected);
});
