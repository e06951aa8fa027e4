import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Actor } from '../platform/scope.ts';
import { accessToDocument, type DocumentFacts } from './policy.ts';

const person = (role: string): Actor => ({ type: 'user', id: 'me', role });
const nothing: DocumentFacts = {
  user_id: 'other',
  shared: null,
  given_share: null,
  given_task: null,
  given_record: null,
  closed: false,
  emergency_only: false,
  within: false,
};
const member = person('member');
const confined: Actor = { type: 'client', id: 'c', scopes: new Set(), folderIds: ['f'] };

const cells: [string, Actor, Partial<DocumentFacts>, string][] = [
  ['a stranger', member, {}, 'nothing'],
  ['its owner', member, { user_id: 'me' }, 'all owner placed'],
  ['who reads its folder', member, { shared: 'read' }, 'read share'],
  ['who writes in its folder', member, { shared: 'write' }, 'write share placed'],
  ['whom it alone was given to write', member, { given_share: 'write' }, 'write share'],
  ['who reads its folder and was given it to write', member, { shared: 'read', given_share: 'write' }, 'write share'],
  ['who holds a task', member, { given_task: 'read', given_record: [1] }, 'read task'],
  ['who holds a task that needs writing', member, { given_task: 'write' }, 'write task'],
  ['who did a task', member, { given_record: [1] }, 'read record'],
  ['an administrator', person('admin'), {}, 'all role placed'],
  ['an administrator with a share', person('admin'), { given_share: 'read' }, 'all share placed'],
  ['an administrator with a task', person('admin'), { given_task: 'read' }, 'all task placed'],
  ['a viewer with all there is', person('viewer'), { user_id: 'me', shared: 'write', given_task: 'write' }, 'read owner'],
  ['a viewer', person('viewer'), {}, 'nothing'],
  ['an API client', { type: 'client', id: 'c', scopes: new Set() }, {}, 'write client placed'],
  ['a confined client elsewhere', confined, {}, 'nothing'],
  ['a confined client', confined, { within: true }, 'write client placed'],
  ['staff', { type: 'staff', id: 'me' }, { user_id: 'me' }, 'nothing'],
];

describe('what may be done with a document', () => {
  for (const [who, actor, some, expected] of cells) {
    const told = (facts: DocumentFacts) => {
      const access = accessToDocument(actor, facts);
      return access ? [access.level, access.via, ...(access.placed ? ['placed'] : [])].join(' ') : 'nothing';
    };
    test(`${who}: ${expected}; to read at most by emergency access, and nothing from outside of a barrier`, () => {
      assert.equal(told({ ...nothing, ...some }), expected);
      const emergencyOnly = actor.type === 'user' && expected !== 'nothing' ? `read ${expected.split(' ')[1]}` : expected;
      assert.equal(told({ ...nothing, ...some, emergency_only: true }), emergencyOnly);
      assert.equal(told({ ...nothing, ...some, closed: true }), 'nothing');
    });
  }
});
