import { Type } from 'typebox';
import { linkNext } from '../../platform/http/page.ts';
import { principalOf, reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { runsTeam } from '../../platform/scope.ts';
import { hit, searchQuery } from './schemas.ts';
import { searchDocuments } from './service.ts';

export function searchRoutes(app: App, prefix: string): void {
  app.get(
    `${prefix}/search`,
    {
      config: { access: { kind: 'user', scope: 'documents:read' } },
      schema: {
        operationId: 'searchDocuments',
        summary: 'Find documents by their titles and their text',
        tags: ['Documents'],
        querystring: Type.Object(searchQuery),
        response: { 200: Type.Array(hit) },
      },
    },
    async (request, reply) => {
      // What is shown to administrators by their role alone is recorded; who asks for no text is shown none.
      const noted = runsTeam(principalOf(request).actor) && request.method !== 'HEAD';
      const { query } = request;
      const { hits, next } = await (noted
        ? writing(request, (scope) => searchDocuments(scope, query))
        : searchDocuments(reading(request), query));
      if (next !== undefined) linkNext(reply, request, next);
      return hits;
    },
  );
}
