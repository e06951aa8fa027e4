import { Type } from 'typebox';
import { linkNext } from '../../../platform/http/page.ts';
import { reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { hit, searchQuery } from './schemas.ts';
import { hitsByRole, recordFound, searchDocuments } from './service.ts';

export function searchRoutes(app: App, prefix: string): void {
  app.get(
    `${prefix}/search`,
    {
      config: { access: { kind: 'user', scope: 'documents:read' }, uncounted: true },
      schema: {
        operationId: 'searchDocuments',
        summary: 'Search documents by title and text',
        tags: ['Documents'],
        querystring: Type.Object(searchQuery),
        response: { 200: Type.Array(hit) },
      },
    },
    async (request, reply) => {
      const scope = reading(request);
      const { hits, next } = await searchDocuments(scope, request.query);
      if (request.method !== 'HEAD') {
        const byRole = await hitsByRole(scope, hits);
        if (byRole.length > 0) await writing(request, (write) => recordFound(write, byRole));
      }
      if (next !== undefined) linkNext(reply, request, next);
      return hits;
    },
  );
}
