import { type Static, Type } from 'typebox';
import { searchFilter } from '../../platform/http/page.ts';
import { weekdays } from './availability/index.ts';
import { statuses } from './states.ts';
import { time, undeliverable } from '../../platform/schema-parts.ts';

const minutes = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description: `${description}, in minutes` }));
const dayMin = 1_440;

/** The maximum number of days ahead for which a calendar offers slots. */
export const daysAheadLimit = 730;

const timeOfDay = Type.String({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$' });
const span = Type.Unsafe<[string, string]>(Type.Array(timeOfDay, { minItems: 2, maxItems: 2 }));
const hours = Type.Array(span, {
  maxItems: 12,
  description: 'Start and end, as local times; an end at or before the start is on the next day',
});

const week = Type.Object(
  Object.fromEntries(weekdays.map((day) => [day, Type.Optional(hours)])) as Record<
    (typeof weekdays)[number],
    ReturnType<typeof optionalHours>
  >,
  { title: 'WeeklyHours', description: 'Opening hours by weekday of their start' },
);
function optionalHours() {
  return Type.Optional(hours);
}

/** A calendar as sent by a client. */
export const calendarBody = Type.Object(
  {
    timeZone: Type.String({ maxLength: 64, description: 'IANA time zone of all hours' }),
    durationMin: Type.Integer({ minimum: 5, maximum: dayMin, description: 'Length of an appointment, in minutes' }),
    slotIntervalMin: minutes(5, dayMin, 'Distance between slots, by default the length of an appointment'),
    weekly: Type.Optional(week),
    overrides: Type.Optional(
      Type.Array(Type.Object({ date: Type.String({ format: 'date' }), hours }), {
        maxItems: 400,
        description: 'Dates with their own hours, or closed dates; they override the week and the holidays',
      }),
    ),
    bufferBeforeMin: minutes(0, dayMin, 'Free time before each appointment'),
    bufferAfterMin: minutes(0, dayMin, 'Free time after each appointment'),
    minNoticeMin: minutes(0, 90 * dayMin, 'Time from now to the first offered slot'),
    maxDaysAhead: Type.Optional(
      Type.Integer({ minimum: 0, maximum: daysAheadLimit, description: 'Number of days after today with offered slots; 60 by default' }),
    ),
    capacity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Concurrent appointments; 1 by default' })),
    holidays: Type.Optional(
      Type.Object(
        {
          country: Type.String({ pattern: '^[A-Z]{2}$' }),
          state: Type.Optional(Type.String({ maxLength: 20 })),
          region: Type.Optional(Type.String({ maxLength: 20 })),
          types: Type.Optional(Type.Array(Type.Enum(['public', 'bank', 'school', 'optional', 'observance']), { minItems: 1, maxItems: 5 })),
        },
        { title: 'CalendarHolidays', description: 'Holidays that close the calendar; public holidays without `types`' },
      ),
    ),
    confirmation: Type.Optional(
      Type.Enum(['automatic', 'manual'], { description: 'Whether a booking is confirmed at once, or waits for the team' }),
    ),
    confirmByMail: Type.Optional(
      Type.Boolean({ description: 'Whether a booking stays `held`, for at most 15 minutes, until the visitor opens the emailed link' }),
    ),
    changeUntilMin: minutes(0, 90 * dayMin, 'Time before the start until which a visitor can cancel or move'),
    maxPerAddress: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Future bookings for one email address; 2 by default' }),
    ),
    reminders: Type.Optional(
      Type.Array(Type.Integer({ minimum: 5, maximum: 30 * dayMin }), {
        maxItems: 5,
        uniqueItems: true,
        description: 'Minutes before an appointment at which an email reminds of it; a day before by default',
      }),
    ),
    feedDetails: Type.Optional(
      Type.Boolean({ description: 'Whether the feed has the names of visitors; by default every appointment is “Busy”' }),
    ),
  },
  { title: 'CalendarDefinition' },
);
export type CalendarBody = Static<typeof calendarBody>;

/** A calendar with all defaults filled in. */
export type Calendar = Required<Omit<CalendarBody, 'holidays'>> & Pick<CalendarBody, 'holidays'>;

export const conflict = Type.Object(
  {
    bookingId: Type.String(),
    start: Type.String({ format: 'date-time' }),
    end: Type.String({ format: 'date-time' }),
    reason: Type.Enum(['outside_hours', 'over_capacity']),
  },
  { title: 'BookingConflict' },
);
export type Conflict = Static<typeof conflict>;

const slot = Type.Object(
  {
    start: Type.String({ format: 'date-time' }),
    end: Type.String({ format: 'date-time' }),
    remaining: Type.Integer({ description: 'Remaining number of bookings' }),
    localStart: Type.String({ description: 'The start as local time of the calendar’s zone, with its offset' }),
  },
  { title: 'Slot', additionalProperties: true },
);

export const availability = Type.Object({ durationMin: Type.Integer(), slots: Type.Array(slot) }, { title: 'Availability' });
export type Availability = Static<typeof availability>;

export const someRangeQuery = Type.Object({
  from: Type.Optional(Type.String({ maxLength: 64, description: 'A date, or a time with its offset; today by default' })),
  to: Type.Optional(Type.String({ maxLength: 64, description: 'An inclusive date or an exclusive time; a week after `from` by default' })),
});

export const rangeQuery = Type.Object({
  from: Type.String({ maxLength: 64, description: 'A date, or a time with its offset' }),
  to: Type.String({ maxLength: 64, description: 'An inclusive date or an exclusive time; at most 62 days after `from`' }),
});

const status = Type.Enum([...statuses]);

export const bookingResult = Type.Object(
  {
    success: Type.Boolean(),
    bookingId: Type.String(),
    status,
    start: time,
    end: time,
    requestedStart: Type.Optional(
      Type.String({ format: 'date-time', description: 'The other time that the visitor requested, if the team confirms by hand' }),
    ),
  },
  { title: 'BookingResult', additionalProperties: true },
);
export type BookingResult = Static<typeof bookingResult>;

export const visitorBooking = Type.Object(
  {
    bookingId: Type.String(),
    status,
    title: Type.Optional(Type.String()),
    with: Type.Optional(Type.String({ description: 'The public name of the team' })),
    start: time,
    end: time,
    localStart: Type.String({ description: 'The start as local time of the calendar’s zone, with its offset' }),
    timeZone: Type.String({ description: 'The zone of the calendar' }),
    visitorTimeZone: Type.Optional(Type.String({ description: 'The time zone that the visitor sent' })),
    durationMin: Type.Integer(),
    mayCancel: Type.Boolean(),
    mayReschedule: Type.Boolean(),
    changeUntil: Type.String({ format: 'date-time', description: 'The time until which the link can cancel or move the booking' }),
    requested: Type.Optional(
      Type.Object({ start: time, end: time }, { description: 'A requested other time that waits for confirmation' }),
    ),
    reason: Type.Optional(Type.String({ description: 'The reason of the team for declining or cancelling' })),
    icsUrl: Type.String({ description: 'The address of the booking as a calendar file' }),
  },
  { title: 'VisitorBooking' },
);
export type VisitorBooking = Static<typeof visitorBooking>;

export const linkParams = Type.Object({
  teamId: Type.String({ maxLength: 64 }),
  token: Type.String({ maxLength: 200, description: 'The token of the emailed link' }),
});

export const rescheduleBody = Type.Object({
  start: Type.String({ maxLength: 64, description: '`start` of the slot, with its offset' }),
  end: Type.Optional(Type.String({ maxLength: 64, description: '`end` of the slot, to compare with the offered one' })),
});

const busyName = Type.String({ minLength: 1, maxLength: 100, description: 'A name for the calendar, such as that of its owner' });
const busyUrl = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'An address of a calendar file, stored encrypted',
});

