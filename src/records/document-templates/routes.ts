import { forceQuery, type TemplateUses } from '#workflows';
import { Type } from 'typebox';
import { created, noContent } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { changePage, changeQuery, pageQuery, sendPage } from '../../platform/http/page.ts';
import { preparedWriting, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { sharingRoutes } from '#access';
import { libraryRoutes } from './library/index.ts';
import type { Making } from './make.ts';
import { makingRoutes } from './making-routes.ts';
import { readAudited } from './request-context.ts';
import { bodyLimit, createBody, template, templateSummary, updateBody } from './schemas.ts';
import { createTemplate, deleteTemplate, draftChange, draftTemplate, listTemplates, shown, updateTemplate } from './service.ts';
import { templateSharing } from './shares.ts';
import { versionRoutes } from './version-routes.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/document-templates';
const tags = ['Document templates'];
const read = { access: { kind: 'user', scope: 'documents:read' } } as const;
const write = { access: { kind: 'user', scope: 'documents:write' } } as const;
/** Guests use templates that were shared with them, and add none to the team. */
const add = { access: { ...write.access, roles: ['owner', 'admin', 'member'] } } as const;

/** Routes of templates, their versions, shares and documents. */
export function templateRoutes(app: App, making: Making & { uses: TemplateUses }): void {
  lists(app, making);
  libraryRoutes(app);
  oneTemplate(app, making);
  versionRoutes(app);
  sharingRoutes(app, {
    sharing: templateSharing,
    prefix,
    name: 'DocumentTemplate',
    tag: 'Document templates',
    scope: 'documents',
    reading: 'Read access allows creating documents from the template',
  });
  makingRoutes(app, making);
}

function lists(app: App, { setting }: Making): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listDocumentTemplates',
        summary: 'List document templates',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery }),
        response: { 200: Type.Array(templateSummary) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => listTemplates(scope, changePage(query))),
  );

  app.post(
    `${prefix}/`,
    {
      config: add,
      bodyLimit,
      schema: {
        operationId: 'createDocumentTemplate',
        summary: 'Create a document template',
        tags,
        body: createBody,
        response: { 201: template },
      },
    },
    async (request, reply) => {
      const made = await withEtag(
        reply,
        preparedWriting(request, () => draftTemplate(setting, reading(request), request.body), createTemplate),
      );
      return created(reply, `${prefix}/${made.id}`, made);
    },
  );
}

function oneTemplate(app: App, { setting, uses }: Making & { uses: TemplateUses }): void {
  const params = idParams;
  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getDocumentTemplate', summary: 'Read a document template', tags, params, response: { 200: template } },
    },
    async (request, reply) => withEtag(reply, readAudited(request, request.params.id).then(shown)),
  );

  app.put(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      bodyLimit,
      schema: {
        operationId: 'updateDocumentTemplate',
        summary: 'Change a document template',
        tags,
        params,
        body: updateBody,
        response: { 200: template },
      },
    },
    (request, reply) => {
      const { id } = request.params;
      const expect = ifMatch(request);
      return withEtag(
        reply,
        preparedWriting(
          request,
          () => draftChange(setting, reading(request), id, request.body, expect),
          (scope, change) => updateTemplate(scope, id, change, { expect, uses }),
        ),
      );
    },
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteDocumentTemplate',
        summary: 'Delete a document template',
        tags,
        params,
        querystring: forceQuery,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) => deleteTemplate(scope, request.params.id, { expect: ifMatch(request), uses, ...request.query })),
  );
}
