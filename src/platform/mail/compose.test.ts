import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeMail } from './compose.ts';

test('a subject that is too long ends with a whole character', () => {
  const { subject } = composeMail('en', { subject: `${'x'.repeat(199)}😀`, paragraphs: [] });
  assert.equal(subject, 'x'.repeat(199));
});
