import { LRUCache } from 'lru-cache';
import type { Ask, Suggestion } from '../suggestion.ts';
import { type City, type CityTable, readCities } from './city-table.ts';
import { fold } from './fold.ts';

/**
 * Creates the bundled gazetteer. It has countries with Unicode names in the requested language.
 * It has cities of at least 1 000 people with the main name of GeoNames (CC BY 4.0), and no streets.
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

/** Maximum number of cities with a matching name whose country is compared with the text after the comma. */
const maxLookedAt = 2_000;
/** Countries whose GeoNames region codes are used in addresses. */
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
  // A country has more people than any of its cities, and sorts before them.
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

/** Minimum letters to match any word of a country name: “emi” finds the United Arab Emirates. */
const lettersOfWord = 3;

/** The countries with a city in the table, with names in one language and in English. */
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

  /** Returns whether the text after a comma is the region or country code of a city, or a prefix of its country name. */
  isWithin({ country: code, region }: City, part: string): boolean {
    const country = this.#all.get(code);
    return part === code.toLowerCase() || part === region.toLowerCase() || (country !== undefined && this.#begins(country, part));
  }

  #begins({ names, words }: Country, prefix: string): boolean {
    return (prefix.length < lettersOfWord ? names : words).some((name) => name.startsWith(prefix));
  }
}
