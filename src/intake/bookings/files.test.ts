import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarFile, type FiledBooking, longCalendarFile } from './files.ts';

const bookings = (count: number): FiledBooking[] =>
  Array.from({ length: count }, (_, place) => ({
    id: `booking-${place}`,
    version: place,
    status: place % 2 === 0 ? 'confirmed' : 'cancelled',
    start: new Date(place * 3_600_000).toISOString(),
    end: new Date(place * 3_600_000 + 1_800_000).toISOString(),
    title: place === 60 ? 'END:VCALENDAR\r\nBEGIN:VEVENT' : `Consultation ${place}: ${'名'.repeat(place % 90)}`,
    description: place % 3 === 0 ? undefined : 'Grace, grace@example.com',
    changedAt: '2026-01-01T00:00:00.000Z',
  }));

test('a calendar file has the same content whether it is written at once or with yields in between', async () => {
  for (const count of [0, 1, 49, 50, 51, 100, 237]) {
    let served = 0;
    let over = false;
    const others = () => {
      served += 1;
      if (!over) setImmediate(others);
    };
    setImmediate(others);
    const long = await longCalendarFile('host.example', 'A name', bookings(count), 'team');
    over = true;
    assert.equal(long, calendarFile('host.example', 'A name', bookings(count)));
    assert.ok(served >= Math.ceil(count / 50) - 1, `${served} were served while ${count} bookings were written`);
  }
});
