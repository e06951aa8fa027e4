import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OpenTemplates } from '#document-templates';
import { encodings } from '../../platform/csv/encoding.ts';
import { created } from '../../platform/http/responses.ts';
import { answerPage, idOfCursor, pageQuery, pageSize } from '../../platform/http/page.ts';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { preparedWriting, reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { fieldText } from '../../platform/http/uploads.ts';
import { largestId } from '../../platform/identifiers.ts';
import { Problem, problems } from '../../platform/problems.ts';
import { textOf } from './csv.ts';
import { batch, batchRow, createBody, most } from './schemas.ts';
import { cancelBatch, createBatch, getBatch, listBatches, listRows, validateBatch } from './service.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/signatures/bulk';
const tags = ['Signatures'];
const read = { access: { kind: 'user', scope: 'signatures:read' } } as const;
const write = { access: { kind: 'user', scope: 'signatures:write' } } as const;
// JSON can escape one character as two.
const bodyLimit = 2 * most.characters + 256 * 1024;
const howToSend =
  'Use multipart/form-data with the CSV as part `file` and JSON as part `request`. Or send one JSON body with the CSV in `csv`.';

/** The routes of bulk signature requests. */
export function batchRoutes(templates: OpenTemplates) {
  return async (app: App): Promise<void> => {
    const limits = { files: 2, fields: 2, fieldSize: 512 * 1024, fileSize: most.characters, parts: 3 };
    await app.register(multipart, { limits });
    app.addHook('preValidation', async (request) => {
      if (request.isMultipart()) request.body = await bodyOf(request);
    });
    creation(app, templates);
    others(app);
  };
}

/** Returns the body of a multipart request: the JSON part, with the file as its rows. */
async function bodyOf(request: FastifyRequest): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  let file: Buffer | undefined;
  try {
    for await (const part of request.parts()) {
      const sent = part.type === 'file' ? await part.toBuffer() : Buffer.from(fieldText(part.value));
      if (part.fieldname === 'file' && part.type === 'file') file = sent;
      else if (part.fieldname === 'request') Object.assign(body, parseJsonBody(sent));
      else throw problems.validation_failed(howToSend);
    }
  } catch (error) {
    request.raw.unpipe();
    request.raw.resume();
    if (error instanceof Problem) throw error;
    throw problems.validation_failed(`The form is invalid or its file is larger than 2 MiB. ${howToSend}`);
  }
  const encoding = encodings.find((one) => one === body.encoding);
  return file ? { ...body, csv: await textOf(file, encoding, reading(request).team) } : body;
}

function creation(app: App, templates: OpenTemplates): void {
  app.post(
    prefix,
    {
      config: { ...write, fileInMemory: bodyLimit },
      bodyLimit,
      schema: {
        operationId: 'requestSignaturesInBulk',
        summary: 'Request signatures in bulk',
        tags,
        consumes: ['application/json', 'multipart/form-data'],
        body: createBody,
        response: { 201: batch },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const made = await preparedWriting(
        request,
        () => validateBatch(templates, reading(request), body),
        (scope, looked) => createBatch(scope, looked, body),
        { fingerprint: JSON.stringify(body) },
      );
      return created(reply, `${prefix}/${made.id}`, made);
    },
  );
}

function others(app: App): void {
  app.get(
    prefix,
    {
      config: read,
      schema: {
        operationId: 'listSignatureBatches',
        summary: 'List signature batches',
        tags,
        querystring: Type.Object({ ...pageQuery, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
        response: { 200: Type.Array(batch) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const limit = pageSize(query, 50);
        const found = await listBatches(reading(request), { before: idOfCursor(query.cursor) ?? largestId, limit });
        return { found, limit, keyOf: ({ id }) => [id] };
      }),
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: {
        operationId: 'getSignatureBatch',
        summary: 'Read a signature batch',
        tags,
        params: idParams,
        response: { 200: batch },
      },
    },
    (request) => getBatch(reading(request), request.params.id),
  );

  app.get(
    `${prefix}/:id/rows`,
    {
      config: read,
      schema: {
        operationId: 'listSignatureBatchRows',
        summary: 'List the rows of a signature batch',
        tags,
        params: idParams,
        response: { 200: Type.Array(batchRow) },
      },
    },
    (request) => listRows(reading(request), request.params.id),
  );

  app.post(
    `${prefix}/:id/cancel`,
    {
      config: write,
      schema: {
        operationId: 'cancelSignatureBatch',
        summary: 'Cancel a signature batch',
        tags,
        params: idParams,
        response: { 200: batch },
      },
    },
    (request) => writing(request, (scope) => cancelBatch(scope, request.params.id)),
  );
}
