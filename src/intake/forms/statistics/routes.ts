import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import * as schemas from './schemas.ts';
import { statisticsOf } from './service.ts';
import { idParams } from '../../../platform/schema-parts.ts';

/** The route for submission counts. */
export function statisticsRoutes(app: App): void {
  app.get(
    '/api/v1/interfaces/:id/statistics',
    {
      config: { access: { kind: 'user', scope: 'interfaces:read' } },
      schema: {
        operationId: 'getInterfaceStatistics',
        summary: 'Count the submissions of an interface by day',
        tags: ['Interfaces'],
        params: idParams,
        querystring: schemas.statisticsQuery,
        response: { 200: schemas.statistics },
      },
    },
    (request) => statisticsOf(reading(request), request.params.id, request.query),
  );
}
