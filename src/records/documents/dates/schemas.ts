import { type Static, type TString, Type } from 'typebox';
import { kinds } from './calculate.ts';
import { asRead } from '../../../platform/schema-parts.ts';

// Three digits of years, four of months and weeks, five of days: longer than any agreement, and within the range of the date library.
const spanPattern = '^P(?=\\d)(\\d{1,3}Y)?(\\d{1,4}M)?(\\d{1,4}W)?(\\d{1,5}D)?$';
const day = (description: string) => Type.String({ format: 'date', pattern: '^(19|2\\d)\\d\\d-', description });
const span = (description: string) => Type.String({ pattern: spanPattern, maxLength: 22, description });
const renewal = Type.Enum(['none', 'tacit', 'by_agreement'], {
  description: 'After its end: nothing, another term of `renewalPeriod` unless notice is given in time, or as the parties agree',
});

const effectiveAt = day('The first day in force');
const expiresAt = day('The last day in force; for a document that renews itself, the last day of its first term');
const noticePeriod = span('The notice period before the end, in whole days, weeks, months or years, such as `P3M`');
const renewalPeriod = span('The length of each further term, such as `P1Y`');
const remindBefore = span('The time between the announcement and the date; 30 days by default');
const startsTemplate = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The workflow template that starts for the document when a date is announced',
});
const noticeAt = day('The last day to give notice of the next end, in the time zone of the team');
const endsAt = day('The next end unless it is prolonged; for a document that renews itself, the first end with a notice day not yet past');

export const keyDates = Type.Object(
  {
    documentId: Type.String(),
    effectiveAt: Type.Optional(effectiveAt),
    expiresAt: Type.Optional(expiresAt),
    noticePeriod: Type.Optional(noticePeriod),
    renewal,
    renewalPeriod: Type.Optional(renewalPeriod),
    remindBefore,
    startsTemplate: Type.Optional(startsTemplate),
    noticeAt: Type.Optional(noticeAt),
    endsAt: Type.Optional(endsAt),
    timezone: Type.String({ description: 'The time zone of the team' }),
    setBy: Type.Optional(Type.String({ description: 'The actor who set the dates last' })),
    setByType: Type.Optional(Type.String({ description: '`user`, `client` or `agent`' })),
    updatedAt: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { title: 'DocumentDates' },
);
export type ShownDates = Static<typeof keyDates>;

const orNull = (schema: TString & { description?: string }) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description: schema.description ?? '' }));

/** The body that replaces all dates: an omitted member clears its date. */
export const keyDatesBody = Type.Object(
  {
    effectiveAt: orNull(effectiveAt),
    expiresAt: orNull(expiresAt),
    noticePeriod: orNull(noticePeriod),
    renewal: Type.Optional(renewal),
    renewalPeriod: orNull(renewalPeriod),
    remindBefore: orNull(remindBefore),
    startsTemplate: orNull(startsTemplate),
    documentId: asRead,
    noticeAt: asRead,
    endsAt: asRead,
    timezone: asRead,
    setBy: asRead,
    setByType: asRead,
    updatedAt: asRead,
  },
  { title: 'DocumentDatesRequest', minProperties: 1 },
);
export type DatesBody = Static<typeof keyDatesBody>;

export const comingDate = Type.Object(
  {
    documentId: Type.String(),
    title: Type.String(),
    folderId: Type.Optional(Type.String()),
    kind: Type.Enum([...kinds], {
      description: '`notice`: the last day to give notice; `expires`: the last day of the document or its term',
    }),
    date: Type.String({ format: 'date' }),
  },
  { title: 'ComingDate' },
);

export const comingFilters = {
  before: Type.Optional(day('Dates before this day; by default those of the next 90 days')),
  from: Type.Optional(day('Dates from this day on; by default from today on, in the time zone of the team')),
};
