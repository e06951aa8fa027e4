import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnownTo } from '../../../platform/http/etag.ts';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { findRow } from '../lookup.ts';
import { imageHeaders } from './drawing.ts';
import type { Layouts } from './layouts.ts';
import { diagramOf, graphOf } from './svg.ts';
import { idParams } from '../../../platform/schema-parts.ts';

/** Sends a diagram with its tag, or 304 to a caller that has it. */
export function sendDiagram(request: FastifyRequest, reply: FastifyReply, picture: string, fileName: string): FastifyReply {
  const tag = `"${hash('sha256', picture, 'base64url').slice(0, 22)}"`;
  reply.headers({ ...imageHeaders(fileName), etag: tag });
  return isKnownTo(request, tag) ? reply.code(304).send() : reply.send(picture);
}

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
      return sendDiagram(request, reply, diagramOf(row, graph, await layouts.of(scope.team, graph)), 'workflow.svg');
    },
  );
}
