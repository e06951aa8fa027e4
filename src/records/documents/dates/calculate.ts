/** The given key dates of a document. Days are in the team’s time zone, and periods are ISO 8601 durations. */
export type KeyDates = {
  effectiveAt: string | null;
  /** The last day in force, or the last day of the first term. */
  expiresAt: string | null;
  noticePeriod: string | null;
  renewal: 'none' | 'tacit' | 'by_agreement';
  renewalPeriod: string | null;
};

export const kinds = ['notice', 'expires'] as const;
export type DateKind = (typeof kinds)[number];

type PlainDate = Temporal.PlainDate;

/** The term that applies on a day: its end, and the last day to give notice of that end. */
export type Term = { endsAt: PlainDate; noticeAt?: PlainDate };

const earlier = (a: PlainDate, b: PlainDate): boolean => Temporal.PlainDate.compare(a, b) < 0;

/**
 * Multiplies a period in its own units. The end of each term is calculated from the end of the first one. Otherwise the 31st would become the 28th
 * after February.
 */
function times(span: string, count: number): Temporal.Duration {
  const { years, months, weeks, days } = Temporal.Duration.from(span);
  return new Temporal.Duration(years * count, months * count, weeks * count, days * count);
}

function termAfter({ expiresAt, noticePeriod, renewalPeriod }: KeyDates, renewals: number): Term | undefined {
  if (expiresAt === null) return undefined;
  const first = Temporal.PlainDate.from(expiresAt);
  const endsAt = renewals === 0 || renewalPeriod === null ? first : first.add(times(renewalPeriod, renewals));
  // Months are clamped to their last day: three months before 31 May is the last day of February.
  return noticePeriod === null ? { endsAt } : { endsAt, noticeAt: endsAt.subtract(noticePeriod) };
}

/** The last day to act on a term: the notice day, or the end. */
const deadline = ({ endsAt, noticeAt = endsAt }: Term): PlainDate => noticeAt;

/**
 * Returns the term that applies on a day. After the last day for notice, a term that renews itself is replaced by the next term. Returns undefined
 * for a document without an end.
 */
export function termOn(dates: KeyDates, today: PlainDate): Term | undefined {
  const first = termAfter(dates, 0);
  if (!first || dates.renewal !== 'tacit' || dates.renewalPeriod === null || !earlier(deadline(first), today)) return first;
  const isPast = (renewals: number) => {
    const term = termAfter(dates, renewals);
    return term !== undefined && earlier(deadline(term), today);
  };
  // Deadlines grow with the number of renewals, so a binary search finds the first that is not past.
  let [past, coming] = [0, 1];
  while (isPast(coming)) [past, coming] = [coming, coming * 2];
  while (coming - past > 1) {
    const middle = Math.floor((past + coming) / 2);
    if (isPast(middle)) past = middle;
    else coming = middle;
  }
  return termAfter(dates, coming);
}

/**
 * The days of a term to announce and list. A document that renews itself expires only after notice. It has the notice day, or the end of the term
 * if no notice period is agreed.
 */
export function daysOf(dates: KeyDates, today: PlainDate): Partial<Record<DateKind, PlainDate>> {
  const term = termOn(dates, today);
  if (!term) return {};
  const { endsAt, noticeAt } = term;
  if (noticeAt === undefined) return { expires: endsAt };
  return dates.renewal === 'tacit' ? { notice: noticeAt } : { notice: noticeAt, expires: endsAt };
}

/** The time of day of reminders: in the morning. */
const morning = Temporal.PlainTime.from('07:00');

/** Returns when a day is announced: `before` earlier, in the morning by the clocks of the zone. */
export function reminderOf(day: PlainDate, before: string, timeZone: string): Date {
  const { epochMilliseconds } = day.subtract(before).toZonedDateTime({ timeZone, plainTime: morning });
  return new Date(epochMilliseconds);
}

/** The end of a day in a zone. */
export const endOfDay = (day: PlainDate, timeZone: string): Date =>
  new Date(day.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds);

/** The current day in a zone. */
export const dayIn = (timeZone: string, now: Date): PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
