import { inSpan, isTraced, type NewSpan, SpanKind } from '../telemetry/tracing.ts';
import type { BoundStatement } from './exchanges/team-exchange.ts';
import { sqlStatement } from './statement.ts';

const attributes = { 'db.system.name': 'postgresql' };

const transactionSpan: NewSpan = { name: 'transaction', kind: SpanKind.CLIENT, attributes };

/** Maximum number of characters of a statement in a span. */
const maxTextLength = 1_000;
const maxKnown = 10_000;
const known = new Map<string, NewSpan>();

/** Returns the span of a statement. Its text has placeholders in place of values. */
function querySpan({ name = '', text }: BoundStatement): NewSpan {
  const found = known.get(name);
  if (found) return found;
  const [, verb = 'QUERY'] = /^\W*(\w+)/.exec(text) ?? [];
  const span = {
    name: verb.toUpperCase(),
    kind: SpanKind.CLIENT,
    attributes: { ...attributes, 'db.query.text': text.slice(0, maxTextLength) },
  };
  if (name !== '' && known.size < maxKnown) known.set(name, span);
  return span;
}

/** Runs a transaction in its own span, if tracing is on. */
export const inTransactionSpan = <T>(run: () => Promise<T>): Promise<T> => inSpan(transactionSpan, run);

/** Runs a statement in its own span, if tracing is on. */
export const inQuerySpan = <T>(statement: BoundStatement, run: () => Promise<T>): Promise<T> =>
  isTraced() ? inSpan(querySpan(statement), run) : run();

/** Passes the position in the trace to the jobs and events that the transaction adds (`migrations/1240_traceparent.sql`). */
export const enterTrace = sqlStatement<{ traceparent: string }, never>("SELECT set_config('app.traceparent', $traceparent, true)");
