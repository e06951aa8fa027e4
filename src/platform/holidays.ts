/** A country or a part of it, as ISO 3166 codes. */
export type HolidayPlace = { country: string; state?: string | undefined; region?: string | undefined };
export type HolidayType = 'public' | 'bank' | 'school' | 'optional' | 'observance';
/** A holiday: its date, such as `2026-12-25`, and its local name. */
export type HolidayAt = { date: string; name: string };

type Known = {
  getCountries(): object;
  getStates(country: string): object | undefined;
  getRegions(country: string, state: string): object | undefined;
};

/** Loaded on first use, because the tables of all countries are large. */
const tables = async () => (await import('date-holidays')).default;

/** Returns the invalid member of a holiday place and the reason, or undefined if holidays of the place are available. */
export async function holidayPlaceError({
  country,
  state,
  region,
}: HolidayPlace): Promise<{ member: keyof HolidayPlace; reason: string } | undefined> {
  const known: Known = new (await tables())();
  const has = (names: object | undefined, name: string) => Object.hasOwn(names ?? {}, name);
  if (!has(known.getCountries(), country)) return { member: 'country', reason: 'is not a country with known holidays' };
  if (state === undefined) return region === undefined ? undefined : { member: 'region', reason: 'requires `state`' };
  if (!has(known.getStates(country), state)) return { member: 'state', reason: `is not a part of ${country}` };
  if (region !== undefined && !has(known.getRegions(country, state), region))
    return { member: 'region', reason: `is not a part of ${country}-${state}` };
  return undefined;
}

/** Returns the holidays of a valid place in these years, sorted by date. A holiday of several days has one entry per day. */
export async function holidaysAt(
  { country, state, region }: HolidayPlace,
  types: readonly HolidayType[],
  { first, last }: { first: number; last: number },
): Promise<HolidayAt[]> {
  const Tables = await tables();
  const ofPlace = new Tables({ country, ...(state === undefined ? {} : { state }), ...(region === undefined ? {} : { region }) });
  const days = new Map<string, string>();
  for (let year = first; year <= last; year += 1) {
    for (const { date, start, end, name, type } of ofPlace.getHolidays(year)) {
      if (!types.includes(type)) continue;
      const from = Temporal.PlainDate.from(date.slice(0, 10));
      // A holiday that begins in the evening counts for the next day.
      const begins = Number(date.slice(11, 13)) >= 12 ? from.add({ days: 1 }) : from;
      const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / 86_400_000));
      for (let day = 0; day < length; day += 1) days.set(begins.add({ days: day }).toString(), name.slice(0, 100));
    }
  }
  return [...days].map(([date, name]) => ({ date, name })).toSorted((a, b) => (a.date < b.date ? -1 : 1));
}
