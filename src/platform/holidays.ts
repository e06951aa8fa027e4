/** A country or a part of it, by the codes of ISO 3166. */
export type HolidayPlace = { country: string; state?: string | undefined; region?: string | undefined };
export type HolidayType = 'public' | 'bank' | 'school' | 'optional' | 'observance';
/** A day that is one, as `2026-12-25`, and what it is called there. */
export type HolidayAt = { date: string; name: string };

type Known = {
  getCountries(): object;
  getStates(country: string): object | undefined;
  getRegions(country: string, state: string): object | undefined;
};

/** The tables of all countries are large; they are loaded when first asked for. */
const tables = async () => (await import('date-holidays')).default;

/** What is wrong with a place whose holidays are asked for: the member, and why. Nothing where they are known. */
export async function holidayPlaceError({
  country,
  state,
  region,
}: HolidayPlace): Promise<{ member: keyof HolidayPlace; reason: string } | undefined> {
  const known: Known = new (await tables())();
  const has = (names: object | undefined, name: string) => Object.hasOwn(names ?? {}, name);
  if (!has(known.getCountries(), country)) return { member: 'country', reason: 'is no country whose holidays are known' };
  if (state === undefined) return region === undefined ? undefined : { member: 'region', reason: 'needs the state that it lies in' };
  if (!has(known.getStates(country), state)) return { member: 'state', reason: `is no part of ${country}` };
  if (region !== undefined && !has(known.getRegions(country, state), region))
    return { member: 'region', reason: `is no part of ${country}-${state}` };
  return undefined;
}

/** The holidays of a known place in these years, by date. Those of several days are several. */
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
      // One that begins in the evening is the day after.
      const begins = Number(date.slice(11, 13)) >= 12 ? from.add({ days: 1 }) : from;
      const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / 86_400_000));
      for (let day = 0; day < length; day += 1) days.set(begins.add({ days: day }).toString(), name.slice(0, 100));
    }
  }
  return [...days].map(([date, name]) => ({ date, name })).toSorted((a, b) => (a.date < b.date ? -1 : 1));
}
