import { domain as fields } from '#fields';
import { domain as teams } from '#teams';
import { defineDomain } from '../platform/domain.ts';

/** Bookings: calendars, what is free in them, and what is booked. */
export const domain = defineDomain({ name: 'bookings', uses: { teams, fields } });
