import { encodeCursor, linkNext, sortedPage } from '../../platform/http/page.ts';
import { principalOf, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import * as schemas from './schemas.ts';
import { readInbox } from './service.ts';

const usual = 50;

export function inboxRoutes(app: App): void {
  app.get(
    '/api/v1/inbox',
    {
      config: { access: { kind: 'user', byScopes: true }, linksToMore: true },
      schema: {
        operationId: 'readInbox',
        summary: 'Read the inbox',
        tags: ['Overview'],
        querystring: schemas.inboxQuery,
        response: { 200: schemas.inbox },
      },
    },
    async (request, reply) => {
      const { kind, q, limit = usual, cursor } = request.query;
      const { sort: _, ...page } = sortedPage({ limit, ...(cursor === undefined ? {} : { cursor }) }, 'dueDate');
      const { last, ...found } = await readInbox(reading(request), principalOf(request).scopes, { kinds: kind, q }, page);
      if (last) linkNext(reply, request, encodeCursor(last));
      return found;
    },
  );
}
