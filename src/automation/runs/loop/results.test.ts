import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeOf } from '../../../../test/cpu-time.ts';
import { keptResult, masked, readArguments } from './results.ts';

test('a signed token is masked everywhere, and text that only starts like one is not', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9';
  for (const [text, shown] of [
    [`It is ${token}, he said`, 'It is [masked], he said'],
    [`x-${token}`, 'x-[masked]'],
    [`eyJabc-${token}`, '[masked]'],
    [`eyJhbGciOiJIUzI1NiJ9.short ${token}`, 'eyJhbGciOiJIUzI1NiJ9.short [masked]'],
    [`eyJhbGciOiJIUzI1NiJ9.${token}`, '[masked].dozjgNryP4J3jVmNHl0w5N_XgL0n3I9'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0'],
  ] as const)
    assert.equal(masked(text), shown);
});

test('the search for credentials takes time linear in the length of a text, for every repetition in it', async () => {
  const repeated = [
    '-eyJaaaaaaaaaa',
    '-eyJaaaaaaaaaa.',
    '.eyJaaaaaaaaaa',
    '-----BEGIN PRIVATE KEY ',
    '-----END ',
    'Bearer\t',
    '://a:bb',
    'sk-',
    'ghp_',
  ];
  for (const one of repeated) {
    const text = one.repeat(Math.ceil((1024 * 1024) / one.length));
    const used = await cpuTimeOf(() => keptResult(text));
    assert.ok(used < 10_000, `a megabyte of ${JSON.stringify(one)} took ${Math.round(used)} ms`);
  }
});

test('arguments are stored without characters that PostgreSQL rejects, and with every escaped backslash', () => {
  const half = '\\ud83d';
  for (const [sent, read] of [
    [`{"a":"${half}","${half}":"\\u0000"}`, { a: '\ufffd', '\ufffd': '\ufffd' }],
    [`{"a":"${half}\\ude00"}`, { a: '\u{1f600}' }],
    [`{"a":"\\${half} \\\\u0000"}`, { a: `${half} \\u0000` }],
  ] as const)
    assert.deepEqual(readArguments(sent), read);
});
