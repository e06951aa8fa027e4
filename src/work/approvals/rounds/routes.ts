import { Type } from 'typebox';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { pageQuery, sendPage, sortedPage } from '../../../platform/http/page.ts';
import { changing } from '../../../platform/http/responses.ts';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { idParams } from '../../../platform/schema-parts.ts';
import type { RoundSort } from './queries.ts';
import * as schemas from './schemas.ts';
import { getRound, listRounds, replaceCandidate, restartRound } from './service.ts';

const prefix = '/api/v1/approvals';
const tags = ['Approvals'];
const read = { access: { kind: 'user', scope: 'tasks:read' } } as const;
const manage = {
  access: { kind: 'user', scope: 'tasks:write', person: true, roles: ['owner', 'admin'] },
  requiresIfMatch: true,
} as const;

export function roundRoutes(app: App): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listApprovals',
        summary: 'List approval rounds',
        tags,
        querystring: Type.Object({ ...pageQuery, ...schemas.filters, sort: schemas.sort }),
        response: { 200: Type.Array(schemas.round) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, (scope, { limit, cursor, sort, ...filters }) =>
        listRounds(scope, filters, sortedPage<RoundSort>({ limit, cursor, sort }, 'createdAt')),
      ),
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getApproval', summary: 'Read an approval round', tags, params: idParams, response: { 200: schemas.round } },
    },
    (request, reply) => withEtag(reply, getRound(reading(request), request.params.id)),
  );

  app.post(
    `${prefix}/:id/restart`,
    {
      config: manage,
      schema: {
        operationId: 'restartApproval',
        summary: 'Restart an approval round',
        tags,
        params: idParams,
        response: { 200: schemas.round },
      },
    },
    (request, reply) => changing(request, reply, (scope) => restartRound(scope, request.params.id, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/replace`,
    {
      config: manage,
      schema: {
        operationId: 'replaceApprovalCandidate',
        summary: 'Replace a candidate of an approval round',
        tags,
        params: idParams,
        body: schemas.replaceBody,
        response: { 200: schemas.round },
      },
    },
    (request, reply) => changing(request, reply, (scope) => replaceCandidate(scope, request.params.id, request.body, ifMatch(request))),
  );
}
