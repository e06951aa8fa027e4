import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTeamShares } from './team-shares.ts';

/** Takes one delivery after the other for a team, as long as its share allows. */
function takeAll(shares: ReturnType<typeof createTeamShares>, team: string): number {
  for (let held = 0; ; held += 1) {
    const { all, each, less } = shares.free([team]);
    if (all === 0 || (less[team] ?? each) === 0) return held;
    shares.enter(team, 100);
  }
}

test('while twenty teams take all they may, whoever comes finds room, and no more is in hand than may be', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1_000, max: 4_000 }), (teams, most) => {
      const shares = createTeamShares(most);
      let held = 0;
      for (let n = 0; n < teams; n += 1) held += takeAll(shares, `team${n}`);
      assert.ok(held <= most);
      const newcomer = shares.free(['another']);
      assert.ok(newcomer.all > 0 && newcomer.each > 0, `${held} of ${most} in hand`);
    }),
    { numRuns: 50 },
  );
});

test('one team alone gets a fifth, what it lets go is free again, and a large payload counts as several', () => {
  const shares = createTeamShares(3_000);
  const held = takeAll(shares, 'alone');
  assert.ok(held >= 595 && held <= 605, String(held));
  for (let n = 0; n < held; n += 1) shares.leave('alone', 100);
  assert.deepEqual(shares.free(['alone']), { all: 3_000, each: 750, less: {} });
  shares.enter('alone', 256 * 1_024);
  assert.equal(shares.free().all, 3_000 - 17);
});
