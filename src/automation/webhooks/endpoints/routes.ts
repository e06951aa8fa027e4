import { Type } from 'typebox';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { changing, creating, noBodyIsEmpty, noContent } from '../../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { warn } from '../../../platform/http/known-members.ts';
import { changePage, changeQuery, pageQuery, placedPage } from '../../../platform/http/page.ts';
import { principalOf, reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { AddressPolicy } from '../addresses/addresses.ts';
import { deliveryRoutes } from '../deliveries/routes.ts';
import { unknownNames } from '../event-names.ts';
import { presentCatalogue } from '../present.ts';
import {
  createBody,
  endpoint,
  endpointWithSecret,
  eventTypeDescription,
  rotateBody,
  settings,
  settingsBody,
  updateBody,
} from '../schemas.ts';
import { endpointSecrets } from './secrets.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointContext,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from './service.ts';
import { changeSettings, getSettings } from './settings.ts';
import { idParams } from '../../../platform/schema-parts.ts';

export type WebhookDependencies = { masterKey: MasterKey; policy: AddressPolicy };

const prefix = '/api/v1/webhooks';
const read = { access: { kind: 'user', scope: 'webhooks:read' } } as const;
const write = { access: { kind: 'user', scope: 'webhooks:write' } } as const;
const tags = ['Webhooks'];

/** Warns about subscriptions that match no current event type. The endpoint is stored with them (RFC 9111 §5.5 syntax, code 299). */
function warnOfUnknown(reply: FastifyReply, events: readonly string[]): void {
  const unknown = unknownNames(events);
  if (unknown.length > 0) warn(reply, `Stored, but no event has this type now: ${unknown.join(', ')}`);
}

export function webhookRoutes(app: App, deps: WebhookDependencies): void {
  const secrets = endpointSecrets(deps.masterKey);
  const contextOf = (request: FastifyRequest): EndpointContext => ({ secrets, policy: deps.policy, scopes: principalOf(request).scopes });

  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhook endpoints',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery }),
        response: { 200: Type.Array(endpoint) },
      },
    },
    (request, reply) =>
      placedPage(reply, request, async (query) => {
        const page = changePage(query, 500);
        return { found: await listEndpoints(reading(request), page), limit: page.limit };
      }),
  );

  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: {
        operationId: 'createWebhook',
        summary: 'Register a webhook endpoint',
        tags,
        body: createBody,
        response: { 201: endpointWithSecret },
      },
    },
    async (request, reply) => {
      const create = (scope: Scope) => createEndpoint(scope, contextOf(request), request.body);
      const made = await creating(request, reply, `${prefix}/:id`, create);
      warnOfUnknown(reply, made.events);
      return made;
    },
  );

  app.get(
    `${prefix}/event-types`,
    {
      config: read,
      schema: {
        operationId: 'listEventTypes',
        summary: 'List event types',
        tags,
        response: { 200: Type.Array(eventTypeDescription) },
      },
    },
    () => presentCatalogue(),
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getWebhook', summary: 'Read a webhook endpoint', tags, params: idParams, response: { 200: endpoint } },
    },
    (request, reply) => withEtag(reply, getEndpoint(reading(request), request.params.id)),
  );

  app.patch(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change a webhook endpoint',
        tags,
        params: idParams,
        body: updateBody,
        response: { 200: endpoint },
      },
    },
    async (request, reply) => {
      const change = (scope: Scope) => updateEndpoint(scope, contextOf(request), request.params.id, request.body, ifMatch(request));
      const changed = await changing(request, reply, change);
      if (request.body.events !== undefined) warnOfUnknown(reply, changed.events);
      return changed;
    },
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook endpoint',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => deleteEndpoint(scope, request.params.id, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/rotate-secret`,
    {
      config: { ...write, requiresIfMatch: true },
      // The body is optional; the contract has none.
      preValidation: noBodyIsEmpty,
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook endpoint',
        tags,
        params: idParams,
        body: rotateBody,
        response: { 200: endpointWithSecret },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => rotateSecret(scope, contextOf(request), request.params.id, request.body, ifMatch(request))),
  );

  app.get(
    `${prefix}/:id/settings`,
    {
      config: read,
      schema: {
        operationId: 'getWebhookSettings',
        summary: 'Read the settings of a webhook endpoint',
        tags,
        params: idParams,
        response: { 200: settings },
      },
    },
    async (request, reply) => {
      const reveal = principalOf(request).scopes.has('webhooks:write') ? 'values' : 'names';
      return withEtag(reply, getSettings(reading(request), secrets, request.params.id, reveal));
    },
  );

  app.put(
    `${prefix}/:id/settings`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateWebhookSettings',
        summary: 'Change the settings of a webhook endpoint',
        tags,
        params: idParams,
        body: settingsBody,
        response: { 200: settings },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => changeSettings(scope, secrets, request.params.id, request.body, ifMatch(request))),
  );

  deliveryRoutes(app);
}
