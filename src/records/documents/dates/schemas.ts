import { type Static, type TString, Type } from 'typebox';
import { kinds } from './reckon.ts';
import { asRead } from '../../../platform/schema-parts.ts';

// Three digits of years, four of months and weeks, five of days: longer than any agreement, and what can be reckoned with.
const spanPattern = '^P(?=\\d)(\\d{1,3}Y)?(\\d{1,4}M)?(\\d{1,4}W)?(\\d{1,5}D)?$';
const day = (description: string) => Type.String({ format: 'date', pattern: '^(19|2\\d)\\d\\d-', description });
const span = (description: string) => Type.String({ pattern: spanPattern, maxLength: 22, description });
const renewal = Type.Enum(['none', 'tacit', 'by_agreement'], {
  description:
    'What comes after its end: nothing, another term of `renewalPeriod` unless notice is given in time, or what the parties agree upon',
});

const effectiveAt = day('The day from which it holds');
const expiresAt = day('The last day on which it holds; of what renews itself, the last day of its first term');
const noticePeriod = span('How long before its end notice has to be given, in whole days, weeks, months or years, such as `P3M`');
const renewalPeriod = span('How long each further term is, such as `P1Y`');
const remindBefore = span('How long before a date it is announced; thirty days without it');
const startsTemplate = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The workflow template that is started for the document when a date is announced',
});
const noticeAt = day('The last day on which notice can be given of the end that comes next, in the zone of the team');
const endsAt = day('The end that comes next, if nobody prolongs it: of what renews itself, the first of which notice can still be given');

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
    timezone: Type.String({ description: 'The team’s, whose days they are' }),
    setBy: Type.Optional(Type.String({ description: 'Who has set them last' })),
    setByType: Type.Optional(Type.String({ description: 'user, client or agent' })),
    updatedAt: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { title: 'DocumentDates' },
);
export type ShownDates = Static<typeof keyDates>;

const orNull = (schema: TString & { description?: string }) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description: schema.description ?? '' }));

/** Dates as they are given: whole, so that what is left out is not set any more. */
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
    kind: Type.Enum([...kinds], { description: '`notice`: the last day to give it; `expires`: the last day of the document or its term' }),
    date: Type.String({ format: 'date' }),
  },
  { title: 'ComingDate' },
);

export const comingFilters = {
  before: Type.Optional(day('Dates before this day; without it those of the next 90 days')),
  from: Type.Optional(day('Dates from this day on; without it from today on, in the zone of the team')),
};
