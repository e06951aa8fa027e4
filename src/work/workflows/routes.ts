import { idParams as params } from '../../platform/schema-parts.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OpenWebhooks } from '#webhooks';
import type { Sort } from '../../platform/database/sorted-page.ts';
import { changing, creating, linkSelf, noContent } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { decodeCursor, pageQuery, pageSize, sendPage, sortedPage } from '../../platform/http/page.ts';
import { warn } from '../../platform/http/known-members.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { answerRoute } from './answer-routes.ts';
import { updateWorkflow } from './change.ts';
import { diagramRoute, type Layouts } from './diagram/index.ts';
import { historyRoutes } from './history/index.ts';
import { rejectUnknownNames } from './misspelt.ts';
import { unknownMembers } from './schema-errors.ts';
import * as schemas from './schemas.ts';
import { createWorkflow, getWorkflow, listAccess, listWorkflows } from './service.ts';
import {
  addTemplate,
  changeTemplate,
  createFromTemplate,
  getTemplate,
  listTemplates,
  listVersions,
  removeTemplate,
} from './template-service.ts';
import type { TemplateUses } from './template-uses.ts';
import { cancelWorkflow, deleteWorkflow, pauseWorkflow, resumeWorkflow, startWorkflow } from './transitions.ts';

const prefix = '/api/v1/workflows';
const tags = ['Workflows'];
const read = { access: { kind: 'user', scope: 'workflows:read' } } as const;
const write = { access: { kind: 'user', scope: 'workflows:write' } } as const;
const list = { 200: Type.Array(schemas.workflow) };
const one = { 200: schemas.workflow };
const nameParams = Type.Object({ name: Type.String() });

type PageQuery = { limit?: number; cursor?: string; sort?: Sort };

/** Adds a `Warning` header that lists stored members of `config` which the type of the step does not have. */
async function warningOfUnknown<T extends { steps: readonly object[] }>(reply: FastifyReply, changed: Promise<T>): Promise<T> {
  const value = await changed;
  const unknown = unknownMembers(value.steps as { type: string; config?: unknown }[]);
  if (unknown.length > 0) warn(reply, `Stored, but without effect: ${unknown.slice(0, 10).join(', ')}`);
  return value;
}

/** Sends a list, or one page of it. */
function sendList(request: FastifyRequest & { query: PageQuery }, reply: FastifyReply, filters: Parameters<typeof listWorkflows>[1]) {
  return sendPage(reply, request, (scope, query) => listWorkflows(scope, filters, sortedPage<Sort>(query, 'createdAt')));
}

/** The dependencies of the routes. */
type WorkflowRoutes = { layouts: Layouts; webhooks: OpenWebhooks; uses: () => TemplateUses };

export function workflowRoutes(app: App, { layouts, webhooks, uses }: WorkflowRoutes): void {
  listRoutes(app);
  templateRoutes(app, uses);
  workflowItemRoutes(app);
  transitionRoutes(app);
  historyRoutes(app);
  diagramRoute(app, layouts);
  answerRoute(app, webhooks);
}

function listRoutes(app: App): void {
  const querystring = Type.Object({ ...pageQuery, sort: schemas.sort });
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listWorkflows',
        summary: 'List workflows',
        tags,
        querystring: Type.Object({ ...pageQuery, ...schemas.filters, sort: schemas.sort }),
        response: list,
      },
    },
    (request, reply) => {
      const { limit: _limit, cursor: _cursor, sort: _sort, ...filters } = request.query;
      return sendList(request, reply, filters);
    },
  );
  app.get(
    `${prefix}/active`,
    { config: read, schema: { operationId: 'listActiveWorkflows', summary: 'List active workflows', tags, querystring, response: list } },
    (request, reply) => sendList(request, reply, { status: ['active'] }),
  );
  app.get(
    `${prefix}/overdue`,
    { config: read, schema: { operationId: 'listOverdueWorkflows', summary: 'List overdue workflows', tags, querystring, response: list } },
    (request, reply) => sendList(request, reply, { overdue: true }),
  );
  app.get(
    `${prefix}/document/:documentId`,
    {
      config: read,
      schema: {
        operationId: 'listDocumentWorkflows',
        summary: 'List the workflows of a document',
        tags,
        params: Type.Object({ documentId: Type.String() }),
        querystring,
        response: list,
      },
    },
    (request, reply) => sendList(request, reply, { documentId: request.params.documentId }),
  );
}

/** Returns the version before which a page begins; null for a cursor of another list. */
const versionOf = (given: string | undefined): number | null => (given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : null);

