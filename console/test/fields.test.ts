import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayIn, endOfDay } from '../src/parts/day.ts';
import { freePlace, onPage, snapped } from '../src/screens/ask/geometry.ts';
import { labelOf, type FormSchema, startOf, withoutEmpty } from '../src/parts/schema-form/schema.ts';

const page = { width: 595, height: 842 };
const box = { x: 72, y: 700, width: 180, height: 48 };

test('a field stays on its page, in tenths of a point', () => {
  assert.deepEqual(onPage({ ...box, x: -5, y: 820.04 }, page), { ...box, x: 0, y: 794 });
  assert.deepEqual(onPage({ x: 1.26, y: 2.04, width: 1, height: 2_000 }, page), { x: 1.3, y: 0, width: 8, height: 842 });
});

test('a moved field lines up with a near field or the middle of the page, and with no far one', () => {
  assert.deepEqual(snapped({ ...box, x: 75.5, y: 697 }, [{ ...box, y: 696 }], page), { ...box, x: 72, y: 696 });
  assert.equal(snapped({ ...box, x: 205 }, [], page).x, page.width / 2 - box.width / 2);
  assert.deepEqual(snapped({ ...box, x: 120, y: 300 }, [box], page), { ...box, x: 120, y: 300 });
});

test('a new field covers no other one', () => {
  const others = [box];
  const second = freePlace(box, others, page);
  assert.deepEqual(second, { ...box, x: 264 });
  others.push(second);
  assert.deepEqual(freePlace(box, others, page), { ...box, y: 640 });
});

test('a day ends at its last minute in the time zone, also on the day of a clock change', () => {
  assert.equal(endOfDay('2026-12-24', 'Europe/Berlin').toISOString(), '2026-12-24T22:59:00.000Z');
  assert.equal(endOfDay('2026-10-25', 'Europe/Berlin').toISOString(), '2026-10-25T22:59:00.000Z');
  assert.equal(endOfDay('2026-03-29', 'America/New_York').toISOString(), '2026-03-30T03:59:00.000Z');
  assert.equal(dayIn(new Date('2026-12-24T23:30:00Z'), 'Asia/Tokyo'), '2026-12-25');
});

test('a form starts with defaults and required parts, and sends no empty texts', () => {
  const party = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const schema: FormSchema & { $defs: object } = {
    $defs: { party },
    type: 'object',
    required: ['party', 'items'],
    properties: {
      mutual: { type: 'boolean', default: true },
      party: { $ref: '#/$defs/party' },
      items: { type: 'array', items: { type: 'string' } },
      penalty: { type: 'object', properties: {} },
    },
  };
  const start = startOf(schema, schema);
  assert.deepEqual(start, { mutual: true, party: { name: undefined }, items: [] });
  assert.deepEqual(withoutEmpty({ mutual: false, party: { name: 'Acme', note: '' }, items: ['', 'a'] }), {
    mutual: false,
    party: { name: 'Acme' },
    items: ['a'],
  });
  assert.deepEqual([labelOf('survivalYears', {}), labelOf('law', { title: 'Governing law' })], ['Survival years', 'Governing law']);
});
