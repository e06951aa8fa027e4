import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, test } from 'node:test';
import fc from 'fast-check';
import { type ReceivedRequest, startJsonServer } from '../../../../test/json-server.ts';
import { readConfig } from '../../../config.ts';
import type { Ask } from '../suggestion.ts';
import { askProvider, createProviderClient, parseMapping } from './index.ts';

let answer: (request: ReceivedRequest, response: ServerResponse) => unknown = () => ({});
const server = await startJsonServer((request, response) => answer(request, response));
const client = createProviderClient({ authorization: 'Token 0123abc', version: '1.2.3' });
after(async () => {
  await client.close();
  await server.close();
});
afterEach(() => void server.requests.splice(0));

const asking = (ask: Ask, text: string, count = 5, locale = 'de') => ask({ text, count, locale }, AbortSignal.timeout(60_000));
const soleRequest = (): ReceivedRequest & { query: Record<string, string> } => {
  assert.equal(server.requests.length, 1);
  const [one] = server.requests;
  assert.ok(one);
  return { ...one, query: Object.fromEntries(new URL(one.path, server.url).searchParams) };
};

// A response of photon.komoot.io.
const photonAnswer = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: {
        osm_type: 'N',
        osm_id: 2897104861,
        osm_key: 'place',
        osm_value: 'house',
        type: 'house',
        postcode: '10117',
        housenumber: '77',
        countrycode: 'DE',
        name: 'Hotel Adlon Kempinski',
        country: 'Deutschland',
        city: 'Berlin',
        district: 'Mitte',
        street: 'Unter den Linden',
        state: 'Berlin',
        extent: [13.37, 52.51, 13.38, 52.5],
      },
      geometry: { type: 'Point', coordinates: [13.3801, 52.516] },
    },
    {
      type: 'Feature',
      properties: {
        osm_type: 'R',
        osm_id: 62422,
        osm_key: 'place',
        osm_value: 'city',
        type: 'city',
        name: 'Berlin',
        country: 'Deutschland',
        countrycode: 'DE',
      },
      geometry: { type: 'Point', coordinates: [13.3951, 52.5173] },
    },
  ],
};

test('photon gets requests for GeoJSON in a supported language', async () => {
  answer = () => photonAnswer;
  const ask = askProvider(client, { kind: 'photon', url: server.url });
  const found = await asking(ask, 'Unter den Linden 77 & c', 7);
  const { method, path, query } = soleRequest();
  assert.deepEqual([method, path.split('?')[0], query], ['GET', '/api', { q: 'Unter den Linden 77 & c', limit: '7', lang: 'de' }]);
  assert.deepEqual(
    found.map(({ value, unrestrictedValue }) => [value, unrestrictedValue]),
    [
      [
        'Hotel Adlon Kempinski, Unter den Linden 77, 10117 Berlin, Deutschland',
        'Hotel Adlon Kempinski, Unter den Linden 77, 10117 Berlin, Mitte, Deutschland',
      ],
      ['Berlin, Deutschland', 'Berlin, Deutschland'],
    ],
  );
  assert.deepEqual([found[0]?.data.longitude, found[0]?.data.postcode], [13.3801, '10117']);
  server.requests.splice(0);
  await asking(ask, 'Токио', 1, 'ja');
  assert.deepEqual(soleRequest().query, { q: 'Токио', limit: '1' }, 'photon rejects unsupported languages');
});

// A response of nominatim.openstreetmap.org.
const nominatimAnswer = [
  {
    place_id: 258654301,
    licence: 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright',
    osm_type: 'way',
    osm_id: 90394480,
    lat: '52.5487921',
    lon: '-1.8164308',
    category: 'building',
    type: 'residential',
    place_rank: 30,
    importance: 0.41,
    addresstype: 'building',
    name: '',
    display_name: '135, Pilkington Avenue, Sutton Coldfield, Birmingham, West Midlands, England, B72 1LH, United Kingdom',
    address: {
      house_number: '135',
      road: 'Pilkington Avenue',
      town: 'Sutton Coldfield',
      postcode: 'B72 1LH',
      country: 'United Kingdom',
      country_code: 'gb',
    },
    boundingbox: ['52.5487473', '52.5488481', '-1.816513', '-1.8163464'],
  },
];

test('nominatim gets requests for jsonv2 with address parts, and coordinates are numbers', async () => {
  answer = () => nominatimAnswer;
  const found = await asking(askProvider(client, { kind: 'nominatim', url: server.url }), '135 pilkington', 3, 'en-GB');
  const { method, path, query } = soleRequest();
  assert.deepEqual([method, path.split('?')[0]], ['GET', '/search']);
  assert.deepEqual(query, { q: '135 pilkington', format: 'jsonv2', addressdetails: '1', limit: '3', 'accept-language': 'en-GB' });
  assert.equal(found[0]?.value, nominatimAnswer[0]?.display_name);
  assert.deepEqual([found[0]?.data.latitude, found[0]?.data.road, found[0]?.data.osmId], [52.5487921, 'Pilkington Avenue', 90394480]);
});

// A response of suggestions.dadata.ru.
const dadataAnswer = {
  suggestions: [
    {
      value: 'г Москва, ул Хабаровская',
      unrestricted_value: '107241, г Москва, р-н Гольяново, ул Хабаровская',
      data: {
        postal_code: '107241',
        country: 'Россия',
        country_iso_code: 'RU',
        city: 'Москва',
        street: 'Хабаровская',
        geo_lat: '55.821168',
        geo_lon: '37.82608',
      },
    },
  ],
};

