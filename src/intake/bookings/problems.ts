import { defineProblems } from '../../platform/problems.ts';

export const bookingProblems = defineProblems({
  interface_closed: {
    status: 410,
    title: 'The form takes no answers now',
    help: 'The form was closed, is not open yet, or its time is over; `detail` says which. Ask whoever sent you the link.',
  },
  booking_not_found: {
    status: 404,
    title: 'There is no such booking',
    help: 'The link is wrong or cut, or the booking is gone. Use the link of the mail as it is, or ask whoever you booked with.',
  },
  feed_not_found: {
    status: 404,
    title: 'There is no such feed',
    help: 'The address is wrong, or was replaced by another. Ask whoever gave it to you for the current one.',
  },
  calendar_missing: {
    status: 409,
    title: 'There is no calendar',
    help: 'Nothing can be booked before the interface has a calendar. Give it one with `PUT /api/v1/interfaces/{id}/calendar`.',
  },
  calendar_invalid: {
    status: 422,
    title: 'The calendar cannot be used as it is',
    help: 'A zone, day, hour, holiday or address of the calendar is none, or contradicts another; `errors` names each.',
  },
  slot_not_offered: {
    status: 422,
    title: 'The time is not offered',
    help: '`start` must be the `start` of a slot of the list of free times, and `end`, where it is given, its `end`. Read the list again and choose one.',
  },
  slot_taken: {
    status: 409,
    title: 'The time was just taken',
    help: 'Somebody else has booked this time. Nothing was changed: an appointment that was to be moved stays where it is. Read the list of free times again and choose another.',
  },
  already_cancelled: {
    status: 409,
    title: 'The booking was cancelled before',
    help: 'There is nothing left to change. Book another time if you want one.',
  },
  booking_past: {
    status: 409,
    title: 'The appointment is past',
    help: 'An appointment that has begun is neither cancelled nor moved.',
  },
  booking_closed: {
    status: 409,
    title: 'The booking does not stand any more',
    help: 'It was declined, or not confirmed in time. Book another time if you want one.',
  },
  booking_not_pending: {
    status: 409,
    title: 'The booking waits for nothing',
    help: 'Only what waits to be confirmed is confirmed or declined, and only what was confirmed was missed. Read the booking to see how it stands.',
  },
  too_late: {
    status: 409,
    title: 'It is too late to change this',
    help: 'The calendar takes changes only until some time before the appointment; `changeUntil` of the booking says when. Call whoever you booked with.',
  },
  reschedule_limit: {
    status: 409,
    title: 'The booking was moved too often',
    help: 'A booking is moved ten times at most by its link. Cancel it and book anew, or call whoever you booked with.',
  },
  too_many_bookings: {
    status: 409,
    title: 'There are bookings for this address already',
    help: 'The calendar takes only some bookings ahead for one mail address. Cancel or move one that you have, by the link in its mail.',
  },
  bookings_ahead: {
    status: 409,
    title: 'There are bookings ahead',
    help: 'People have booked and would be told nothing. Cancel their bookings with it by `cancelBookings=true`, or wait until they are past.',
  },
});
