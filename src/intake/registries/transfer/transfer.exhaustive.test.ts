import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { asking } from '../../../../test/asking.ts';
import { statusOrClosed } from '../../../../test/early-refusal.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { valueOf } from './cells.ts';
import { dropOldImports, importJob } from './jobs.ts';

const registries = '/api/v1/registries';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
const { call, made, status } = asking(() => chancery);

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  owner = team.owner;
});

const fields = [
  { id: 'name', type: 'text', label: { en: 'Name', de: 'Bezeichnung' }, required: true },
  { id: 'vat', type: 'text', label: 'VAT number', unique: true },
  { id: 'employees', type: 'integer', label: 'Employees' },
  { id: 'volume', type: 'money', label: 'Volume' },
  { id: 'since', type: 'date', label: 'Since' },
  { id: 'active', type: 'boolean', label: 'Active' },
  {
    id: 'kind',
    type: 'select',
    label: 'Kind',
    options: [
      { id: 's', label: 'Supplier' },
      { id: 'c', label: 'Customer' },
    ],
  },
  { id: 'tags', type: 'multiselect', label: 'Tags', options: [{ id: 'a' }, { id: 'b', label: 'Bee' }] },
  { id: 'seat', type: 'address', label: 'Seat' },
  { id: 'notes', type: 'textarea', label: 'Notes' },
];
const registryOf = async (by: User = owner, of: object[] = fields): Promise<string> =>
  `${registries}/${(await made(by, 'POST', `${registries}/`, { name: `Parties ${randomUUIDv7()}`, fields: of })).id}`;
const send = (path: string, csv: string | Buffer, query = '', by: User = owner) =>
  call(by, 'POST', `${path}/records/import${query}`, typeof csv === 'string' ? Buffer.from(csv) : csv, { 'content-type': 'text/csv' });
const ended = async (path: string, id: string): Promise<any> => {
  let report: any;
  await eventually(
    'the import has ended',
    async () => (report = await made(owner, 'GET', `${path}/imports/${id}`)).status !== 'waiting',
    120_000,
  );
  return report;
};
const dataOf = async (path: string) => (await made(owner, 'GET', `${path}/records?limit=500`)).map(({ data }: any) => data);

test('a file is imported by its first row, with ids and labels, in all formats of spreadsheets', async () => {
  const path = await registryOf();
  const answer = await send(
    path,
    '\ufeffBezeichnung;VAT number;employees;Volume;since;active;Kind;tags;seat;_id\r\n' +
      'Acme;DE1;12;1.200,50 eur;2026-03-01;yes;supplier;a|Bee;"Main St 1\nBerlin";x\r\n' +
      '"Zeta ""Z""";;;;;no;c;;;\r\n\r\n',
    '?decimal=comma',
  );
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get('location'), `${path}/imports/${answer.body.id}`);
  const { status: state, rows, imported, errorCount, errors } = answer.body;
  assert.deepEqual({ state, rows, imported, errorCount, errors }, { state: 'done', rows: 2, imported: 2, errorCount: 0, errors: [] });
  assert.deepEqual(await dataOf(path), [
    {
      name: 'Acme',
      vat: 'DE1',
      employees: 12,
      volume: { amount: '1200.50', currency: 'EUR' },
      since: '2026-03-01',
      active: true,
      kind: 's',
      tags: ['a', 'b'],
      seat: { value: 'Main St 1\nBerlin' },
    },
    { name: 'Zeta "Z"', active: false, kind: 'c' },
  ]);
  const found = await made(owner, 'GET', `${path}/records?filter=vat:eq:de1&q=berl`);
  assert.equal(found.length, 1, 'imported records are found like all others');
  const { rows: events } = await chancery.pool.query(
    "SELECT body FROM event WHERE team_id = $1 AND type LIKE 'registry%' ORDER BY id DESC LIMIT 1",
    [team.id],
  );
  assert.deepEqual(JSON.parse(events[0].body).data.data, { importId: answer.body.id, status: 'done', rows: 2, imported: 2, errorCount: 0 });
});