test('dadata gets POST requests with the account key', async () => {
  answer = () => dadataAnswer;
  const ask = askProvider(client, { kind: 'dadata', url: server.url });
  const found = await asking(ask, 'москва хабар', 10, 'ru');
  const { method, path, headers, body } = soleRequest();
  assert.deepEqual([method, path], ['POST', '/suggestions/api/4_1/rs/suggest/address']);
  assert.deepEqual(JSON.parse(body), { query: 'москва хабар', count: 10, language: 'ru' });
  assert.deepEqual([headers.authorization, headers['content-type']], ['Token 0123abc', 'application/json']);
  const [first] = dadataAnswer.suggestions;
  assert.deepEqual(found, [{ value: first?.value, unrestrictedValue: first?.unrestricted_value, data: first?.data }]);
});

test('a generic provider uses the URL and mapping of the operator', async () => {
  answer = () => ({ response: { 'hits/all': [{ label: ['Rue de Rivoli 1'], props: { id: 7 } }, { label: ['', 2] }, 'odd', null] } });
  const mapping = parseMapping('{"items": "/response/hits~1all", "value": "/label/0", "unrestrictedValue": "/label/1", "data": "/props"}');
  const ask = askProvider(client, { kind: 'http', url: `${server.url}/v1/{locale}/find?text={q}&size={count}`, mapping });
  const found = await asking(ask, 'rue & de/l’a?', 4, 'fr');
  assert.equal(soleRequest().path, '/v1/fr/find?text=rue%20%26%20de%2Fl%E2%80%99a%3F&size=4');
  assert.deepEqual(found, [{ value: 'Rue de Rivoli 1', unrestrictedValue: 'Rue de Rivoli 1', data: { id: 7 } }]);
  for (const wrong of [
    '',
    '[]',
    '{"items": "/a"}',
    '{"items": "a", "value": "/b"}',
    '{"items": "/a", "value": "/b", "more": "/c"}',
    '{"items": 1, "value": "/~2"}',
  ])
    assert.throws(() => parseMapping(wrong), /must be JSON pointers/, wrong);
});

test('a provider gets only the text and the name of the service, and no data of the visitor', async () => {
  answer = () => photonAnswer;
  await asking(askProvider(client, { kind: 'photon', url: server.url }), 'berlin');
  const { headers } = soleRequest();
  const { host, connection, ...others } = headers;
  assert.ok(host && connection);
  assert.deepEqual(others, {
    accept: 'application/json',
    'accept-encoding': 'identity',
    authorization: 'Token 0123abc',
    'user-agent': 'Chancery/1.2.3',
  });
});

test('suggestions are non-empty lines of text, and invalid responses are rejected', async () => {
  const ask = askProvider(client, { kind: 'dadata', url: server.url });
  answer = () => ({
    suggestions: [
      { value: '<script>alert(1)</script>\u0000\n\u202eevil', unrestricted_value: 7, data: 'text' },
      { value: 'x'.repeat(10_000), unrestricted_value: null, data: { much: 'y'.repeat(9_000) } },
      { value: '  ', data: {} },
      { value: { toString: 'no' } },
      [],
      'text',
    ],
  });
  assert.deepEqual(await asking(ask, 'odd'), [
    { value: '<script>alert(1)</script> evil', unrestrictedValue: '7', data: {} },
    { value: 'x'.repeat(500), unrestrictedValue: 'x'.repeat(500), data: {} },
  ]);
  for (const wrong of ['', '{', 'null', '[]', '{"suggestions": {}}', `{"suggestions": [], "long": "${'x'.repeat(1_100_000)}"}`]) {
    answer = () => wrong;
    await assert.rejects(asking(ask, 'wrong'), wrong.slice(0, 30));
  }
  for (const status of [301, 302, 404, 429, 500]) {
    answer = (_request, response) => {
      response.statusCode = status;
      response.setHeader('location', `${server.url}/elsewhere`);
      return { suggestions: [] };
    };
    server.requests.splice(0);
    await assert.rejects(asking(ask, 'status'), new RegExp(`${status}`));
    assert.equal(server.requests.length, 1, 'the client does not follow redirects');
  }
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.constantFrom('photon', 'nominatim', 'dadata'), async (value, kind) => {
      answer = () => (kind === 'photon' ? { features: value } : kind === 'dadata' ? { suggestions: value } : JSON.stringify(value));
      const found = await asking(askProvider(client, { kind, url: server.url }), 'any').catch((error: Error) => error);
      if (found instanceof Error) assert.match(found.message, /the provider responded|is not JSON|is not a list/);
      else for (const { value: text, unrestrictedValue, data } of found) assert.ok(text && unrestrictedValue && typeof data === 'object');
    }),
    { numRuns: 200 },
  );
});

test('inconsistent settings are rejected with the missing setting', () => {
  const refused = (environment: Record<string, string>, sentence: RegExp) => assert.throws(() => readConfig(environment), sentence);
  refused({ SUGGEST_PROVIDER: 'photon' }, /SUGGEST_URL must be set for photon/);
  refused({ SUGGEST_PROVIDER: 'dadata' }, /SUGGEST_AUTHORIZATION must be set for dadata/);
  refused({ SUGGEST_PROVIDER: 'http', SUGGEST_URL: 'https://a.example/?q={q}' }, /SUGGEST_MAPPING must be set/);
  refused(
    { SUGGEST_PROVIDER: 'http', SUGGEST_URL: 'https://a.example/', SUGGEST_MAPPING: '{"items": "", "value": "/v"}' },
    /SUGGEST_URL must contain \{q\}/,
  );
  assert.deepEqual(readConfig({ SUGGEST_PROVIDER: 'dadata', SUGGEST_AUTHORIZATION: 'Token x' }).suggestionProvider, {
    kind: 'dadata',
    url: 'https://suggestions.dadata.ru',
  });
  assert.deepEqual(readConfig({}).suggestionProvider, { kind: 'gazetteer' });
});
