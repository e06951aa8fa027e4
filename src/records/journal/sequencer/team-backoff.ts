/** Teams whose entries failed, each with a delay that doubles from 1 s to 5 minutes. Stores the latest 1 000 teams. */
export type TeamRests = {
  /** Returns the teams that are not retried yet. */
  resting(): string[];
  /** Records a failure. Returns the number of consecutive failures. */
  rest(team: string): number;
  wellAgain(team: string): void;
  /** Removes the teams whose delay has elapsed, after all due entries were added. */
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
