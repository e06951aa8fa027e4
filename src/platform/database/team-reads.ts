import { availableParallelism } from 'node:os';
import type pg from 'pg';
import { boundedCache } from '../bounded-cache.ts';
import { isStatementTimeout, wasNotPrepared } from './errors.ts';
import type { DatabaseLimits } from './limits.ts';
import { type Lines, openLines } from './shared-readers.ts';
import type { Connection } from './pool.ts';
import { type Presence, shareFairly } from './shares.ts';
import { TeamExchange } from './team-exchange.ts';

type Statement = { name?: string; text: string; values?: unknown[] };

/** Reads of all teams, over connections that they share. */
export type TeamReads = {
  /** One statement of a team (or of none, by an empty text), a transaction of its own. */
  read(team: string, statement: Statement): Promise<pg.QueryResult>;
  close(): Promise<void>;
};

type Options = {
  maxConnections: number;
  limits: DatabaseLimits;
  waiting: number;
  applicationName: string;
  presence: Presence;
  onLost: (error: Error) => void;
};

/** What takes longer than this on the database's side leaves the lines on which others wait behind it. */
const quickMs = 100;
/** So many exchanges may be under way on one line at once. */
const onOneLine = 12;
const ofNoTeam = new Set(['']);

/**
 * Most reads take less than a millisecond and go over a few lines one behind the other. A statement that takes long would hold
 * up all that wait behind it: the database ends it after {@link quickMs}, and it is sent again on a connection that does one
 * statement at a time; and so are its next ones for that team at once, until one of them is quick again. Of either kind a
 * team has its share, and those who wait are served in turn.
 */
export function openTeamReads(
  connection: Connection,
  { maxConnections, limits, waiting, applicationName, presence, onLost }: Options,
): TeamReads {
  const { readMs, waitMs } = limits;
  const quickLines = Math.max(2, Math.ceil(maxConnections / 3));
  const linesOfOne = Math.ceil(quickLines / 4);
  const slowLines = Math.max(2, Math.ceil(maxConnections / 4));
  const quick = openLines(connection, {
    lines: quickLines,
    linesOfOne,
    limits,
    applicationName,
    onLost,
  });
  const slow = openLines(connection, { lines: slowLines, limits, applicationName: `${applicationName}-slow`, onLost });
  const quickPlaces = quickLines * onOneLine;
  const quickShares = shareFairly({
    places: quickPlaces,
    share: Math.ceil(quickPlaces / 4),
    most: Math.ceil(quickPlaces / 2),
    // One on each of its lines: more would only come back together, and be before what others ask next. And no more than keep half of
    // the cores busy, for what others ask waits for one of them too.
    besideOthers: Math.min(linesOfOne, Math.max(1, Math.floor(availableParallelism() / 2))),
    quickMs,
    presence,
    unbounded: ofNoTeam,
    waiting,
    waitMs,
  });
  const slowShares = shareFairly({
    places: slowLines,
    share: Math.ceil(slowLines / 4),
    most: Math.ceil(slowLines / 2),
    quickMs,
    heavyMs: quickMs,
    presence,
    unbounded: ofNoTeam,
    waiting,
    waitMs,
  });
  const knownSlow = boundedCache<true>(10_000, { ttl: 60_000 });

  const exchange = (lines: Lines, team: string, statement: Statement, limitMs: number) =>
    lines.exchange((answered) => new TeamExchange(statement, { role: 'chancery_app', team, limitMs }, answered), team);

  return {
    async read(team, statement) {
      const key = `${team} ${statement.name ?? statement.text}`;
      if (!knownSlow.has(key)) {
        try {
          return await quickShares.run(team, () => exchange(quick, team, statement, Math.min(quickMs, readMs)));
        } catch (error) {
          // Where another before it on the line was to prepare the statement and failed at that, nothing was run.
          if (isStatementTimeout(error)) knownSlow.set(key, true);
          else if (!wasNotPrepared(error)) throw error;
        }
      }
      let from = performance.now();
      const result = await slowShares.run(team, () => {
        from = performance.now();
        return exchange(slow, team, statement, readMs);
      });
      if (performance.now() - from < quickMs / 2) knownSlow.delete(key);
      return result;
    },
    close: async () => {
      await Promise.all([quick.close(), slow.close()]);
    },
  };
}
