import assert from 'node:assert/strict';
import process from 'node:process';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { cpuTimeOf } from '../../../../test/cpu-time.ts';
import type { Ask } from '../suggestion.ts';
import { citiesTable } from './cities.ts';
import { type CityTable, readCities } from './city-table.ts';
import { fold } from './fold.ts';
import { gazetteer } from './index.ts';

const lines = citiesTable().trimEnd().split('\n');
const rows = lines.map((line) => {
  const [name = '', country = '', , population = '', , , id = ''] = line.split('\t');
  return { key: fold(name), name, country, people: Number(population), id: Number(id) };
});
const never = new AbortController().signal;
let ask: Ask;
let table: CityTable;
before(async () => {
  table = await readCities();
  ask = gazetteer();
});
const values = async (text: string, locale = 'en', count = 5) => (await ask({ text, count, locale }, never)).map(({ value }) => value);

test('the table is sorted by folded names, and each line is complete', () => {
  assert.ok(rows.length > 100_000);
  assert.deepEqual(
    lines.filter((line) => !/^[^\t]+\t[A-Z]{2}\t[\w.]*\t\d+\t-?\d+\.\d{3}\t-?\d+\.\d{3}\t\d+$/.test(line)),
    [],
  );
  assert.equal(
    rows.findIndex(({ key }, at) => at > 0 && key < (rows[at - 1]?.key ?? '')),
    -1,
  );
});

test('plain names fold like others, and folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), (text) => {
      const folded = fold(text);
      assert.equal(fold(folded), folded);
      // The last letter forces the slower path.
      assert.equal(fold(`${text} \u00e9`), `${folded} e`.trim());
    }),
  );
  for (const [one, other] of [
    ['Århus', 'ARHUS'],
    ['İstanbul', 'istanbul'],
    ['Łódź', 'lodz'],
    ['L’Aquila', "l'aquila"],
    ['Saint-Denis', 'saint  denis'],
    ['Þórshöfn', 'thorshofn'],
    ['Straße', 'STRASSE'],
  ] as const)
    assert.equal(fold(one), fold(other));
});

test('a prefix search finds the same cities as a complete scan, largest first', () => {
  const prefix = fc.oneof(
    fc
      .constantFrom(...rows.map(({ key }) => key))
      .chain((key) => fc.integer({ min: 1, max: key.length }).map((length) => key.slice(0, length))),
    fc.string({ unit: fc.constantFrom('a', 'b', 's', 'z', ' ', '1', 'я'), minLength: 1, maxLength: 3 }),
  );
  fc.assert(
    fc.property(prefix, (wanted) => {
      const found = [];
      for (const { geonameId, population } of table.beginning(wanted)) if (found.push([population, geonameId]) === 30) break;
      const people = rows.filter(({ key }) => key.startsWith(wanted)).map((row) => row.people);
      assert.deepEqual(
        found.map(([population]) => population),
        people.toSorted((one, other) => other - one).slice(0, 30),
      );
      assert.equal(new Set(found.map(([, id]) => id)).size, found.length);
    }),
    { numRuns: 60 },
  );
  assert.deepEqual([...table.beginning('zzzz no such place')], []);
});

test('cities are found without regard to case and accents, with the country in the language of the form', async () => {
  assert.deepEqual((await values('köln', 'de'))[0], 'Köln, Deutschland');
  assert.deepEqual((await values('KOLN', 'en'))[0], 'Köln, Germany');
  assert.deepEqual((await values('sao paulo', 'ja'))[0], 'São Paulo, ブラジル');
  assert.deepEqual((await values('berl', 'de'))[0], 'Berlin, Deutschland');
  const [first] = await ask({ text: 'Berlin', count: 1, locale: 'en' }, never);
  assert.deepEqual(first, {
    value: 'Berlin, Germany',
    unrestrictedValue: 'Berlin, Germany',
    data: {
      kind: 'city',
      city: 'Berlin',
      country: 'Germany',
      countryCode: 'DE',
      region: '16',
      population: first?.data.population,
      latitude: 52.524,
      longitude: 13.411,
      geonameId: 2950159,
    },
  });
});

test('countries are found in the language of the form and in English, before their cities', async () => {
  assert.equal((await values('deutsch', 'de'))[0], 'Deutschland');
  assert.equal((await values('germ', 'de'))[0], 'Deutschland');
  assert.equal((await values('日本', 'ja'))[0], '日本');
  assert.equal((await values('росс', 'ru'))[0], 'Россия');
  assert.equal((await values('emirates'))[0], 'United Arab Emirates');
  assert.equal((await values('singap'))[0], 'Singapore');
  assert.deepEqual((await ask({ text: 'Japan', count: 1, locale: 'de' }, never))[0]?.data, {
    kind: 'country',
    country: 'Japan',
    countryCode: 'JP',
  });
});

test('the text after a comma is matched with the country or the region', async () => {
  assert.equal((await values('Springfield, il'))[0], 'Springfield, IL, United States');
  assert.equal((await values('Paris, united st'))[0], 'Paris, TX, United States');
  assert.equal((await values('paris, fr'))[0], 'Paris, France');
  assert.equal((await values('Birmingham, AL, USA')).length, 0, 'no country has this name');
  assert.equal((await values('Birmingham, AL, US'))[0], 'Birmingham, AL, United States');
  for (const nothing of [',', ' , ,', '🙂', '\u0000', '..', 'x'.repeat(200)]) assert.deepEqual(await values(nothing), []);
});

test('the result has at most the requested number of suggestions, for any text and language', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 5 })),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom('en', 'de', 'ar', 'zh-Hant-TW', 'x-private', 'xx'),
      async (text, count, locale) => {
        assert.ok((await ask({ text, count, locale: locale === 'x-private' ? 'en' : locale }, never)).length <= count);
      },
    ),
    { numRuns: 200 },
  );
});

test('the gazetteer needs little memory and CPU time', async () => {
  const bytes = Buffer.byteLength(lines.join('\n'));
  const had = process.memoryUsage().arrayBuffers;
  const again = await readCities();
  const taken = process.memoryUsage().arrayBuffers - had;
  assert.ok(taken < bytes + 3_000_000, `${taken} bytes`);
  assert.ok([...again.beginning('ber')].length > 10);
  const used = await cpuTimeOf(async () => {
    for (const letter of 'abcdefghijklmnopqrstuvwxyz')
      for (let n = 0; n < 10; n += 1) await values(`${letter}${letter === 's' ? 'a' : ''}`, 'en', 20);
  });
  assert.ok(used / 260 < 10, `${used / 260} ms each`);
});
