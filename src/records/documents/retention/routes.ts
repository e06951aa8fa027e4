import { Type } from 'typebox';
import { changing, noContent } from '../../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { encodeCursor, linkNext, idPage, pageQuery } from '../../../platform/http/page.ts';
import { reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { previewRule } from './preview.ts';
import { confirmRule, getRule, listRules, putRule, removeRule } from './rules.ts';
import { dispositionView, previewQuery, rule, ruleBody } from './schemas.ts';
import { idParams } from '../../../platform/schema-parts.ts';

const path = '/api/v1/smartdoc/folders/:id/retention';
const tags = ['Folders'];
const maxShown = 500;
// Only persons set retention rules, not API clients.
const person = { kind: 'user', person: true } as const;
const write = { access: { ...person, scope: 'documents:write' } } as const;

export function retentionRoutes(app: App): void {
  app.get(
    '/api/v1/smartdoc/retention-rules/',
    {
      config: { access: { kind: 'user', scope: 'documents:read' } },
      schema: {
        operationId: 'listRetentionRules',
        summary: 'List the retention rules of folders',
        tags,
        response: { 200: Type.Array(rule) },
      },
    },
    (request) => listRules(reading(request)),
  );

  app.get(
    path,
    {
      config: { access: { kind: 'user', scope: 'documents:read' } },
      schema: {
        operationId: 'getRetentionRule',
        summary: 'Read the retention rule of a folder',
        tags,
        params: idParams,
        response: { 200: rule },
      },
    },
    (request, reply) => withEtag(reply, getRule(reading(request), request.params.id)),
  );

  app.put(
    path,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'putRetentionRule',
        summary: 'Set the retention rule of a folder',
        tags,
        params: idParams,
        body: ruleBody,
        response: { 200: rule },
      },
    },
    (request, reply) => changing(request, reply, (scope) => putRule(scope, request.params.id, request.body, ifMatch(request))),
  );

  app.delete(
    path,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'removeRetentionRule',
        summary: 'Remove the retention rule of a folder',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => removeRule(scope, request.params.id, ifMatch(request))),
  );

  app.get(
    `${path}/preview`,
    {
      config: { access: { ...person, scope: 'documents:read' }, uncounted: true },
      schema: {
        operationId: 'previewRetention',
        summary: 'Preview the retention of a folder',
        tags,
        params: idParams,
        querystring: Type.Object({ ...pageQuery, ...previewQuery }),
        response: { 200: Type.Array(dispositionView) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...preview } = request.query;
      const page = idPage({ limit, cursor }, maxShown);
      const found = await previewRule(reading(request), request.params.id, { preview, page });
      const shown = found.slice(0, page.limit);
      const last = shown.at(-1);
      if (last && found.length > page.limit) linkNext(reply, request, encodeCursor(last.place));
      return shown.flatMap(({ thing }) => thing ?? []);
    },
  );

  app.post(
    `${path}/confirm`,
    {
      config: { access: { ...person, roles: ['owner', 'admin'], scope: 'documents:write' } },
      schema: {
        operationId: 'confirmRetention',
        summary: 'Confirm the retention rule of a folder',
        tags,
        params: idParams,
        response: { 200: rule },
      },
    },
    (request) => writing(request, (scope) => confirmRule(scope, request.params.id)),
  );
}
