import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesIn } from '../src/screens/settings/addresses.ts';

test('addresses are read from a pasted list, each once', () => {
  const pasted = 'Ada Acme <ada@acme.example>; ben@acme.example, cleo@acme.example\n\tBEN@acme.example  dora@acme.example\r\n\n';
  assert.deepEqual(addressesIn(pasted), {
    emails: ['ada@acme.example', 'ben@acme.example', 'cleo@acme.example', 'dora@acme.example'],
    rest: [],
  });
});

test('parts of a list without an address are reported', () => {
  assert.deepEqual(addressesIn('ada@acme.example\nben.acme.example, @cleo'), {
    emails: ['ada@acme.example'],
    rest: ['ben.acme.example', '@cleo'],
  });
});
