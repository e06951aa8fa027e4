import assert from 'node:assert/strict';
import { test } from 'node:test';
// Loading a domain declares its problems.
import '../../src/domains.ts';
import { problemCatalogue } from '../../src/platform/problems.ts';
import { catalogue as de } from '../src/problems/catalogue-de.ts';
import { catalogue as en } from '../src/problems/catalogue-en.ts';

test('each problem code of the service has words in English and German, and no others do', () => {
  const codes = [...problemCatalogue.keys()].toSorted();
  assert.deepEqual(Object.keys(en).toSorted(), codes);
  assert.deepEqual(Object.keys(de).toSorted(), codes);
});

test('the words name no part of the API', () => {
  for (const words of [en, de])
    for (const [code, text] of Object.entries(words)) assert.doesNotMatch(text, /`|\/api\/|\b(?:GET|POST|PATCH)\b/, code);
});
