/** Builds the queries that are compiled for each call, with all their options. */
import type { Compilable } from 'kysely';
import { listEntries } from '../../src/records/journal/queries.ts';
import { type MadeStatement, madeStatements, type Statement, statementName } from '../../src/platform/database/statement.ts';
import { countMatching, listGroups } from '../../src/identity/directories/scim/group-queries.ts';
import { countUsers, listUsers } from '../../src/identity/directories/scim/user-queries.ts';
import type { Term } from '../../src/identity/directories/scim/filter.ts';
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
    types: ['folder.created'],
    actorId: id,
    targetId: id,
    targetType: 'folder',
    from: at,
    to: at,
    after: { at, id },
    limit: 1,
  }),
);
for (const sort of ['createdAt', '-createdAt'] as const)
  builtAs(listEntries(id, { sort, types: ['folder.created', 'folder.updated'], limit: 1 }));
builtAs(listDeliveries(id, id, { limit: 1 }));
for (const status of ['pending', 'failed', 'delivered'] as const)
  builtAs(listDeliveries(id, id, { status, eventType: 'folder.created', q: 'folder', sort: 'createdAt', beyond: id, limit: 1 }));

const everyTerm: Term[] = [
  { attribute: 'id', op: 'eq', value: id },
  { attribute: 'member', op: 'eq', value: id },
  { attribute: 'active', op: 'eq', value: true },
  ...(['eq', 'gt', 'ge'] as const).map((op) => ({ attribute: 'lastModified' as const, op, value: at })),
  ...(['userName', 'externalId', 'email', 'displayName'] as const).flatMap((attribute) =>
    (['eq', 'co', 'sw'] as const).map((op) => ({ attribute, op, value: 'x' })),
  ),
  ...(['id', 'userName', 'externalId', 'email', 'displayName', 'lastModified', 'active'] as const).map((attribute) => ({
    attribute,
    op: 'pr' as const,
  })),
];
for (const position of [{ offset: 1 }, { after: id }]) {
  const query = { team: id, directory: id, terms: everyTerm };
  builtAs(listUsers(query, position, 1, String));
  builtAs(listGroups(query, position, 1));
  builtAs(countUsers(query, String));
  builtAs(countMatching(query));
}
