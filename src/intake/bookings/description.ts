import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const link = `https://api.example.com/api/v1/interfaces/booking/${desk.team.id}/b4pQ…`;
const times = { start: '2026-03-16T09:00:00.000Z', end: '2026-03-16T09:30:00.000Z' };
const later = { start: '2026-03-17T09:00:00.000Z', end: '2026-03-17T09:30:00.000Z' };

const seen = {
  bookingId: desk.booking,
  status: 'confirmed',
  title: 'First consultation',
  with: desk.team.name,
  ...times,
  localStart: '2026-03-16T10:00:00+01:00',
  timeZone: 'Europe/Berlin',
  visitorTimeZone: 'Asia/Kolkata',
  durationMin: 30,
  mayCancel: true,
  mayReschedule: true,
  changeUntil: '2026-03-15T09:00:00.000Z',
  icsUrl: `${link}/calendar.ics`,
};

const done = { success: true, bookingId: desk.booking, status: 'confirmed', ...times };
const free = {
  durationMin: 30,
  slots: [
    { ...times, remaining: 1, localStart: '2026-03-16T10:00:00+01:00' },
    { ...later, remaining: 1, localStart: '2026-03-17T10:00:00+01:00' },
  ],
};
const over = ['already_cancelled', 'booking_past', 'booking_closed'];

const rules = {
  timeZone: 'Europe/Berlin',
  durationMin: 30,
  slotIntervalMin: 30,
  weekly: { mon: [['09:00', '12:00']], tue: [['09:00', '12:00']] },
  overrides: [{ date: '2026-12-24', hours: [] }],
  bufferBeforeMin: 0,
  bufferAfterMin: 15,
  minNoticeMin: 120,
  maxDaysAhead: 60,
  capacity: 1,
  holidays: { country: 'DE', state: 'BE' },
  confirmation: 'manual',
  confirmByMail: false,
  changeUntilMin: 1440,
  maxPerAddress: 2,
  reminders: [1440, 60],
  feedDetails: false,
};
const feed = `https://api.example.com/api/v1/interfaces/feed/${desk.team.id}/9xKd…/calendar.ics`;
const shownCalendar = { ...rules, accepting: true, feedUrl: feed, conflicts: [] };
const busyOne = { name: 'Olivia, private', url: 'https://calendar.example/olivia.ics' };
const busyShown = { addresses: [{ ...busyOne, stale: false, readAt: desk.tuesday }] };
const waiting = {
  id: desk.booking,
  interfaceId: desk.bookingForm,
  submissionId: desk.bookedBy,
  status: 'pending',
  ...times,
  name: 'Noor Haddad',
  email: 'noor@acme.example',
  locale: 'ar',
  timeZone: 'Asia/Dubai',
  moved: 0,
  waitsUntil: desk.wednesday,
  createdAt: desk.tuesday,
  updatedAt: desk.tuesday,
};
const stands = { ...waiting, status: 'confirmed', waitsUntil: undefined, updatedAt: desk.wednesday };
const withoutWaiting = Object.fromEntries(Object.entries(stands).filter(([, value]) => value !== undefined));
const noSuch = 'An interface or booking that the caller may not see is 404.';

