import { Type } from 'typebox';
import { noContent } from '../../platform/http/responses.ts';
import { clientIp } from '../../platform/http/client-ip.ts';
import { principalOf, reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { pathId } from '../../platform/identifiers.ts';
import type { ConnectedApps } from './context.ts';
import { register } from './registration.ts';
import * as schemas from './schemas.ts';
import { connect, disconnect, listConnected, showRequest, updateConnected } from './service.ts';

const base = '/api/v1/security/auth/connected-apps';
const tags = ['Account security'];
const signedIn = { access: { kind: 'user' } } as const;
const bodyLimit = 16 * 1024;

export function connectedAppRoutes(app: App, apps: ConnectedApps): void {
  app.post(
    '/oauth/register',
    {
      config: { access: { kind: 'public' }, errorShape: 'rfc6749' },
      bodyLimit,
      schema: {
        operationId: 'registerConnectedApp',
        summary: 'Register a connected app (RFC 7591)',
        tags: ['API clients'],
        body: schemas.registration,
        response: { 201: schemas.registered },
      },
    },
    async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      const made = await register(apps, request.body, clientIp(request));
      return reply.code(201).send(made);
    },
  );

  app.post(
    `${base}/preview`,
    {
      config: signedIn,
      bodyLimit,
      schema: {
        operationId: 'previewConnectedApp',
        summary: 'Preview the request of a connected app',
        tags,
        body: schemas.requestBody,
        response: { 200: schemas.shownRequest },
      },
    },
    (request) => writing(request, (scope) => showRequest(apps, scope, principalOf(request).sessionId, request.body.request)),
  );

  app.post(
    base,
    {
      config: signedIn,
      bodyLimit,
      schema: {
        operationId: 'authorizeConnectedApp',
        summary: 'Allow a connected app',
        tags,
        body: schemas.allowBody,
        response: { 201: schemas.connected },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => connect(apps, scope, principalOf(request).sessionId, request.body));
      return reply.code(201).send(made);
    },
  );

  app.get(
    base,
    {
      config: signedIn,
      schema: {
        operationId: 'listConnectedApps',
        summary: 'List your connected apps',
        tags,
        response: { 200: Type.Array(schemas.connectedApp) },
      },
    },
    (request) => listConnected(reading(request), principalOf(request).actor.id),
  );

  app.patch(
    `${base}/:id`,
    {
      config: signedIn,
      bodyLimit,
      schema: {
        operationId: 'updateConnectedApp',
        summary: 'Change a connected app',
        tags,
        params: Type.Object({ id: Type.String() }),
        body: schemas.updateBody,
        response: { 200: schemas.connectedApp },
      },
    },
    (request) => {
      const id = pathId(request.params.id, 'connected app');
      const { sessionId: session, actor } = principalOf(request);
      return writing(request, (scope) => updateConnected(scope, { session, account: actor.id }, id, request.body));
    },
  );

  app.delete(
    `${base}/:id`,
    {
      config: signedIn,
      schema: {
        operationId: 'disconnectConnectedApp',
        summary: 'Disconnect a connected app',
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => {
      const id = pathId(request.params.id, 'connected app');
      return noContent(request, reply, (scope) => disconnect(apps, scope, principalOf(request).actor.id, id));
    },
  );
}
