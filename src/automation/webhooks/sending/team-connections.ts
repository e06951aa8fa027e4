import type { Dispatcher } from 'undici';

export type TeamConnections = {
  /** Returns the connections of a team, to all origins. */
  of(teamId: string): Dispatcher;
  /** Closes all connections at once. */
  close(): Promise<void>;
};

const sweepMs = 60_000;

/**
 * Creates separate connections for each team, so that no team waits for a connection of another. Connections of a team are closed if it has sent
 * nothing for `idleMs`, which is longer than any exchange.
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
