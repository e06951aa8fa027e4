import type { FastifyRequest } from 'fastify';
import { definitionLimits } from '#fields';
import type { App } from '../../../platform/http/server.ts';
import { Type } from 'typebox';
import { tokenParams } from '../public-schemas.ts';
import { findSession, sessionToken, showSession, type Submitting, type Visit, visiting } from '../submit/index.ts';
import { visit } from '../visitor.ts';
import * as schemas from './schemas.ts';
import { deleteDraft, saveDraft, mailDraft, readDraft, requireDrafts, resumeDraft } from './service.ts';

const prefix = '/api/v1/interfaces/public/:token/draft';
const tags = ['Public interfaces'];
const link = { access: { kind: 'link' } } as const;
const params = tokenParams;
const bodyLimit = definitionLimits.dataBytes + 32 * 1024;

/** The routes for drafts. */
export function draftRoutes(app: App, context: Submitting): void {
  const at = (request: FastifyRequest<{ Params: { token: string } }>) => ({ channel: 'public', token: request.params.token }) as const;
  const acting = <T>(request: FastifyRequest<{ Params: { token: string } }>, fingerprint: unknown, work: (visited: Visit) => Promise<T>) =>
    visiting(request, context, { link: at(request), fingerprint, counted: true }, work);

  app.put(
    prefix,
    {
      config: link,
      bodyLimit,
      schema: {
        operationId: 'saveDraft',
        summary: 'Save a draft',
        tags,
        params,
        body: schemas.draftBody,
        response: { 200: schemas.draft },
      },
    },
    async (request, reply) => {
      const kept = await acting(request, request.body, (visited) => saveDraft(context, visited, request.body));
      showSession(reply, app.baseUrl, at(request), kept.token);
      reply.header('cache-control', 'no-store');
      return kept.draft;
    },
  );

  app.get(
    prefix,
    {
      config: link,
      schema: { operationId: 'getDraft', summary: 'Read the draft of the session', tags, params, response: { 200: schemas.draft } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const visited = await visit(app.database, at(request));
      requireDrafts(visited, app.clock());
      const db = app.database.reader(visited.team);
      return readDraft({ db, visited, session: await findSession({ db }, visited, sessionToken(request)), now: app.clock() });
    },
  );

  app.delete(
    prefix,
    {
      config: link,
      schema: { operationId: 'deleteDraft', summary: 'Delete the draft of the session', tags, params, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await acting(request, {}, deleteDraft);
      return reply.code(204).send(null);
    },
  );

  linkRoutes(app, context, { at, acting });
}

type Acting = {
  at: (request: FastifyRequest<{ Params: { token: string } }>) => Parameters<typeof showSession>[2];
  acting: <T>(
    request: FastifyRequest<{ Params: { token: string } }>,
    fingerprint: unknown,
    work: (visited: Visit) => Promise<T>,
  ) => Promise<T>;
};

function linkRoutes(app: App, context: Submitting, { at, acting }: Acting): void {
  app.post(
    `${prefix}/link`,
    {
      config: link,
      schema: {
        operationId: 'mailDraftLink',
        summary: 'Email a link to resume a draft',
        tags,
        params,
        body: schemas.linkBody,
        response: { 200: schemas.linkSent },
      },
    },
    (request) =>
      acting(request, request.body, (visited) =>
        mailDraft(context, visited, { ...request.body, link: request.params.token, accepted: request.headers['accept-language'] }),
      ),
  );

  app.post(
    `${prefix}/resume`,
    {
      config: link,
      schema: {
        operationId: 'resumeDraft',
        summary: 'Resume a draft by its emailed link',
        tags,
        params,
        body: schemas.resumeBody,
        response: { 200: schemas.draft },
      },
    },
    async (request, reply) => {
      const resumed = await acting(request, request.body, (visited) => resumeDraft(visited, request.body.draft));
      showSession(reply, app.baseUrl, at(request), resumed.token);
      reply.header('cache-control', 'no-store');
      return resumed.draft;
    },
  );
}
