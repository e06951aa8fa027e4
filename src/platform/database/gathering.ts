import pg from 'pg';
import { openLines } from './lines.ts';
import type { Connection } from './pool.ts';
import { SharedExchange, TeamExchange } from './team-exchange.ts';

type Statement = { name?: string; text: string; values?: unknown[] };
type Waiting = {
  team: string;
  statement: Statement;
  resolve: (result: pg.QueryResult) => void;
  reject: (error: unknown) => void;
};

/** Connections on which transactions of one statement each are made together. */
export type Gathering = {
  run(team: string, statement: Statement): Promise<pg.QueryResult>;
  close(): Promise<void>;
};

const role = 'chancery_app';
const lines = 2;
const limitMs = 10_000;
/** More would hold one another's rows for too long. */
const mostTogether = 16;

/** A statement failed, and the database has undone the exchange: not a connection that was lost, of which nobody knows. */
const wasUndone = (error: unknown): boolean => error instanceof pg.DatabaseError && error.severity === 'ERROR';

/**
 * Gathers what is run in one turn of the event loop, and sends each statement for all who ran it as one exchange with one
 * commit. When one of them fails, each is sent again by itself, so that only the one at fault fails.
 */
export function openGathering(connection: Connection, options: { applicationName: string; onLost: (error: Error) => void }): Gathering {
  const shared = openLines(connection, { ...options, lines });
  let gathered: Waiting[] = [];

  async function alone({ team, statement, resolve, reject }: Waiting): Promise<void> {
    await shared.exchange((answered) => new TeamExchange(statement, { role, team, limitMs }, answered)).then(resolve, reject);
  }

  async function together(group: readonly [Waiting, ...Waiting[]]): Promise<void> {
    if (group.length === 1) return alone(group[0]);
    const settled: (() => void)[] = [];
    try {
      await shared.exchange((answered) => {
        const members = group.map(
          ({ team, statement, resolve, reject }) =>
            new TeamExchange(statement, { role, team, limitMs }, (error, result) =>
              settled.push(() => (result ? resolve(result) : reject(error))),
            ),
        );
        return new SharedExchange(group[0].statement, members, answered);
      });
      for (const settle of settled) settle();
    } catch (error) {
      if (wasUndone(error)) for (const waiting of group) void alone(waiting);
      else for (const { reject } of group) reject(error);
    }
  }

  function send(): void {
    const groups = Map.groupBy(gathered.splice(0), ({ statement }) => statement.text);
    for (const all of groups.values())
      while (all.length > 0) {
        const [first, ...others] = all.splice(0, mostTogether);
        if (first) void together([first, ...others]);
      }
  }

  return {
    run: (team, statement) =>
      new Promise((resolve, reject) => {
        if (gathered.push({ team, statement, resolve, reject }) === 1) setImmediate(send);
      }),
    close: () => shared.close(),
  };
}