test('with invalid rows nothing or the valid rows are imported, and the report lists the errors', async () => {
  const path = await registryOf();
  await made(owner, 'POST', `${path}/records`, { data: { name: 'There', vat: 'taken' } });
  const file = 'name,vat,employees\nGood,1,3\n,2,3\nWrong,3,many\nTaken,TAKEN,1\nFirst,same,1\nTwice,SAME,1\nLong,5,1,beyond\n';
  const none = (await send(path, file)).body;
  assert.deepEqual([none.status, none.rows, none.imported], ['refused', 7, 0]);
  assert.equal((await dataOf(path)).length, 1);
  const some = (await send(path, file, '?mode=good')).body;
  assert.deepEqual([some.status, some.rows, some.imported, some.errorCount], ['done', 7, 2, 5]);
  assert.deepEqual(
    some.errors.map(({ row, field, rule }: any) => [row, field, rule]),
    [
      [3, 'name', 'required'],
      [4, 'employees', 'integer'],
      [5, 'vat', 'unique'],
      [7, 'vat', 'unique'],
      [8, undefined, 'columns'],
    ],
  );
  assert.deepEqual(
    (await dataOf(path)).map(({ name }: any) => name),
    ['There', 'Good', 'First'],
  );
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM registry_unique_value WHERE registry_id = $1', [
    path.split('/').at(-1),
  ]);
  assert.equal(rows[0].n, 3, 'rejected rows reserve no unique values');
});

test('invalid files are rejected completely, with a hint', async () => {
  const path = await registryOf();
  const refused = async (csv: string | Buffer, query = '') => {
    const { status: code, body } = await send(path, csv, query);
    return [code, body.code, ...(body.errors ?? []).map(({ pointer, rule }: any) => `${pointer} ${rule}`)];
  };
  const invalid = [422, 'registry_csv_invalid'];
  assert.deepEqual(await refused(''), invalid);
  assert.deepEqual(await refused('name\n"open'), invalid);
  assert.deepEqual(await refused('name\na"b"c"\n'), invalid);
  assert.deepEqual(await refused(Buffer.from('name\nM\xfcller\n', 'latin1'), '?encoding=utf-8'), invalid);
  assert.deepEqual(await refused('name,colour\nx,red\n'), [...invalid, '/columns/1 unknown']);
  assert.match((await send(path, 'name,emploees\nx,1\n')).body.detail, /“emploees”; did you mean `employees`\?$/);
  assert.deepEqual(await refused('name,Bezeichnung\nx,y\n'), [...invalid, '/columns/1 unique']);
  assert.deepEqual(await refused('vat\nx\n'), [...invalid, '/columns/1 required']);
  assert.deepEqual(await refused('colour\nred\n', '?unknownColumns=ignored'), [...invalid, '/columns/1 required']);
  assert.equal((await send(path, 'name,colour\nx,red\n', '?unknownColumns=ignored')).body.imported, 1);
  assert.deepEqual(await refused(`name\n${'x\n'.repeat(50_001)}`), invalid);
  for (const [cells, separator] of [
    [`x${','.repeat(1_000)}`, 'comma'],
    [`x\ny${';'.repeat(200_000)}`, 'semicolon'],
    // A line end other than the first one of the file does not end a row.
    [',,,,,,,,,\r'.repeat(200), 'comma'],
  ] as const)
    assert.equal((await send(path, `name\n${cells}`, `?delimiter=${separator}`)).body.code, 'registry_csv_invalid');
  assert.equal((await send(path, `name\r${`x,"${','.repeat(1_000)}"\r`.repeat(3)}`, '?mode=good')).status, 201, 'quoted text is one cell');
  assert.equal(await statusOrClosed(send(path, Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))), 413);
  assert.equal((await call(owner, 'POST', `${path}/records/import`, { rows: [] })).body.code, 'file_required');
  const form = new FormData();
  form.set('file', new Blob(['name\nBy a form\n'], { type: 'text/csv' }), 'records.csv');
  assert.equal((await call(owner, 'POST', `${path}/records/import`, form)).body.imported, 1);
  const other = new FormData();
  other.set('table', new Blob(['name\nx\n']), 'records.csv');
  assert.equal((await call(owner, 'POST', `${path}/records/import`, other)).body.code, 'file_required');
  for (const [bytes, expected] of [
    [10 * 1024 * 1024, 422],
    [10 * 1024 * 1024 + 1, 413],
  ] as const) {
    const large = new FormData();
    large.set('file', new Blob([Buffer.alloc(bytes, 'x')]), 'records.csv');
    assert.equal(await statusOrClosed(call(owner, 'POST', `${path}/records/import`, large)), expected);
  }
});

