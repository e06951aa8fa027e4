import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canFill, emptyPlaces, fillPlaces, type OnRejection, roundResult, type Seats } from './quorum.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];

type Round = { seats: Seats; votes: ReadonlyMap<string, string>; onRejection: OnRejection };

/** A round of up to three needs, in which some of the candidates have voted. */
const round: fc.Arbitrary<Round> = fc
  .record({
    needs: fc.array(fc.record({ count: fc.integer({ min: 1, max: 3 }), from: fc.subarray(names) }), { minLength: 1, maxLength: 3 }),
    voters: fc.shuffledSubarray(names),
    outcomes: fc.array(fc.constantFrom('approved', 'approved', 'approved', 'rejected', 'changes_requested'), {
      minLength: names.length,
      maxLength: names.length,
    }),
    onRejection: fc.constantFrom<OnRejection>('first', 'quorum'),
  })
  .map(({ needs, voters, outcomes, onRejection }) => {
    const places = names.map((name) => [name, needs.flatMap(({ from }, need) => (from.includes(name) ? [need] : []))] as const);
    const candidates = new Map(places.filter(([, mayFill]) => mayFill.length > 0));
    const votes = new Map(voters.flatMap((name, at) => (candidates.has(name) ? [[name, outcomes[at] ?? '']] : [])));
    return { seats: { counts: needs.map(({ count }) => count), candidates }, votes, onRejection };
  });

/** Whether these people can fill all places, by trying every assignment. */
function fillsByTrying({ counts, candidates }: Seats, people: readonly string[]): boolean {
  if (counts.every((count) => count === 0)) return true;
  const [person, ...others] = people;
  if (person === undefined) return false;
  const withOneLess = (need: number) => counts.map((count, at) => (at === need ? count - 1 : count));
  return (
    fillsByTrying({ counts, candidates }, others) ||
    (candidates.get(person) ?? []).some(
      (need) => (counts[need] ?? 0) > 0 && fillsByTrying({ counts: withOneLess(need), candidates }, others),
    )
  );
}

/** The result by trying every continuation: each remaining candidate approves or rejects, in any number. */
function resultByTrying({ seats, votes, onRejection }: Round): string {
  const approvals = [...votes].filter(([, outcome]) => outcome === 'approved').map(([name]) => name);
  if (fillsByTrying(seats, approvals)) return 'approved';
  if (onRejection === 'first' && approvals.length < votes.size) return 'rejected';
  const left = [...seats.candidates.keys()].filter((name) => !votes.has(name));
  const ends = Array.from({ length: 2 ** left.length }, (_, chosen) => left.filter((__, at) => (chosen >> at) % 2 === 1));
  return ends.some((more) => fillsByTrying(seats, [...approvals, ...more])) ? 'open' : 'rejected';
}

test('the result of 40 000 random rounds equals trying every assignment and every continuation', () => {
  const seen = new Map<string, number>();
  let byCounters = 0;
  fc.assert(
    fc.property(round, (one) => {
      const result = roundResult(one.seats, one.votes, one.onRejection);
      assert.equal(result, resultByTrying(one));
      seen.set(result, (seen.get(result) ?? 0) + 1);
      const approves = (need: number) =>
        [...one.votes].filter(([name, outcome]) => outcome === 'approved' && one.seats.candidates.get(name)?.includes(need)).length;
      if (result !== 'approved' && one.seats.counts.every((count, need) => approves(need) >= count)) byCounters += 1;
    }),
    { numRuns: 40_000 },
  );
  for (const result of ['approved', 'rejected', 'open']) assert.ok((seen.get(result) ?? 0) > 1_000, `${result}: ${seen.get(result)}`);
  assert.ok(byCounters > 100, `a count for each need would approve ${byCounters} of these rounds`);
});

test('each person fills one place that they may fill, and no need gets more than its places', () => {
  fc.assert(
    fc.property(round, fc.shuffledSubarray(names), ({ seats }, people) => {
      const filled = fillPlaces(seats, people);
      for (const [name, need] of filled) assert.ok(people.includes(name) && seats.candidates.get(name)?.includes(need));
      const left = emptyPlaces(seats, people);
      assert.ok(left.every((count) => count >= 0));
      assert.equal(
        left.reduce((sum, count) => sum + count, 0) + filled.size,
        seats.counts.reduce((sum, count) => sum + count, 0),
      );
      assert.equal(canFill(seats, people), fillsByTrying(seats, people));
    }),
    { numRuns: 5_000 },
  );
});

const twoGroups: Seats = {
  counts: [2, 1],
  candidates: new Map([
    ['ada', [0, 1]],
    ['ben', [0]],
    ['cy', [0]],
  ]),
};
const votes = (...given: [string, string][]) => new Map(given);

test('a person in two groups fills one place, and moves when another vote needs theirs', () => {
  assert.equal(roundResult(twoGroups, votes(['ada', 'approved'], ['ben', 'approved']), 'quorum'), 'open');
  assert.deepEqual([...fillPlaces(twoGroups, ['ada', 'ben', 'cy'])].toSorted(), [
    ['ada', 1],
    ['ben', 0],
    ['cy', 0],
  ]);
});

test('a rejection ends the round at once, or only when the places cannot be filled any more', () => {
  const five: Seats = { counts: [3], candidates: new Map(names.slice(0, 5).map((name) => [name, [0]])) };
  assert.equal(roundResult(five, votes(['a', 'changes_requested']), 'first'), 'rejected');
  assert.equal(roundResult(five, votes(['a', 'rejected'], ['b', 'rejected']), 'quorum'), 'open');
  assert.equal(roundResult(five, votes(['a', 'rejected'], ['b', 'rejected'], ['c', 'changes_requested']), 'quorum'), 'rejected');
});

test('a place without candidates is never filled', () => {
  assert.equal(canFill({ counts: [1, 1], candidates: new Map([['a', [0]]]) }, ['a']), false);
  assert.deepEqual(emptyPlaces({ counts: [1, 2], candidates: new Map([['a', [0, 1]]]) }, ['a', 'a', 'b']), [0, 2]);
});
