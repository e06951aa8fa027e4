import { Type } from 'typebox';
import { documentVersionSchema } from '#documents';
import type { Sort } from '../../platform/database/sorted-page.ts';
import { changing, created, creating } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { namedResults, writingEach } from '../../platform/http/bulk.ts';
import { idPage, pageQuery, sendPage, sortedPage } from '../../platform/http/page.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { sendContent } from '../../platform/http/downloads.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import * as schemas from './schemas.ts';
import { documentOfTask, fileOfTask, openFileOfTask } from './document.ts';
import { completeTask, recordSignature } from './complete.ts';
import { claimTask, releaseTask } from './groups.ts';
import { reassignTask } from './reassign.ts';
import { addComment, createTask, getTask, listComments, listTasks } from './service.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/tasks';
const tags = ['Tasks'];
const read = { access: { kind: 'user', scope: 'tasks:read' } } as const;
const write = { access: { kind: 'user', scope: 'tasks:write' } } as const;
/** Options of operations for contributors. Viewers can complete their own tasks, but cannot create or reassign tasks. */
const contribute = { access: { ...write.access, roles: ['owner', 'admin', 'member', 'guest'] } } as const;
const anyVersion = () => undefined;

export function taskRoutes(app: App, storage: Storage): void {
  listAndCreate(app);
  oneTask(app);
  documentRoutes(app, storage);
  ofGroups(app);
  passOn(app);
  severalTasks(app);
  comments(app);
}

function listAndCreate(app: App): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listTasks',
        summary: 'List tasks',
        tags,
        querystring: Type.Object({ ...pageQuery, ...schemas.filters, sort: schemas.sort }),
        response: { 200: Type.Array(schemas.task) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, (scope, { limit, cursor, sort, ...filters }) =>
        listTasks(scope, filters, sortedPage<Sort>({ limit, cursor, sort }, 'createdAt')),
      ),
  );

  app.post(
    `${prefix}/`,
    {
      config: contribute,
      schema: {
        operationId: 'createTask',
        summary: 'Create a task',
        tags,
        body: schemas.createBody,
        response: { 201: schemas.task },
      },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createTask(scope, request.body)),
  );
}

function documentRoutes(app: App, storage: Storage): void {
  app.get(
    `${prefix}/:id/document`,
    {
      config: read,
      schema: {
        operationId: 'getTaskDocument',
        summary: 'Read the document version of a task',
        tags,
        params: idParams,
        querystring: schemas.documentQuery,
        response: { 200: documentVersionSchema },
      },
    },
    (request) => documentOfTask(reading(request), { ...request.params, ...request.query }),
  );

  app.get(
    `${prefix}/:id/document/content`,
    {
      config: { ...read, sendsFile: true },
      schema: {
        operationId: 'downloadTaskDocument',
        summary: 'Download the document version of a task',
        tags,
        params: idParams,
        querystring: schemas.documentQuery,
        produces: ['*/*'],
      },
    },
    async (request, reply) => {
      const of = { ...request.params, ...request.query };
      if (request.method === 'HEAD') return sendContent(request, reply, undefined, await fileOfTask(reading(request), of));
      return sendContent(request, reply, storage, await writing(request, (scope) => openFileOfTask(scope, of)));
    },
  );
}

function oneTask(app: App): void {
  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getTask', summary: 'Read a task', tags, params: idParams, response: { 200: schemas.task } },
    },
    (request, reply) => withEtag(reply, getTask(reading(request), request.params.id)),
  );

  app.post(
    `${prefix}/:id/complete`,
    {
      config: { ...write, lenientBody: true, requiresIfMatch: true },
      schema: {
        operationId: 'completeTask',
        summary: 'Complete a task',
        tags,
        params: idParams,
        body: schemas.completeBody,
        response: { 200: schemas.task },
      },
    },
    (request, reply) => changing(request, reply, (scope) => completeTask(scope, request.params.id, request.body, ifMatch(request))),
  );
}

function ofGroups(app: App): void {
  const claims = { config: { access: { ...write.access, person: true }, requiresIfMatch: true } } as const;
  app.post(
    `${prefix}/:id/claim`,
    {
      ...claims,
      schema: { operationId: 'claimTask', summary: 'Claim a task of a group', tags, params: idParams, response: { 200: schemas.task } },
    },
    (request, reply) => changing(request, reply, (scope) => claimTask(scope, request.params.id, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/release`,
    {
      ...claims,
      schema: { operationId: 'releaseTask', summary: 'Release a claimed task', tags, params: idParams, response: { 200: schemas.task } },
    },
    (request, reply) => changing(request, reply, (scope) => releaseTask(scope, request.params.id, ifMatch(request))),
  );
}

function passOn(app: App): void {
  app.post(
    `${prefix}/:id/signature`,
    {
      config: { access: { ...write.access, person: true }, requiresIfMatch: true },
      schema: {
        operationId: 'recordTaskSignature',
        summary: 'Record an external signature',
        tags,
        params: idParams,
        body: schemas.signatureBody,
        response: { 200: schemas.task },
      },
    },
    (request, reply) => changing(request, reply, (scope) => recordSignature(scope, request.params.id, request.body, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/reassign`,
    {
      config: { ...contribute, requiresIfMatch: true },
      schema: {
        operationId: 'reassignTask',
        summary: 'Reassign a task',
        tags,
        params: idParams,
        body: schemas.reassignBody,
        response: { 200: schemas.task },
      },
    },
    (request, reply) => changing(request, reply, (scope) => reassignTask(scope, request.params.id, request.body, ifMatch(request))),
  );
}

/** Operations on several tasks at once. Each task follows its own rules and has a separate result. */
function severalTasks(app: App): void {
  const response = { 200: schemas.taskResults };

  app.post(
    `${prefix}/complete`,
    {
      config: write,
      schema: {
        operationId: 'completeTasks',
        summary: 'Complete several tasks',
        tags,
        body: schemas.completeSeveralBody,
        response,
      },
    },
    async (request) =>
      namedResults(
        await writingEach(request, request.body.items, {
          path: (id) => `${prefix}/${id}/complete`,
          work: async (scope, { id, ...input }) => (await completeTask(scope, id, input, anyVersion)).value,
        }),
        'task',
      ),
  );

  app.post(
    `${prefix}/reassign`,
    {
      config: contribute,
      schema: {
        operationId: 'reassignTasks',
        summary: 'Reassign several tasks',
        tags,
        body: schemas.reassignSeveralBody,
        response,
      },
    },
    async (request) =>
      namedResults(
        await writingEach(request, request.body.items, {
          path: (id) => `${prefix}/${id}/reassign`,
          work: async (scope, { id, ...input }) => (await reassignTask(scope, id, input, anyVersion)).value,
        }),
        'task',
      ),
  );
}

function comments(app: App): void {
  app.get(
    `${prefix}/:id/comments`,
    {
      config: read,
      schema: {
        operationId: 'listTaskComments',
        summary: 'List the comments on a task',
        tags,
        params: idParams,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.comment) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => listComments(scope, request.params.id, idPage(query))),
  );

  app.post(
    `${prefix}/:id/comments`,
    {
      config: contribute,
      schema: {
        operationId: 'createTaskComment',
        summary: 'Comment on a task',
        tags,
        params: idParams,
        body: schemas.commentBody,
        response: { 201: schemas.comment },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => addComment(scope, request.params.id, request.body.text));
      return created(reply, `${prefix}/${made.taskId}/comments`, made);
    },
  );
}