test('any text survives an export and import, and no cell begins as a formula', async () => {
  const path = await registryOf(owner, [
    { id: 'text', type: 'text', label: 'Text', validation: { maxLength: 2_000 } },
    { id: 'lines', type: 'textarea', label: 'Lines' },
    { id: 'number', type: 'number', label: 'Number' },
    { id: 'money', type: 'money', label: 'Money' },
    { id: 'hours', type: 'money', label: 'Hours', options: [{ id: 'HOURS', label: 'Hours' }, { id: 'days' }, { id: 'EUR' }] },
    { id: 'place', type: 'address', label: 'Place' },
    { id: 'day', type: 'datetime', label: 'Day' },
  ]);
  const odd = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({
      unit: fc.constantFrom('"', "'", ',', ';', '\n', '\t', '=', '+', '-', '@', ' ', '\ufeff', '＝', 'a', '|', '{'),
      maxLength: 12,
    }),
  );
  const wellFormed = odd.filter((text) => text.isWellFormed() && !/(?![\n\t])\p{Cc}/u.test(text));
  const data = fc.record(
    {
      text: wellFormed.map((text) => text.replaceAll(/[\n\t]/g, ' ')),
      lines: wellFormed,
      number: fc.double({ noNaN: true, noDefaultInfinity: true }),
      money: fc.record({
        amount: fc.integer({ min: -99_999, max: 99_999 }).map((n) => `${n}.25`),
        currency: fc.constantFrom('EUR', 'JPY'),
      }),
      hours: fc.record({ amount: fc.constantFrom('1.5', '7'), currency: fc.constantFrom('HOURS', 'days', 'EUR') }),
      place: fc.record(
        { value: wellFormed.map((text) => `x${text}`.replaceAll(/[\n\t]/g, ' ')), city: fc.constantFrom('Berlin', '=1') },
        { requiredKeys: ['value'] },
      ),
    },
    { requiredKeys: [] },
  );
  const rows = fc.sample(data, { numRuns: 300, seed: 7 });
  for (const row of rows) await made(owner, 'POST', `${path}/records`, { data: row });
  const kept = await dataOf(path);
  const file = await call(owner, 'GET', `${path}/records/export`, undefined, { accept: 'text/csv' });
  assert.equal(file.status, 200, file.text);
  assert.match(file.headers.get('content-disposition') ?? '', /attachment; filename="registry.csv"/);
  const texts = (parse(file.text, { columns: true, bom: true }) as Record<string, string>[]).flatMap(({ text, lines, place }) => [
    text,
    lines,
    place,
  ]);
  for (const text of texts) assert.doesNotMatch(text ?? '', /^[=+\-@\t\r\n＝]/);
  const copy = await registryOf(owner, (await made(owner, 'GET', path)).fields);
  const report = await send(copy, file.text);
  assert.deepEqual([report.body.status, report.body.errorCount, report.body.errors], ['done', 0, []], report.text);
  const copied = await dataOf(copy);
  assert.equal(copied.length, kept.length);
  for (const [at, row] of kept.entries()) assert.deepEqual(copied[at], row);
  const inHours = kept.filter(({ hours }: any) => hours?.currency === 'HOURS' && hours.amount === '7').length;
  assert.ok(inHours > 0);
  const filtered = await made(owner, 'GET', `${path}/records?limit=500&filter=${encodeURIComponent('hours:gt:1.5 HOURS')}`);
  assert.equal(filtered.length, inHours, 'amounts are compared with those of the same unit');
  assert.equal(await status(owner, 'GET', `${path}/records?filter=${encodeURIComponent('hours:gt:1.5 USD')}`), 400);
});

