import { Type } from 'typebox';
import { created, noContent } from '../../../platform/http/responses.ts';
import { reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { access, share, shareBody } from './schemas.ts';
import { interfaceAccess, listShares, shareInterface, unshareInterface } from './shares.ts';
import { idParams } from '../../../platform/schema-parts.ts';

const prefix = '/api/v1/interfaces';
const tags = ['Interfaces'];
const read = { access: { kind: 'user', scope: 'interfaces:read' } } as const;
const write = { access: { kind: 'user', scope: 'interfaces:write' } } as const;

/** The routes for shares. */
export function sharingRoutes(app: App): void {
  app.get(
    `${prefix}/:id/shares`,
    {
      config: read,
      schema: {
        operationId: 'listInterfaceShares',
        summary: 'List the shares of an interface',
        tags,
        params: idParams,
        response: { 200: Type.Array(share) },
      },
    },
    (request) => listShares(reading(request), request.params.id),
  );

  app.post(
    `${prefix}/:id/shares`,
    {
      config: write,
      schema: {
        operationId: 'shareInterface',
        summary: 'Share an interface',
        tags,
        params: idParams,
        body: shareBody,
        response: { 201: share },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => shareInterface(scope, request.params.id, request.body));
      return created(reply, `${prefix}/${made.interfaceId}/shares`, made);
    },
  );

  app.delete(
    `${prefix}/:id/shares/:shareId`,
    {
      config: write,
      schema: {
        operationId: 'deleteInterfaceShare',
        summary: 'End a share of an interface',
        tags,
        params: Type.Object({ id: Type.String(), shareId: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => unshareInterface(scope, request.params.id, request.params.shareId)),
  );

  app.get(
    `${prefix}/:id/access`,
    {
      config: read,
      schema: {
        operationId: 'listInterfaceAccess',
        summary: 'List the access to an interface',
        tags,
        params: idParams,
        response: { 200: access },
      },
    },
    (request) => interfaceAccess(reading(request), request.params.id),
  );
}
