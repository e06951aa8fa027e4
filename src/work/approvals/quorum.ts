/**
 * Counts the votes of an approval round, as pure functions. Each person fills at most one place. Places are filled by maximum bipartite matching. A
 * count for each group would use the vote of a person in two groups twice.
 */

/** The number of places of each need, by its index, and the needs whose places each candidate may fill. */
export type Seats = { counts: readonly number[]; candidates: ReadonlyMap<string, readonly number[]> };

/** The effect of a rejection: it ends the round, or the round ends when it cannot be approved any more. */
export type OnRejection = 'first' | 'quorum';
/** The result of a round. It is `open` while further votes can change it. */
export type RoundResult = 'approved' | 'rejected' | 'open';

/** Assigns as many of these people as possible to places (Kuhn). Returns the need of each person who fills a place. */
export function fillPlaces({ counts, candidates }: Seats, people: Iterable<string>): Map<string, number> {
  const needs = counts.flatMap((count, need) => Array.from({ length: count }, () => need));
  const personAt = new Map<number, string>();
  const seat = (person: string, tried: Set<number>): boolean => {
    const mayFill = new Set(candidates.get(person));
    for (const [place, need] of needs.entries()) {
      if (tried.has(place) || !mayFill.has(need)) continue;
      tried.add(place);
      const before = personAt.get(place);
      if (before !== undefined && !seat(before, tried)) continue;
      personAt.set(place, person);
      return true;
    }
    return false;
  };
  for (const person of new Set(people)) seat(person, new Set());
  return new Map([...personAt].map(([place, person]) => [person, needs[place] ?? 0]));
}

/** Returns the number of places of each need that remain empty if these people fill as many as possible. */
export function emptyPlaces(seats: Seats, people: Iterable<string>): number[] {
  const left = [...seats.counts];
  for (const need of fillPlaces(seats, people).values()) left[need] = (left[need] ?? 0) - 1;
  return left;
}

/** Whether these people can fill all places. */
export const canFill = (seats: Seats, people: Iterable<string>): boolean => emptyPlaces(seats, people).every((left) => left === 0);

/** Returns the result of a round as soon as it cannot change. `votes` has the outcome of each vote; all but `approved` are rejections. */
export function roundResult(seats: Seats, votes: ReadonlyMap<string, string>, onRejection: OnRejection): RoundResult {
  const approvals = [...votes].flatMap(([person, outcome]) => (outcome === 'approved' ? [person] : []));
  if (canFill(seats, approvals)) return 'approved';
  if (onRejection === 'first' && approvals.length < votes.size) return 'rejected';
  const undecided = [...seats.candidates.keys()].filter((person) => !votes.has(person));
  return canFill(seats, [...approvals, ...undecided]) ? 'open' : 'rejected';
}
