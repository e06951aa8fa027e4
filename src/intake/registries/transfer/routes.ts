import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireConsistent } from '../../../platform/csv/dialect.ts';
import { created } from '../../../platform/http/responses.ts';
import { longAnswer } from '../../../platform/http/streamed-responses.ts';
import { answerPage, idOfCursor, pageQuery, pageSize } from '../../../platform/http/page.ts';
import { preparedWriting, reading, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { isBrokenMultipart } from '../../../platform/http/uploads.ts';
import { largestId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import { readingTurns } from '../../../platform/reading/reader-queue.ts';
import { fileProblems } from '../../../platform/storage/problems.ts';
import { readableRegistry } from '../access.ts';
import { registryExported } from '../events.ts';
import { listRecords } from '../records/index.ts';
import { exportRecords, requireTurn } from './export.ts';
import { atOnce, readAhead } from './ahead.ts';
import { exportType } from './csv-writer.ts';
import { getImport, importFile, listImports, importFormatOf, previewImport } from './import.ts';
import { maxFileBytes } from './read.ts';
import * as schemas from './schemas.ts';

const prefix = '/api/v1/registries/:typeId';
const tags = ['Registries'];
const read = { access: { kind: 'user', scope: 'registries:read' } } as const;
const write = { access: { kind: 'user', scope: 'registries:write' } } as const;
const params = Type.Object({ typeId: Type.String() });

export function transferRoutes(app: App): void {
  app.register(importRoute);
  importReports(app);
  exportRoute(app);
}

/** The operations that accept a file. The content types CSV and multipart are only registered for them. */
async function importRoute(app: App): Promise<void> {
  await app.register(multipart, { limits: { files: 1, fields: 0, parts: 1, fileSize: maxFileBytes + 1 } });
  app.addContentTypeParser('text/csv', { bodyLimit: maxFileBytes }, async (request: FastifyRequest, payload: Readable) =>
    bytesOf(payload, declaredSize(request)),
  );
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await partOf(request);
  });
  app.post(
    `${prefix}/records/import`,
    {
      // The file, the rows from it, and the copy for the database are in memory at the same time.
      config: { ...write, fileInMemory: maxFileBytes, fileTimes: 3 },
      schema: {
        operationId: 'importRegistryRecords',
        summary: 'Import records from a CSV file',
        tags,
        consumes: ['text/csv', 'multipart/form-data'],
        params,
        querystring: schemas.importQuery,
        response: { 201: schemas.registryImport },
      },
    },
    async (request, reply) => {
      const { typeId } = request.params;
      const content = fileOf(request);
      const manner = importFormatOf(request.query);
      const fingerprint = createHash('sha256').update(content).digest('hex');
      const made = await preparedWriting(
        request,
        () => inTurn(request, content, () => readAhead(reading(request), typeId, content, manner)),
        (scope, ahead) => importFile(scope, typeId, { content, ahead }, request.query),
        { fingerprint },
      );
      return created(reply, `${prefix.replace(':typeId', typeId)}/imports/${made.id}`, made);
    },
  );
  app.post(
    `${prefix}/records/import/preview`,
    {
      config: { ...write, fileInMemory: maxFileBytes, fileTimes: 3, storesResponse: false },
      schema: {
        operationId: 'previewRegistryImport',
        summary: 'Preview the import of a CSV file',
        tags,
        consumes: ['text/csv', 'multipart/form-data'],
        params,
        querystring: schemas.previewQuery,
        response: { 200: schemas.importPreview },
      },
    },
    (request) => {
      const [content, manner] = [fileOf(request), importFormatOf(request.query)];
      return inTurn(request, content, () => previewImport(reading(request), request.params.typeId, content, manner));
    },
  );
}

/** Returns the file of a request. Throws 400 `file_required`. */
function fileOf({ body }: { body: unknown }): Buffer {
  if (!Buffer.isBuffer(body)) throw fileProblems.file_required(howToSend);
  return body;
}

