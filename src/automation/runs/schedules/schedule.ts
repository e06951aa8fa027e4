import { type Static, Type } from 'typebox';

export const bounds = {
  exprLength: 256,
  everyMs: { least: 60_000, most: 366 * 86_400_000 },
  staggerMs: 3_600_000,
};

const zone = Type.String({ description: 'A time zone by its name in the IANA database, such as Europe/Berlin' });
const { least, most } = bounds.everyMs;

const kind = {
  at: Type.Literal('at', { description: 'Once' }),
  every: Type.Literal('every', { description: 'Again and again after the same time' }),
  cron: Type.Literal('cron', { description: 'At times of the day, the week or the month' }),
};

const kinds = {
  at: Type.Object({
    kind: kind.at,
    at: Type.String({ description: 'When, once; in UTC' }),
  }),
  every: Type.Object({
    kind: kind.every,
    everyMs: Type.Integer({ minimum: least, maximum: most, description: 'The time between two runs, in milliseconds' }),
    anchor: Type.String({ description: 'It is due at this time and at each multiple of `everyMs` after it' }),
  }),
  cron: Type.Object({
    kind: kind.cron,
    expr: Type.String({ description: 'Five fields: minute, hour, day of the month, month, day of the week' }),
    tz: zone,
    staggerMs: Type.Integer({
      minimum: 0,
      maximum: bounds.staggerMs,
      description: 'The job begins up to so much later, always by the same time',
    }),
  }),
};

/** A schedule as it is kept and shown: nothing about it is left to be guessed. */
export const schedule = Type.Union([kinds.at, kinds.every, kinds.cron], { title: 'Schedule' });
export type Schedule = Static<typeof schedule>;

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const tz = Type.Optional(text(100, 'A time zone by its name in the IANA database; that of the team without it'));

/** A schedule as it may be sent. What it says is looked at by `readSchedule`. */
export const scheduleShapes = Type.Union(
  [
    Type.Object({
      kind: kind.at,
      at: text(100, 'A time with an offset, such as 2027-03-01T09:00:00Z; or without one, as it is in the time zone'),
      tz,
    }),
    Type.Object({
      kind: kind.every,
      everyMs: Type.Integer({ description: 'The time between two runs, in milliseconds: at least a minute' }),
      anchor: Type.Optional(text(100, 'A time with an offset, of which it is due at each multiple; without it, when the schedule is set')),
    }),
    Type.Object({
      kind: kind.cron,
      expr: text(1_000, 'Five fields: minute, hour, day of the month, month, day of the week'),
      tz,
      staggerMs: Type.Optional(
        Type.Integer({ description: 'The job begins up to so much later, always by the same time; none without it' }),
      ),
    }),
    text(1_000, 'Five fields: minute, hour, day of the month, month, day of the week'),
  ],
  { description: 'When it is due; or a cron expression alone' },
);
