import { Type } from 'typebox';
import { created } from '../../../platform/http/responses.ts';
import { idPage, newestFirst, pageQuery, sendPage } from '../../../platform/http/page.ts';
import { writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import * as schemas from './schemas.ts';
import { addComment, listComments, readHistory } from './service.ts';
import { idParams } from '../../../platform/schema-parts.ts';

const path = '/api/v1/workflows/:id';
const tags = ['Workflows'];
const read = { access: { kind: 'user', scope: 'workflows:read' } } as const;
const contribute = { access: { kind: 'user', scope: 'workflows:write', roles: ['owner', 'admin', 'member'] } } as const;

/** Maximum number of history entries in one response. */
const maxPageSize = 500;

export function historyRoutes(app: App): void {
  const querystring = Type.Object(pageQuery);
  app.get(
    `${path}/history`,
    {
      config: read,
      schema: {
        operationId: 'readWorkflowHistory',
        summary: 'Read the history of a workflow',
        tags,
        params: idParams,
        querystring,
        response: { 200: Type.Array(schemas.historyEntry) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => readHistory(scope, request.params.id, newestFirst(query, maxPageSize))),
  );
  app.get(
    `${path}/comments`,
    {
      config: read,
      schema: {
        operationId: 'listWorkflowComments',
        summary: 'Read the comments on a workflow',
        tags,
        params: idParams,
        querystring,
        response: { 200: Type.Array(schemas.comment) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => listComments(scope, request.params.id, idPage(query))),
  );
  app.post(
    `${path}/comments`,
    {
      config: contribute,
      schema: {
        operationId: 'createWorkflowComment',
        summary: 'Comment on a workflow or step',
        tags,
        params: idParams,
        body: schemas.commentBody,
        response: { 201: schemas.comment },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => addComment(scope, request.params.id, request.body));
      return created(reply, `/api/v1/workflows/${made.workflowId}/comments`, made);
    },
  );
}
