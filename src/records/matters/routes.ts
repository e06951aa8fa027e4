import { sharingRoutes } from '#access';
import { barrierBody, liftBarrier, readBarrier, setBarrier } from '#folders';
import { Type } from 'typebox';
import { searchParams } from '../../platform/database/list-filters.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { answerPage, changePage, changeQuery, idPage, pageQuery, searchFilter, sendPage } from '../../platform/http/page.ts';
import { changing, creating, noContent } from '../../platform/http/responses.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import { idParams } from '../../platform/schema-parts.ts';
import { createClient, getClient, listClients, updateClient } from './clients.ts';
import { closeMatter, reopenMatter } from './close.ts';
import { addContents, listContents, removeContents } from './contents.ts';
import { createDeadline, deleteDeadline, getDeadline, listDeadlines, updateDeadline } from './deadlines.ts';
import * as schemas from './schemas.ts';
import { createMatter, deleteMatter, getMatter, listMatters, updateMatter } from './service.ts';
import { matterSharing } from './shares.ts';

const prefix = '/api/v1/matters';
const clients = '/api/v1/matter-clients';
const tags = ['Matters'];
const read = { access: { kind: 'user', scope: 'matters:read' } } as const;
const write = { access: { kind: 'user', scope: 'matters:write' } } as const;
// Guests and auditors see their matters, not the clients of the team.
const readClients = { access: { ...read.access, roles: ['owner', 'admin', 'member', 'viewer'] } } as const;
// Only persons raise and lift barriers. API clients cannot.
const persons = { access: { ...write.access, person: true } } as const;

/** Adds the routes of matters. `maxDocuments`: the most documents whose barrier one request changes. */
export function matterRoutes(app: App, maxDocuments: number): void {
  app.get(
    `${prefix}/`,
    {
      config: read,
      schema: {
        operationId: 'listMatters',
        summary: 'List matters',
        tags,
        querystring: Type.Object({ ...pageQuery, ...changeQuery, ...schemas.filters }),
        response: { 200: Type.Array(schemas.matter) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, (scope, { limit, cursor, sort, updatedSince, ...filters }) =>
        listMatters(scope, filters, changePage({ limit, cursor, sort, updatedSince })),
      ),
  );

  app.post(
    `${prefix}/`,
    {
      config: write,
      schema: {
        operationId: 'createMatter',
        summary: 'Create a matter',
        tags,
        body: schemas.matterBody,
        response: { 201: schemas.matter },
      },
    },
    (request, reply) => creating(request, reply, `${prefix}/:id`, (scope) => createMatter(scope, request.body)),
  );

  app.get(
    `${prefix}/:id`,
    {
      config: read,
      schema: { operationId: 'getMatter', summary: 'Read a matter', tags, params: idParams, response: { 200: schemas.matter } },
    },
    (request, reply) => withEtag(reply, getMatter(reading(request), request.params.id)),
  );

  app.patch(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateMatter',
        summary: 'Change a matter',
        tags,
        params: idParams,
        body: schemas.matterPatch,
        response: { 200: schemas.matter },
      },
    },
    (request, reply) => changing(request, reply, (scope) => updateMatter(scope, request.params.id, request.body, ifMatch(request))),
  );

  app.delete(
    `${prefix}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: { operationId: 'deleteMatter', summary: 'Delete an empty matter', tags, params: idParams, response: { 204: Type.Null() } },
    },
    (request, reply) => noContent(request, reply, (scope) => deleteMatter(scope, request.params.id, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/close`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'closeMatter',
        summary: 'Close a matter',
        tags,
        params: idParams,
        body: schemas.closeBody,
        response: { 200: schemas.matter },
      },
    },
    (request, reply) => changing(request, reply, (scope) => closeMatter(scope, request.params.id, request.body, ifMatch(request))),
  );

  app.post(
    `${prefix}/:id/reopen`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: { operationId: 'reopenMatter', summary: 'Reopen a closed matter', tags, params: idParams, response: { 200: schemas.matter } },
    },
    (request, reply) => changing(request, reply, (scope) => reopenMatter(scope, request.params.id, ifMatch(request))),
  );

  contentRoutes(app, maxDocuments);
  sharingRoutes(app, { sharing: matterSharing, prefix, name: 'Matter', tag: 'Matters', scope: 'matters' });
  barrierRoutes(app, maxDocuments);
  deadlineRoutes(app);
  clientRoutes(app);
}

