import { documentSchema, fileIsKept } from '#documents';
import { created, noBodyIsEmpty } from '../../platform/http/responses.ts';
import { withEtag } from '../../platform/http/etag.ts';
import { preparedWriting, reading, writingPart } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { keepingFile } from '../../platform/http/uploads.ts';
import { readableTemplate } from './access.ts';
import { makeDocument, type Making, originOf, prepareDocument, preview, refuseUnknownValues } from './make.ts';
import { readAudited } from './request-context.ts';
import { documentBody, origin, previewBody } from './schemas.ts';
import { idParams } from '../../platform/schema-parts.ts';

const prefix = '/api/v1/document-templates';
const documents = '/api/v1/smartdoc/documents';
const tags = ['Document templates'];
const read = { access: { kind: 'user', scope: 'documents:read' } } as const;
const write = { access: { kind: 'user', scope: 'documents:write' } } as const;
// JSON may escape one character with six.
const bodyLimit = 2 * 1024 * 1024;

/** Routes that create documents from templates. */
export function makingRoutes(app: App, making: Making): void {
  app.post(
    `${prefix}/:id/preview`,
    {
      config: { ...write, lenientBody: true },
      preValidation: noBodyIsEmpty,
      bodyLimit,
      schema: {
        operationId: 'previewDocumentTemplate',
        summary: 'Preview a document from a template',
        tags,
        params: idParams,
        body: previewBody,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) => {
      const { data } = request.body;
      const template = await readAudited(request, request.params.id);
      refuseUnknownValues(template, data);
      const { pdf } = await preview(making, reading(request), template, data);
      // Rendering takes time, so the access and the credential are checked again before the PDF is sent.
      await writingPart(request, (scope) => readableTemplate(scope, request.params.id));
      return reply
        .headers({
          'content-type': 'application/pdf',
          'content-disposition': 'attachment; filename="preview.pdf"',
          'cache-control': 'no-store',
          'content-security-policy': "sandbox; default-src 'none'",
        })
        .send(Buffer.from(pdf));
    },
  );

  app.post(
    `${prefix}/:id/documents`,
    {
      config: write,
      bodyLimit,
      schema: {
        operationId: 'createDocumentFromTemplate',
        summary: 'Create a document from a template',
        tags,
        params: idParams,
        body: documentBody,
        response: { 201: documentSchema },
      },
    },
    async (request, reply) => {
      const { body } = request;
      let stored: string | undefined;
      const prepare = async () => {
        const prepared = await prepareDocument(making, reading(request), request.params.id, body);
        stored = prepared.upload.key;
        return prepared;
      };
      const made = await keepingFile(
        request,
        making.storage,
        () => stored,
        () =>
          withEtag(
            reply,
            preparedWriting(request, prepare, (scope, prepared) => makeDocument(scope, prepared, body)),
          ),
        (key) => fileIsKept(reading(request), key),
      );
      return created(reply, `${documents}/${made.id}`, made);
    },
  );

  app.get(
    `${documents}/:id/template`,
    {
      config: read,
      schema: {
        operationId: 'getDocumentOrigin',
        summary: 'Read the template of a document',
        tags,
        params: idParams,
        response: { 200: origin },
      },
    },
    (request) => originOf(reading(request), request.params.id),
  );
}
