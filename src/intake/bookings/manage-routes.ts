import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { changing, noBodyIsEmpty, noContent, sendWhole } from '../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../platform/http/etag.ts';
import { pageQuery, pageSize, sendPage, timeOfCursor } from '../../platform/http/page.ts';
import { recordPrivilegedAccess, recordPrivilegedReads } from '../../platform/http/privileged-access.ts';
import { reading, writing } from '../../platform/http/scope.ts';
import type { App } from '../../platform/http/server.ts';
import type { Bookings } from './context.ts';
import { addressesRead, bookingsRead } from './events.ts';
import * as manage from './manage.ts';
import * as schemas from './schemas.ts';

const prefix = '/api/v1/interfaces/:id';
const tags = ['Bookings'];
const read = { access: { kind: 'user', scope: 'interfaces:read' } } as const;
const write = { access: { kind: 'user', scope: 'interfaces:write', roles: ['owner', 'admin', 'member'] } } as const;
const params = schemas.interfaceParams;

const acts = { bookings: bookingsRead, addresses: addressesRead };
const noting =
  (request: FastifyRequest): manage.Noting =>
  (what, opened) =>
    recordPrivilegedAccess(request, acts[what], opened);

/** The operations of the team on calendars and bookings. */
export function manageRoutes(app: App, bookings: Bookings): void {
  calendarRoutes(app, bookings);
  feedAndBusyRoutes(app, bookings);
  readBookingRoutes(app, bookings);
  decideRoutes(app, bookings);
}

function calendarRoutes(app: App, bookings: Bookings): void {
  app.get(
    `${prefix}/calendar`,
    {
      config: read,
      schema: {
        operationId: 'getCalendar',
        summary: 'Read the calendar of an interface',
        tags,
        params,
        response: { 200: schemas.calendar },
      },
    },
    (request, reply) => withEtag(reply, manage.getCalendar(bookings, reading(request), request.params.id, noting(request))),
  );

  app.put(
    `${prefix}/calendar`,
    {
      config: { ...write, requiresIfMatch: true },
      schema: {
        operationId: 'putCalendar',
        summary: 'Create or replace the calendar of an interface',
        tags,
        params,
        body: schemas.calendarBody,
        response: { 200: schemas.calendar },
      },
    },
    (request, reply) =>
      changing(request, reply, (scope) => manage.putCalendar(bookings, scope, request.params.id, request.body, ifMatch(request))),
  );

  app.get(
    `${prefix}/calendar/slots`,
    {
      config: read,
      schema: {
        operationId: 'explainSlots',
        summary: 'List all slots with reasons for unavailability',
        tags,
        params,
        querystring: schemas.someRangeQuery,
        response: { 200: schemas.explainedSlots },
      },
    },
    async (request, reply) => sendWhole(reply, await manage.slotsExplained(bookings, reading(request), request.params.id, request.query)),
  );
}

function feedAndBusyRoutes(app: App, bookings: Bookings): void {
  app.post(
    `${prefix}/calendar/feed`,
    {
      config: { ...write, lenientBody: true },
      schema: {
        operationId: 'rotateCalendarFeed',
        summary: 'Replace the secret address of a calendar feed',
        tags,
        params,
        response: { 200: schemas.feedAddress },
      },
    },
    (request) => writing(request, (scope) => manage.newFeed(bookings, scope, request.params.id)),
  );

  app.delete(
    `${prefix}/calendar/feed`,
    {
      config: write,
      schema: { operationId: 'endCalendarFeed', summary: 'Delete the feed of a calendar', tags, params, response: { 204: Type.Null() } },
    },
    (request, reply) => noContent(request, reply, (scope) => manage.noFeed(bookings, scope, request.params.id)),
  );

  app.get(
    `${prefix}/calendar/busy`,
    {
      config: read,
      schema: {
        operationId: 'getBusyAddresses',
        summary: 'List the busy-time addresses of a calendar',
        tags,
        params,
        response: { 200: schemas.busyAddresses },
      },
    },
    (request) => manage.getBusy(bookings, reading(request), request.params.id, noting(request)),
  );

  app.put(
    `${prefix}/calendar/busy`,
    {
      config: write,
      schema: {
        operationId: 'putBusyAddresses',
        summary: 'Replace the busy-time addresses of a calendar',
        tags,
        params,
        body: schemas.busyBody,
        response: { 200: schemas.busyAddresses },
      },
    },
    (request) => writing(request, (scope) => manage.putBusy(bookings, scope, request.params.id, request.body.addresses)),
  );
}

