import { type Availability, daysAheadLimit } from '#bookings';
import type { Booker } from './booker-view.ts';
import { dayOf, firstDayOf, monthBeside, monthOf, type Slot, spanOf } from './days.ts';

/** The source of free times. */
export type Offer = Pick<Booker, 'path' | 'locale' | 'zone' | 'along'> & {
  now: Date;
  /** Maximum days ahead with free times. */
  daysAhead: number;
  slots(range: { from: string; to: string }): Promise<Availability>;
};

const dayMs = 86_400_000;
/** Maximum range of one list of free times, minus one hour for a clock change. */
const window = 61 * dayMs;
/** Maximum lists to search for the next free day. */
const maxWindows = Math.ceil((daysAheadLimit * dayMs) / window);

/** Returns a month of free times: the requested one, or the first with free times, with a selected day. */
export async function chooser(offer: Offer, wanted: { month?: string | undefined; day?: string | undefined }): Promise<Booker> {
  const { zone, locale, path, along, now } = offer;
  const last = lastOf(offer);
  const [first, end] = [now, last].map((at) => dayOf(at.toISOString(), zone).slice(0, 7)) as [string, string];
  const day = dateOf(wanted.day);
  const requestedMonth = day?.slice(0, 7) ?? monthIn(wanted.month);
  const next = requestedMonth === undefined ? await firstFree(offer, now) : undefined;
  const month = within(requestedMonth ?? next?.slice(0, 7) ?? first, first, end);
  const { slots } = await offer.slots(spanOf(month, zone));
  const shown = monthOf(month, zone, slots, firstDayOf(locale));
  const nextFree = shown.free.size > 0 ? undefined : await firstFree(offer, new Date(spanOf(month, zone).to));
  return {
    ...shown,
    path,
    locale,
    ...(along ? { along } : {}),
    day: day?.startsWith(month) ? day : [...shown.free.keys()].toSorted()[0],
    nextFree,
    earlier: month > first,
    later: monthBeside(month, 1) <= end,
    shared: slots.some(({ remaining }) => remaining > 1),
  };
}

const lastOf = ({ now, daysAhead }: Offer) => new Date(now.getTime() + (daysAhead + 1) * dayMs);
const within = (month: string, first: string, last: string) => (month < first ? first : month > last ? last : month);

function dateOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  return readable(() => Temporal.PlainDate.from(text).toString());
}

function monthIn(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d\d$/.test(text)) return undefined;
  return readable(() => Temporal.PlainYearMonth.from(text).toString());
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns the first day with a free time from an instant on. */
async function firstFree(offer: Offer, from: Date): Promise<string | undefined> {
  const [slot] = await freeFrom(offer, from);
  return slot && dayOf(slot.start, offer.zone);
}

/** Returns the free times of the first range that has any, from an instant on. */
async function freeFrom(offer: Offer, from: Date): Promise<readonly Slot[]> {
  const last = lastOf(offer).getTime();
  for (let at = from.getTime(), turn = 0; at < last && turn < maxWindows; at += window, turn += 1) {
    const { slots } = await offer.slots({ from: new Date(at).toISOString(), to: new Date(at + window).toISOString() });
    if (slots.length > 0) return slots;
  }
  return [];
}

/** Returns up to 8 free times as alternatives to a time that is no longer free. They start on the same day or later. */
export async function nearTo(offer: Offer, start: string | undefined): Promise<readonly Slot[]> {
  const from = start === undefined ? offer.now : new Date(spanDay(start, offer.zone));
  return (await freeFrom(offer, from < offer.now ? offer.now : from)).slice(0, 8);
}

const spanDay = (start: string, zone: string) =>
  Temporal.PlainDate.from(dayOf(start, zone)).toZonedDateTime({ timeZone: zone }).epochMilliseconds;

/** Returns the free time that begins at an instant, if there is one. */
export async function offered(offer: Offer, start: string | undefined): Promise<Slot | undefined> {
  if (start === undefined) return undefined;
  const { slots } = await offer.slots({ from: start, to: new Date(Date.parse(start) + 60_000).toISOString() });
  return slots.find((slot) => Date.parse(slot.start) === Date.parse(start));
}

/** The latest instant. Later times could have years of five digits. */
const latest = Date.UTC(9_999, 0);

/** Parses an instant from an address; undefined if it is invalid or out of range. */
export function momentOf(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 64) return undefined;
  const at = readable(() => Temporal.Instant.from(text).epochMilliseconds);
  return at === undefined || at < 0 || at > latest ? undefined : new Date(at).toISOString();
}
