import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendWhole } from '../../platform/http/responses.ts';
import type { App } from '../../platform/http/server.ts';
import { availability, rangeQuery } from '#bookings';
import { lookUp } from './lookup.ts';
import { apiInterface, freeSlots, publicInterface } from './public.ts';
import * as schemas from './public-schemas.ts';

const prefix = '/api/v1/interfaces';
const tags = ['Public interfaces'];
const link = { access: { kind: 'link' } } as const;

export function publicRoutes(app: App): void {
  app.get(
    `${prefix}/public/:token`,
    {
      config: link,
      schema: {
        operationId: 'getPublicInterface',
        summary: 'Read a form by its public link',
        tags,
        params: schemas.tokenParams,
        querystring: schemas.localeQuery,
        response: { 200: schemas.publicInterface },
      },
    },
    async (request, reply) => {
      const { token } = request.params;
      return inLanguage(
        reply,
        await publicInterface(readingOf(request), { channel: 'public', token }, languagePreference(request, request.query.locale)),
      );
    },
  );

  app.get(
    `${prefix}/public/:token/availability`,
    {
      config: link,
      schema: {
        operationId: 'listSlots',
        summary: 'List the free slots of a form',
        tags,
        params: schemas.tokenParams,
        querystring: rangeQuery,
        response: { 200: availability },
      },
    },
    async (request, reply) =>
      sendWhole(reply, await freeSlots(readingOf(request), { channel: 'public', token: request.params.token }, request.query)),
  );

  app.get(
    `${prefix}/public/:token/registry/:registryTypeId`,
    {
      config: link,
      schema: {
        operationId: 'lookUpRegistry',
        summary: 'Look up registry records for a form',
        tags,
        params: schemas.lookupParams,
        querystring: schemas.lookupQuery,
        response: { 200: schemas.registryRecords },
      },
    },
    async (request) => {
      const { token, registryTypeId } = request.params;
      const { q } = request.query;
      return { records: await lookUp(readingOf(request), { channel: 'public', token }, { registryTypeId, q }) };
    },
  );

  app.get(
    `${prefix}/api/:token`,
    {
      config: link,
      schema: {
        operationId: 'getApiInterface',
        summary: 'Read a form as a program',
        tags,
        params: schemas.tokenParams,
        querystring: schemas.localeQuery,
        response: { 200: schemas.apiInterface },
      },
    },
    async (request, reply) => {
      const { token } = request.params;
      return inLanguage(
        reply,
        await apiInterface(readingOf(request), { channel: 'api', token }, languagePreference(request, request.query.locale)),
      );
    },
  );
}

const readingOf = ({ server: { database, clock } }: FastifyRequest) => ({ database, now: clock() });

const languagePreference = ({ headers }: FastifyRequest, wanted: string | undefined) => ({ wanted, accepted: headers['accept-language'] });

/** Sets the headers for the chosen language. `Vary` covers requests without a language in the URL. */
function inLanguage<T extends { publicSettings: { locale: string } }>(reply: FastifyReply, shown: T): T {
  reply.header('vary', 'Accept-Language').header('content-language', shown.publicSettings.locale);
  return shown;
}
