import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTeamRests } from './team-backoff.ts';

test('a team whose entries fail is retried after a delay that doubles up to five minutes, and starts again after a success', () => {
  let now = 0;
  const rests = createTeamRests(() => now);
  const waits: number[] = [];
  for (let failure = 1; failure <= 12; failure += 1) {
    assert.equal(rests.rest('odd'), failure);
    const from = now;
    while (rests.resting().length > 0) now += 500;
    waits.push(now - from);
  }
  assert.deepEqual(
    waits,
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map((seconds) => seconds * 1_000),
  );
  rests.rest('resting');
  rests.allWell();
  assert.deepEqual(rests.resting(), ['resting'], 'a delayed team was not included');
  assert.equal(rests.rest('odd'), 1);
  rests.wellAgain('resting');
  assert.deepEqual(rests.resting(), ['odd']);
});

test('at most a thousand teams are stored', () => {
  const rests = createTeamRests(() => 0);
  for (let n = 0; n < 1_500; n += 1) rests.rest(`team${n}`);
  assert.equal(rests.resting().length, 1_000);
  assert.ok(rests.resting().includes('team1499'));
});
