import type { Static } from 'typebox';
import { decodeCursor, encodeCursor, malformedCursor } from '../platform/http/page.ts';
import { reading } from '../platform/http/scope.ts';
import type { App } from '../platform/http/server.ts';
import { isUuid } from '../platform/identifiers.ts';
import type { ReadScope } from '../platform/scope.ts';
import type { Place } from './queries.ts';
import { journal, journalQuery } from './schemas.ts';
import { readJournal } from './service.ts';

const path = '/api/v1/security/audit';
const read = { access: { kind: 'user', scope: 'audit:read' } } as const;

function placeOf(cursor: string): Place {
  const [at = '', id = ''] = decodeCursor(cursor, 2);
  if (!isUuid(id) || Number.isNaN(Date.parse(at))) throw malformedCursor();
  return { at, id };
}

/** One page of a journal as the operations answer it. */
export async function readJournalPage(
  scope: ReadScope,
  { cursor, ...filter }: Static<typeof journalQuery>,
): Promise<Static<typeof journal>> {
  const { entries, next } = await readJournal(scope, { ...filter, ...(cursor === undefined ? {} : { after: placeOf(cursor) }) });
  return { events: entries, ...(next ? { nextCursor: encodeCursor([next.at, next.id]) } : {}) };
}

export function auditRoutes(app: App): void {
  app.get(
    path,
    {
      config: read,
      schema: { summary: 'Read the audit journal, newest first', tags: ['Audit'], querystring: journalQuery, response: { 200: journal } },
    },
    (request) => readJournalPage(reading(request), request.query),
  );
}
