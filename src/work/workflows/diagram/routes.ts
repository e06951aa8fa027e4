import { hash } from 'node:crypto';
import { isKnownTo } from '../../../platform/http/etag.ts';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { findRow } from '../lookup.ts';
import type { Layouts } from './layouts.ts';
import { diagramOf, graphOf } from './svg.ts';
import { idParams } from '../../../platform/schema-parts.ts';

/**
 * Headers of the image. Opened directly, it is a page of the server’s origin. So the headers block scripts and loading, even if a name contains
 * markup.
 */
const headers = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-disposition': 'inline; filename="workflow.svg"',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cache-control': 'private, no-cache',
};

export function diagramRoute(app: App, layouts: Layouts): void {
  app.get(
    '/api/v1/workflows/:id/diagram.svg',
    {
      config: { access: { kind: 'user', scope: 'workflows:read' }, tagsItself: true },
      schema: {
        operationId: 'readWorkflowDiagram',
        summary: 'Draw a workflow as SVG',
        tags: ['Workflows'],
        produces: ['image/svg+xml'],
        params: idParams,
      },
    },
    async (request, reply) => {
      const scope = reading(request);
      const row = await findRow(scope, request.params.id);
      const graph = graphOf(row.steps);
      const picture = diagramOf(row, graph, await layouts.of(scope.team, graph));
      const tag = `"${hash('sha256', picture, 'base64url').slice(0, 22)}"`;
      reply.headers({ ...headers, etag: tag });
      return isKnownTo(request, tag) ? reply.code(304).send() : reply.send(picture);
    },
  );
}
