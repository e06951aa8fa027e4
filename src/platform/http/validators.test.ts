import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { checkOf } from './validators.ts';

test('a text of a least length has as much that can be seen: one of spaces alone is refused by the rule of its length', () => {
  const check = checkOf(Type.Object({ reason: Type.String({ minLength: 3, maxLength: 10 }) }));
  for (const reason of ['', '   ', '  a', 'a  ', '\u200b\u200b\u200b', '\u00a0\n\t']) {
    const [error] = check({ reason }) ?? [];
    assert.deepEqual([error?.keyword, error?.instancePath, error?.params], ['minLength', '/reason', { limit: 3 }], JSON.stringify(reason));
  }
  for (const reason of ['a b', ' why ', '理由は']) assert.equal(check({ reason }), undefined, reason);
});
