import type { Ask } from '../suggestion.ts';
import { itemsOf, lineOf, membersOf, type ProviderClient, suggestionOf } from './http-client.ts';

/** The languages of the Photon data. Photon rejects other languages. */
const languages = new Set(['de', 'en', 'fr']);

/** Photon (komoot), with GeoJSON responses. */
export function photon(client: ProviderClient, base: string): Ask {
  return async ({ text, count, locale }, signal) => {
    const url = new URL(`${base}/api`);
    url.searchParams.set('q', text);
    url.searchParams.set('limit', String(count));
    const language = locale.slice(0, 2);
    if (languages.has(language)) url.searchParams.set('lang', language);
    const { features } = membersOf(await client.json(url, { signal }));
    return itemsOf(features).flatMap((feature) => {
      const { properties, geometry } = membersOf(feature);
      const place = membersOf(properties);
      const { coordinates } = membersOf(geometry);
      const [longitude, latitude] = Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
      const line = addressLine(place);
      const full = [line, ...others(place, ['district', 'county', 'state', 'country'], line)].join(', ');
      return suggestionOf([line, lineOf(place.country)].filter(Boolean).join(', '), full, { ...place, longitude, latitude });
    });
  };
}

/** Builds a line such as `Unter den Linden 1, 10117 Berlin` from the available parts, in the order of the Photon website. */
function addressLine(place: Record<string, unknown>): string {
  const of = (member: string) => lineOf(place[member]);
  const street = [of('street'), of('housenumber')].filter(Boolean).join(' ');
  const town = [of('postcode'), of('city')].filter(Boolean).join(' ');
  return [...new Set([of('name'), street, town])].filter(Boolean).join(', ');
}

function others(place: Record<string, unknown>, members: readonly string[], line: string): string[] {
  return members.map((member) => lineOf(place[member])).filter((part) => part !== '' && !line.includes(part));
}
