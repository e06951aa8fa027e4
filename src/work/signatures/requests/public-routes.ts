import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendContent } from '../../../platform/http/downloads.ts';
import type { App } from '../../../platform/http/server.ts';
import type { Requests } from './context.ts';
import { signingForPages, type SigningForPages } from './for-pages.ts';
import * as schemas from './public-schemas.ts';

const prefix = '/api/v1/signatures/public/:token';
const tags = ['Public interfaces'];
/** The link is the credential. A member also sends an access token. */
const link = { access: { kind: 'public', credential: 'optional' } } as const;
/** Responses are stored under an `Idempotency-Key`, and returned again if the visitor still has access. */
const act = { ...link, storesResponse: true } as const;
const fileLink = { ...link, sendsFile: true } as const;
const params = schemas.tokenParams;
const done = { tags, params, response: { 200: schemas.done } };
type FileRequest = FastifyRequest<{ Params: { token: string }; Querystring: { document?: number } }>;

const noStore = (reply: FastifyReply) => reply.header('cache-control', 'no-store');

/** The routes for signers. */
export function publicRoutes(app: App, context: Requests): void {
  const signing = signingForPages(context);
  readRoutes(app, context, signing);
  codeRoutes(app, signing);
  actionRoutes(app, signing);
}

function readRoutes(app: App, { storage }: Requests, signing: SigningForPages): void {
  app.get(
    prefix,
    {
      config: link,
      schema: { operationId: 'getSigning', summary: 'Read a signing request', tags, params, response: { 200: schemas.view } },
    },
    (request, reply) => {
      noStore(reply);
      return signing.show(request, request.params.token);
    },
  );

  app.post(
    `${prefix}/open`,
    {
      config: { ...act, lenientBody: true },
      schema: { operationId: 'openSigning', summary: 'Open a signing request', tags, params, response: { 200: schemas.signing } },
    },
    (request, reply) => {
      noStore(reply);
      return signing.open(request, request.params.token);
    },
  );

  const file = {
    200: { description: 'The file', content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } },
  } as const;
  app.get(
    `${prefix}/document`,
    {
      config: fileLink,
      schema: {
        operationId: 'getSigningDocument',
        summary: 'Download the file to sign',
        tags,
        params,
        querystring: schemas.fileQuery,
        response: file,
      },
    },
    async (request: FileRequest, reply) =>
      sendContent(
        request,
        reply,
        storage,
        await signing.document(request, request.params.token, request.query.document),
        'private, no-store',
      ),
  );
  app.get(
    `${prefix}/sealed`,
    {
      config: fileLink,
      schema: {
        operationId: 'getSealedDocument',
        summary: 'Download the sealed file',
        tags,
        params,
        querystring: schemas.fileQuery,
        response: file,
      },
    },
    async (request: FileRequest, reply) =>
      sendContent(
        request,
        reply,
        storage,
        await signing.sealed(request, request.params.token, request.query.document),
        'private, no-store',
      ),
  );
}

function codeRoutes(app: App, signing: SigningForPages): void {
  app.post(
    `${prefix}/code`,
    {
      config: { ...act, lenientBody: true },
      schema: {
        operationId: 'sendSigningCode',
        summary: 'Request a code by mail',
        tags,
        params,
        response: { 200: schemas.codeSent },
      },
    },
    (request) => signing.sendCode(request, request.params.token),
  );
  app.post(
    `${prefix}/code/check`,
    {
      config: act,
      schema: { operationId: 'checkSigningCode', summary: 'Check the emailed code', ...done, body: schemas.codeBody },
    },
    (request, reply) => {
      noStore(reply);
      return signing.checkCode(request, reply, request.params.token, request.body.code);
    },
  );
}

function actionRoutes(app: App, signing: SigningForPages): void {
  app.post(
    `${prefix}/sign`,
    { config: act, bodyLimit: 512 * 1024, schema: { operationId: 'signDocument', summary: 'Sign', ...done, body: schemas.signBody } },
    (request) => signing.sign(request, request.params.token, request.body),
  );
  app.post(
    `${prefix}/decline`,
    { config: act, schema: { operationId: 'declineSigning', summary: 'Decline to sign', ...done, body: schemas.declineBody } },
    (request) => signing.decline(request, request.params.token, request.body.reason),
  );
  app.post(
    `${prefix}/delegate`,
    {
      config: act,
      schema: { operationId: 'delegateSigning', summary: 'Delegate the signature', ...done, body: schemas.delegateBody },
    },
    (request) => signing.delegate(request, request.params.token, request.body),
  );
}
