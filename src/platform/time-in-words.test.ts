import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { timeInWords } from './time-in-words.ts';

test('a time is written in the language and time zone of its reader, with the name of the zone', () => {
  const at = '2026-07-01T22:30:00Z';
  assert.equal(timeInWords(at, 'en', 'America/New_York'), 'July 1, 2026 at 06:30 PM EDT');
  assert.equal(timeInWords(new Date(at), 'de', 'Europe/Berlin', { weekday: true }), 'Donnerstag, 2. Juli 2026 um 00:30 MESZ');
  assert.match(timeInWords(at, 'ja', 'Asia/Tokyo'), /^2026年7月2日.*07:30 JST$/);
});

test('all other code writes times with a zone', () => {
  const root = new URL('../', import.meta.url);
  const files = globSync('**/*.{ts,js}', { cwd: root.pathname }).filter((file) => !/\.test\.|time-in-words/.test(file));
  assert.ok(files.length > 500);
  const found = files.filter((file) => {
    const text = readFileSync(new URL(file, root), 'utf8');
    return /timeStyle|toLocaleTimeString/.test(text);
  });
  // The page of a booking form names the zone once, above all times.
  assert.deepEqual(found, ['intake/public-pages/public/booking/days.ts']);
});
