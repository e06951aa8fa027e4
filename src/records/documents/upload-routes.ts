import multipart from '@fastify/multipart';
import { created } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import type { Scanner } from '../../platform/storage/scanner.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { createBody, document, version } from './schemas.ts';
import { createDocument } from './service.ts';
import { receiveUpload, required, type Upload, withUpload } from '../../platform/http/uploads.ts';
import { addVersion, fileIsKept } from './versions.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/smartdoc/documents';
const write = { access: { kind: 'user', scope: 'documents:write' } } as const;
const tags = ['Documents'];

/** `maxUploadBytes`: the largest accepted file. */
type Uploading = { storage: Storage; scanner: Scanner | undefined; maxUploadBytes: number };

/** The operations that accept files. For all others, multipart is an unsupported media type. */
export function uploadRoutes({ storage, scanner, maxUploadBytes }: Uploading) {
  return async (uploads: App): Promise<void> => {
    await uploads.register(multipart, { limits: { files: 4, fields: 30, fieldSize: 64 * 1024, fileSize: maxUploadBytes + 1, parts: 40 } });
    uploads.addHook('preValidation', receiveUpload({ storage, maxBytesOf: () => maxUploadBytes }));
    routesWithFiles(uploads, { storage, scanner });
  };
}

function routesWithFiles(app: App, { storage, scanner }: Omit<Uploading, 'maxUploadBytes'>): void {
  /** Scans a file before anything refers to it. Errors: 422 `file_infected`, 503 while the scanner is unavailable. */
  const requireClean = async (upload: Upload): Promise<void> => scanner?.requireClean(await storage.read(upload.key));

  app.post(
    `${prefix}/`,
    {
      config: write,
      attachValidation: true,
      schema: {
        operationId: 'createDocument',
        summary: 'Create a document',
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
          if (upload) await requireClean(upload);
          const kept = { fingerprint: fingerprint(request.body, upload) };
          const made = await withEtag(
            reply,
            writing(request, (scope) => createDocument(scope, request.body, upload), kept),
          );
          return created(reply, `${prefix}/${made.id}`, made);
        },
        (key) => fileIsKept(reading(request), key),
      ),
  );

  app.post(
    `${prefix}/:id/versions`,
    {
      config: { ...write, requiresIfMatch: true },
      attachValidation: true,
      schema: {
        operationId: 'uploadDocumentVersion',
        summary: 'Upload a new version of a document',
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
          await requireClean(upload);
          const added = await writing(request, (scope) => addVersion(scope, request.params.id, upload, ifMatch(request)), {
            fingerprint: fingerprint({}, upload),
          });
          return created(reply, `${prefix}/${request.params.id}/content?version=${added.number}`, added);
        },
        (key) => fileIsKept(reading(request), key),
      ),
  );
}

/** Distinguishes a repeated upload from another: the members and the hash of the file. */
function fingerprint(body: object, upload: { sha256: string } | undefined): string {
  return JSON.stringify([body, upload?.sha256 ?? '']);
}
