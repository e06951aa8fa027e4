import { Type } from 'typebox';
import { changing, noContent } from '../../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { decodeCursor, pageQuery, pageSize, sendPage } from '../../../platform/http/page.ts';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import * as schemas from './schemas.ts';
import { getDelegation, listDelegations, putDelegation, revokeDelegation } from './service.ts';

const path = '/api/v1/tasks/delegations';
const tags = ['Tasks'];
const read = { access: { kind: 'user', scope: 'tasks:read', person: true } } as const;
const write = { access: { kind: 'user', scope: 'tasks:write', person: true }, requiresIfMatch: true } as const;
const { userParams: params, delegation } = schemas;
const one = { 200: delegation };

export function delegationRoutes(app: App): void {
  app.get(
    path,
    {
      config: read,
      schema: {
        operationId: 'listTaskDelegations',
        summary: 'List task delegations',
        tags,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(delegation) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, (scope, query) => {
        const [after] = query.cursor === undefined ? [] : decodeCursor(query.cursor, 1);
        return listDelegations(scope, { after, limit: pageSize(query) });
      }),
  );
  app.get(
    `${path}/:userId`,
    {
      config: read,
      schema: { operationId: 'getTaskDelegation', summary: 'Read the delegation of a member', tags, params, response: one },
    },
    (request, reply) => withEtag(reply, getDelegation(reading(request), request.params.userId)),
  );
  app.put(
    `${path}/:userId`,
    {
      config: write,
      schema: {
        operationId: 'putTaskDelegation',
        summary: 'Set the delegate of a member',
        tags,
        params,
        body: schemas.delegationBody,
        response: one,
      },
    },
    (request, reply) => changing(request, reply, (scope) => putDelegation(scope, request.params.userId, request.body, ifMatch(request))),
  );
  app.delete(
    `${path}/:userId`,
    {
      config: write,
      schema: {
        operationId: 'deleteTaskDelegation',
        summary: 'End the delegation of a member',
        tags,
        params,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => revokeDelegation(scope, request.params.userId, ifMatch(request))),
  );
}
