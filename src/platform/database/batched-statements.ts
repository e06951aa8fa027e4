import type pg from 'pg';
import type { DatabaseLimits } from './limits.ts';
import { openLines } from './shared-readers.ts';
import { OutcomeUnknown } from './errors.ts';
import { wasUndone } from './outcome.ts';
import type { Connection } from './pool.ts';
import { SharedExchange, TeamExchange } from './team-exchange.ts';

type Statement = { name?: string; text: string; values?: unknown[] };
/** Whose statement it is, and which row it changes; a statement that only reads changes none. */
type Holder = { team: string; holds: string | undefined };
type Waiting = Holder & {
  statement: Statement;
  resolve: (result: pg.QueryResult) => void;
  reject: (error: unknown) => void;
};

/** Connections on which transactions of one statement each are made together. */
export type Gathering = {
  run(holder: Holder, statement: Statement): Promise<pg.QueryResult>;
  close(): Promise<void>;
};

const role = 'chancery_app';
const lines = 2;
/** More would hold one another's rows for too long. */
const mostTogether = 16;

/** Rows that several change are held in one order, or two exchanges would wait for one another. */
function inOrder(a: Waiting, b: Waiting): number {
  if (a.team !== b.team) return a.team < b.team ? -1 : 1;
  return (a.holds ?? '') < (b.holds ?? '') ? -1 : 1;
}

/** What one is told whose exchange failed: of a change on a connection that was lost nobody knows. */
const told = ({ holds }: Waiting, error: unknown): unknown => (wasUndone(error) || holds === undefined ? error : new OutcomeUnknown(error));

/**
 * Gathers what is run in one turn of the event loop, and sends each statement for all who ran it as one exchange with one
 * commit. When one of them fails, each is sent again by itself, so that only the one at fault fails.
 */
export function openGathering(
  connection: Connection,
  options: { applicationName: string; limits: DatabaseLimits; onLost: (error: Error) => void },
): Gathering {
  const limitMs = options.limits.batchMs;
  const shared = openLines(connection, { ...options, lines, limitMs });
  let gathered: Waiting[] = [];

  async function alone(waiting: Waiting): Promise<void> {
    const { team, statement, resolve, reject } = waiting;
    const failed = (error: unknown): void => reject(told(waiting, error));
    await shared.exchange((answered) => new TeamExchange(statement, { role, team, limitMs }, answered)).then(resolve, failed);
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
      else for (const waiting of group) waiting.reject(told(waiting, error));
    }
  }

  function send(): void {
    const groups = Map.groupBy(gathered.splice(0), ({ statement }) => statement.text);
    for (const all of groups.values())
      while (all.length > 0) {
        const [first, ...others] = all.splice(0, mostTogether).toSorted(inOrder);
        if (first) void together([first, ...others]);
      }
  }

  return {
    run: (holder, statement) =>
      new Promise((resolve, reject) => {
        if (gathered.push({ ...holder, statement, resolve, reject }) === 1) setImmediate(send);
      }),
    close: () => shared.close(),
  };
}
