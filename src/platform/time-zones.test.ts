import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { timeZoneName } from './time-zones.ts';

const aliases = [
  'UTC',
  'Etc/UTC',
  'Europe/Kyiv',
  'Europe/Kiev',
  'Asia/Kolkata',
  'Asia/Calcutta',
  'America/Argentina/Buenos_Aires',
  'America/Buenos_Aires',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'America/Nuuk',
  'America/Indiana/Indianapolis',
  'Pacific/Kanton',
  'US/Pacific',
  'GB',
  'EST5EDT',
  'Etc/GMT+5',
];

test('every name and alias of the time zone database is accepted and not changed', () => {
  const all = [...aliases, ...Intl.supportedValuesOf('timeZone')];
  assert.deepEqual(all.map(timeZoneName), all);
});

test('another spelling is changed to that of the database', () => {
  assert.deepEqual(['europe/kyiv', 'ASIA/KOLKATA', 'utc'].map(timeZoneName), ['Europe/Kyiv', 'Asia/Kolkata', 'UTC']);
});

test('unknown names are rejected', () => {
  const others = [
    '',
    ' ',
    'Mars/Base',
    'Europe',
    'Asia/Kolkata ',
    'PST',
    'IST',
    '+01:00',
    'Z',
    '2026-01-01T00:00Z[Asia/Kolkata]',
    'Factory',
  ];
  assert.deepEqual(
    others.filter((name) => timeZoneName(name) !== undefined),
    [],
  );
});

test('no text throws, and every returned name is accepted', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom(...aliases), fc.stringMatching(/^[A-Za-z]{1,9}(\/[A-Za-z_+0-9-]{1,9})?$/)),
      (text) => {
        const name = timeZoneName(text);
        if (name !== undefined) assert.equal(timeZoneName(name), name);
      },
    ),
  );
});
