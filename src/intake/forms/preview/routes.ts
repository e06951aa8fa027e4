import { writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Interfaces } from '../links.ts';
import { preview } from './schemas.ts';
import { makePreview } from './service.ts';
import { idParams } from '../../../platform/schema-parts.ts';

/** The route for preview links. */
export function previewRoutes(app: App, interfaces: Interfaces): void {
  app.post(
    '/api/v1/interfaces/:id/preview',
    {
      config: { access: { kind: 'user', scope: 'interfaces:write' } },
      schema: {
        operationId: 'previewInterface',
        summary: 'Create a preview link of a draft',
        tags: ['Interfaces'],
        params: idParams,
        response: { 200: preview },
      },
    },
    (request) => writing(request, (scope) => makePreview(interfaces, scope, request.params.id)),
  );
}
