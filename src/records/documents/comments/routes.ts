import { Type } from 'typebox';
import { idPage, pageQuery, sendPage } from '../../../platform/http/page.ts';
import { created, noContent } from '../../../platform/http/responses.ts';
import { writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { idParams } from '../../../platform/schema-parts.ts';
import * as schemas from './schemas.ts';
import { addComment, deleteComment, listComments } from './service.ts';

const tags = ['Documents'];
const read = { access: { kind: 'user', scope: 'documents:read' } } as const;
const write = { access: { kind: 'user', scope: 'documents:write' } } as const;

/** Adds the routes of comments on documents. `documents` is the path prefix. */
export function commentRoutes(app: App, documents: string): void {
  const prefix = `${documents}/:id/comments`;
  app.get(
    prefix,
    {
      config: read,
      schema: {
        operationId: 'listDocumentComments',
        summary: 'List the comments on a document',
        tags,
        params: idParams,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.comment) },
      },
    },
    (request, reply) => sendPage(reply, request, (scope, query) => listComments(scope, request.params.id, idPage(query))),
  );

  app.post(
    prefix,
    {
      config: write,
      schema: {
        operationId: 'createDocumentComment',
        summary: 'Comment on a document',
        tags,
        params: idParams,
        body: schemas.commentBody,
        response: { 201: schemas.comment },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => addComment(scope, request.params.id, request.body));
      return created(reply, `${documents}/${made.documentId}/comments`, made);
    },
  );

  app.delete(
    `${prefix}/:commentId`,
    {
      config: write,
      schema: {
        operationId: 'deleteDocumentComment',
        summary: 'Delete your comment on a document',
        tags,
        params: schemas.commentParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => deleteComment(scope, request.params.id, request.params.commentId)),
  );
}
