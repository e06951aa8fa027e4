import type { Facts } from '#access';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Actor } from '../../platform/scope.ts';
import { accessToDocument, type DocumentAccess } from './policy.ts';

const person = (role: string): Actor => ({ type: 'user', id: 'me', role });
const nothing: Facts = { relations: [], inherited: [], excluded: false, outsider: false };
const shared = (relation: string) => ({ inherited: [relation] });
const given = (...relations: string[]) => ({ relations });
const member = person('member');
const confined: Actor = { type: 'client', id: 'c', scopes: new Set(), folderIds: ['f'] };

const levelOf = (access: DocumentAccess) => (access.can('share') ? 'all' : access.can('edit') ? 'write' : 'read');

const cells: [string, Actor, Partial<Facts>, string][] = [
  ['a stranger', member, {}, 'nothing'],
  ['its owner', member, given('owner'), 'all owner placed'],
  ['who reads its folder', member, shared('viewer'), 'read share'],
  ['who writes in its folder', member, shared('editor'), 'write share placed'],
  ['with a write share of the document alone', member, given('editor'), 'write share'],
  ['a reader of its folder with a write share of the document', member, { ...shared('viewer'), ...given('editor') }, 'write share'],
  ['who holds a task', member, given('participant'), 'read task'],
  ['an assignee of a task who reads its folder', member, { ...shared('viewer'), ...given('participant') }, 'read share'],
  ['an administrator', person('admin'), {}, 'all role placed'],
  ['an administrator with a share', person('admin'), given('viewer'), 'all share placed'],
  ['an administrator with a task', person('admin'), given('participant'), 'all task placed'],
  ['a viewer with every share', person('viewer'), { ...shared('editor'), ...given('owner', 'editor', 'participant') }, 'read owner'],
  ['a viewer', person('viewer'), {}, 'nothing'],
  ['an API client', { type: 'client', id: 'c', scopes: new Set() }, {}, 'write client placed'],
  ['a confined client elsewhere', confined, {}, 'nothing'],
  ['a confined client', confined, shared('editor'), 'write client placed'],
  ['staff', { type: 'staff', id: 'me' }, {}, 'nothing'],
];

describe('permissions on a document', () => {
  for (const [who, actor, some, expected] of cells) {
    const decided = (facts: Facts) => {
      const access = accessToDocument(actor, facts);
      return access ? [levelOf(access), access.via, ...(access.placed ? ['placed'] : [])].join(' ') : 'nothing';
    };
    test(`${who}: ${expected}; only reading with emergency access, and nothing outside a barrier`, () => {
      assert.equal(decided({ ...nothing, ...some }), expected);
      assert.equal(decided({ ...nothing, ...some, outsider: true }), expected === 'nothing' ? 'nothing' : `read ${expected.split(' ')[1]}`);
      assert.equal(decided({ ...nothing, ...some, excluded: true, outsider: true }), 'nothing');
    });
  }
});