export const description: DomainText = {
  operations: {
    getCalendar: {
      text: `Shows the calendar of an interface to those who may edit it, with the bookings ahead that do not fit it, and to those who also see its bookings with the secret address of its feed. ${noSuch}`,
      problems: ['calendar_missing'],
      answer: shownCalendar,
    },
    putCalendar: {
      text: 'Replaces the calendar, or makes it; what is left out has its default. It counts at once and belongs to no version of the form. Bookings stand as they are: those ahead that do not fit any more are named in `conflicts`. Hours are meant by the clocks of `timeZone`: what a change of the clocks skips is not open, what it repeats is open twice. Holidays are worked out when this is called, and again before they run out.',
      records: ['calendar.changed'],
      problems: ['calendar_invalid'],
      body: rules,
      answer: shownCalendar,
    },
    explainSlots: {
      text: 'Lists all slots of a range, also such as are taken or too near or far to be booked, each with what is in its way. Without `from` it begins today, and without `to` it ends a week later; at most 62 days.',
      problems: ['calendar_missing'],
      answer: {
        durationMin: 30,
        slots: [
          { ...times, remaining: 0, localStart: '2026-03-16T10:00:00+01:00', because: [{ kind: 'booking', bookingId: desk.booking }] },
          {
            ...later,
            remaining: 0,
            localStart: '2026-03-17T10:00:00+01:00',
            because: [{ kind: 'busy', name: busyOne.name, stale: false }],
          },
        ],
      },
    },
    rotateCalendarFeed: {
      text: 'Gives the feed of the calendar a new secret address, and makes the feed where there was none. The address before leads nowhere from then on. Whoever has the address sees the appointments, each as “Busy” unless the calendar says otherwise, for as long as the person who made it may see who has booked. Made by a person who edits the interface and sees its bookings.',
      records: ['calendar.feed_rotated'],
      problems: ['calendar_missing', 'person_required'],
      answer: { feedUrl: feed },
    },
    endCalendarFeed: {
      text: 'Ends the feed: its address leads nowhere. Without a feed nothing happens.',
      records: ['calendar.feed_ended'],
    },
    getCalendarFeed: {
      text: 'The appointments of a calendar as a calendar file, for programs that subscribe to it: from a month ago on, up to 2 000. What was cancelled is not in it.',
      problems: ['feed_not_found'],
    },
    getBusyAddresses: {
      text: 'Lists the addresses whose busy times are not offered. Each shows the time of its last read, and the events that could not be read (`skipped`). The last busy times of a stale address still count. The addresses are secrets: programs need `interfaces:write`.',
      answer: busyShown,
    },
    putBusyAddresses: {
      text: 'Replaces the addresses, five at most. Each is read at once and then every 15 minutes. The rules for webhooks apply: public hosts over https, 10 seconds, 1 MiB, 5 000 events in the booking period. An address that fails keeps its last busy times.',
      records: ['calendar.changed'],
      problems: ['calendar_missing', 'calendar_invalid'],
      body: { addresses: [busyOne] },
      answer: busyShown,
    },
    listBookings: {
      text: `Lists the bookings of an interface in the order of their beginnings, to those who may see what was submitted. Without \`limit\` the answer holds up to 10 000 bookings and 4 MiB, and \`Link\` leads to the rest. ${noSuch}`,
      problems: ['forbidden'],
      answer: [waiting],
    },
    getBooking: {
      text: `Shows one booking. ${noSuch}`,
      problems: ['forbidden'],
      answer: waiting,
    },
    confirmBooking: {
      text: 'Confirms a booking that waits, or the other time that its visitor asks for, which it then has. The visitor is told by mail.',
      records: ['booking.confirmed', 'booking.rescheduled'],
      problems: ['booking_not_pending', ...over],
      answer: withoutWaiting,
    },
    declineBooking: {
      text: 'Declines a booking that waits, which frees its time, or the other time that its visitor asks for: then it stands as it was. The visitor is told by mail, with the reason.',
      records: ['booking.declined'],
      problems: ['booking_not_pending', ...over],
      body: { reason: 'We are closed that day.' },
      answer: { ...withoutWaiting, status: 'declined', endedBy: 'team', reason: 'We are closed that day.' },
    },
    cancelBooking: {
      text: 'Cancels a booking ahead, whatever the calendar says of changes by visitors. The visitor is told by mail, with the reason.',
      records: ['booking.cancelled'],
      problems: over,
      body: { reason: 'Olivia is ill.' },
      answer: { ...withoutWaiting, status: 'cancelled', endedBy: 'team', reason: 'Olivia is ill.' },
    },
    rescheduleBooking: {
      text: 'Moves a booking to another slot that is free; notice and days ahead do not bind the team. A refusal leaves it where it is. The visitor is told by mail.',
      records: ['booking.rescheduled'],
      problems: ['slot_not_offered', 'slot_taken', ...over],
      body: { start: later.start },
      answer: { ...withoutWaiting, ...later },
    },
    noteNoShow: {
      text: 'Notes that the visitor did not come to an appointment that was confirmed and has begun.',
      records: ['booking.no_show'],
      problems: ['booking_not_pending'],
      answer: { ...withoutWaiting, status: 'no_show', endedBy: 'team' },
    },
    getBookingByLink: {
      text: 'Shows a booking to whoever has its link. What may still be done with it is said by `mayCancel`, `mayReschedule` and `changeUntil`. Reading changes nothing: programs that look at links in mails do no harm.',
      problems: ['booking_not_found'],
      answer: seen,
    },
    getBookingFile: {
      text: 'The booking as a calendar file (RFC 5545), with times in UTC. The file does not say how to manage the booking: it is made to be passed on.',
      problems: ['booking_not_found'],
    },
    listSlotsForBooking: {
      text: 'Lists the slots that the booking can be moved to, as the list of the form does, and what it takes itself is free. `from` and `to` are dates of the calendar’s zone, both included, or times with an offset, the second excluded; at most 62 days apart.',
      problems: ['booking_not_found'],
      answer: free,
    },
    cancelBookingByLink: {
      text: 'Cancels the booking, which frees its time. Of two cancellations at once one is a success and the other 409 `already_cancelled`. It goes on when the form is closed, until `changeUntil`. The visitor and the team are told by mail.',
      records: ['booking.cancelled'],
      problems: ['booking_not_found', ...over, 'too_late'],
      answer: { ...done, status: 'cancelled' },
    },
    confirmBookingByLink: {
      text: 'Confirms that one has booked, where the calendar asks for that by mail: a booking is held for 15 minutes until then. Afterwards it stands, or waits for somebody of the team. A repetition is a success that changes nothing.',
      records: ['booking.confirmed'],
      problems: ['booking_not_found', ...over],
      answer: seen,
    },
    rescheduleBookingByLink: {
      text: 'Moves the booking to another slot, by the same rules and in the same order as a booking is made; what it takes itself is not in its way. A refusal leaves it where it is, and moving it onto itself is a success that changes nothing. Where the team confirms by hand the old time is kept until the other one is confirmed: `requestedStart` says so. Ten times at most.',
      records: ['booking.rescheduled', 'booking.reschedule_requested'],
      problems: ['booking_not_found', ...over, 'too_late', 'reschedule_limit', 'slot_taken', 'slot_not_offered', 'interface_closed'],
      body: later,
      answer: { ...done, ...later },
    },
  },
  members: {
    'CalendarDefinition.weekly': 'Opening hours by the day on which they begin; a day without is closed',
    'Calendar.weekly': 'Opening hours by the day on which they begin; a day without is closed',
    'CalendarHolidays.country': 'By its code of two letters, such as DE',
    'CalendarHolidays.state': 'A part of the country, by its code there, such as BY',
    'CalendarHolidays.region': 'A part of that, by its code there',
    'CalendarHolidays.types': 'Which of them close it',
    'overrides.date': 'A day of the calendar’s zone',
    'BookingConflict.start': 'When it begins',
    'BookingConflict.end': 'When it ends',
    'BookingConflict.reason': '`outside_hours`, or `over_capacity` where there are more at the same time than the calendar takes now',
    'CalendarFeed.feedUrl': 'The secret address: whoever has it reads the feed',
    'BusyAddress.readAt': 'When it was read last',
    'BusyAddresses.addresses': 'Five at most',
    'PutBusyAddressesRequest.addresses': 'All that there are to be',
    'ExplainedAvailability.durationMin': 'How long an appointment is, in minutes',
    'ExplainedAvailability.slots': 'In the order of their beginnings',
    'ExplainedSlot.start': 'In UTC',
    'ExplainedSlot.end': 'In UTC',
    'TakenBecause.kind': '`booking`, `busy` elsewhere, `notice` that is too short, or `too_far` ahead',
    'TakenBecause.stale': 'Whether what is known of that calendar is more than an hour old',
    'Booking.interfaceId': 'What was booked by',
    'Booking.submissionId': 'What was submitted with it',
    'Booking.status': '`held` until a mailed link is followed, `pending` until it is confirmed, `confirmed`, or how it ended',
    'Booking.start': 'When it begins',
    'Booking.end': 'When it ends',
    'Booking.name': 'Of the visitor, as far as they said',
    'Booking.email': 'Where they are written to',
    'Booking.locale': 'The language that they are written to in',
    'Booking.endedBy': '`visitor`, `team`, or `time`',
    'Booking.reason': 'What the team said when it declined or cancelled',
    'BookingResult.success': 'Always true',
    'BookingResult.start': 'When it begins now',
    'BookingResult.end': 'When it ends',
    bookingId: 'The identifier of the booking',
    'VisitorBooking.status': '`held` until a mailed link is followed, `pending` until the team confirms it, `confirmed`, or how it ended',
    'BookingResult.status': 'How it stands now',
    'VisitorBooking.title': 'What is booked',
    'VisitorBooking.start': 'When it begins',
    'VisitorBooking.end': 'When it ends',
    'VisitorBooking.durationMin': 'How long appointments are now, in minutes',
    'VisitorBooking.mayCancel': 'Whether it can still be cancelled by the link',
    'VisitorBooking.mayReschedule': 'Whether it can still be moved by the link',
    'requested.start': 'When that would begin',
    'requested.end': 'When that would end',
    'Availability.durationMin': 'How long an appointment is, in minutes',
    'Availability.slots': 'In the order of their beginnings; only such as can be booked',
    'Slot.start': 'In UTC; a booking names it',
    'Slot.end': 'In UTC',
  },
};
