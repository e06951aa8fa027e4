import assert from 'node:assert/strict';
import { readFile as readBytes } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ExportDialect } from '../../../platform/csv/dialect.ts';
import type { Encoding } from '../../../platform/csv/encoding.ts';
import { Problem } from '../../../platform/problems.ts';
import { asFields } from '../fields.ts';
import { judgeData } from '../records/index.ts';
import type { RegistryField } from '../schemas.ts';
import { csvWriter } from './csv-writer.ts';
import { type Manner, readFile } from './read.ts';

const fields: RegistryField[] = [
  { id: 'name', type: 'text', label: 'Name', validation: { maxLength: 500 } },
  { id: 'notes', type: 'textarea', label: 'Notes' },
  { id: 'number', type: 'number', label: 'Number' },
  { id: 'count', type: 'integer', label: 'Count' },
  { id: 'fee', type: 'money', label: 'Fee' },
  { id: 'day', type: 'date', label: 'Day' },
  { id: 'moment', type: 'datetime', label: 'Moment' },
  { id: 'active', type: 'boolean', label: 'Active' },
];

const imported = async (content: Buffer | string, manner: Partial<Manner> = {}, into = fields) => {
  const reading = await readFile(
    Buffer.from(content),
    { fields: into, team: 'team' },
    { unknown: 'refused', ...manner },
    { keepsRows: true },
  );
  return {
    readAs: reading.readAs,
    data: reading.rows.map(({ record }) => (JSON.parse(record) as { data: Record<string, unknown> }).data),
    numbers: reading.rows.map(({ number }) => number),
    errors: reading.errors.map(({ row, field, rule }) => [row, field, rule]),
  };
};
const refused = async (content: Buffer | string, manner: Partial<Manner> = {}) =>
  imported(content, manner).then(
    () => assert.fail('the file was read'),
    (error: unknown) => (error instanceof Problem ? error.detail : assert.fail(String(error))),
  );

/** The characters of windows-1252 by their bytes, from the Encoding Standard. */
const western = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte] as const),
);

const asWestern = (text: string) => Buffer.from(text.split('').map((one) => western.get(one) ?? 0));

test('an import restores an export in any dialect with the same options', async () => {
  const texts = fc
    .string({ unit: fc.constantFrom(...'"\'=+-@;,\t\nab1.| äß€'.split('')), maxLength: 12 })
    .filter((text) => !/[\n\t]/.test(text.trim()[0] ?? ''));
  const values = fc.record(
    {
      name: texts.map((text) => text.replaceAll(/[\n\t]/g, ' ')),
      notes: texts,
      number: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1.234, 1234, -1234567.25, 0.001, 1e21, -5)),
      count: fc.integer(),
      fee: fc.record({
        amount: fc.constantFrom('0.99', '12.50', '-35.01', '1234.56', '1234', '1234567.8901'),
        currency: fc.constantFrom('EUR', 'JPY'),
      }),
      day: fc.constantFrom('2026-12-31', '0001-01-01', '2026-02-03'),
      moment: fc.constantFrom('2026-12-31T23:59:00Z', '2026-02-03T04:05'),
      active: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const dialect = fc
    .record({
      encoding: fc.constantFrom('utf-8', 'utf-8-bom', 'utf-16'),
      delimiter: fc.constantFrom('comma', 'semicolon', 'tab'),
      decimal: fc.constantFrom('point', 'comma'),
      grouping: fc.constantFrom(undefined, 'none', 'point', 'comma', 'apostrophe', 'space'),
      dateOrder: fc.constantFrom(undefined, 'ymd', 'dmy', 'mdy'),
      booleans: fc.constantFrom(undefined, 'ja|nein', 'WAHR|FALSCH', '0|1'),
    } satisfies { [member in keyof Required<ExportDialect>]: unknown })
    .filter((one) => one.grouping !== one.decimal) as fc.Arbitrary<ExportDialect>;
  const walked = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 4 }), dialect, fc.boolean(), async (rows, options, detected) => {
      const kept = rows.map((row) => JSON.parse(JSON.stringify(judgeData(fields, row).data)) as Record<string, unknown>);
      const csv = csvWriter(options);
      const cells = kept.map((row) => ['id', ...asFields(fields).map((field) => csv.cell(field, row[field.id]))]);
      const [head, body] = [csv.head(['_id', ...fields.map(({ id }) => id)]), csv.rows(cells)];
      const content = Buffer.concat([Buffer.from(head), Buffer.from(body)]);
      const { encoding: _encoding, delimiter, ...format } = options;
      const { data, errors } = await imported(content, detected ? format : { ...format, delimiter });
      assert.deepEqual([errors, data], [[], kept]);
      const plain = csvWriter({ ...options, encoding: 'utf-8' });
      const latin = asWestern([plain.head(['_id', ...fields.map(({ id }) => id)]), plain.rows(cells)].join(''));
      assert.deepEqual((await imported(latin, { ...format, encoding: 'windows-1252' })).data, kept);
      walked.add(JSON.stringify(options));
    }),
    { numRuns: 200 },
  );
  assert.ok(walked.size > 100, `${walked.size} dialects`);
});