function contentRoutes(app: App, maxDocuments: number): void {
  app.get(
    `${prefix}/:id/contents`,
    {
      config: read,
      schema: {
        operationId: 'listMatterContents',
        summary: 'List the contents of a matter',
        tags,
        params: idParams,
        querystring: Type.Object({ ...pageQuery, type: Type.Optional(schemas.contentType) }),
        response: { 200: Type.Array(schemas.content) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const { type = null, ...rest } = query;
        const page = { ...idPage(rest), type };
        const found = await listContents(reading(request), request.params.id, page);
        return { found, limit: page.limit, keyOf: ({ id }) => [id] };
      }),
  );

  app.post(
    `${prefix}/:id/contents`,
    {
      config: write,
      schema: {
        operationId: 'addMatterContents',
        summary: 'Add resources to a matter',
        tags,
        params: idParams,
        body: schemas.addBody,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => addContents(scope, request.params.id, request.body, maxDocuments)),
  );

  app.post(
    `${prefix}/:id/contents/remove`,
    {
      config: write,
      schema: {
        operationId: 'removeMatterContents',
        summary: 'Remove resources from a matter',
        tags,
        params: idParams,
        body: schemas.removeBody,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => removeContents(scope, request.params.id, request.body.items, maxDocuments)),
  );
}

function barrierRoutes(app: App, maxDocuments: number): void {
  const path = `${prefix}/:id/barrier`;
  const shown = ({ folderId: matterId, ...rest }: Awaited<ReturnType<typeof readBarrier>>) => ({ matterId, ...rest });
  app.get(
    path,
    {
      config: { access: { ...read.access, person: true } },
      schema: {
        operationId: 'getMatterBarrier',
        summary: 'Read the barrier on a matter',
        tags,
        params: idParams,
        response: { 200: schemas.barrier },
      },
    },
    async (request) => shown(await readBarrier(reading(request), request.params.id, 'matter')),
  );

  app.put(
    path,
    {
      config: persons,
      schema: {
        operationId: 'putMatterBarrier',
        summary: 'Raise a barrier on a matter, or replace its members',
        tags,
        params: idParams,
        body: barrierBody,
        response: { 200: schemas.barrier, 202: schemas.barrier },
      },
    },
    async (request, reply) => {
      const made = await writing(request, (scope) => setBarrier(scope, request.params.id, request.body, maxDocuments, 'matter'));
      reply.code(made.status === 'active' ? 200 : 202);
      return shown(made);
    },
  );

  app.delete(
    path,
    {
      config: persons,
      schema: {
        operationId: 'deleteMatterBarrier',
        summary: 'Lift the barrier on a matter',
        tags,
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) => noContent(request, reply, (scope) => liftBarrier(scope, request.params.id, maxDocuments, 'matter')),
  );
}

function deadlineRoutes(app: App): void {
  const path = `${prefix}/:id/deadlines`;
  app.get(
    path,
    {
      config: read,
      schema: {
        operationId: 'listMatterDeadlines',
        summary: 'List the deadlines of a matter',
        tags,
        params: idParams,
        querystring: Type.Object(pageQuery),
        response: { 200: Type.Array(schemas.deadline) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const page = idPage(query);
        const found = await listDeadlines(reading(request), request.params.id, page);
        return { found, limit: page.limit, keyOf: ({ id }) => [id] };
      }),
  );

  app.post(
    path,
    {
      config: write,
      schema: {
        operationId: 'createMatterDeadline',
        summary: 'Add a deadline to a matter',
        tags,
        params: idParams,
        body: schemas.deadlineBody,
        response: { 201: schemas.deadline },
      },
    },
    (request, reply) =>
      creating(request, reply, `${prefix}/${request.params.id}/deadlines/:id`, (scope) =>
        createDeadline(scope, request.params.id, request.body),
      ),
  );

  app.get(
    `${path}/:deadlineId`,
    {
      config: read,
      schema: {
        operationId: 'getMatterDeadline',
        summary: 'Read a deadline',
        tags,
        params: schemas.deadlineParams,
        response: { 200: schemas.deadline },
      },
    },
    (request, reply) => withEtag(reply, getDeadline(reading(request), request.params.id, request.params.deadlineId)),
  );

  app.patch(
    `${path}/:deadlineId`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateMatterDeadline',
        summary: 'Change a deadline',
        tags,
        params: schemas.deadlineParams,
        body: schemas.deadlinePatch,
        response: { 200: schemas.deadline },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) =>
        updateDeadline(scope, request.params.id, request.params.deadlineId, request.body, ifMatch(request)),
      ),
  );

  app.delete(
    `${path}/:deadlineId`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'deleteMatterDeadline',
        summary: 'Delete a deadline',
        tags,
        params: schemas.deadlineParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      noContent(request, reply, (scope) => deleteDeadline(scope, request.params.id, request.params.deadlineId, ifMatch(request))),
  );
}

function clientRoutes(app: App): void {
  app.get(
    `${clients}/`,
    {
      config: readClients,
      schema: {
        operationId: 'listMatterClients',
        summary: 'List the clients of matters',
        tags,
        querystring: Type.Object({ ...pageQuery, ...searchFilter('name') }),
        response: { 200: Type.Array(schemas.client) },
      },
    },
    (request, reply) =>
      answerPage(reply, request, async (query) => {
        const page = idPage(query);
        const found = await listClients(reading(request), { ...page, ...searchParams(query) });
        return { found, limit: page.limit, keyOf: ({ id }) => [id] };
      }),
  );

  app.post(
    `${clients}/`,
    {
      config: write,
      schema: {
        operationId: 'createMatterClient',
        summary: 'Create a client',
        tags,
        body: schemas.clientBody,
        response: { 201: schemas.client },
      },
    },
    (request, reply) => creating(request, reply, `${clients}/:id`, (scope) => createClient(scope, request.body)),
  );

  app.get(
    `${clients}/:id`,
    {
      config: readClients,
      schema: { operationId: 'getMatterClient', summary: 'Read a client', tags, params: idParams, response: { 200: schemas.client } },
    },
    (request, reply) => withEtag(reply, getClient(reading(request), request.params.id)),
  );

  app.patch(
    `${clients}/:id`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'updateMatterClient',
        summary: 'Change a client',
        tags,
        params: idParams,
        body: schemas.clientPatch,
        response: { 200: schemas.client },
      },
    },
    (request, reply) => changing(request, reply, (scope) => updateClient(scope, request.params.id, request.body, ifMatch(request))),
  );
}
