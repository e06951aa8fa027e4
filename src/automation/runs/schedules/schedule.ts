import { type Static, Type } from 'typebox';

export const bounds = {
  exprLength: 256,
  everyMs: { least: 60_000, most: 366 * 86_400_000 },
  staggerMs: 3_600_000,
};

const zone = Type.String({ description: 'An IANA time zone name, such as Europe/Berlin' });
const { least, most } = bounds.everyMs;

const kind = {
  at: Type.Literal('at', { description: 'Once' }),
  every: Type.Literal('every', { description: 'Repeatedly, at a fixed interval' }),
  cron: Type.Literal('cron', { description: 'At the times of a cron expression' }),
};

const kinds = {
  at: Type.Object({
    kind: kind.at,
    at: Type.String({ description: 'The time, in UTC' }),
  }),
  every: Type.Object({
    kind: kind.every,
    everyMs: Type.Integer({ minimum: least, maximum: most, description: 'The time between two runs, in milliseconds' }),
    anchor: Type.String({ description: 'The first due time; the others follow at multiples of `everyMs`' }),
  }),
  cron: Type.Object({
    kind: kind.cron,
    expr: Type.String({ description: 'Five fields: minute, hour, day of the month, month, day of the week' }),
    tz: zone,
    staggerMs: Type.Integer({
      minimum: 0,
      maximum: bounds.staggerMs,
      description: 'The maximum delay of the start; each job has a constant delay',
    }),
  }),
};

/** A schedule as stored and shown, with all defaults filled in. */
export const schedule = Type.Union([kinds.at, kinds.every, kinds.cron], { title: 'Schedule' });
export type Schedule = Static<typeof schedule>;

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const tz = Type.Optional(text(100, 'An IANA time zone name; by default that of the team'));

/** A schedule as sent in a request. `readSchedule` validates it. */
export const scheduleShapes = Type.Union(
  [
    Type.Object({
      kind: kind.at,
      at: text(100, 'A time with an offset, such as 2027-03-01T09:00:00Z, or without one in the time zone `tz`'),
      tz,
    }),
    Type.Object({
      kind: kind.every,
      everyMs: Type.Integer({ description: 'The time between two runs, in milliseconds: at least a minute' }),
      anchor: Type.Optional(text(100, 'The first due time, with an offset; by default the time of the request')),
    }),
    Type.Object({
      kind: kind.cron,
      expr: text(1_000, 'Five fields: minute, hour, day of the month, month, day of the week'),
      tz,
      staggerMs: Type.Optional(
        Type.Integer({ description: 'The maximum delay of the start; each job has a constant delay. 0 by default' }),
      ),
    }),
    text(1_000, 'Five fields: minute, hour, day of the month, month, day of the week'),
  ],
  { description: 'The due times, or only a cron expression' },
);