test('texts that a spreadsheet could read as formulas get an apostrophe, and numbers do not', async () => {
  const path = await registryOf();
  for (const [name, employees] of [
    ['=HYPERLINK("http://x")', -5],
    ["'=1", 1],
    ["'plain", 2],
    ['@SUM(1)', 3],
    ['-1+2', 4],
  ] as const)
    await made(owner, 'POST', `${path}/records`, { data: { name, employees } });
  const { text } = await call(owner, 'GET', `${path}/records/export?format=csv`);
  const cells = text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.replace(/^[^,]*,active,/, '').replace(/,,,,,,,,.*$/, ''));
  assert.deepEqual(
    cells,
    [`"'=HYPERLINK(""http://x"")",,-5`, "''=1,,1", "'plain,,2", "'@SUM(1),,3", "'-1+2,,4"].map((cell) => cell),
  );
});

test('a cell with a line break is quoted, and no line break, semicolon or tab is followed by a formula', async () => {
  const path = await registryOf(owner, [{ id: 'notes', type: 'textarea', label: 'Notes' }]);
  const texts = ["x\n=cmd|' /C calc'!A0", 'two\nlines', 'a;=1', "a\t'@SUM(1)", 'a;"=1"', "a\n'=1", '1 < 2; 3 - 1'];
  for (const notes of texts) await made(owner, 'POST', `${path}/records`, { data: { notes } });
  const { text } = await call(owner, 'GET', `${path}/records/export`);
  const cells = text
    .split('\r\n')
    .slice(1, -1)
    .map((row) => row.replace(/^[^,]*,active,/, '').replace(/,[^,]*,[^,]*$/, ''));
  assert.deepEqual(cells, [
    `"x\n'=cmd|' /C calc'!A0"`,
    '"two\nlines"',
    "a;'=1",
    "a\t''@SUM(1)",
    `"a;'""=1"""`,
    `"a\n''=1"`,
    '1 < 2; 3 - 1',
  ]);
  const copy = await registryOf(owner, (await made(owner, 'GET', path)).fields);
  assert.equal((await send(copy, text)).body.imported, texts.length);
  assert.deepEqual(await dataOf(copy), await dataOf(path));
});

test('a preview shows the result and stores nothing, and contradictory options are rejected', async () => {
  const path = await registryOf();
  const preview = (csv: string | Buffer, query = '') =>
    call(owner, 'POST', `${path}/records/import/preview${query}`, Buffer.from(csv), { 'content-type': 'text/csv' });
  const file = Buffer.from('Name;Volume;since;extra\r\nM\xfcller;1.234,50 EUR;31.12.2026;x\r\nAcme;12.50 EUR;;\r\n', 'latin1');
  const { status: code, body, text } = await preview(file, '?decimal=comma&dateOrder=dmy&unknownColumns=ignored');
  assert.equal(code, 200, text);
  const { first, errors, ...rest } = body;
  assert.deepEqual(rest, {
    readAs: { encoding: 'windows-1252', delimiter: 'semicolon' },
    columns: [
      { name: 'Name', fieldId: 'name' },
      { name: 'Volume', fieldId: 'volume' },
      { name: 'since', fieldId: 'since' },
      { name: 'extra' },
    ],
    rows: 2,
    errorCount: 1,
  });
  assert.deepEqual(first[0], {
    row: 2,
    data: { name: 'Müller', volume: { amount: '1234.50', currency: 'EUR' }, since: '2026-12-31' },
    errors: [],
  });
  assert.deepEqual([first[1].data.name, first[1].errors], ['Acme', errors]);
  assert.deepEqual(
    errors.map(({ row, field }: any) => [row, field]),
    [[3, 'volume']],
  );
  assert.deepEqual([await dataOf(path), await made(owner, 'GET', `${path}/imports`)], [[], []]);
  assert.equal((await preview(`name\n${'A\n'.repeat(30)}`)).body.first.length, 20);
  assert.equal((await preview('name\n"A')).body.code, 'registry_csv_invalid');
  assert.equal((await call(owner, 'POST', `${path}/records/import/preview`, {})).body.code, 'file_required');
  for (const query of ['?decimal=comma&grouping=comma', '?booleans=ja|JA', '?booleans=ja', '?grouping=point']) {
    const { body: problem } = await preview('name\nA\n', query);
    assert.equal(problem.code, 'validation_failed', query);
    assert.equal((await call(owner, 'GET', `${path}/records/export${query}`)).body.code, 'validation_failed', query);
  }
  const { body: done } = await send(path, Buffer.from('name\nM\xfcller\n', 'latin1'));
  assert.deepEqual(done.readAs, { encoding: 'windows-1252', delimiter: 'comma' }, 'an import reports the detected format');
});

