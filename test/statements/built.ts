/** Builds the queries that are compiled for each call, with all their options. */
import type { Compilable } from 'kysely';
import { listEntries } from '../../src/records/journal/queries.ts';
import { type MadeStatement, madeStatements, type Statement, statementName } from '../../src/platform/database/statement.ts';
import { listDeliveries } from '../../src/automation/webhooks/deliveries/queries.ts';

function builtAs<Row>(query: Compilable<Row>): Statement<object, Row> {
  const { sql: text, parameters } = query.compile();
  const made: MadeStatement = { text, parameters: parameters.map(() => undefined), because: {} };
  madeStatements.publish(made);
  return { name: statementName(text), text, values: () => [...parameters] };
}

const id = '00000000-0000-0000-0000-000000000000';
const at = '2026-01-01T00:00:00.000Z';

builtAs(listEntries(id, { limit: 1 }));
builtAs(
  listEntries(id, {
    sort: 'createdAt',
    type: 'folder.created',
    actorId: id,
    targetId: id,
    targetType: 'folder',
    from: at,
    to: at,
    after: { at, id },
    limit: 1,
  }),
);
builtAs(listDeliveries(id, id, { limit: 1 }));
for (const status of ['pending', 'failed', 'delivered'] as const)
  builtAs(listDeliveries(id, id, { status, eventType: 'folder.created', sort: 'createdAt', beyond: id, limit: 1 }));
