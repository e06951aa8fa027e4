import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { roomOfTeam } from './turns.ts';

test('teams that take all they may, one after the other, leave no place unused and leave one for who comes later', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 20 }), (places, teams) => {
      let free = places;
      for (let team = 0; team < teams && free > 0; team += 1) {
        const room = roomOfTeam(0, free);
        assert.ok(room >= 1 && room <= free);
        if (free > 1) assert.ok(room < free, 'it leaves a place');
        assert.equal(roomOfTeam(room, free - room), 0, 'it has taken all it may');
        free -= room;
      }
    }),
  );
});

test('a team alone has some two thirds', () => {
  assert.deepEqual(
    [1, 2, 4, 10, 20].map((places) => roomOfTeam(0, places)),
    [1, 1, 3, 7, 14],
  );
});
