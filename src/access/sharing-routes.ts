import { Type } from 'typebox';
import { created, noContent } from '../platform/http/responses.ts';
import { reading, writing } from '../platform/http/scope.ts';
import type { App } from '../platform/http/server.ts';
import { accessList, bindableShareBody, grant, shareBody, type ShareBody } from './schemas.ts';
import type { Sharing } from './sharing.ts';

type SharingRoutes = {
  sharing: Sharing;
  /** The path of the list of resources. */
  prefix: string;
  /** The name in the identifiers of the operations, such as `Registry`. */
  name: string;
  tag: string;
  /** The prefix of the read and write scopes. */
  scope: string;
  /** Description of read access. */
  reading?: string;
  /** Whether an API client can get a share to bind its forms. */
  bindable?: boolean;
};

/** Adds the operations to share a resource and to list its access: `GET`, `POST` and `DELETE …/{id}/access`. */
export function sharingRoutes(
  app: App,
  { sharing, prefix, name, tag, scope, reading: description, bindable = false }: SharingRoutes,
): void {
  const path = `${prefix}/:id/access`;
  const tags = [tag];
  const params = Type.Object({ id: Type.String() });
  const config = (right: 'read' | 'write') => ({ access: { kind: 'user', scope: `${scope}:${right}` } }) as const;
  app.get(
    path,
    {
      config: config('read'),
      schema: {
        operationId: `list${name}Access`,
        summary: `List who has access to a ${sharing.noun}`,
        tags,
        params,
        response: { 200: accessList },
      },
    },
    (request) => sharing.list(reading(request), request.params.id),
  );

  app.post(
    path,
    {
      config: config('write'),
      schema: {
        operationId: `share${name}`,
        summary: `Share a ${sharing.noun}`,
        tags,
        params,
        body: bindable ? bindableShareBody : shareBody(description),
        response: { 201: grant },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (within) => sharing.share(within, request.params.id, request.body as ShareBody));
      return created(reply, `${prefix}/${request.params.id}/access`, made);
    },
  );

  app.delete(
    `${path}/:grantId`,
    {
      config: config('write'),
      schema: {
        operationId: `revoke${name}Grant`,
        summary: `Revoke a share of a ${sharing.noun}`,
        tags,
        params: Type.Object({ id: Type.String(), grantId: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (within) => sharing.revoke(within, request.params.id, request.params.grantId)),
  );
}
