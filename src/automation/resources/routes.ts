import { principalOf, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { namesOf } from './names.ts';
import * as schemas from './schemas.ts';

const tags = ['Overview'];
const config = { access: { kind: 'user', byScopes: true } } as const;

/** The routes about resources of all types. */
export function resourceRoutes(app: App): void {
  app.post(
    '/api/v1/names',
    {
      config: { ...config, storesResponse: false },
      schema: {
        operationId: 'lookUpNames',
        summary: 'Look up types and names',
        tags,
        body: schemas.namesBody,
        response: { 200: schemas.names },
      },
    },
    (request) => namesOf(reading(request), principalOf(request).scopes, request.body.ids),
  );
}
