import { type Static, Type } from 'typebox';
import { weekdays } from './business-days.ts';
import { closed } from '../../platform/schema-parts.ts';

const timeOfDay = (description: string) => Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description });
const days = Type.Array(Type.Enum([...weekdays]), {
  minItems: 1,
  maxItems: 7,
  uniqueItems: true,
  description: 'Days of the week on which the team works',
});
const opens = timeOfDay('The start of a working day');
const closes = timeOfDay('The end of a working day, in the time zone of the team');
const free = Type.Array(Type.String({ format: 'date' }), {
  maxItems: 400,
  uniqueItems: true,
  description: 'Additional free days',
});
const holidays = Type.Object(
  {
    country: Type.String({ pattern: '^[A-Z]{2}$', description: 'Code of the country (ISO 3166-1)' }),
    state: Type.Optional(Type.String({ maxLength: 20, description: 'Code of a part of the country, such as `BE` in `DE`' })),
    region: Type.Optional(Type.String({ maxLength: 20, description: 'Code of a region in that part' })),
  },
  { ...closed, title: 'WorkingTimeHolidays', description: 'The place whose public holidays are free' },
);

/** The working time in a request. */
export const workingTimeBody = Type.Object(
  { days, opens, closes, holidays: Type.Optional(holidays), free: Type.Optional(free) },
  { title: 'WorkingTimeRequest' },
);
export type WorkingTimeBody = Static<typeof workingTimeBody>;

export const workingTime = Type.Object(
  {
    days,
    opens,
    closes,
    holidays: Type.Optional(holidays),
    free,
    timezone: Type.String({ description: 'The time zone of the team' }),
    nextDays: Type.Array(Type.String({ format: 'date' }), { description: 'The next ten working days, today included' }),
    nextHolidays: Type.Array(Type.Object({ date: Type.String({ format: 'date', description: 'The day' }), name: Type.String() }, closed), {
      description: 'The next ten public holidays that are free',
    }),
  },
  { ...closed, title: 'WorkingTime' },
);
export type ShownWorkingTime = Static<typeof workingTime>;