/** Limits the number of long files that a node reads at a time, because a file takes several times its size in memory. */
const turn = readingTurns({ atOnce: 1, maxWaiting: 20, maxOfOne: 3 });
const inTurn = <T>(request: FastifyRequest, content: Buffer, work: () => Promise<T>): Promise<T> =>
  content.length > atOnce.bytes ? turn(reading(request).team, work) : work();

const howToSend = 'Send the file as `Content-Type: text/csv`, or as `multipart/form-data` with one part named `file`.';

/** Returns the declared size of the body. */
const declaredSize = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? maxFileBytes);

/**
 * Reads a file into one buffer, because joining chunks at the end takes twice the memory. Throws 413.
 *
 * @param most the maximum size if known; a file of more than {@link maxFileBytes} is not stored
 */
async function bytesOf(file: Readable, most: number): Promise<Buffer> {
  // Memory pages that are never written take no memory.
  const whole = Buffer.allocUnsafeSlow(Math.min(most, maxFileBytes));
  let size = most > maxFileBytes ? Infinity : 0;
  for await (const part of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (size + part.length > whole.length) {
      file.resume();
      throw problems.payload_too_large(`A file for an import can have at most ${maxFileBytes / 1024 / 1024} MiB. Split it.`);
    }
    size += part.copy(whole, size);
  }
  return whole.subarray(0, size);
}

async function partOf(request: FastifyRequest): Promise<Buffer> {
  try {
    const part = await request.file();
    if (part?.fieldname !== 'file') throw fileProblems.file_required(howToSend);
    // The body is longer than the file, because it includes the part headers and boundaries.
    return await bytesOf(part.file, Math.min(declaredSize(request), maxFileBytes));
  } catch (error) {
    request.raw.unpipe();
    request.raw.resume();
    if (error instanceof Problem) throw error;
    const { code } = error as { code?: string };
    if (code?.startsWith('FST_') || isBrokenMultipart(error)) throw problems.validation_failed(howToSend);
    throw error;
  }
}

function importReports(app: App): void {
  app.get(
    `${prefix}/imports/`,
    {
      config: read,
      schema: {
        operationId: 'listRegistryImports',
        summary: 'List the imports into a registry',
        tags,
        params,
        querystring: Type.Object({ ...pageQuery, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })) }),
        response: { 200: Type.Array(schemas.registryImport) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const limit = pageSize(query, 20);
        const before = idOfCursor(query.cursor) ?? largestId;
        const found = await listImports(reading(request), request.params.typeId, { before, limit });
        return { found, limit, keyOf: ({ id }) => [id] };
      }),
  );

  app.get(
    `${prefix}/imports/:id`,
    {
      config: read,
      schema: {
        operationId: 'getRegistryImport',
        summary: 'Read the report of an import',
        tags,
        params: schemas.importParams,
        response: { 200: schemas.registryImport },
      },
    },
    (request) => getImport(reading(request), request.params.typeId, request.params.id),
  );
}

function exportRoute(app: App): void {
  app.get(
    `${prefix}/records/export`,
    {
      config: read,
      schema: {
        operationId: 'exportRegistryRecords',
        summary: 'Export the records of a registry',
        tags,
        produces: ['text/csv', 'application/json'],
        params,
        querystring: schemas.exportQuery,
      },
    },
    async (request, reply) => {
      const { format = 'csv', encoding, delimiter, decimal, grouping, dateOrder, booleans, ...query } = request.query;
      const dialect = { encoding, delimiter, decimal, grouping, dateOrder, booleans };
      requireConsistent(dialect);
      const scope = reading(request);
      const reached = await readableRegistry(scope, request.params.typeId);
      requireTurn(scope.team);
      // Rejects invalid queries before the response begins.
      await listRecords(scope, reached.registry.id, { ...query, limit: 1 });
      await writing(request, (writer) =>
        recordAudit(writer, registryExported, reached.registry.id, { format, ...reached.access.byRole('edit') }),
      );
      return reply
        .headers({ 'content-type': exportType(format, dialect), 'content-disposition': `attachment; filename="registry.${format}"` })
        .send(longAnswer(request, exportRecords(scope, reached, { format, query, dialect })));
    },
  );
}
