import type { Ask } from '../suggestion.ts';
import { itemsOf, membersOf, type ProviderClient, suggestionOf } from './http-client.ts';

/** Nominatim (OpenStreetMap), with the format `jsonv2` and address parts. Its addresses have the local order of parts. */
export function nominatim(client: ProviderClient, base: string): Ask {
  return async ({ text, count, locale }, signal) => {
    const url = new URL(`${base}/search`);
    const query = { q: text, format: 'jsonv2', addressdetails: '1', limit: String(count), 'accept-language': locale };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return itemsOf(await client.json(url, { signal })).flatMap((item) => {
      const { display_name: full, address, lat, lon, place_id: placeId, osm_type: osmType, osm_id: osmId, type } = membersOf(item);
      const data = { ...membersOf(address), latitude: Number(lat), longitude: Number(lon), placeId, osmType, osmId, type };
      return suggestionOf(full, full, data);
    });
  };
}
