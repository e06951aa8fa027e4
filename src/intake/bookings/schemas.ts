import { type Static, Type } from 'typebox';
import { weekdays } from './availability/index.ts';
import { statuses } from './states.ts';
import { time } from '../../platform/schema-parts.ts';

const minutes = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description: `${description}, in minutes` }));
const dayMin = 1_440;

/** Days ahead that a calendar may offer slots for. */
export const daysAheadLimit = 730;

const timeOfDay = Type.String({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$' });
const span = Type.Unsafe<[string, string]>(Type.Array(timeOfDay, { minItems: 2, maxItems: 2 }));
const hours = Type.Array(span, {
  maxItems: 12,
  description: 'From and until, by the clocks of the zone; what ends no later than it begins ends the day after',
});

const week = Type.Object(
  Object.fromEntries(weekdays.map((day) => [day, Type.Optional(hours)])) as Record<
    (typeof weekdays)[number],
    ReturnType<typeof optionalHours>
  >,
  { title: 'WeeklyHours', description: 'Opening hours by the day on which they begin' },
);
function optionalHours() {
  return Type.Optional(hours);
}

/** A calendar as it is given. */
export const calendarBody = Type.Object(
  {
    timeZone: Type.String({ maxLength: 64, description: 'Name of a zone of the IANA database, by which hours are meant' }),
    durationMin: Type.Integer({ minimum: 5, maximum: dayMin, description: 'Length of an appointment, in minutes' }),
    slotIntervalMin: minutes(5, dayMin, 'From one slot to the next; as long as an appointment without it'),
    weekly: Type.Optional(week),
    overrides: Type.Optional(
      Type.Array(Type.Object({ date: Type.String({ format: 'date' }), hours }), {
        maxItems: 400,
        description: 'Days with hours of their own, or with none; they stand before the week and the holidays',
      }),
    ),
    bufferBeforeMin: minutes(0, dayMin, 'Kept free before each appointment'),
    bufferAfterMin: minutes(0, dayMin, 'Kept free after each appointment'),
    minNoticeMin: minutes(0, 90 * dayMin, 'From now to the first slot that is offered'),
    maxDaysAhead: Type.Optional(
      Type.Integer({ minimum: 0, maximum: daysAheadLimit, description: 'Days after today that slots are offered for; 60 without it' }),
    ),
    capacity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Appointments at the same time; 1 without it' })),
    holidays: Type.Optional(
      Type.Object(
        {
          country: Type.String({ pattern: '^[A-Z]{2}$' }),
          state: Type.Optional(Type.String({ maxLength: 20 })),
          region: Type.Optional(Type.String({ maxLength: 20 })),
          types: Type.Optional(Type.Array(Type.Enum(['public', 'bank', 'school', 'optional', 'observance']), { minItems: 1, maxItems: 5 })),
        },
        { title: 'CalendarHolidays', description: 'Closed on the holidays of a place; public ones without `types`' },
      ),
    ),
    confirmation: Type.Optional(
      Type.Enum(['automatic', 'manual'], { description: 'Whether a booking stands at once, or waits for somebody to confirm it' }),
    ),
    confirmByMail: Type.Optional(Type.Boolean({ description: 'A booking is held for 15 minutes, until a mailed link is followed' })),
    changeUntilMin: minutes(0, 90 * dayMin, 'Before the beginning, until which a visitor may cancel or move'),
    maxPerAddress: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Bookings ahead for one mail address; 2 without it' }),
    ),
    reminders: Type.Optional(
      Type.Array(Type.Integer({ minimum: 5, maximum: 30 * dayMin }), {
        maxItems: 5,
        uniqueItems: true,
        description: 'When a mail reminds of an appointment, in minutes before it; a day before without it',
      }),
    ),
    feedDetails: Type.Optional(
      Type.Boolean({ description: 'Whether the feed says who comes; without it every appointment is “Busy” there' }),
    ),
  },
  { title: 'CalendarDefinition' },
);
export type CalendarBody = Static<typeof calendarBody>;

/** The same with what follows where something is left out. */
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
    remaining: Type.Integer({ description: 'How often it can still be booked' }),
    localStart: Type.String({ description: 'The beginning by the clocks of the calendar’s zone, with their offset' }),
  },
  { title: 'Slot', additionalProperties: true },
);

export const availability = Type.Object({ durationMin: Type.Integer(), slots: Type.Array(slot) }, { title: 'Availability' });
export type Availability = Static<typeof availability>;

export const someRangeQuery = Type.Object({
  from: Type.Optional(Type.String({ maxLength: 64, description: 'A date, or a time with its offset; today without it' })),
  to: Type.Optional(
    Type.String({ maxLength: 64, description: 'A date, which is included, or a time, which is not; a week after `from` without it' }),
  ),
});

