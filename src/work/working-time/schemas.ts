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
const opens = timeOfDay('When its working day begins');
const closes = timeOfDay('When it is over, by the clocks of the team’s zone');
const free = Type.Array(Type.String({ format: 'date' }), {
  maxItems: 400,
  uniqueItems: true,
  description: 'Further days on which it does not work',
});
const holidays = Type.Object(
  {
    country: Type.String({ pattern: '^[A-Z]{2}$', description: 'Code of the country (ISO 3166-1)' }),
    state: Type.Optional(Type.String({ maxLength: 20, description: 'Code of a part of it, such as `BE` of `DE`' })),
    region: Type.Optional(Type.String({ maxLength: 20, description: 'Code of a part of that' })),
  },
  { ...closed, title: 'WorkingTimeHolidays', description: 'Where the team does not work on public holidays' },
);

/** Working time as it is given. */
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
    timezone: Type.String({ description: 'The team’s' }),
    nextDays: Type.Array(Type.String({ format: 'date' }), { description: 'The next ten working days, today included' }),
    nextHolidays: Type.Array(Type.Object({ date: Type.String({ format: 'date', description: 'The day' }), name: Type.String() }, closed), {
      description: 'The next ten public holidays that are left out',
    }),
  },
  { ...closed, title: 'WorkingTime' },
);
export type ShownWorkingTime = Static<typeof workingTime>;
