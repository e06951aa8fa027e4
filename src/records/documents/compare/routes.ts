import { reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { DocumentVersionRow } from '../queries.ts';
import { contentHead, openContent } from '../versions.ts';
import { compareQuery, comparison } from './schemas.ts';
import { compareVersions } from './service.ts';
import { idParams } from '../../../platform/schema-parts.ts';

export function compareRoutes(app: App, prefix: string, storage: Storage): void {
  app.get(
    `${prefix}/:id/compare`,
    {
      config: { access: { kind: 'user', scope: 'documents:read' } },
      schema: {
        operationId: 'compareDocumentVersions',
        summary: 'Compare the texts of two versions',
        tags: ['Documents'],
        params: idParams,
        querystring: compareQuery,
        response: { 200: comparison },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { from, to } = request.query;
      const scope = reading(request);
      // HEAD shows no text, so it records no read.
      const versions = await (request.method === 'HEAD'
        ? both(scope, (one, number) => contentHead(one, id, number))
        : writing(request, (one) => both(one, (it, number) => openContent(it, id, number))));
      return { documentId: id, ...(await compareVersions(storage, scope.team, versions)) };

      async function both<S extends ReadScope | Scope>(
        one: S,
        open: (scope: S, number: number | undefined) => Promise<DocumentVersionRow>,
      ): Promise<[DocumentVersionRow, DocumentVersionRow]> {
        const older = await open(one, from);
        const newer = to === from ? older : await open(one, to);
        return [older, newer];
      }
    },
  );
}