export const busyBody = Type.Object({
  addresses: Type.Array(Type.Object({ name: busyName, url: busyUrl }), { maxItems: 5 }),
});
export type BusyAddress = Static<typeof busyBody>['addresses'][number];

const shownBusy = Type.Object(
  {
    name: busyName,
    url: busyUrl,
    stale: Type.Boolean({
      description: 'Whether the last successful read is more than an hour ago or missing; the last busy times still count',
    }),
    readAt: Type.Optional(time),
    error: Type.Optional(Type.String({ description: 'The error of the last read' })),
    skipped: Type.Optional(
      Type.Array(
        Type.Object(
          {
            reason: Type.String({ description: 'The reason, for people' }),
            summary: Type.Optional(Type.String({ description: 'Title of the event, up to 100 characters' })),
            start: Type.Optional(Type.String({ description: 'The start of the event, as in the file' })),
          },
          { title: 'SkippedEvent' },
        ),
        { description: 'The first 20 events that could not be read completely; the form may offer their times' },
      ),
    ),
  },
  { title: 'BusyAddress' },
);
export type ShownBusy = Static<typeof shownBusy>;
export const busyAddresses = Type.Object({ addresses: Type.Array(shownBusy) }, { title: 'BusyAddresses' });

/** A calendar in responses to its managers. */
export const calendar = Type.Object(
  {
    ...calendarBody.properties,
    accepting: Type.Boolean({ description: 'Whether the calendar accepts new bookings; false once the interface is closed' }),
    feedUrl: Type.Optional(Type.String({ description: 'The secret address of the feed, if it exists' })),
    conflicts: Type.Array(conflict, {
      description: 'Future bookings that no longer fit the calendar, at most 100; they stay',
    }),
  },
  { title: 'Calendar' },
);
export type ShownCalendar = Static<typeof calendar>;