export const rangeQuery = Type.Object({
  from: Type.String({ maxLength: 64, description: 'A date, or a time with its offset' }),
  to: Type.String({ maxLength: 64, description: 'A date, which is included, or a time, which is not; at most 62 days after `from`' }),
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
      Type.String({ format: 'date-time', description: 'The other time that was asked for, where the team confirms by hand' }),
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
    with: Type.Optional(Type.String({ description: 'The team, as visitors know it' })),
    start: time,
    end: time,
    localStart: Type.String({ description: 'The beginning by the clocks of the calendar’s zone, with their offset' }),
    timeZone: Type.String({ description: 'The zone of the calendar' }),
    visitorTimeZone: Type.Optional(Type.String({ description: 'The zone that the visitor named' })),
    durationMin: Type.Integer(),
    mayCancel: Type.Boolean(),
    mayReschedule: Type.Boolean(),
    changeUntil: Type.String({ format: 'date-time', description: 'Until when it may be cancelled or moved by its link' }),
    requested: Type.Optional(Type.Object({ start: time, end: time }, { description: 'Another time that waits to be confirmed' })),
    reason: Type.Optional(Type.String({ description: 'What the team said when it declined or cancelled' })),
    icsUrl: Type.String({ description: 'The same as a calendar file' }),
  },
  { title: 'VisitorBooking' },
);
export type VisitorBooking = Static<typeof visitorBooking>;

export const linkParams = Type.Object({
  teamId: Type.String({ maxLength: 64 }),
  token: Type.String({ maxLength: 200, description: 'Of the link in the mail' }),
});

export const rescheduleBody = Type.Object({
  start: Type.String({ maxLength: 64, description: '`start` of the slot, with its offset' }),
  end: Type.Optional(Type.String({ maxLength: 64, description: 'Its `end`, where it is to be compared' })),
});

const busyName = Type.String({ minLength: 1, maxLength: 100, description: 'What it is called here, such as whose calendar it is' });
const busyUrl = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'An address that answers with a calendar file; it is kept sealed',
});

export const busyBody = Type.Object({
  addresses: Type.Array(Type.Object({ name: busyName, url: busyUrl }), { maxItems: 5 }),
});
export type BusyAddress = Static<typeof busyBody>['addresses'][number];

const shownBusy = Type.Object(
  {
    name: busyName,
    url: busyUrl,
    stale: Type.Boolean({ description: 'What was read is more than an hour old, or nothing was; it counts all the same' }),
    readAt: Type.Optional(time),
    error: Type.Optional(Type.String({ description: 'Why it could not be read the last time' })),
    skipped: Type.Optional(
      Type.Array(
        Type.Object(
          {
            reason: Type.String({ description: 'Why, for people' }),
            summary: Type.Optional(Type.String({ description: 'Title of the event, up to 100 characters' })),
            start: Type.Optional(Type.String({ description: 'When it begins, as the file has it' })),
          },
          { title: 'SkippedEvent' },
        ),
        { description: 'Events of the file that were not read, or not wholly: their times may be offered. The first 20' },
      ),
    ),
  },
  { title: 'BusyAddress' },
);
export type ShownBusy = Static<typeof shownBusy>;
export const busyAddresses = Type.Object({ addresses: Type.Array(shownBusy) }, { title: 'BusyAddresses' });

/** A calendar as whoever manages it sees it. */
export const calendar = Type.Object(
  {
    ...calendarBody.properties,
    accepting: Type.Boolean({ description: 'Whether anything new is booked; nothing is once the interface is closed' }),
    feedUrl: Type.Optional(Type.String({ description: 'The secret address of its feed, where there is one' })),
    conflicts: Type.Array(conflict, {
      description: 'Bookings ahead that do not fit the calendar any more; they stand, up to 100 are named',
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
    name: Type.Optional(Type.String({ description: 'Of the address whose calendar is busy then' })),
    stale: Type.Optional(Type.Boolean()),
  },
  { title: 'TakenBecause' },
);
export const explainedSlots = Type.Object(
  {
    durationMin: Type.Integer(),
    slots: Type.Array(
      Type.Object(
        { ...slot.properties, because: Type.Array(because, { description: 'Why it is not free, or not as often as it could be' }) },
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

/** A booking as the team sees it. */
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
    locale: Type.String(),
    timeZone: Type.Optional(Type.String({ description: 'The zone that the visitor named' })),
    moved: Type.Integer({ description: 'How often the visitor has moved it' }),
    waitsUntil: Type.Optional(Type.String({ format: 'date-time', description: 'Until when it waits to be confirmed' })),
    requestedStart: Type.Optional(Type.String({ format: 'date-time', description: 'Another time that the visitor asks for' })),
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
  status: Type.Optional(
    Type.Array(status, { maxItems: 8, description: 'Only bookings that stand like this; named several times, in any of these ways' }),
  ),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Only those that begin then or later' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Only those that begin before' })),
};
export const reasonBody = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 500, description: 'The visitor reads it' })) });
export const moveBody = Type.Object({ start: Type.String({ maxLength: 64, description: '`start` of a slot' }) });
