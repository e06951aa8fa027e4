import { Type } from 'typebox';
import type { MasterKey } from '../platform/crypto/master-key.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChangeSort } from '../platform/database/sorted-page.ts';
import { ifMatch, setEtag } from '../platform/http/etag.ts';
import { warn } from '../platform/http/known-members.ts';
import { changeQuery, pageQuery, placedPage, sortedPage } from '../platform/http/page.ts';
import { principalOf, reading, writing } from '../platform/http/scope.ts';
import { type App, created } from '../platform/http/server.ts';
import type { AddressPolicy } from './addresses.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { unknownNames } from './event-names.ts';
import { presentCatalogue } from './present.ts';
import {
  createBody,
  endpoint,
  endpointWithSecret,
  eventTypeDescription,
  idParams,
  rotateBody,
  settings,
  settingsBody,
  updateBody,
} from './schemas.ts';
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

export type WebhookDeps = { masterKey: MasterKey; policy: AddressPolicy };

const prefix = '/api/v1/webhooks';
const read = { access: { kind: 'user', scope: 'webhooks:read' } } as const;
const write = { access: { kind: 'user', scope: 'webhooks:write' } } as const;
const tags = ['Webhooks'];

/** Tells which subscriptions name no event of today; they are kept all the same (RFC 9111 §5.5 syntax, code 299). */
function warnOfUnknown(reply: FastifyReply, events: readonly string[]): void {
  const unknown = unknownNames(events);
  if (unknown.length > 0) warn(reply, `Kept, but no event has this type today: ${unknown.join(', ')}`);
}

export function webhookRoutes(app: App, deps: WebhookDeps): void {
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
    async (request, reply) => {
      const { limit = 500, cursor, sort, updatedSince: since = null } = request.query;
      const page = sortedPage<ChangeSort>({ limit, cursor, sort }, 'createdAt');
      return placedPage(reply, request, await listEndpoints(reading(request), { ...page, since, limit: limit + 1 }), limit);
    },
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
      const { value, version } = await writing(request, (scope) => createEndpoint(scope, contextOf(request), request.body));
      warnOfUnknown(reply, value.events);
      setEtag(reply, version);
      return created(reply, `${prefix}/${value.id}`, value);
    },
  );

  app.get(
    `${prefix}/event-types`,
    {
      config: read,
      schema: {
        operationId: 'listEventTypes',
        summary: 'List the event types that endpoints can subscribe to',
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
    async (request, reply) => {
      const { value, version } = await getEndpoint(reading(request), request.params.id);
      setEtag(reply, version);
      return value;
    },
  );

  app.patch(
    `${prefix}/:id`,
    {
      config: { ...write, takesIfMatch: true },
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
      const { value, version } = await writing(request, (scope) =>
        updateEndpoint(scope, contextOf(request), request.params.id, request.body, ifMatch(request)),
      );
      if (request.body.events !== undefined) warnOfUnknown(reply, value.events);
      setEtag(reply, version);
      return value;
    },
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, takesIfMatch: true },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook endpoint and cancel what waits for it',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await writing(request, (scope) => deleteEndpoint(scope, request.params.id, ifMatch(request)));
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${prefix}/:id/rotate-secret`,
    {
      config: { ...write, takesIfMatch: true },
      // The body is optional, as the contract has none.
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Give a webhook endpoint a new secret',
        tags,
        params: idParams,
        body: rotateBody,
        response: { 200: endpointWithSecret },
      },
    },
    async (request, reply) => {
      const { value, version } = await writing(request, (scope) =>
        rotateSecret(scope, contextOf(request), request.params.id, request.body, ifMatch(request)),
      );
      setEtag(reply, version);
      return value;
    },
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
      const { value, version } = await getSettings(reading(request), secrets, request.params.id, reveal);
      setEtag(reply, version);
      return value;
    },
  );

  app.put(
    `${prefix}/:id/settings`,
    {
      config: { ...write, takesIfMatch: true },
      schema: {
        operationId: 'updateWebhookSettings',
        summary: 'Change the settings of a webhook endpoint',
        tags,
        params: idParams,
        body: settingsBody,
        response: { 200: settings },
      },
    },
    async (request, reply) => {
      const { value, version } = await writing(request, (scope) =>
        changeSettings(scope, secrets, request.params.id, request.body, ifMatch(request)),
      );
      setEtag(reply, version);
      return value;
    },
  );

  deliveryRoutes(app);
}
