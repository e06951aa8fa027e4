import type { Dispatcher } from 'undici';

export type TeamConnections = {
  /** The connections of a team, to whatever origins. */
  of(teamId: string): Dispatcher;
  /** Ends all of them at once. */
  close(): Promise<void>;
};

const sweepMs = 60_000;

/**
 * Connections that teams do not share: at one origin, nobody waits for a connection that another team holds. Those of a
 * team that has sent nothing for `idleMs`, which is longer than any exchange, are given up.
 */
export function createTeamConnections(open: () => Dispatcher, idleMs: number): TeamConnections {
  const teams = new Map<string, { connections: Dispatcher; usedAt: number }>();
  const sweeping = setInterval(() => {
    const idleSince = performance.now() - idleMs;
    for (const [teamId, { connections, usedAt }] of teams) {
      if (usedAt > idleSince) continue;
      teams.delete(teamId);
      void connections.destroy();
    }
  }, sweepMs).unref();

  return {
    of(teamId) {
      const known = teams.get(teamId) ?? { connections: open(), usedAt: 0 };
      teams.set(teamId, known);
      known.usedAt = performance.now();
      return known.connections;
    },
    async close() {
      clearInterval(sweeping);
      await Promise.all([...teams.values()].map(({ connections }) => connections.destroy()));
    },
  };
}
