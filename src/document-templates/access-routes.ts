import { Type } from 'typebox';
import { accessList, grant, shareBody } from '#access';
import { created, noContent } from '../platform/http/answers.ts';
import { reading, writing } from '../platform/http/scope.ts';
import type { App } from '../platform/http/server.ts';
import { idParams } from './schemas.ts';
import { templateSharing } from './shares.ts';

const prefix = '/api/v1/document-templates';
const path = `${prefix}/:id/access`;
const tags = ['Document templates'];
const read = { access: { kind: 'user', scope: 'documents:read' } } as const;
const write = { access: { kind: 'user', scope: 'documents:write' } } as const;

/** Who has a template. */
export function accessRoutes(app: App): void {
  app.get(
    path,
    {
      config: read,
      schema: {
        operationId: 'listDocumentTemplateAccess',
        summary: 'List who has a template, why and since when',
        tags,
        params: idParams,
        response: { 200: accessList },
      },
    },
    (request) => templateSharing.list(reading(request), request.params.id),
  );

  app.post(
    path,
    {
      config: write,
      schema: {
        operationId: 'shareDocumentTemplate',
        summary: 'Share a template with a member or the whole team',
        tags,
        params: idParams,
        body: shareBody('To read a template is to make documents from it'),
        response: { 201: grant },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => templateSharing.share(scope, request.params.id, request.body));
      return created(reply, `${prefix}/${request.params.id}/access`, made);
    },
  );

  app.delete(
    `${path}/:grantId`,
    {
      config: write,
      schema: {
        operationId: 'revokeDocumentTemplateGrant',
        summary: 'End a share of a template',
        tags,
        params: Type.Object({ id: Type.String(), grantId: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => templateSharing.revoke(scope, request.params.id, request.params.grantId)),
  );
}
