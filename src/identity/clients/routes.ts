import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { managers } from '#accounts';
import { changing, creating, noBodyIsEmpty, noContent } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { changePage, changeQuery, pageQuery, placedPage } from '../../platform/http/page.ts';
import { principalOf, reading } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import type { Clients } from './context.ts';
import { rotateSecret, takeOverClient } from './rotate-secret.ts';
import type { Grantor } from './client-mapper.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { client, createBody, createdClient, rotateBody, rotatedClient, takenOverClient, takeOverBody, updateBody } from './schemas.ts';
import { createClient, deleteClient, getClient, listClients, updateClient } from './service.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/security/clients';
const read = { access: { kind: 'user', scope: 'team:read', roles: managers } } as const;
// Only users manage credentials, because only they can reauthenticate.
const write = { access: { kind: 'user', scope: 'team:write', person: true } } as const;
const tags = ['API clients'];
const bodyLimit = 16 * 1024;

/** The caller’s scopes. They limit the scopes to grant and the secrets to see. */
function grantorOf(request: FastifyRequest): Grantor {
  const { scopes, sessionId } = principalOf(request);
  return { grantorScopes: scopes, session: sessionId };
}

export function clientRoutes(app: App, clients: Clients): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listApiClients',
        summary: 'List API clients',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery }),
        response: { 200: Type.Array(client) },
      },
    },
    (request, reply) =>
      placedPage(reply, request, async (query) => {
        const page = changePage(query, 500);
        return { found: await listClients(reading(request), page), limit: page.limit };
      }),
  );

  app.post(
    `${prefix}/`,
    {
      config: write,
      bodyLimit,
      schema: { operationId: 'createApiClient', summary: 'Create an API client', tags, body: createBody, response: { 201: createdClient } },
    },
    async (request, reply) => {
      const grantor = grantorOf(request);
      return creating(request, reply, `${prefix}/:id`, (scope) => createClient(scope, clients, grantor, request.body));
    },
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getApiClient', summary: 'Read an API client', tags, params: idParams, response: { 200: client } },
    },
    (request, reply) => withEtag(reply, getClient(reading(request), request.params.id)),
  );

  app.patch(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      bodyLimit,
      schema: {
        operationId: 'updateApiClient',
        summary: 'Change an API client',
        tags,
        params: idParams,
        body: updateBody,
        response: { 200: client },
      },
    },
    async (request, reply) => {
      const grantor = grantorOf(request);
      return changing(request, reply, (scope) => updateClient(scope, clients, grantor, request.params.id, request.body, ifMatch(request)));
    },
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteApiClient',
        summary: 'Delete an API client',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => deleteClient(scope, clients, request.params.id, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/rotate-secret`,
    {
      config: { ...write, requiresIfMatch: true },
      bodyLimit,
      // The body is optional.
      preValidation: noBodyIsEmpty,
      schema: {
        operationId: 'rotateApiClientSecret',
        summary: 'Rotate the secret of an API client',
        tags,
        params: idParams,
        body: rotateBody,
        response: { 200: rotatedClient },
      },
    },
    async (request, reply) => {
      const grantor = grantorOf(request);
      return changing(request, reply, (scope) => rotateSecret(scope, clients, grantor, request.params.id, request.body, ifMatch(request)));
    },
  );

  app.post(
    `${prefix}/:id/take-over`,
    {
      config: { ...write, requiresIfMatch: true },
      bodyLimit,
      // The body is optional.
      preValidation: noBodyIsEmpty,
      schema: {
        operationId: 'takeOverApiClient',
        summary: 'Take over an API client',
        tags,
        params: idParams,
        body: takeOverBody,
        response: { 200: takenOverClient },
      },
    },
    async (request, reply) => {
      const grantor = grantorOf(request);
      return changing(request, reply, (scope) =>
        takeOverClient(scope, clients, grantor, request.params.id, request.body, ifMatch(request)),
      );
    },
  );

  oauthRoutes(app, clients);
}
