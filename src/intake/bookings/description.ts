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
const confirmedBooking = { ...waiting, status: 'confirmed', waitsUntil: undefined, updatedAt: desk.wednesday };
const withoutWaiting = Object.fromEntries(Object.entries(confirmedBooking).filter(([, value]) => value !== undefined));
const noSuch = 'Responds 404 for an interface or booking that the caller cannot see.';

export const description: DomainText = {
  operations: {
    getCalendar: {
      text: `Returns the calendar of an interface, with the future bookings that do not fit it (\`conflicts\`). Requires the right to edit the interface. Callers who can also see its bookings get the secret address of its feed. ${noSuch}`,
      problems: ['calendar_missing'],
      answer: shownCalendar,
    },
    putCalendar: {
      text: 'Creates or replaces the calendar; a member that you leave out gets its default. The calendar takes effect at once and is not part of a form version. Existing bookings stay; `conflicts` lists the future bookings that no longer fit. Hours are local times of `timeZone`: hours that a clock change skips are closed, hours that it repeats are open twice. Chancery computes the holidays at this request, and again before they run out.',
      records: ['calendar.changed'],
      problems: ['calendar_invalid'],
      body: rules,
      answer: shownCalendar,
    },
    explainSlots: {
      text: 'Lists all slots of a range, and for each unavailable slot the reasons (`because`). Includes slots that are booked, too near or too far ahead. Without `from` the range begins today, and without `to` it ends a week later. A range has at most 62 days.',
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
      text: 'Creates the feed of the calendar, or replaces its secret address. The previous address stops working. Everyone with the address sees the appointments, each as “Busy” unless `feedDetails` is true. The feed works while the person who created it can see the bookings. Requires a person who can edit the interface and see its bookings.',
      records: ['calendar.feed_rotated'],
      problems: ['calendar_missing', 'person_required'],
      answer: { feedUrl: feed },
    },
    endCalendarFeed: {
      text: 'Deletes the feed; its address stops working. Without a feed nothing happens.',
      records: ['calendar.feed_ended'],
    },
    getCalendarFeed: {
      text: 'Returns the appointments of a calendar as a calendar file, for programs that subscribe to it. Starts a month ago, with at most 2 000 appointments. Leaves out cancelled appointments.',
      problems: ['feed_not_found'],
    },
    getBusyAddresses: {
      text: 'Lists the addresses whose busy times are not offered. Each shows the time of its last read, and the events that could not be read (`skipped`). The last busy times of a stale address still count. The addresses are secrets: programs need `interfaces:write`.',
      answer: busyShown,
    },
    putBusyAddresses: {
      text: 'Replaces the addresses, at most five. Chancery reads each at once and then every 15 minutes. The rules for webhooks apply: public hosts over https, 10 seconds, 1 MiB, 5 000 events in the booking period. If an address fails, its last busy times still count.',
      records: ['calendar.changed'],
      problems: ['calendar_missing', 'calendar_invalid'],
      body: { addresses: [busyOne] },
      answer: busyShown,
    },
    listBookings: {
      text: `Lists the bookings of an interface by start time. Requires the right to read its submissions. Without \`limit\` the response has up to 10 000 bookings and 4 MiB, and \`Link\` has the address of the rest. ${noSuch}`,
      problems: ['forbidden'],
      answer: [waiting],
    },
    listTeamBookings: {
      text: 'Lists the bookings of all interfaces whose submissions you can read, by start time. Filters and items are those of `listBookings`; `interfaceId` is the interface of each booking.',
      problems: [],
      answer: [waiting],
    },
    getBooking: {
      text: `Returns a booking. ${noSuch}`,
      problems: ['forbidden'],
      answer: waiting,
    },
    confirmBooking: {
      text: 'Confirms a pending booking. If the visitor requested another time, the booking gets that time. Emails the visitor.',
      records: ['booking.confirmed', 'booking.rescheduled'],
      problems: ['booking_not_pending', ...over],
      answer: withoutWaiting,
    },
    declineBooking: {
      text: 'Declines a pending booking and frees its time. If the visitor requested another time, declines only that request, and the booking keeps its time. Emails the visitor with the reason.',
      records: ['booking.declined'],
      problems: ['booking_not_pending', ...over],
      body: { reason: 'We are closed that day.' },
      answer: { ...withoutWaiting, status: 'declined', endedBy: 'team', reason: 'We are closed that day.' },
    },
    cancelBooking: {
      text: 'Cancels a future booking. The time limit for changes by visitors does not apply. Emails the visitor with the reason.',
      records: ['booking.cancelled'],
      problems: over,
      body: { reason: 'Olivia is ill.' },
      answer: { ...withoutWaiting, status: 'cancelled', endedBy: 'team', reason: 'Olivia is ill.' },
    },
    rescheduleBooking: {
      text: 'Moves a booking to another free slot. The minimum notice and the maximum days ahead do not apply to the team. If the request fails, the booking keeps its time. Emails the visitor.',
      records: ['booking.rescheduled'],
      problems: ['slot_not_offered', 'slot_taken', ...over],
      body: { start: later.start },
      answer: { ...withoutWaiting, ...later },
    },
    noteNoShow: {
      text: 'Records that the visitor missed a confirmed appointment. The appointment must have begun.',
      records: ['booking.no_show'],
      problems: ['booking_not_pending'],
      answer: { ...withoutWaiting, status: 'no_show', endedBy: 'team' },
    },
    getBookingByLink: {
      text: 'Returns the booking of a link. `mayCancel`, `mayReschedule` and `changeUntil` say what changes are still possible. Reading changes nothing, so programs that open links in mails do no harm.',
      problems: ['booking_not_found'],
      answer: seen,
    },
    getBookingFile: {
      text: 'Returns the booking as a calendar file (RFC 5545), with times in UTC. You can share the file: it has no link to change the booking.',
      problems: ['booking_not_found'],
    },
    listSlotsForBooking: {
      text: 'Lists the slots that the booking can move to, by the rules of the form’s list. The time of the booking itself counts as free. `from` and `to` are dates in the calendar’s zone, both inclusive, or times with an offset, the second exclusive. They are at most 62 days apart.',
      problems: ['booking_not_found'],
      answer: free,
    },
    cancelBookingByLink: {
      text: 'Cancels the booking and frees its time. Of two concurrent cancellations one succeeds, and the other gets 409 `already_cancelled`. Works until `changeUntil`, also when the form is closed. Emails the visitor and the team.',
      records: ['booking.cancelled'],
      problems: ['booking_not_found', ...over, 'too_late'],
      answer: { ...done, status: 'cancelled' },
    },
    confirmBookingByLink: {
      text: 'Confirms the mail address of a booking, if the calendar requires that. Chancery reserves the time for 15 minutes until the confirmation. The booking is then confirmed, or waits for the team. A repetition succeeds and changes nothing.',
      records: ['booking.confirmed'],
      problems: ['booking_not_found', ...over],
      answer: seen,
    },
    rescheduleBookingByLink: {
      text: 'Moves the booking to another slot, by the same rules as a new booking. The time of the booking itself counts as free. If the request fails, the booking keeps its time. A move to the same time succeeds and changes nothing. If the team confirms by hand, the booking keeps the old time until then, and `requestedStart` has the requested time. Visitors can move a booking at most ten times.',
      records: ['booking.rescheduled', 'booking.reschedule_requested'],
      problems: ['booking_not_found', ...over, 'too_late', 'reschedule_limit', 'slot_taken', 'slot_not_offered', 'interface_closed'],
      body: later,
      answer: { ...done, ...later },
    },
  },
  members: {
    'CalendarDefinition.weekly': 'Opening hours by weekday of their start; a missing day is closed',
    'Calendar.weekly': 'Opening hours by weekday of their start; a missing day is closed',
    'CalendarHolidays.country': 'Two-letter country code, such as DE',
    'CalendarHolidays.state': 'Code of a state of the country, such as BY',
    'CalendarHolidays.region': 'Code of a region of the state',
    'CalendarHolidays.types': 'Types of holidays that close the calendar',
    'overrides.date': 'A date in the calendar’s zone',
    'BookingConflict.start': 'The start of the booking',
    'BookingConflict.end': 'The end of the booking',
    'BookingConflict.reason': '`outside_hours`, or `over_capacity` if more bookings overlap than the calendar allows',
    'CalendarFeed.feedUrl': 'The secret address of the feed; it gives read access',
    'BusyAddress.readAt': 'The time of the last read',
    'BusyAddresses.addresses': 'At most five',
    'PutBusyAddressesRequest.addresses': 'The complete new list',
    'ExplainedAvailability.durationMin': 'The length of an appointment, in minutes',
    'ExplainedAvailability.slots': 'Ordered by start time',
    'ExplainedSlot.start': 'In UTC',
    'ExplainedSlot.end': 'In UTC',
    'TakenBecause.kind': '`booking`, `busy` in another calendar, `notice` too short, or `too_far` ahead',
    'TakenBecause.stale': 'Whether the data of that calendar is more than an hour old',
    'Booking.interfaceId': 'The interface of the booking',
    'Booking.submissionId': 'The submission of the booking',
    'Booking.status': '`held` until the visitor opens the emailed link, `pending` until the team confirms, `confirmed`, or a final status',
    'Booking.start': 'The start of the appointment',
    'Booking.end': 'The end of the appointment',
    'Booking.name': 'The name of the visitor, if given',
    'Booking.email': 'The email address of the visitor',
    'Booking.locale': 'The language of emails to the visitor',
    'Booking.endedBy': '`visitor`, `team`, or `time`',
    'Booking.reason': 'The reason of the team for declining or cancelling',
    'BookingResult.success': 'Always true',
    'BookingResult.start': 'The start of the appointment',
    'BookingResult.end': 'The end of the appointment',
    bookingId: 'The identifier of the booking',
    'VisitorBooking.status':
      '`held` until the visitor opens the emailed link, `pending` until the team confirms, `confirmed`, or a final status',
    'BookingResult.status': 'The status of the booking',
    'VisitorBooking.title': 'The title of the form',
    'VisitorBooking.start': 'The start of the appointment',
    'VisitorBooking.end': 'The end of the appointment',
    'VisitorBooking.durationMin': 'The current length of an appointment, in minutes',
    'VisitorBooking.mayCancel': 'Whether the link can still cancel the booking',
    'VisitorBooking.mayReschedule': 'Whether the link can still move the booking',
    'requested.start': 'The start of the requested time',
    'requested.end': 'The end of the requested time',
    'Availability.durationMin': 'The length of an appointment, in minutes',
    'Availability.slots': 'Free slots, ordered by start time',
    'Slot.start': 'In UTC; send it to book this slot',
    'Slot.end': 'In UTC',
  },
};
