/** Teams whose entries could not be integrated, each for a while that doubles: at most so many, the latest. */
export type TeamRests = {
  /** Those that are not tried now. */
  resting(): string[];
  /** Notes a failure; answers how many it makes in a row. */
  rest(team: string): number;
  wellAgain(team: string): void;
  /** All that were due could be integrated, also of those whose time was over. */
  allWell(): void;
};

const firstMs = 1_000;
const longestMs = 300_000;
const most = 1_000;

export function createTeamRests(now: () => number = () => performance.now()): TeamRests {
  const rests = new Map<string, { failures: number; until: number }>();
  return {
    resting: () => [...rests].flatMap(([team, { until }]) => (until > now() ? [team] : [])),
    rest(team) {
      const failures = (rests.get(team)?.failures ?? 0) + 1;
      rests.delete(team);
      rests.set(team, { failures, until: now() + Math.min(longestMs, firstMs * 2 ** (failures - 1)) });
      for (const oldest of rests.keys()) if (rests.size > most) rests.delete(oldest);
      return failures;
    },
    wellAgain: (team) => void rests.delete(team),
    allWell() {
      for (const [team, { until }] of rests) if (until <= now()) rests.delete(team);
    },
  };
}