function templateRoutes(app: App, uses: () => TemplateUses): void {
  app.get(
    `${prefix}/templates/available`,
    {
      config: read,
      schema: {
        operationId: 'listWorkflowTemplates',
        summary: 'List workflow templates',
        tags,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.template) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, (scope, query) => {
        const [after = ''] = query.cursor === undefined ? [] : decodeCursor(query.cursor, 1);
        return listTemplates(scope, { after, limit: pageSize(query) });
      }),
  );
  app.post(
    `${prefix}/templates`,
    {
      config: write,
      schema: {
        operationId: 'createWorkflowTemplate',
        summary: 'Create a workflow template',
        tags,
        body: schemas.templateBody,
        response: { 201: schemas.template },
      },
    },
    (request, reply) => creating(request, reply, `${prefix}/templates/:name`, (scope) => addTemplate(scope, request.body)),
  );
  app.get(
    `${prefix}/templates/:name`,
    {
      config: read,
      schema: {
        operationId: 'getWorkflowTemplate',
        summary: 'Read a workflow template',
        tags,
        params: nameParams,
        response: { 200: schemas.template },
      },
    },
    (request, reply) => withEtag(reply, getTemplate(reading(request), request.params.name)),
  );
  app.get(
    `${prefix}/templates/:name/versions`,
    {
      config: read,
      schema: {
        operationId: 'listWorkflowTemplateVersions',
        summary: 'List the versions of a workflow template',
        tags,
        params: nameParams,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.templateVersion) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, (scope, query) => {
        const [before] = query.cursor === undefined ? [] : decodeCursor(query.cursor, 1);
        return listVersions(scope, request.params.name, { before: versionOf(before), limit: pageSize(query) });
      }),
  );
  app.put(
    `${prefix}/templates/:name`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateWorkflowTemplate',
        summary: 'Change a workflow template',
        tags,
        params: nameParams,
        querystring: schemas.forceQuery,
        body: schemas.templateChange,
        response: { 200: schemas.template },
      },
    },
    (request, reply) =>
      warningOfUnknown(
        reply,
        changing(request, reply, (scope) =>
          changeTemplate(scope, request.params.name, request.body, { expect: ifMatch(request), uses: uses(), ...request.query }),
        ),
      ),
  );
  app.delete(
    `${prefix}/templates/:name`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteWorkflowTemplate',
        summary: 'Delete a workflow template',
        tags,
        params: nameParams,
        querystring: schemas.forceQuery,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) =>
        removeTemplate(scope, request.params.name, { expect: ifMatch(request), uses: uses(), ...request.query }),
      ),
  );
  app.post(
    `${prefix}/templates/:name`,
    {
      config: write,
      schema: {
        operationId: 'createWorkflowFromTemplate',
        summary: 'Create a workflow from a template',
        tags,
        params: nameParams,
        body: schemas.fromTemplateBody,
        response: { 201: schemas.workflow },
      },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createFromTemplate(scope, request.params.name, request.body)),
  );
}

function workflowItemRoutes(app: App): void {
  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: {
        operationId: 'createWorkflow',
        summary: 'Create a draft workflow',
        tags,
        body: schemas.createBody,
        response: { 201: schemas.workflow },
      },
      preValidation: async ({ body }) => rejectUnknownNames(body),
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createWorkflow(scope, { ...request.body, type: 'custom' })),
  );
  app.get(
    `${prefix}/:id`,
    { config: read, schema: { operationId: 'getWorkflow', summary: 'Read a workflow', tags, params, response: one } },
    (request, reply) => withEtag(reply, getWorkflow(reading(request), request.params.id)),
  );
  app.get(
    `${prefix}/:id/access`,
    {
      config: read,
      schema: {
        operationId: 'listWorkflowAccess',
        summary: 'List the users with access to a workflow',
        tags,
        params,
        response: { 200: schemas.access },
      },
    },
    (request) => listAccess(reading(request), request.params.id),
  );
  app.put(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: { operationId: 'updateWorkflow', summary: 'Change a workflow', tags, params, body: schemas.updateBody, response: one },
      preValidation: async ({ body }) => rejectUnknownNames(body),
    },
    (request, reply) =>
      warningOfUnknown(
        reply,
        changing(request, reply, (scope) => updateWorkflow(scope, request.params.id, request.body, ifMatch(request))),
      ),
  );
  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteWorkflow',
        summary: 'Delete a workflow',
        tags,
        params,
        response: { 200: schemas.message },
      },
    },
    async (request) => {
      await writing(request, (scope) => deleteWorkflow(scope, request.params.id, ifMatch(request)));
      return { message: 'The workflow was deleted.' };
    },
  );
}

function transitionRoutes(app: App): void {
  const message = { 200: schemas.message };
  app.post(
    `${prefix}/:id/start`,
    { config: write, schema: { operationId: 'startWorkflow', summary: 'Start a draft workflow', tags, params, response: one } },
    (request, reply) => changing(request, reply, (scope) => startWorkflow(scope, request.params.id)),
  );
  app.post(
    `${prefix}/:id/pause`,
    {
      config: { ...write, lenientBody: true },
      schema: {
        operationId: 'pauseWorkflow',
        summary: 'Pause an active workflow',
        tags,
        params,
        body: schemas.reasonBody,
        response: message,
      },
    },
    async (request, reply) => {
      await writing(request, (scope) => pauseWorkflow(scope, request.params.id, request.body?.reason));
      linkSelf(reply, request, `${prefix}/${request.params.id}`);
      return { message: 'The workflow is paused.' };
    },
  );
  app.post(
    `${prefix}/:id/resume`,
    { config: write, schema: { operationId: 'resumeWorkflow', summary: 'Resume a paused workflow', tags, params, response: message } },
    async (request, reply) => {
      await writing(request, (scope) => resumeWorkflow(scope, request.params.id));
      linkSelf(reply, request, `${prefix}/${request.params.id}`);
      return { message: 'The workflow was resumed.' };
    },
  );
  app.post(
    `${prefix}/:id/cancel`,
    {
      config: { ...write, lenientBody: true },
      schema: { operationId: 'cancelWorkflow', summary: 'Cancel a workflow', tags, params, body: schemas.reasonBody, response: message },
    },
    async (request, reply) => {
      await writing(request, (scope) => cancelWorkflow(scope, request.params.id, request.body?.reason));
      linkSelf(reply, request, `${prefix}/${request.params.id}`);
      return { message: 'The workflow was cancelled.' };
    },
  );
}
