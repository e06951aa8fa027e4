import { Type } from 'typebox';
import { namedResults, writingEach } from '../../../platform/http/bulk.ts';
import { changing, creating } from '../../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { changePage, sendPage } from '../../../platform/http/page.ts';
import { reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Requests } from './context.ts';
import { extendRequest } from './extend.ts';
import { correctSigner, readEvidence, remindByHand, resumeRequest, retryRequest, voidByHand } from './manage.ts';
import { resendToSigner } from './resend.ts';
import * as schemas from './schemas.ts';
import { createRequest, listRequests, requestOf } from './service.ts';
import { idParams } from '../../../platform/schema-parts.ts';

const prefix = '/api/v1/signatures';
const tags = ['Signatures'];
const read = { access: { kind: 'user', scope: 'signatures:read' } } as const;
const write = { access: { kind: 'user', scope: 'signatures:write' } } as const;
const one = { tags, params: idParams, response: { 200: schemas.requestInFull } };

/** The routes of a team for its signature requests. */
export function requestRoutes(app: App, context: Requests): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listSignatureRequests',
        summary: 'List signature requests',
        tags,
        querystring: schemas.listQuery,
        response: { 200: Type.Array(schemas.request) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, (scope, { limit, cursor, sort, updatedSince, ...filters }) =>
        listRequests(scope, filters, changePage({ limit, cursor, sort, updatedSince })),
      ),
  );

  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: {
        operationId: 'requestSignatures',
        summary: 'Request signatures',
        tags,
        body: schemas.createBody,
        response: { 201: schemas.requestInFull },
      },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createRequest(scope, request.body)),
  );

  app.get(
    `${prefix}/:id`,
    { config: read, schema: { operationId: 'getSignatureRequest', summary: 'Read a signature request', ...one } },
    (request, reply) => withEtag(reply, requestOf(reading(request), request.params.id)),
  );

  app.get(
    `${prefix}/:id/evidence`,
    {
      config: read,
      schema: {
        operationId: 'getSignatureEvidence',
        summary: 'Read the evidence of a signature request',
        tags,
        params: idParams,
        response: { 200: schemas.evidenceList },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store');
      return writing(request, (scope) => readEvidence(scope, request.params.id));
    },
  );

  acts(app, context);
}

function acts(app: App, context: Requests): void {
  app.post(
    `${prefix}/:id/remind`,
    {
      config: { ...write, lenientBody: true },
      schema: { operationId: 'remindSigners', summary: 'Remind signers', ...one },
    },
    (request, reply) => changing(request, reply, (scope) => remindByHand(context, scope, request.params.id)),
  );

  app.post(
    `${prefix}/:id/signers/:signerId/resend`,
    {
      config: { ...write, lenientBody: true },
      schema: {
        operationId: 'resendToSigner',
        summary: 'Resend the invitation to a signer',
        ...one,
        params: schemas.signerParams,
      },
    },
    (request, reply) => changing(request, reply, (scope) => resendToSigner(context, scope, request.params)),
  );

  app.post(
    `${prefix}/:id/extend`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: { operationId: 'extendSignatureRequest', summary: 'Extend a signature request', ...one, body: schemas.extendBody },
    },
    (request, reply) =>
      changing(request, reply, (scope) => extendRequest(scope, request.params.id, request.body.expiresAt, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/void`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: { operationId: 'voidSignatureRequest', summary: 'Void a signature request', ...one, body: schemas.voidBody },
    },
    (request, reply) => changing(request, reply, (scope) => voidByHand(scope, request.params.id, request.body.reason, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/retry`,
    {
      config: { ...write, lenientBody: true },
      schema: { operationId: 'retrySignatureRequest', summary: 'Retry a failed signature request', ...one },
    },
    (request, reply) => changing(request, reply, (scope) => retryRequest(scope, request.params.id)),
  );

  app.post(
    `${prefix}/retry`,
    {
      config: write,
      schema: {
        operationId: 'retrySignatureRequests',
        summary: 'Retry several failed signature requests',
        tags,
        body: schemas.retryManyBody,
        response: { 200: schemas.requestResults },
      },
    },
    async (request) =>
      namedResults(
        await writingEach(request, request.body.items, {
          path: (id) => `${prefix}/${id}/retry`,
          work: async (scope, { id }) => (await retryRequest(scope, id)).value,
        }),
        'request',
      ),
  );

  app.post(
    `${prefix}/:id/resume`,
    {
      config: { ...write, lenientBody: true },
      schema: { operationId: 'resumeSignatureRequest', summary: 'Resume a suspended signature request', ...one },
    },
    (request, reply) => changing(request, reply, (scope) => resumeRequest(context, scope, request.params.id)),
  );

  app.patch(
    `${prefix}/:id/signers/:signerId`,
    {
      config: write,
      schema: {
        operationId: 'correctSigner',
        summary: 'Correct a signer',
        ...one,
        params: schemas.signerParams,
        body: schemas.correctBody,
      },
    },
    (request, reply) => changing(request, reply, (scope) => correctSigner(context, scope, request.params, request.body)),
  );
}
