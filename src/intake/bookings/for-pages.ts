import type { FastifyRequest } from 'fastify';
import { writingPublic } from '../../platform/http/scope.ts';
import type { Bookings } from './context.ts';
import type { Availability, BookingResult, VisitorBooking } from './schemas.ts';
import { type BookingLink, cancelByLink, confirmByLink, interfaceOfBooking, moveByLink, showBooking, slotsForMove } from './visitor.ts';

/** The use cases behind the page of a booking link. They throw the errors of the corresponding operations. */
export type BookingsForPages = {
  /** `locale`: the language of the page. */
  show(request: FastifyRequest, link: BookingLink, locale: string): Promise<VisitorBooking>;
  /** Returns the team and the form of the booking. */
  about(request: FastifyRequest, link: BookingLink): Promise<{ team: string; id: string }>;
  slots(request: FastifyRequest, link: BookingLink, range: { from: string; to: string }): Promise<Availability>;
  cancel(request: FastifyRequest, link: BookingLink): Promise<BookingResult>;
  confirm(request: FastifyRequest, link: BookingLink): Promise<VisitorBooking>;
  move(request: FastifyRequest, link: BookingLink, start: string): Promise<BookingResult>;
};

export function bookingsForPages(bookings: Bookings): BookingsForPages {
  return {
    show: ({ server: { database, clock } }, link, locale) => showBooking(bookings, database, link, clock(), locale),
    about: ({ server: { database } }, link) => interfaceOfBooking(database, link),
    slots: ({ server: { database, clock } }, link, range) => slotsForMove(bookings, database, link, range, clock()),
    cancel: (request, link) => writingPublic(request, (scope) => cancelByLink(scope, link)),
    confirm: (request, link) => writingPublic(request, (scope) => confirmByLink(bookings, scope, link)),
    move: (request, link, start) => writingPublic(request, (scope) => moveByLink(bookings, scope, link, { start })),
  };
}