test('a decimal sign of the other format is an error, and a number that fits both formats is ambiguous', async () => {
  const file = 'name;number;fee;count\r\nA;12.50;1234.56 EUR;3\r\nB;12,50;1234,56 EUR;3\r\nC;1.2.3;31.12.2026 EUR;31.12.2026\r\n';
  const { data, errors } = await imported(file, { decimal: 'comma' });
  assert.deepEqual(data, [{ name: 'B', number: 12.5, fee: { amount: '1234.56', currency: 'EUR' }, count: 3 }]);
  assert.deepEqual(
    errors.map((error) => error.slice(0, 2).join(' ')),
    ['2 number', '2 fee', '4 number', '4 count', '4 fee'],
  );
  const numbers = async (cell: string, manner: Partial<Manner>) => {
    const read = await imported(`number\n"${cell}"\n`, manner);
    return read.data[0]?.number ?? read.errors[0]?.[2];
  };
  for (const [cell, manner, expected] of [
    ['1.234', { decimal: 'comma' }, 'ambiguous'],
    ['1,234', {}, 'ambiguous'],
    ['1.234', { decimal: 'comma', grouping: 'point' }, 1234],
    ['1.234', { decimal: 'comma', grouping: 'none' }, 'number'],
    ['1.234', {}, 1.234],
    ['1.234,5', { decimal: 'comma' }, 1234.5],
    ['1.234.567', { decimal: 'comma' }, 1234567],
    ['1,234,567.5', {}, 1234567.5],
    ['1’234.5', {}, 1234.5],
    ['1\u202f234,5', { decimal: 'comma' }, 1234.5],
    ['1.2345,5', { decimal: 'comma', grouping: 'point' }, 'number'],
    ['12.34.567', { decimal: 'comma', grouping: 'point' }, 'number'],
    ["1'234.567", { decimal: 'comma' }, 'number'],
    ['1 234', { decimal: 'comma', grouping: 'point' }, 'number'],
  ] as const)
    assert.equal(await numbers(cell, manner), expected, `${cell} ${JSON.stringify(manner)}`);
});

test('dates are read in the declared order and never guessed', async () => {
  const dates = async (cell: string, dateOrder?: 'ymd' | 'dmy' | 'mdy') => {
    const read = await imported(`day\n${cell}\n`, { dateOrder });
    return read.data[0]?.day ?? read.errors[0]?.[2];
  };
  for (const [cell, order, expected] of [
    ['31.12.2026', undefined, 'ambiguous'],
    ['01/02/2026', undefined, 'ambiguous'],
    ['31.12.2026', 'dmy', '2026-12-31'],
    ['1/2/2026', 'dmy', '2026-02-01'],
    ['1/2/2026', 'mdy', '2026-01-02'],
    ['31.12.2026', 'mdy', 'date'],
    ['31.02.2026', 'dmy', 'date'],
    ['31.12.26', 'dmy', 'date'],
    ['2026/12/31', 'ymd', '2026-12-31'],
    ['2026-12-31', 'dmy', '2026-12-31'],
  ] as const)
    assert.equal(await dates(cell, order), expected, `${cell} ${order}`);
  const { data } = await imported('moment\n31.12.2026 14:30\n', { dateOrder: 'dmy' });
  assert.deepEqual(data, [{ moment: '2026-12-31T14:30' }]);
});

