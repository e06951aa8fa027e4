import type { FastifyReply } from 'fastify';
import { sendWhole } from '../../platform/http/responses.ts';
import { writingPublic } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import type { Bookings } from './context.ts';
import { readFeed } from './feed.ts';
import * as schemas from './schemas.ts';
import { bookingFile, cancelByLink, confirmByLink, moveByLink, showBooking, slotsForMove } from './visitor.ts';

const prefix = '/api/v1/interfaces/booking/:teamId/:token';
const tags = ['Public interfaces'];
const link = { access: { kind: 'link' } } as const;

/** The routes of a booking link. Their paths contain the token, so they must not be cached, indexed or sent as referrer. */
export function visitorRoutes(app: App, bookings: Bookings): void {
  readRoutes(app, bookings);
  changeRoutes(app, bookings);
}

function readRoutes(app: App, bookings: Bookings): void {
  const params = schemas.linkParams;
  app.get(
    prefix,
    {
      config: link,
      schema: {
        operationId: 'getBookingByLink',
        summary: 'Read a booking by its link',
        tags,
        params,
        response: { 200: schemas.visitorBooking },
      },
    },
    (request) => showBooking(bookings, request.server.database, request.params, request.server.clock()),
  );

  app.get(
    `${prefix}/calendar.ics`,
    {
      config: link,
      schema: { operationId: 'getBookingFile', summary: 'Read a booking as a calendar file', tags, params, produces: ['text/calendar'] },
    },
    async (request, reply) => sendCalendar(reply, await bookingFile(bookings, request.server.database, request.params), 'appointment.ics'),
  );

  app.get(
    `${prefix}/availability`,
    {
      config: link,
      schema: {
        operationId: 'listSlotsForBooking',
        summary: 'List free slots to move a booking',
        tags,
        params,
        querystring: schemas.rangeQuery,
        response: { 200: schemas.availability },
      },
    },
    async (request, reply) =>
      sendWhole(reply, await slotsForMove(bookings, request.server.database, request.params, request.query, request.server.clock())),
  );
}

/** The route of a calendar feed with its secret address. */
export function feedRoutes(app: App, bookings: Bookings): void {
  app.get(
    '/api/v1/interfaces/feed/:teamId/:token/calendar.ics',
    {
      config: link,
      schema: {
        operationId: 'getCalendarFeed',
        summary: 'Read the feed of a calendar by its secret address',
        tags,
        params: schemas.linkParams,
        produces: ['text/calendar'],
      },
    },
    async (request, reply) =>
      sendCalendar(reply, await readFeed(bookings, request.server.database, request.params, request.server.clock()), 'calendar.ics'),
  );
}

function changeRoutes(app: App, bookings: Bookings): void {
  const params = schemas.linkParams;
  const response = { 200: schemas.bookingResult };

  app.post(
    `${prefix}/cancel`,
    {
      config: { ...link, lenientBody: true },
      schema: { operationId: 'cancelBookingByLink', summary: 'Cancel a booking by its link', tags, params, response },
    },
    (request) => writingPublic(request, (scope) => cancelByLink(scope, request.params)),
  );

  app.post(
    `${prefix}/confirm`,
    {
      config: { ...link, lenientBody: true },
      schema: {
        operationId: 'confirmBookingByLink',
        summary: 'Confirm a booking by its emailed link',
        tags,
        params,
        response: { 200: schemas.visitorBooking },
      },
    },
    (request) => writingPublic(request, (scope) => confirmByLink(bookings, scope, request.params)),
  );

  app.post(
    `${prefix}/reschedule`,
    {
      config: link,
      schema: {
        operationId: 'rescheduleBookingByLink',
        summary: 'Move a booking to another time by its link',
        tags,
        params,
        body: schemas.rescheduleBody,
        response,
      },
    },
    (request) => writingPublic(request, (scope) => moveByLink(bookings, scope, request.params, request.body)),
  );
}

/** Sends a calendar file. */
function sendCalendar(reply: FastifyReply, text: string, name: string): FastifyReply {
  return reply
    .headers({ 'content-type': 'text/calendar; charset=utf-8', 'content-disposition': `attachment; filename="${name}"` })
    .send(text);
}
