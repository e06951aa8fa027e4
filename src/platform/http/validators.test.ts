import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { checkOf } from './validators.ts';

test('the minimum length of a text counts visible characters, so only spaces are rejected by the same rule', () => {
  const check = checkOf(Type.Object({ reason: Type.String({ minLength: 3, maxLength: 10 }) }));
  for (const reason of ['', '   ', '  a', 'a  ', '\u200b\u200b\u200b', '\u00a0\n\t']) {
    const [error] = check({ reason }) ?? [];
    assert.deepEqual([error?.keyword, error?.instancePath, error?.params], ['minLength', '/reason', { limit: 3 }], JSON.stringify(reason));
  }
  for (const reason of ['a b', ' why ', '理由は']) assert.equal(check({ reason }), undefined, reason);
});
