import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { created } from '../../platform/http/responses.ts';
import { writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { downloadProblems } from './problems.ts';
import * as schemas from './schemas.ts';
import { createAddress, type FileRequest, requestOf } from './service.ts';

const prefix = '/api/v1/downloads';
const tags = ['Overview'];

export function downloadRoutes(app: App): void {
  app.post(
    prefix,
    {
      config: { access: { kind: 'user', byScopes: true } },
      bodyLimit: 64 * 1024,
      schema: {
        operationId: 'createDownload',
        summary: 'Get an address that downloads a file',
        tags,
        body: schemas.downloadBody,
        response: { 201: schemas.download },
      },
    },
    async (request, reply) => {
      const { path, body } = request.body;
      if (!app.sendsFile(body === undefined ? 'GET' : 'POST', path))
        throw downloadProblems.not_downloadable(
          '`path` is not the path of an operation that sends a file. Send the path of a download, from `/`.',
        );
      const credential = (request.headers.authorization ?? '').replace(/^Bearer /i, '');
      const made = await writing(request, (scope) => createAddress(scope, request.body, { baseUrl: app.baseUrl, credential }));
      return created(reply, made.url, made);
    },
  );

  app.get(
    `${prefix}/:token`,
    {
      config: { access: { kind: 'link' }, opensInBrowser: true },
      schema: {
        operationId: 'useDownload',
        summary: 'Download by an address',
        tags,
        produces: ['*/*'],
        params: Type.Object({ token: Type.String({ description: 'The token in the address' }) }),
      },
    },
    async (request, reply) => {
      const isHead = request.method === 'HEAD';
      const wanted = await requestOf(app.database, request.params.token, !isHead);
      // The archive of a POST is known only after it is written.
      if (isHead && wanted.method === 'POST') return reply.send();
      return forward(app, request, reply, wanted);
    },
  );
}

/** Headers that select the part of the file, and those of the connection. */
const passed = [
  'host',
  'range',
  'if-range',
  'if-none-match',
  'accept',
  'accept-encoding',
  'origin',
  'user-agent',
  'x-request-id',
  'traceparent',
  'x-forwarded-for',
  'x-forwarded-proto',
];

/**
 * Runs the operation of a file as its caller, on the same response. The operation verifies the access token, the scopes and the access, and records
 * the download, as for any other request.
 */
function forward(app: App, { method, raw }: FastifyRequest, reply: FastifyReply, wanted: FileRequest): FastifyReply {
  const bytes = wanted.body === null ? [] : [Buffer.from(wanted.body)];
  const kept = Object.fromEntries(passed.flatMap((name) => (raw.headers[name] === undefined ? [] : [[name, raw.headers[name]]])));
  const headers = {
    ...kept,
    authorization: `Bearer ${wanted.token}`,
    ...(bytes[0] ? { 'content-type': 'application/json', 'content-length': String(bytes[0].length) } : {}),
  };
  const { httpVersion, httpVersionMajor, httpVersionMinor, socket } = raw;
  const forwarded = Object.assign(Readable.from(bytes, { objectMode: false }), {
    method: method === 'HEAD' ? 'HEAD' : wanted.method,
    url: wanted.path,
    headers,
    rawHeaders: Object.entries(headers).flat().map(String),
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    socket,
    connection: socket,
    complete: true,
  });
  reply.hijack();
  app.routing(forwarded as unknown as IncomingMessage, reply.raw);
  return reply;
}
