import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '../../platform/scope.ts';
import { changeRefused, mayManage } from './policy.ts';

const user = (role: string): Actor => ({ type: 'user', id: 'a', role });

for (const [actor, may] of [
  [user('owner'), true],
  [user('admin'), true],
  [user('member'), false],
  [user('viewer'), false],
  [{ type: 'user', id: 'a' }, false],
  [{ type: 'client', id: 'c' }, true],
  [{ type: 'agent', id: 'g' }, false],
  [{ type: 'system' }, false],
] as [Actor, boolean][]) {
  test(`${JSON.stringify(actor)} ${may ? 'manages' : 'does not manage'} members`, () => assert.equal(mayManage(actor), may));
}

for (const [actor, target, refused] of [
  [user('owner'), { id: 'b', role: 'admin' }, undefined],
  [user('admin'), { id: 'b', role: 'admin' }, undefined],
  [user('admin'), { id: 'b', role: 'viewer' }, undefined],
  [user('admin'), { id: 'b', role: 'owner' }, 'owner'],
  [user('admin'), { id: 'a', role: 'admin' }, 'oneself'],
  [user('owner'), { id: 'a', role: 'owner' }, 'oneself'],
  [{ type: 'client', id: 'a' }, { id: 'a', role: 'member' }, undefined],
  [{ type: 'client', id: 'c' }, { id: 'b', role: 'owner' }, 'owner'],
] as [Actor, { id: string; role: string }, string | undefined][]) {
  test(`${JSON.stringify(actor)} on ${JSON.stringify(target)}: ${refused ?? 'may'}`, () =>
    assert.equal(changeRefused(actor, target), refused));
}