/** Returns the filters and the page of a list of bookings. */
function pageWanted<Filters extends object>({ limit, cursor, ...filters }: Filters & { limit?: number; cursor?: string }) {
  const place = timeOfCursor(cursor);
  return { ...filters, limit: pageSize({ limit, cursor }), time: place?.time ?? null, after: place?.id ?? null };
}

function readBookingRoutes(app: App, bookings: Bookings): void {
  app.get(
    `${prefix}/bookings`,
    {
      config: read,
      schema: {
        operationId: 'listBookings',
        summary: 'List the bookings of an interface',
        tags,
        params,
        querystring: Type.Object({ ...pageQuery, ...schemas.bookingFilters }),
        response: { 200: Type.Array(schemas.teamBooking) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, (scope, query) =>
        manage.listBookings(bookings, scope, request.params.id, { ...pageWanted(query), note: noting(request) }),
      ),
  );

  app.get(
    '/api/v1/bookings',
    {
      config: read,
      schema: {
        operationId: 'listTeamBookings',
        summary: 'List the bookings of all interfaces',
        tags,
        querystring: Type.Object({ ...pageQuery, ...schemas.bookingFilters }),
        response: { 200: Type.Array(schemas.teamBooking) },
      },
    },
    (request, reply) =>
      sendPage(reply, request, async (scope, query) => {
        const { page, byRole } = await manage.listTeamBookings(bookings, scope, pageWanted(query));
        await recordPrivilegedReads(request, bookingsRead, byRole);
        return page;
      }),
  );

  app.get(
    `${prefix}/bookings/:bookingId`,
    {
      config: read,
      schema: {
        operationId: 'getBooking',
        summary: 'Read a booking',
        tags,
        params: schemas.bookingParams,
        response: { 200: schemas.teamBooking },
      },
    },
    (request, reply) => withEtag(reply, manage.getBooking(bookings, reading(request), atOf(request.params), noting(request))),
  );
}

const atOf = ({ id, bookingId }: { id: string; bookingId: string }) => ({ interfaceId: id, bookingId });

function decideRoutes(app: App, bookings: Bookings): void {
  const schemaOf = (operationId: string, summary: string) => ({
    operationId,
    summary,
    tags,
    params: schemas.bookingParams,
    response: { 200: schemas.teamBooking },
  });
  const withoutBody = { ...write, lenientBody: true };

  app.post(
    `${prefix}/bookings/:bookingId/confirm`,
    { config: withoutBody, schema: schemaOf('confirmBooking', 'Confirm a pending booking') },
    (request, reply) =>
      changing(request, reply, (scope) => manage.decide(bookings, scope, atOf(request.params), manage.acts.confirm(scope))),
  );

  app.post(
    `${prefix}/bookings/:bookingId/decline`,
    {
      config: write,
      preValidation: noBodyIsEmpty,
      schema: { ...schemaOf('declineBooking', 'Decline a pending booking'), body: schemas.reasonBody },
    },
    (request, reply) =>
      changing(request, reply, (scope) =>
        manage.decide(bookings, scope, atOf(request.params), manage.acts.decline(scope, request.body.reason)),
      ),
  );

  app.post(
    `${prefix}/bookings/:bookingId/cancel`,
    { config: write, preValidation: noBodyIsEmpty, schema: { ...schemaOf('cancelBooking', 'Cancel a booking'), body: schemas.reasonBody } },
    (request, reply) =>
      changing(request, reply, (scope) =>
        manage.decide(bookings, scope, atOf(request.params), manage.acts.cancel(scope, request.body.reason)),
      ),
  );

  app.post(
    `${prefix}/bookings/:bookingId/move`,
    { config: write, schema: { ...schemaOf('rescheduleBooking', 'Move a booking to another slot'), body: schemas.moveBody } },
    (request, reply) =>
      changing(request, reply, (scope) =>
        manage.decide(bookings, scope, atOf(request.params), manage.acts.move(bookings, scope, request.body.start)),
      ),
  );

  app.post(
    `${prefix}/bookings/:bookingId/no-show`,
    { config: withoutBody, schema: schemaOf('noteNoShow', 'Record a no-show') },
    (request, reply) =>
      changing(request, reply, (scope) => manage.decide(bookings, scope, atOf(request.params), manage.acts.noShow(scope))),
  );
}
