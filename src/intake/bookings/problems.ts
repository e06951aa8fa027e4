import { defineProblems } from '../../platform/problems.ts';

export const bookingProblems = defineProblems({
  interface_closed: {
    status: 410,
    title: 'Form closed',
    help: 'The form does not accept answers: it was closed, is not open yet, or its period has ended. `detail` gives the reason. Ask the sender of the link for help.',
  },
  booking_not_found: {
    status: 404,
    title: 'Booking not found',
    help: 'The link is wrong or incomplete, or the booking was deleted. Use the complete link of the email, or ask the team that you booked with.',
  },
  feed_not_found: {
    status: 404,
    title: 'Feed not found',
    help: 'The address is wrong or was replaced. Ask the team for the current address.',
  },
  calendar_missing: {
    status: 409,
    title: 'No calendar',
    help: 'The form has no calendar, so it has no free times. Create the calendar with `PUT /api/v1/interfaces/{id}/calendar`.',
  },
  calendar_invalid: {
    status: 422,
    title: 'Invalid calendar',
    help: 'A zone, day, hour, holiday or address of the calendar is invalid or contradicts another value. `errors` lists each of these values.',
  },
  slot_not_offered: {
    status: 422,
    title: 'Slot not offered',
    help: '`start` must be the `start` of a slot in the list of free times, and `end`, if sent, its `end`. Read the list again and choose a slot.',
  },
  slot_taken: {
    status: 409,
    title: 'Slot already booked',
    help: 'Another visitor booked this time. Nothing changed, and an existing appointment keeps its time. Read the list of free times again and choose another.',
  },
  already_cancelled: {
    status: 409,
    title: 'Booking already cancelled',
    help: 'You cannot change a cancelled booking. Book another time if you want one.',
  },
  booking_past: {
    status: 409,
    title: 'Appointment in the past',
    help: 'You cannot cancel or reschedule an appointment after its start.',
  },
  booking_closed: {
    status: 409,
    title: 'Booking no longer valid',
    help: 'The booking was declined, or not confirmed in time. Book another time if you want one.',
  },
  booking_not_pending: {
    status: 409,
    title: 'Booking not pending',
    help: 'You can confirm or decline only a pending booking, and record a no-show only for a confirmed one. Read the booking to see its status.',
  },
  too_late: {
    status: 409,
    title: 'Change period ended',
    help: 'You can change a booking until its `changeUntil`. After that time, contact the team that you booked with.',
  },
  reschedule_limit: {
    status: 409,
    title: 'Reschedule limit reached',
    help: 'A booking can be rescheduled with its link at most ten times. Cancel it and book again, or contact the team that you booked with.',
  },
  too_many_bookings: {
    status: 409,
    title: 'Too many bookings for this address',
    help: 'The calendar limits the future bookings of one email address. Cancel or reschedule an existing booking with the link in its email.',
  },
  bookings_ahead: {
    status: 409,
    title: 'Future bookings exist',
    help: 'Visitors have booked appointments in the future. Add `cancelBookings=true` to cancel these bookings and notify the visitors, or wait until the appointments are over.',
  },
});