test('an export for German Excel can be imported with the same options', async () => {
  const path = await registryOf();
  await made(owner, 'POST', `${path}/records`, {
    data: { name: 'Müller; Söhne', employees: 1234, volume: { amount: '1234.50', currency: 'EUR' }, since: '2026-12-31', active: true },
  });
  const options = 'delimiter=semicolon&decimal=comma&dateOrder=dmy&booleans=ja|nein';
  const url = `${chancery.url}${path}/records/export?${options}&encoding=utf-16`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${owner.token}` } });
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-16; header=present');
  const file = Buffer.from(await answer.arrayBuffer());
  assert.ok(file.toString('utf16le').includes(';"Müller; Söhne";;1234;1234,50 EUR;31.12.2026;ja;'), file.toString('utf16le'));
  const copy = await registryOf();
  assert.equal((await send(copy, file, `?${options}`)).body.imported, 1);
  assert.deepEqual(await dataOf(copy), await dataOf(path));
});

test('an export has the filtered records of all pages, also as JSON, and adds a journal entry', async () => {
  const path = await registryOf();
  const rows = Array.from({ length: 900 }, (_, n) => `Name ${n},${n}`).join('\n');
  const { body } = await send(path, `name,employees\n${rows}\n`);
  assert.equal(body.imported, 900);
  const json = await call(owner, 'GET', `${path}/records/export?format=json&filter=employees:gte:100`);
  const records = JSON.parse(json.text);
  assert.equal(records.length, 800);
  assert.deepEqual(new Set(records.map(({ id }: any) => id)).size, 800);
  assert.equal((await call(owner, 'GET', `${path}/records/export`)).text.trim().split('\r\n').length, 901);
  assert.equal(await status(owner, 'GET', `${path}/records/export?filter=colour:eq:red`), 400);
  assert.equal((await call(owner, 'GET', `${path}/records/export?format=json&q=nothing`)).text, '[]');
  const { rows: entries } = await chancery.pool.query(
    "SELECT data FROM audit_entry WHERE type = 'registry.exported' AND target_id = $1 ORDER BY id",
    [path.split('/').at(-1)],
  );
  assert.deepEqual(
    entries.map(({ data }) => data.format),
    ['json', 'csv', 'json'],
  );
});

test('a long file is imported once in the background, with one event, and its content is deleted', async () => {
  const path = await registryOf();
  const rows = Array.from({ length: 4_000 }, (_, n) => `Company ${n},V${n % 3_999},${n},Some notes about the company number ${n}`);
  const answer = await send(path, `name,vat,employees,notes\n${rows.join('\n')}\n`, '?mode=good');
  assert.deepEqual([answer.status, answer.body.status, answer.body.rows], [201, 'waiting', 4_000], answer.text);
  const report = await ended(path, answer.body.id);
  assert.deepEqual([report.status, report.imported, report.errorCount, report.errors[0].row], ['done', 3_999, 1, 4_001]);
  assert.equal((await made(owner, 'GET', `${path}/records?filter=vat:eq:v17`))[0].data.name, 'Company 17');
  assert.equal((await made(owner, 'GET', `${path}/imports`))[0].id, report.id);
  const { rows: kept } = await chancery.pool.query(
    'SELECT content, (SELECT count(*)::int FROM event WHERE team_id = $1 AND body::text LIKE $2) AS events FROM registry_import WHERE id = $3',
    [team.id, '%', report.id],
  );
  assert.equal(kept[0].content, null);
  const { rows: events } = await chancery.pool.query("SELECT body FROM event WHERE type = 'registry.imported' AND team_id = $1", [team.id]);
  assert.equal(events.filter(({ body }) => JSON.parse(body).data.data.importId === report.id).length, 1);
  await dropOldImports(chancery.database, new Date(Date.now() + 29 * 86_400_000));
  assert.equal(await status(owner, 'GET', `${path}/imports/${report.id}`), 200);
  await dropOldImports(chancery.database, new Date(Date.now() + 31 * 86_400_000));
  assert.equal(await status(owner, 'GET', `${path}/imports/${report.id}`), 404);
});

const longFile = (rows: number) =>
  `name,notes\n${Array.from({ length: rows }, (_, n) => `Company ${n},${'long '.repeat(40)}`).join('\n')}\n`;

test('a background import uses the current rights of its sender: after the share ended nothing is imported', async () => {
  const creator = await chancery.user(team);
  const path = await registryOf(creator);
  const member = await chancery.user(team);
  const grant = await made(creator, 'POST', `${path}/access`, { userId: member.id, access: 'write' });
  // The job waits until the share has ended, because the test holds the lock of the import.
  const client = await chancery.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE registry_import IN ROW EXCLUSIVE MODE');
    const answer = await send(path, longFile(1_500), '', member);
    assert.equal(answer.body.status, 'waiting', answer.text);
    assert.equal(await status(creator, 'DELETE', `${path}/access/${grant.id}`), 204);
    await client.query('COMMIT');
    const { body } = await (async () => {
      let report: any;
      await eventually(
        'the import ended',
        async () => (report = await call(creator, 'GET', `${path}/imports/${answer.body.id}`)).body.status !== 'waiting',
        60_000,
      );
      return report;
    })();
    // Either the import came first and succeeded, or the end of the share came first and nothing was imported.
    if (body.status === 'failed') assert.deepEqual([body.code, body.imported], ['not_found', 0]);
    else assert.equal(body.imported, 1_500);
  } finally {
    client.release();
  }
});

test('a waiting import uses the current rights of its API client', async () => {
  const path = await registryOf();
  const scopes = ['registries:read', 'registries:write'];
  const apiClient = await chancery.client(owner, scopes);
  const content = Buffer.from('name\nLate\n');
  const { body } = await call(apiClient, 'POST', `${path}/records/import`, content, { 'content-type': 'text/csv' });
  assert.equal(body.status, 'done');
  const deps = { database: chancery.database, listeners: [], clock: () => new Date() };
  /** Runs the import again as a waiting one, after a change of the API client. */
  const carriedOut = async (change: object) => {
    const changed = await call(owner, 'PATCH', `/api/v1/security/clients/${apiClient.id}`, change);
    assert.equal(changed.status, 200, changed.text);
    await chancery.pool.query("UPDATE registry_import SET status = 'waiting', content = $2, ended_at = NULL WHERE id = $1", [
      body.id,
      content,
    ]);
    const attempt = { id: '', team: team.id, attempt: 1, signal: new AbortController().signal };
    await importJob.run(deps, { team: team.id, import: body.id }, attempt);
    const { status: is, code } = await made(owner, 'GET', `${path}/imports/${body.id}`);
    return [is, code];
  };
  assert.deepEqual(await carriedOut({ scopes }), ['done', undefined]);
  const folder = await chancery.folder(owner);
  for (const [change, code] of [
    [{ scopes: ['registries:read'] }, 'forbidden'],
    [{ scopes, folderIds: [folder.id] }, 'not_found'],
    [{ scopes, isActive: false }, 'forbidden'],
  ] as const)
    assert.deepEqual(await carriedOut(change), ['failed', code], JSON.stringify(change));
  assert.equal((await dataOf(path)).length, 2);
});

test('a file is read before the lock, and read again if the fields changed', async () => {
  const path = await registryOf(owner, [{ id: 'name', type: 'text', label: 'Name' }]);
  const blocker = await chancery.pool.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM registry WHERE id = $1 FOR UPDATE', [path.split('/').at(-1)]);
    assert.equal((await send(path, 'colour\nred\n')).body.code, 'registry_csv_invalid', 'the check needs no lock');
    const waits = send(path, 'name\nAda\n');
    await eventually(
      'the import waits for the registry',
      async () =>
        (await chancery.pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM registry %'"))
          .rowCount,
    );
    const changed = JSON.stringify([{ id: 'title', type: 'text', label: 'Title' }]);
    await blocker.query('UPDATE registry SET fields = $2, version = version + 1 WHERE id = $1', [path.split('/').at(-1), changed]);
    await blocker.query('COMMIT');
    const { status: code, body } = await waits;
    assert.deepEqual([code, body.errors?.map(({ pointer }: any) => pointer)], [422, ['/columns/0']]);
  } finally {
    blocker.release();
  }
});

test('when a registry moves to the bin during imports, each file is imported completely or not at all', async () => {
  const path = await registryOf();
  const sent = await Promise.all(Array.from({ length: 3 }, () => send(path, longFile(1_200))));
  const answers = await Promise.all([call(owner, 'DELETE', path), ...Array.from({ length: 6 }, () => send(path, 'name\nA\nB\nC\n'))]);
  assert.ok(answers.every(({ status: code }) => [201, 204, 404].includes(code)));
  await eventually(
    'all imports ended',
    async () =>
      (await chancery.pool.query("SELECT 1 FROM registry_import WHERE registry_id = $1 AND status = 'waiting'", [path.split('/').at(-1)]))
        .rowCount === 0,
    60_000,
  );
  await made(owner, 'POST', `${path}/restore`);
  const reports = await made(owner, 'GET', `${path}/imports`);
  assert.equal(sent.filter(({ status: code }) => code === 201).length, 3);
  for (const { status: state, imported, rows, code } of reports) {
    if (state === 'failed') assert.deepEqual([code, imported], ['not_found', 0]);
    else assert.equal(imported, rows);
  }
  const total = reports.reduce((sum: number, { imported }: any) => sum + imported, 0);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM registry_record WHERE registry_id = $1', [
    path.split('/').at(-1),
  ]);
  assert.equal(rows[0].n, total);
});

test('concurrent imports with the same unique values create each record once', async () => {
  const path = await registryOf();
  const rows = Array.from({ length: 300 }, (_, n) => n);
  const file = (numbers: number[]) => `name,vat\n${numbers.map((n) => `Company ${n},V${n}`).join('\n')}\n`;
  const answers = await Promise.all([
    ...[rows, rows.toReversed(), rows, rows.toReversed()].map((numbers) => send(path, file(numbers), '?mode=good')),
    ...rows.slice(0, 20).map((n) => call(owner, 'POST', `${path}/records`, { data: { name: `Single ${n}`, vat: `v${n}` } })),
  ]);
  assert.ok(
    answers.every(({ status: code }) => code === 201 || code === 409),
    JSON.stringify(answers.map(({ status: code }) => code)),
  );
  const { rows: found } = await chancery.pool.query(
    "SELECT count(*)::int AS n, count(DISTINCT lower(data->>'vat'))::int AS d FROM registry_record WHERE registry_id = $1",
    [path.split('/').at(-1)],
  );
  assert.deepEqual(found[0], { n: 300, d: 300 });
});

test('references to records of another registry are checked, and missing records are reported', async () => {
  const parties = await registryOf();
  const party = await made(owner, 'POST', `${parties}/records`, { data: { name: 'Acme' } });
  const contracts = await registryOf(owner, [
    { id: 'title', type: 'text', label: 'Title' },
    { id: 'party', type: 'registry', label: 'Party', registryTypeId: parties.split('/').at(-1) },
  ]);
  const file = `title,party\nNDA,${party.id}\nLost,${randomUUIDv7()}\nOdd,none\n`;
  const { body } = await send(contracts, file, '?mode=good');
  assert.deepEqual(
    [body.imported, body.errors.map(({ row, rule }: any) => [row, rule])],
    [
      1,
      [
        [3, 'record'],
        [4, 'record'],
      ],
    ],
  );
});

test('a team can read at most two exports at a time', async () => {
  const path = await registryOf();
  await send(path, `name,notes\n${Array.from({ length: 900 }, (_, n) => `N${n},${'x'.repeat(100)}`).join('\n')}\n`);
  const open = await Promise.all(
    [1, 2].map(async () => {
      const answer = await fetch(`${chancery.url}${path}/records/export`, { headers: { authorization: `Bearer ${owner.token}` } });
      return answer.body?.getReader();
    }),
  );
  const third = await call(owner, 'GET', `${path}/records/export`);
  // The response may already be complete if it fits into the buffers of the connection.
  assert.ok(third.status === 200 || third.body.code === 'exports_in_progress', third.text.slice(0, 200));
  for (const reader of open) await reader?.cancel();
  await eventually('another export can start', async () => (await call(owner, 'GET', `${path}/records/export`)).status === 200);
});

test('a team can have twenty waiting files, and concurrent requests cannot exceed that', async () => {
  const other = (await chancery.team()).owner;
  const path = await registryOf(other);
  const [first, long] = ['name\nA\n', `name\n${'N\n'.repeat(1_001)}`];
  // The test locks the registry first, so that no import ends before the check.
  const holds = await chancery.pool.connect();
  await holds.query('BEGIN');
  await holds.query('SELECT FROM registry WHERE id = $1 FOR NO KEY UPDATE', [path.split('/').at(-1)]);
  await chancery.pool.query(
    `INSERT INTO registry_import (team_id, id, registry_id, status, mode, manner, content, total, created_by, created_by_type, created_at)
     SELECT $1, gen_random_uuid(), $2, 'waiting', 'all', '{}', '', 1, $3, 'user', now() FROM generate_series(1, 18)`,
    [other.team, path.split('/').at(-1), other.id],
  );
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(path, long, '', other)));
  await holds.query('ROLLBACK');
  holds.release();
  const codes = answers.map(({ status: how, body }) => (how === 201 ? body.status : body.code)).toSorted();
  assert.deepEqual(codes, [...Array.from({ length: 4 }, () => 'import_queue_full'), 'waiting', 'waiting']);
  assert.equal((await send(path, first, '', other)).body.status, 'done', 'a short file is imported at once');
});

test('a cell with many choices reads each option once, by id or by the first matching label', () => {
  let reads = 0;
  const offered = Array.from({ length: 100 }, (_, place) =>
    Object.defineProperty({ id: `o${place}` }, 'label', { get: () => ((reads += 1), `Label ${place % 50}`) }),
  );
  const cell = ['o7', 'label 7', 'None of them', ...Array.from({ length: 1_000 }, () => 'LABEL 49')].join('|');
  const read = valueOf({ id: 'it', type: 'multiselect', options: offered }, cell, {}) as string[];
  assert.deepEqual([...new Set(read)], ['o7', 'None of them', 'o49']);
  assert.ok(reads <= 10 * offered.length, `${reads} reads of ${offered.length} options`);
});
