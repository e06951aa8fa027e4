import { Type } from 'typebox';
import { created } from '../../../platform/http/responses.ts';
import { idPage, pageQuery, sendPage } from '../../../platform/http/page.ts';
import { reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { hold, holdFilters, liftBody, placeBody } from './schemas.ts';
import { getHold, liftHold, listHolds, placeHold } from './service.ts';

const prefix = '/api/v1/smartdoc/holds';
// Only persons who manage the team decide on legal holds.
const managers = { kind: 'user', person: true, roles: ['owner', 'admin'] } as const;
const read = { access: { ...managers, scope: 'documents:read' } } as const;
const write = { access: { ...managers, scope: 'documents:write' } } as const;
const tags = ['Documents'];
const params = Type.Object({ id: Type.String() });

export function holdRoutes(app: App): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listLegalHolds',
        summary: 'List legal holds',
        tags,
        querystring: Type.Object({ ...pageQuery, ...holdFilters }),
        response: { 200: Type.Array(hold) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => listHolds(scope, query, idPage(query))),
  );

  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: {
        operationId: 'placeLegalHold',
        summary: 'Place a legal hold',
        tags,
        body: placeBody,
        response: { 201: hold },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => placeHold(scope, request.body));
      return created(reply, `${prefix}/${made.id}`, made);
    },
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getLegalHold', summary: 'Read a legal hold', tags, params, response: { 200: hold } },
    },
    (request) => getHold(reading(request), request.params.id),
  );

  app.post(
    `${prefix}/:id/lift`,
    {
      config: write,
      schema: {
        operationId: 'liftLegalHold',
        summary: 'Lift a legal hold',
        tags,
        params,
        body: liftBody,
        response: { 200: hold },
      },
    },
    (request) => writing(request, (scope) => liftHold(scope, request.params.id, request.body.reason)),
  );
}
