import { LRUCache } from 'lru-cache';
import type { Ask, Suggestion } from '../suggestion.ts';
import { type City, type CityTable, readCities } from './city-table.ts';
import { fold } from './fold.ts';

/**
 * The gazetteer: countries, named by Unicode's data in the language that is asked for, and cities of 1 000 people and more by
 * GeoNames (CC BY 4.0), under the one name that it lists first. It knows no streets.
 */
export function gazetteer(): Ask {
  let table: Promise<CityTable> | undefined;
  const languages = new LRUCache<string, Countries>({ max: 50 });
  return async ({ text, count, locale }) => {
    table ??= readCities();
    const cities = await table;
    const countries = languages.get(locale) ?? new Countries(locale, cities.people);
    languages.set(locale, countries);
    return search(cities, countries, { text, count });
  };
}

/** How many cities of a name are looked through for one in the country that was typed behind it. */
const maxLookedAt = 2_000;
/** Countries whose regions GeoNames names by what people write in addresses. */
const regionsByLetters = new Set(['US']);

type Found = { weight: number; suggestion: Suggestion };

function search(cities: CityTable, countries: Countries, { text, count }: { text: string; count: number }): Suggestion[] {
  const [name = '', ...rest] = text.split(',').map(fold);
  const within = rest.filter((part) => part !== '');
  if (name === '') return [];
  const found: Found[] = within.length === 0 ? countries.beginning(name) : [];
  let looked = 0;
  let taken = 0;
  for (const city of cities.beginning(name)) {
    looked += 1;
    if (within.every((part) => countries.isWithin(city, part))) {
      found.push({ weight: city.population, suggestion: presentCity(city, countries.nameOf(city.country)) });
      taken += 1;
    }
    if (taken >= count || looked >= maxLookedAt) break;
  }
  // A country has more people than any of its cities, and stands before them.
  return found
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, count)
    .map(({ suggestion }) => suggestion);
}

function presentCity({ name, country, region, ...rest }: City, countryName: string): Suggestion {
  const value = [name, ...(regionsByLetters.has(country) ? [region] : []), countryName].join(', ');
  const data = { kind: 'city', city: name, country: countryName, countryCode: country, region, ...rest };
  return { value, unrestrictedValue: value, data };
}

type Country = { code: string; name: string; people: number; names: string[]; words: string[] };

/** From so many letters on a name is found by any of its words: the United Arab Emirates by "emi". */
const lettersOfWord = 3;

/** The countries that have a city in the table, in one language; English names are understood besides. */
class Countries {
  readonly #names: Intl.DisplayNames;
  readonly #all: ReadonlyMap<string, Country>;

  constructor(locale: string, people: CityTable['people']) {
    this.#names = new Intl.DisplayNames([locale, 'en'], { type: 'region' });
    const english = new Intl.DisplayNames(['en'], { type: 'region' });
    this.#all = new Map(
      [...people].map(([code, inCities]) => {
        const name = this.nameOf(code);
        const names = [name, english.of(code) ?? code].map(fold);
        const words = names.flatMap((one) => one.split(' ').map((_word, at, all) => all.slice(at).join(' ')));
        return [code, { code, name, people: inCities, names, words }];
      }),
    );
  }

  nameOf(code: string): string {
    return this.#names.of(code) ?? code;
  }

  beginning(prefix: string): Found[] {
    return [...this.#all.values()]
      .filter((country) => this.#begins(country, prefix))
      .map(({ code, name, people }) => ({
        weight: people,
        suggestion: { value: name, unrestrictedValue: name, data: { kind: 'country', country: name, countryCode: code } },
      }));
  }

  /** Whether what was typed behind a comma is the country of a city, or the beginning of its name, or the region. */
  isWithin({ country: code, region }: City, part: string): boolean {
    const country = this.#all.get(code);
    return part === code.toLowerCase() || part === region.toLowerCase() || (country !== undefined && this.#begins(country, part));
  }

  #begins({ names, words }: Country, prefix: string): boolean {
    return (prefix.length < lettersOfWord ? names : words).some((name) => name.startsWith(prefix));
  }
}
