import pg from 'pg';

export type SentStatement = { name?: string; text: string; values?: unknown[] };

/**
 * Reports each statement that this process sends to PostgreSQL, until the caller calls the returned function. Install it before the service starts,
 * because a client of the service binds the method at its creation.
 */
export function recordStatements(report: (statement: SentStatement) => void): () => void {
  const { query } = pg.Client.prototype;
  const send = query as (...args: any[]) => any;
  pg.Client.prototype.query = function record(this: pg.Client, config: any, ...rest: any[]) {
    report(typeof config === 'string' ? { text: config } : config);
    return send.call(this, config, ...rest);
  } as typeof query;
  return () => {
    pg.Client.prototype.query = query;
  };
}
