/** What somebody has said of the life of a document. Days are dates in the team's zone, spans are written as ISO 8601 has them. */
export type KeyDates = {
  effectiveAt: string | null;
  /** The last day on which it holds, or on which its first term does. */
  expiresAt: string | null;
  noticePeriod: string | null;
  renewal: 'none' | 'tacit' | 'by_agreement';
  renewalPeriod: string | null;
};

export const kinds = ['notice', 'expires'] as const;
export type Kind = (typeof kinds)[number];

type PlainDate = Temporal.PlainDate;

/** The term that counts on a day: when it ends, and the last day on which notice of that can be given. */
export type Term = { endsAt: PlainDate; noticeAt?: PlainDate };

const earlier = (a: PlainDate, b: PlainDate): boolean => Temporal.PlainDate.compare(a, b) < 0;

/**
 * So many times as long, in the same units: the ends of terms are counted from the first one, so that what ends on a 31st does not
 * creep to the 28th by way of February.
 */
function times(span: string, count: number): Temporal.Duration {
  const { years, months, weeks, days } = Temporal.Duration.from(span);
  return new Temporal.Duration(years * count, months * count, weeks * count, days * count);
}

function termAfter({ expiresAt, noticePeriod, renewalPeriod }: KeyDates, renewals: number): Term | undefined {
  if (expiresAt === null) return undefined;
  const first = Temporal.PlainDate.from(expiresAt);
  const endsAt = renewals === 0 || renewalPeriod === null ? first : first.add(times(renewalPeriod, renewals));
  // Months clamp to their end: three months before the 31st of May is the last of February.
  return noticePeriod === null ? { endsAt } : { endsAt, noticeAt: endsAt.subtract(noticePeriod) };
}

/** The day of a term by which something has to be done about it. */
const deadline = ({ endsAt, noticeAt = endsAt }: Term): PlainDate => noticeAt;

/**
 * The term that counts on a day. One that renews itself goes on to the next as soon as notice of its end comes too late: what is shown is
 * then when the next one ends, and by when notice of that is to be given. Undefined for what has no end.
 */
export function termOn(dates: KeyDates, today: PlainDate): Term | undefined {
  const first = termAfter(dates, 0);
  if (!first || dates.renewal !== 'tacit' || dates.renewalPeriod === null || !earlier(deadline(first), today)) return first;
  const isPast = (renewals: number) => {
    const term = termAfter(dates, renewals);
    return term !== undefined && earlier(deadline(term), today);
  };
  // Deadlines come one after the other, so that the first that is not past is found by halves.
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
 * The days of a term that are announced and listed. What renews itself does not expire as long as nobody gives notice: of that it is
 * the notice or, where none is agreed, the end of the term.
 */
export function daysOf(dates: KeyDates, today: PlainDate): Partial<Record<Kind, PlainDate>> {
  const term = termOn(dates, today);
  if (!term) return {};
  const { endsAt, noticeAt } = term;
  if (noticeAt === undefined) return { expires: endsAt };
  return dates.renewal === 'tacit' ? { notice: noticeAt } : { notice: noticeAt, expires: endsAt };
}

/** Mails come in the morning. */
const morning = Temporal.PlainTime.from('07:00');

/** When a day is announced: so long before, in the morning of the zone; by its clocks, whatever these do that day. */
export function reminderOf(day: PlainDate, before: string, timeZone: string): Date {
  const { epochMilliseconds } = day.subtract(before).toZonedDateTime({ timeZone, plainTime: morning });
  return new Date(epochMilliseconds);
}

/** When a day is over in a zone. */
export const endOfDay = (day: PlainDate, timeZone: string): Date =>
  new Date(day.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds);

/** Which day it is in a zone. */
export const dayIn = (timeZone: string, now: Date): PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
