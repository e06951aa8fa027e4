import multipart from '@fastify/multipart';
import { Type } from 'typebox';
import { ifMatch, setEtag } from '../platform/http/etag.ts';
import { decodeCursor, malformedCursor, pageQuery, pageSize, sendPage } from '../platform/http/page.ts';
import { reading, writing } from '../platform/http/scope.ts';
import { type App, created } from '../platform/http/server.ts';
import { isUuid } from '../platform/identifiers.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { sendContent } from './content.ts';
import { createBody, document, idParams, listFilters, moveBody, updateBody, version } from './schemas.ts';
import {
  addVersion,
  createDocument,
  deleteDocument,
  fileIsKept,
  getDocument,
  listDocuments,
  listVersions,
  moveDocument,
  openContent,
  updateDocument,
} from './service.ts';
import { receiveUpload, required, withUpload } from './upload.ts';

/** `maxUploadBytes`: the largest file taken. */
export type DocumentDeps = { storage: Storage; maxUploadBytes: number };

const prefix = '/api/v1/smartdoc/documents';
const read = { access: { kind: 'user', scope: 'documents:read' } } as const;
const write = { access: { kind: 'user', scope: 'documents:write' } } as const;
const tags = ['Documents'];
const success = Type.Object({ success: Type.Boolean() });
const smallestId = '00000000-0000-0000-0000-000000000000';

export function documentRoutes(app: App, { storage, maxUploadBytes }: DocumentDeps): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        summary: 'List documents',
        tags,
        querystring: Type.Object({ ...pageQuery, ...listFilters }),
        response: { 200: Type.Array(document) },
      },
    },
    async (request, reply) => {
      const { limit, cursor, ...filters } = request.query;
      const [after = smallestId] = cursor === undefined ? [] : decodeCursor(cursor, 1);
      if (!isUuid(after)) throw malformedCursor();
      return sendPage(
        reply,
        request,
        await listDocuments(reading(request), filters, { after, limit: pageSize({ limit, cursor }) }),
      ) as never;
    },
  );

  app.get(
    `${prefix}/:id`,
    { config: read, schema: { summary: 'Read a document', tags, params: idParams, response: { 200: document } } },
    async (request, reply) => {
      const { value, version: number } = await getDocument(reading(request), request.params.id);
      setEtag(reply, number);
      return value;
    },
  );

  app.put(
    `${prefix}/:id`,
    { config: write, schema: { summary: 'Change a document', tags, params: idParams, body: updateBody, response: { 200: document } } },
    async (request, reply) => {
      const { value, version: number } = await writing(request, (scope) =>
        updateDocument(scope, request.params.id, request.body, ifMatch(request)),
      );
      setEtag(reply, number);
      return value;
    },
  );

  app.patch(
    `${prefix}/:id/move`,
    {
      config: write,
      schema: {
        summary: 'Move a document into a folder, or out of any with null',
        tags,
        params: idParams,
        body: moveBody,
        response: { 200: document },
      },
    },
    async (request, reply) => {
      const { value, version: number } = await writing(request, (scope) =>
        moveDocument(scope, request.params.id, request.body.folderId, ifMatch(request)),
      );
      setEtag(reply, number);
      return value;
    },
  );

  app.delete(
    `${prefix}/:id`,
    { config: write, schema: { summary: 'Move a document to the bin', tags, params: idParams, response: { 200: success } } },
    async (request) => {
      await writing(request, (scope) => deleteDocument(scope, request.params.id, ifMatch(request)));
      return { success: true };
    },
  );

  app.get(
    `${prefix}/:id/versions`,
    {
      config: read,
      schema: { summary: 'List the versions of a document, newest first', tags, params: idParams, response: { 200: Type.Array(version) } },
    },
    (request) => listVersions(reading(request), request.params.id),
  );

  app.get(
    `${prefix}/:id/content`,
    {
      config: read,
      schema: {
        summary: 'Download the newest version, or the one asked for',
        tags,
        params: idParams,
        // Whatever was uploaded: the type is known once the version is.
        produces: ['*/*'],
        querystring: Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })) }),
      },
    },
    async (request, reply) => {
      const found = await writing(request, (scope) => openContent(scope, request.params.id, request.query.version));
      return sendContent(request, reply, storage, found);
    },
  );

  // Only these take files: elsewhere multipart stays an unsupported media type.
  app.register(async (uploads) => {
    await uploads.register(multipart, { limits: { files: 4, fields: 30, fieldSize: 64 * 1024, fileSize: maxUploadBytes + 1, parts: 40 } });
    uploads.addHook('preValidation', receiveUpload(storage, maxUploadBytes));
    uploadRoutes(uploads, storage);
  });
}

function uploadRoutes(app: App, storage: Storage): void {
  app.post(
    `${prefix}/`,
    {
      config: write,
      attachValidation: true,
      schema: {
        summary: 'Create a document, as JSON or as multipart/form-data with the part `file`',
        tags,
        consumes: ['application/json', 'multipart/form-data'],
        body: createBody,
        response: { 201: document },
      },
    },
    (request, reply) =>
      withUpload(
        request,
        storage,
        async (upload) => {
          const { value, version: number } = await writing(
            request,
            (scope) => createDocument(scope, request.body, upload),
            fingerprint(request.body, upload),
          );
          setEtag(reply, number);
          return created(reply, `${prefix}/${value.id}`, value);
        },
        (key) => fileIsKept(reading(request), key),
      ),
  );

  app.post(
    `${prefix}/:id/versions`,
    {
      config: write,
      attachValidation: true,
      schema: {
        summary: 'Upload the next version, as multipart/form-data with the part `file`',
        tags,
        consumes: ['multipart/form-data'],
        params: idParams,
        response: { 201: version },
      },
    },
    (request, reply) =>
      withUpload(
        request,
        storage,
        async (sent) => {
          const upload = required(sent);
          const added = await writing(
            request,
            (scope) => addVersion(scope, request.params.id, upload, ifMatch(request)),
            fingerprint({}, upload),
          );
          return created(reply, `${prefix}/${request.params.id}/content?version=${added.number}`, added);
        },
        (key) => fileIsKept(reading(request), key),
      ),
  );
}

/** What tells a repeated upload from another: the members and the bytes. */
function fingerprint(body: object, upload: { sha256: string } | undefined): string {
  return JSON.stringify([body, upload?.sha256 ?? '']);
}
