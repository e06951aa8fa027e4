import { Type } from 'typebox';
import { namedResults, writingEach } from '../../../platform/http/bulk.ts';
import { created, noContent } from '../../../platform/http/responses.ts';
import { answerPage, idOfCursor } from '../../../platform/http/page.ts';
import { principalOf, reading, writing, writingPart } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import {
  expungePayload,
  getDelivery,
  listAttempts,
  listDeliveries,
  recoverEndpoint,
  requireEndpoint,
  retryDelivery,
  testEndpoint,
} from './service.ts';
import { attempt, delivery, deliveryParams, deliveryQuery, deliveryResults, recoverBody, recovered, retryManyBody } from '../schemas.ts';
import { idParams } from '../../../platform/schema-parts.ts';

const prefix = '/api/v1/webhooks/:id';
const read = { access: { kind: 'user', scope: 'webhooks:read' } } as const;
const write = { access: { kind: 'user', scope: 'webhooks:write' } } as const;
const tags = ['Webhooks'];

/** Routes of an endpoint’s log and of retries. */
export function deliveryRoutes(app: App): void {
  app.get(
    `${prefix}/deliveries`,
    {
      config: read,
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries of an endpoint',
        tags,
        params: idParams,
        querystring: deliveryQuery,
        response: { 200: Type.Array(delivery) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async ({ cursor, limit = 1_000, ...filter }) => {
        const beyond = idOfCursor(cursor);
        const narrowed = { ...filter, limit, ...(beyond === undefined ? {} : { beyond }) };
        const found = await listDeliveries(reading(request), request.params.id, narrowed, principalOf(request).scopes);
        return { found, limit, keyOf: ({ id }) => [id] };
      }),
  );

  app.get(
    `${prefix}/deliveries/:deliveryId`,
    {
      config: read,
      schema: { operationId: 'getWebhookDelivery', summary: 'Read a delivery', tags, params: deliveryParams, response: { 200: delivery } },
    },
    (request) => getDelivery(reading(request), request.params.id, request.params.deliveryId, principalOf(request).scopes),
  );

  app.get(
    `${prefix}/deliveries/:deliveryId/attempts`,
    {
      config: read,
      schema: {
        operationId: 'listDeliveryAttempts',
        summary: 'List the attempts of a delivery',
        tags,
        params: deliveryParams,
        response: { 200: Type.Array(attempt) },
      },
    },
    (request) => listAttempts(reading(request), request.params.id, request.params.deliveryId),
  );

  app.delete(
    `${prefix}/deliveries/:deliveryId/payload`,
    {
      // The payload is deleted for every endpoint of the team, so only users who manage all endpoints may do this.
      config: { access: { ...write.access, person: true } },
      schema: {
        operationId: 'expungeDeliveryPayload',
        summary: 'Expunge the payload of a delivery',
        tags,
        params: deliveryParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => expungePayload(scope, request.params.id, request.params.deliveryId)),
  );

  app.post(
    `${prefix}/deliveries/:deliveryId/retry`,
    {
      config: write,
      schema: {
        operationId: 'retryWebhookDelivery',
        summary: 'Retry a delivery',
        tags,
        params: deliveryParams,
        response: { 200: delivery },
      },
    },
    (request) =>
      writing(request, (scope) => retryDelivery(scope, request.params.id, request.params.deliveryId, principalOf(request).scopes)),
  );

  app.post(
    `${prefix}/deliveries/retry`,
    {
      config: write,
      schema: {
        operationId: 'retryWebhookDeliveries',
        summary: 'Retry several deliveries',
        tags,
        params: idParams,
        body: retryManyBody,
        response: { 200: deliveryResults },
      },
    },
    async (request) => {
      const { id: endpoint } = request.params;
      const { scopes } = principalOf(request);
      // In a transaction, which commits only while the credential is valid.
      await writingPart(request, (scope) => requireEndpoint(scope, endpoint));
      return namedResults(
        await writingEach(request, request.body.items, {
          path: (id) => `/api/v1/webhooks/${endpoint}/deliveries/${id}/retry`,
          work: (scope, { id }) => retryDelivery(scope, endpoint, id, scopes),
        }),
        'delivery',
      );
    },
  );

  app.post(
    `${prefix}/test`,
    {
      config: write,
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a test event to a webhook endpoint',
        tags,
        params: idParams,
        response: { 201: delivery },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => testEndpoint(scope, request.params.id));
      return created(reply, `/api/v1/webhooks/${made.endpointId}/deliveries/${made.id}`, made);
    },
  );

  app.post(
    `${prefix}/recover`,
    {
      config: write,
      schema: {
        operationId: 'recoverWebhook',
        summary: 'Recover failed and missed deliveries',
        tags,
        params: idParams,
        body: recoverBody,
        response: { 200: recovered },
      },
    },
    (request) => writing(request, (scope) => recoverEndpoint(scope, request.params.id, request.body.since)),
  );
}
