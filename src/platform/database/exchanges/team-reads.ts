import { availableParallelism } from 'node:os';
import type pg from 'pg';
import { boundedCache } from '../../bounded-cache.ts';
import { isStatementTimeout, wasNotPrepared } from '../errors.ts';
import type { DatabaseLimits } from '../limits.ts';
import type { Connection } from '../pool.ts';
import { type Presence, shareFairly, type Shares } from '../team-connection-limits.ts';
import { SharedConnections } from './shared-connections.ts';
import type { BoundStatement, ExecuteAs } from './team-exchange.ts';

type TeamReadOptions = {
  maxConnections: number;
  limits: DatabaseLimits;
  waiting: number;
  applicationName: string;
  presence: Presence;
  onLost: (error: Error) => void;
};

/** A statement that takes longer in the database moves to the slow connections, so that it does not delay others. */
const quickMs = 100;
/** The maximum number of pending exchanges on one quick connection. */
const maxPending = 12;
const noTeam = new Set(['']);
/** Maximum number of remembered slow statements, and how long they are remembered, in milliseconds. */
const slowStatements = { max: 10_000, ttl: 60_000 };

/**
 * Runs reads of all teams. Most take less than a millisecond and are pipelined over a few connections. The database cancels a statement after {@link
 * quickMs}. Chancery then sends it again on a slow connection, which runs one statement at a time. Later calls of this statement by the team go to a
 * slow connection directly, until one is quick. A team has a share of both kinds of connections, and teams take turns.
 */
export class TeamReads {
  readonly #quick: SharedConnections;
  readonly #slow: SharedConnections;
  readonly #quickShares: Shares;
  readonly #slowShares: Shares;
  readonly #isSlow = boundedCache<true>(slowStatements.max, { ttl: slowStatements.ttl });
  readonly #readMs: number;

  constructor(connection: Connection, { maxConnections, limits, waiting, applicationName, presence, onLost }: TeamReadOptions) {
    this.#readMs = limits.readMs;
    const quick = Math.max(2, Math.ceil(maxConnections / 3));
    const perTeam = Math.ceil(quick / 4);
    const slow = Math.max(2, Math.ceil(maxConnections / 4));
    this.#quick = new SharedConnections(connection, { connections: quick, connectionsPerKey: perTeam, limits, applicationName, onLost });
    this.#slow = new SharedConnections(connection, { connections: slow, limits, applicationName: `${applicationName}-slow`, onLost });
    const shared = { quickMs, presence, unbounded: noTeam, waiting, waitMs: limits.waitMs };
    const places = quick * maxPending;
    // While other teams are active, a team has one exchange per connection and at most one per two cores. More would delay the next exchange of
    // others.
    const besideOthers = Math.min(perTeam, Math.max(1, Math.floor(availableParallelism() / 2)));
    this.#quickShares = shareFairly({ ...shared, places, ...quarterToHalf(places), besideOthers });
    this.#slowShares = shareFairly({ ...shared, places: slow, ...quarterToHalf(slow), heavyMs: quickMs });
  }

  /** Runs one statement for a team (no team if empty) and a person, as a separate transaction. */
  async read(team: string, statement: BoundStatement, person?: string): Promise<pg.QueryResult> {
    const key = `${team} ${statement.name ?? statement.text}`;
    if (!this.#isSlow.has(key))
      try {
        return await this.#quickShares.run(team, () =>
          this.#run(this.#quick, { team, person }, statement, Math.min(quickMs, this.#readMs)),
        );
      } catch (error) {
        if (isStatementTimeout(error)) this.#isSlow.set(key, true);
        // An earlier statement on the connection should have prepared it and failed, so it did not run.
        else if (!wasNotPrepared(error)) throw error;
      }
    let from = performance.now();
    const result = await this.#slowShares.run(team, () => {
      from = performance.now();
      return this.#run(this.#slow, { team, person }, statement, this.#readMs);
    });
    if (performance.now() - from < quickMs / 2) this.#isSlow.delete(key);
    return result;
  }

  async close(): Promise<void> {
    await Promise.all([this.#quick.close(), this.#slow.close()]);
  }

  #run = (connections: SharedConnections, of: Pick<ExecuteAs, 'team' | 'person'>, statement: BoundStatement, limitMs: number) =>
    connections.run(statement, { role: 'chancery_app', ...of, limitMs }, of.team);
}

const quarterToHalf = (places: number) => ({ share: Math.ceil(places / 4), most: Math.ceil(places / 2) });