export const feedAddress = Type.Object({ feedUrl: Type.String() }, { title: 'CalendarFeed' });

const because = Type.Object(
  {
    kind: Type.Enum(['booking', 'busy', 'notice', 'too_far']),
    bookingId: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ description: 'The name of the busy calendar' })),
    stale: Type.Optional(Type.Boolean()),
  },
  { title: 'TakenBecause' },
);
export const explainedSlots = Type.Object(
  {
    durationMin: Type.Integer(),
    slots: Type.Array(
      Type.Object(
        {
          ...slot.properties,
          because: Type.Array(because, { description: 'The reasons why it is not free, or less often than the capacity' }),
        },
        {
          title: 'ExplainedSlot',
        },
      ),
    ),
  },
  { title: 'ExplainedAvailability' },
);
export type ExplainedSlots = Static<typeof explainedSlots>;
export type Because = Static<typeof because>;

/** A booking in responses to the team. */
export const teamBooking = Type.Object(
  {
    id: Type.String(),
    interfaceId: Type.String(),
    submissionId: Type.Optional(Type.String()),
    status,
    start: time,
    end: time,
    name: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    undeliverable: Type.Optional(undeliverable),
    locale: Type.String(),
    timeZone: Type.Optional(Type.String({ description: 'The time zone that the visitor sent' })),
    moved: Type.Integer({ description: 'How often the visitor moved it' }),
    waitsUntil: Type.Optional(Type.String({ format: 'date-time', description: 'The end of the time to confirm' })),
    requestedStart: Type.Optional(Type.String({ format: 'date-time', description: 'Another time that the visitor requests' })),
    endedBy: Type.Optional(Type.Enum(['visitor', 'team', 'time'])),
    reason: Type.Optional(Type.String()),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'Booking' },
);
export type TeamBooking = Static<typeof teamBooking>;

export const interfaceParams = Type.Object({ id: Type.String({ maxLength: 64, description: 'The interface' }) });
export const bookingParams = Type.Object({
  id: Type.String({ maxLength: 64, description: 'The interface' }),
  bookingId: Type.String({ maxLength: 64 }),
});
export const bookingFilters = {
  ...searchFilter('name or email address of the visitor'),
  status: Type.Optional(Type.Array(status, { maxItems: 8, description: 'Only bookings with this status; repeat it for several' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Only bookings that start at this time or later' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Only bookings that start before this time' })),
};
export const reasonBody = Type.Object({
  reason: Type.Optional(Type.String({ maxLength: 500, description: 'A reason that the visitor reads' })),
});
export const moveBody = Type.Object({ start: Type.String({ maxLength: 64, description: '`start` of a slot' }) });
