import { Type } from 'typebox';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import { changing } from '../../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { pageQuery, sendPage } from '../../../platform/http/page.ts';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { listComing } from './list.ts';
import { comingDate, comingFilters, keyDates, keyDatesBody } from './schemas.ts';
import { getDates, putDates } from './service.ts';
import { idParams } from '../../../platform/schema-parts.ts';

const tags = ['Documents'];

/** `places` seals the cursors of the list. */
export function dateRoutes(app: App, prefix: string, places: Box): void {
  app.get(
    `${prefix}/:id/dates`,
    {
      config: { access: { kind: 'user', scope: 'documents:read' } },
      schema: {
        operationId: 'getDocumentDates',
        summary: 'Read the key dates of a document',
        tags,
        params: idParams,
        response: { 200: keyDates },
      },
    },
    (request, reply) => withEtag(reply, getDates(reading(request), request.params.id)),
  );

  app.put(
    `${prefix}/:id/dates`,
    {
      config: { access: { kind: 'user', scope: 'documents:write' }, requiresIfMatch: true },
      schema: {
        operationId: 'putDocumentDates',
        summary: 'Set the key dates of a document',
        tags,
        params: idParams,
        body: keyDatesBody,
        response: { 200: keyDates },
      },
    },
    (request, reply) => changing(request, reply, (scope) => putDates(scope, request.params.id, request.body, ifMatch(request))),
  );

  app.get(
    '/api/v1/smartdoc/document-dates',
    {
      config: { access: { kind: 'user', scope: 'documents:read' } },
      schema: {
        operationId: 'listComingDates',
        summary: 'List the coming key dates of documents',
        tags,
        querystring: Type.Object({ ...pageQuery, ...comingFilters }),
        response: { 200: Type.Array(comingDate) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => listComing(places, scope, query)),
  );
}