test('files of Excel are read: separator line, empty columns and rows, and its encodings', async () => {
  const comma = await imported('sep=;\r\nname;notes\r\nA;b,c,d,e\r\n');
  assert.deepEqual([comma.data, comma.numbers, comma.readAs.delimiter], [[{ name: 'A', notes: 'b,c,d,e' }], [2], 'semicolon']);
  assert.equal((await imported('"sep=,"\nname,notes\nA;A,b\n')).data[0]?.name, 'A;A');
  assert.match(await refused('sep=|\nname|notes\nA|b\n'), /unsupported delimiter/);
  const columns = await imported('name;notes;;\r\nA;b;;\r\nB;c;;x\r\n');
  assert.deepEqual([columns.data, columns.errors], [[{ name: 'A', notes: 'b' }], [[3, undefined, 'columns']]]);
  const rows = await imported('name;count\r\nA;1\r\n\r\n;\r\nB;x\r\n ; \r\n');
  assert.deepEqual(
    [rows.data, rows.errors],
    [[{ name: 'A', count: 1 }], [[5, 'count', 'integer']]],
    'rows have the numbers of a spreadsheet',
  );
  assert.match(await refused(`name;notes\n${';\n'.repeat(100_001)}`), /more than 100000 rows/);
  const text = 'name;notes\r\nMüller;„5 €“\r\n';
  const latin = asWestern(text);
  const wide = Buffer.from(text, 'utf16le');
  for (const [content, encoding] of [
    [Buffer.from(text), 'utf-8'],
    [Buffer.from(`\ufeff${text}`), 'utf-8'],
    [wide, 'utf-16'],
    [Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16'],
    [Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16'],
    [Buffer.from(wide).swap16(), 'utf-16'],
    [latin, 'windows-1252'],
  ] as [Buffer, Encoding][])
    for (const given of [undefined, encoding]) {
      const read = await imported(content, { encoding: given });
      assert.deepEqual([read.readAs.encoding, read.data], [encoding, [{ name: 'Müller', notes: '„5 €“' }]], encoding);
    }
  assert.match(await refused(latin, { encoding: 'utf-8' }), /not valid UTF-8/);
  assert.match(await refused(Buffer.concat([latin, Buffer.of(0x81)])), /not valid WINDOWS-1252/);
  assert.match(await refused(Buffer.concat([wide, Buffer.of(0x20)]), { encoding: 'utf-16' }), /not valid UTF-16/);
  assert.match(await refused(Buffer.alloc(9 * 1024 * 1024, 0xe4), { encoding: 'windows-1252' }), /more than 10 MiB of text in UTF-8/);
});

/** Reads a file that a spreadsheet saved, into fields with the labels of its columns. */
async function readFixture(name: string, given: RegistryField[], manner: Partial<Manner> = {}) {
  const content = await readBytes(new URL(`../../../../test/fixtures/csv/${name}.csv`, import.meta.url));
  return imported(content, manner, given);
}

test('files of spreadsheets are read with empty columns and rows, and their separator is detected', async () => {
  const own: RegistryField[] = [
    { id: 'name', type: 'text', label: 'Name' },
    { id: 'zip', type: 'text', label: 'PLZ' },
    { id: 'day', type: 'date', label: 'Datum' },
  ];
  for (const name of ['empty-columns', 'empty-rows', 'sep-line']) {
    const { data, errors, readAs } = await readFixture(name, own);
    assert.deepEqual([data, errors, readAs.delimiter], [[{ name: 'A', zip: '01067' }], [], 'semicolon'], name);
  }
  assert.deepEqual((await readFixture('german-date', own)).errors, [[2, 'day', 'ambiguous']]);
  assert.deepEqual((await readFixture('german-date', own, { dateOrder: 'dmy' })).data, [{ name: 'A', day: '2026-12-31' }]);
});

test('a file with decimal points is not read with decimal commas, so no amount is multiplied', async () => {
  const own: RegistryField[] = [
    { id: 'name', type: 'text', label: 'Name' },
    { id: 'amount', type: 'number', label: 'Betrag' },
    { id: 'fee', type: 'money', label: 'Honorar' },
    { id: 'count', type: 'number', label: 'Anzahl' },
  ];
  const asComma = await readFixture('comma-with-points', own, { decimal: 'comma' });
  assert.deepEqual(asComma.data, []);
  assert.deepEqual([...new Set(asComma.errors.map(([row]) => row))], [2, 3, 4]);
  const asPoint = await readFixture('comma-with-points', own, { decimal: 'point' });
  assert.deepEqual(asPoint.data, [
    { name: 'A', amount: 12.5, fee: { amount: '1234.56', currency: 'EUR' }, count: 3 },
    { name: 'D', amount: -35.01, fee: { amount: '0.99', currency: 'EUR' }, count: 2 },
  ]);
});

test('the words for true and false of the file are accepted in addition to the usual ones', async () => {
  const { data, errors } = await imported('active\nJA\nnein\ntrue\nvielleicht\n', { booleans: 'ja|nein' });
  assert.deepEqual(data, [{ active: true }, { active: false }, { active: true }]);
  assert.deepEqual(errors, [[5, 'active', 'yesNo']]);
  assert.deepEqual((await imported('active\n0\n1\n', { booleans: '0|1' })).data, [{ active: true }, { active: false }]);
});
