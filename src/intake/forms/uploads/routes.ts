import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../platform/http/server.ts';
import { receiveUpload, required, type Upload, withFile, withUpload } from '../../../platform/http/uploads.ts';
import { tokenParams } from '../public-schemas.ts';
import type { Channel } from '../schemas.ts';
import { showSession, visiting } from '../submit/index.ts';
import { admit } from './admission.ts';
import type { Uploading } from './context.ts';
import { uploadOfFile } from './queries.ts';
import { uploadBody, uploaded } from './schemas.ts';
import { sendersOf } from './senders.ts';
import { judge, keepUpload, type StoredUpload } from './service.ts';

/** The routes for uploads by visitors and programs. Only these routes parse multipart bodies. */
export function uploadRoutes(context: Uploading) {
  return async (uploads: App): Promise<void> => {
    await uploads.register(multipart, {
      limits: { files: 4, fields: 10, fieldSize: 16 * 1024, fileSize: context.maxUploadBytes + 1, parts: 20 },
    });
    for (const channel of ['public', 'api'] as const) await uploads.register(async (app: App) => uploadRoute(app, channel, context));
  };
}

const said = {
  public: {
    operationId: 'uploadPublicFile',
    summary: 'Upload a file by a public link',
  },
  api: { operationId: 'uploadApiFile', summary: 'Upload a file as a program' },
};

function uploadRoute(app: App, channel: Channel, context: Uploading): void {
  const maxBytes = async (request: FastifyRequest, fields: Record<string, unknown>) =>
    (await admit(request, channel, context, fields)).maxBytes;
  const senders = async (request: FastifyRequest, reply: FastifyReply) =>
    sendersOf(await admit(request, channel, context, {}), channel, { request, reply, budget: context.ofAddress });
  app.addHook('preValidation', receiveUpload({ storage: context.storage, maxBytesOf: maxBytes, ownerKeyOf: senders }));
  app.post(
    `/api/v1/interfaces/${channel}/:token/upload`,
    {
      config: { access: { kind: 'link' }, storesResponse: true },
      attachValidation: true,
      schema: {
        ...said[channel],
        tags: ['Public interfaces'],
        consumes: ['multipart/form-data'],
        params: tokenParams,
        body: uploadBody,
        response: { 200: uploaded },
      },
    },
    async (request, reply) => {
      const { token: _, ...taken } = await upload(request, reply, { channel, token: request.params.token }, context);
      return taken;
    },
  );
}

async function upload(request: FastifyRequest, reply: FastifyReply, link: { channel: Channel; token: string }, context: Uploading) {
  return withUpload(
    request,
    context.storage,
    (sent) => take(request, reply, link, context, required(sent)),
    await refersTo(request, link.channel, context),
  );
}

async function refersTo(request: FastifyRequest, channel: Channel, context: Uploading) {
  const { team } = (await admit(request, channel, context, {})).visited;
  return async (key: string) => (await request.server.database.reader(team).first(uploadOfFile, { team, key })) !== undefined;
}

async function take(
  request: FastifyRequest,
  reply: FastifyReply,
  link: { channel: Channel; token: string },
  context: Uploading,
  sent: Upload,
): Promise<StoredUpload> {
  const admitted = await admit(request, link.channel, context, {});
  const judged = await judge(context, admitted, sent);
  const taken = await visiting(request, context, { link, fingerprint: judged.sha256 }, (visit) => keepUpload(visit, admitted, judged));
  showSession(reply, request.server.baseUrl, link, taken.token);
  return taken;
}

/** Stores a file that a page sends with a form. Throws the errors of the operation. */
export async function uploadFromPage(
  context: Uploading,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  part: MultipartFile,
): Promise<StoredUpload> {
  const link = { channel: 'public', token } as const;
  const admitted = await admit(request, 'public', context, {});
  const { storage } = context;
  const taken = await withFile(
    request,
    { storage, maxBytes: admitted.maxBytes, ownerKey: sendersOf(admitted, 'public', { request, reply, budget: context.ofAddress }) },
    part,
    (sent) => take(request, reply, link, context, sent),
    await refersTo(request, 'public', context),
  );
  // The rest of the request belongs to the new session.
  if (taken.token !== undefined) request.headers['x-submission-session'] = taken.token;
  return taken;
}
