import { Type } from 'typebox';
import { cursor, limitTo, readingTool, type Tool } from '../../platform/tools.ts';
import { readJournalPage } from './service.ts';

/** Tools for the journal that models can call. */
export const tools: readonly Tool[] = [
  readingTool({
    name: 'search_audit_journal',
    title: 'Search the audit journal',
    description: 'Lists entries of the team’s journal, newest first. Filters by audit action, actor, resource or time.',
    operation: 'listAuditJournal',
    scope: 'audit:read',
    input: Type.Object({
      type: Type.Optional(
        Type.String({
          maxLength: 128,
          description: 'Entries of one type, such as `document.created`, or of a family, such as `document.`',
        }),
      ),
      actorId: Type.Optional(Type.String({ format: 'uuid', description: 'Entries of one actor' })),
      targetId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Entries about one resource' })),
      from: Type.Optional(Type.String({ format: 'date-time', description: 'Entries at this time or later' })),
      to: Type.Optional(Type.String({ format: 'date-time', description: 'Entries before this time' })),
      limit: limitTo(100, 50),
      cursor,
    }),
    run: async (scope, filter) => {
      const { events: items, ...next } = await readJournalPage(scope, filter);
      return { items, more: next.nextCursor !== undefined, ...next };
    },
  }),
];
