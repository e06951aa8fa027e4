import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { asking, file } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { smallTemplate } from '../../../test/operations/small-template.ts';
import { waitingBatch } from '../../../test/signature-batches.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { listeners } from '../../listeners.ts';
import { openStorage } from '../../open-storage.ts';
import { readRows, typeIn } from './csv.ts';
import { batchJob, type BatchDependencies } from './jobs.ts';

const bulk = '/api/v1/signatures/bulk';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
const { call, made, status } = asking(() => chancery);

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  owner = team.owner;
});

const schema = {
  type: 'object',
  required: ['name', 'age', 'party'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    age: { type: 'integer', minimum: 1 },
    rent: { type: 'number' },
    since: { type: 'string', format: 'date' },
    party: { $ref: '#/$defs/party' },
  },
  $defs: {
    party: { type: 'object', required: ['city'], properties: { city: { type: 'string', maxLength: 10 }, vip: { type: 'boolean' } } },
  },
  examples: [{ name: 'Ada', age: 36, party: { city: 'Paris' } }],
};
const template = (source = smallTemplate().source) =>
  made(owner, 'POST', '/api/v1/document-templates/', { ...smallTemplate(), source, schema });
const signedTemplate = `${smallTemplate().source}
#metadata((signer: "tenant", kind: "signature", page: 1, x: 72, y: 600, width: 170, height: 31)) <signature-field>`;
/** The dependencies of the batch job, so that the test controls its runs. */
const deps = async (): Promise<BatchDependencies> =>
  ({ database: chancery.database, listeners, clock: () => new Date(), storage: await openStorage(chancery.config) }) as never;
const aTry = () => ({ id: randomUUIDv7(), team: undefined, attempt: 1, signal: new AbortController().signal });
const ended = (by: User, id: string) =>
  eventually('the batch has ended', async () => {
    const batch = await made(by, 'GET', `${bulk}/${id}`);
    return batch.status === 'running' ? undefined : batch;
  });

test('a cell has the type of the schema, including references', () => {
  assert.deepEqual(
    [['name'], ['age'], ['since'], ['party', 'vip'], ['party', 'none'], ['__proto__', 'x'], ['party']].map((path) => typeIn(schema, path)),
    ['string', 'integer', 'date', 'boolean', undefined, undefined, 'object'],
  );
});

test('a file is read in parts, and other requests run between them', async () => {
  let others = 0;
  const turns = { over: true, next: async () => void (others += 1) };
  const note = 'é'.repeat(30_000);
  const people = `email,name,note\n${Array.from({ length: 30 }, (_, n) => `a${n}@example.org,Ada,${note}`).join('\n')}`;
  const rows = await readRows({ csv: people }, { typeOf: () => undefined, turns });
  assert.ok(rows.length === 30 && rows.every(({ data }) => data.note === note), 'a two-byte character across two parts stays whole');
  assert.ok(others > 60, `${others} times, and not once for each row alone`);
  others = 0;
  await readRows({ csv: `email,name\na@example.org,Ada\n${',\n'.repeat(5_000)}` }, { typeOf: () => undefined, turns });
  assert.ok(others > 5_000, `${others} times, with empty rows`);
});

test('each row of an uploaded file becomes one request, on a separate document with the values of the row', async () => {
  const { id: templateId } = await template(signedTemplate);
  const folder = (await made(owner, 'POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7() })).id;
  const form = new FormData();
  const request = {
    title: 'Terms',
    templateId,
    folderId: folder,
    data: { name: 'Base', party: { vip: true } },
    message: 'Please sign',
    signsAs: 'tenant',
  };
  form.set('request', new Blob([JSON.stringify(request)], { type: 'application/json' }));
  form.set(
    'file',
    new Blob(['\ufeffemail;name;age;party.city\nada@example.org;Ada;36;Paris\ngrace@example.org;Grace;40;Arlington\n']),
    'rows.csv',
  );
  const answer = await call(owner, 'POST', bulk, form);
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get('location'), `${bulk}/${answer.body.id}`);
  assert.deepEqual([answer.body.rows, answer.body.templateId, answer.body.sourceVersion], [2, templateId, 1]);
  const done = await ended(owner, answer.body.id);
  assert.deepEqual([done.status, done.done, done.failed, done.waiting], ['done', 2, 0, 0]);
  const rows = await made(owner, 'GET', `${bulk}/${done.id}/rows`);
  assert.deepEqual(
    rows.map(({ number, email, name, status: is }: any) => [number, email, name, is]),
    [
      [1, 'ada@example.org', 'Ada', 'done'],
      [2, 'grace@example.org', 'Grace', 'done'],
    ],
  );
  for (const { documentId, requestId, email, name } of rows) {
    const document = await made(owner, 'GET', `/api/v1/smartdoc/documents/${documentId}`);
    assert.deepEqual([document.title, document.folderId, document.currentVersion.mediaType], [`Terms, ${name}`, folder, 'application/pdf']);
    const origin = await made(owner, 'GET', `/api/v1/smartdoc/documents/${documentId}/template`);
    assert.deepEqual([origin.templateId, origin.version], [templateId, 1]);
    const signatureRequest = await made(owner, 'GET', `/api/v1/signatures/${requestId}`);
    assert.deepEqual(
      signatureRequest.fields.map(({ kind, page, y }: any) => [kind, page, y]),
      [['signature', 1, 600]],
    );
    assert.deepEqual(
      [signatureRequest.documentId, signatureRequest.message, signatureRequest.signers.map((one: any) => one.email)],
      [documentId, 'Please sign', [email]],
    );
  }
  assert.ok((await made(owner, 'GET', bulk)).some(({ id }: any) => id === done.id));
  const late = await call(owner, 'POST', `${bulk}/${done.id}/cancel`);
  assert.deepEqual([late.status, late.body.code], [409, 'batch_ended']);
});

/** Returns the rows of the batch of an uploaded file, or the errors of the response. */
async function rowsOf(content: Buffer<ArrayBuffer>, members: object): Promise<unknown> {
  const form = new FormData();
  form.set('file', new Blob([content]), 'rows.csv');
  form.set('request', new Blob([JSON.stringify({ title: 'File', ...members })], { type: 'application/json' }));
  const reply = await call(owner, 'POST', bulk, form);
  if (reply.status !== 201)
    return [reply.status, reply.body.code, ...(reply.body.errors ?? []).map(({ pointer, rule }: any) => `${pointer} ${rule}`)];
  return (await made(owner, 'GET', `${bulk}/${reply.body.id}/rows`)).map(({ number, email, name }: any) => [number, email, name]);
}

test('a file from Excel has the same rows as in Excel: UTF-16, a separator line, CRLF, empty columns and rows', async () => {
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file());
  const shown = 'sep=;\r\nemail;name;;\r\n"lukasz@example.org";Łukasz Żółć, Jr.;;\r\n;;;\r\nzoe@example.org; Zoë ;;\r\n;;;\r\n';
  const expected = [
    [1, 'lukasz@example.org', 'Łukasz Żółć, Jr.'],
    [3, 'zoe@example.org', 'Zoë'],
  ];
  const marked = Buffer.from(`\ufeff${shown}`, 'utf16le');
  assert.deepEqual(await rowsOf(marked, { documentId }), expected);
  assert.deepEqual(await rowsOf(Buffer.from(shown, 'utf16le').swap16(), { documentId, encoding: 'utf-16' }), expected);
  const french = await call(owner, 'POST', bulk, { title: 'F', documentId, csv: 'email,name\na@example.org,Ada\n', locale: 'fr' });
  assert.deepEqual([french.status, french.body.code], [422, 'locale_not_supported']);
  const nameless = Buffer.from(shown.replace('Zoë ;;', 'Zoë ;;x'));
  assert.deepEqual(await rowsOf(nameless, { documentId }), [422, 'batch_rows_invalid', '/csv/3 columns']);
});

test('names in Windows-1252 are decoded, with and without the option', async () => {
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file());
  const western = Buffer.from('email;name\nj@example.org;Jürgen Groß\nf@example.org;François\n', 'latin1');
  const expected = [
    [1, 'j@example.org', 'Jürgen Groß'],
    [2, 'f@example.org', 'François'],
  ];
  for (const encoding of [undefined, 'windows-1252']) assert.deepEqual(await rowsOf(western, { documentId, encoding }), expected);
  assert.deepEqual(await rowsOf(western, { documentId, encoding: 'utf-8' }), [422, 'batch_rows_invalid', '/csv/0 csv']);
  assert.deepEqual(await rowsOf(western, { documentId, encoding: 'latin1' }), [400, 'validation_failed', '/encoding enum']);
  const long = Buffer.concat([western, Buffer.alloc(1024 * 1024 + 1, 0xfc)]);
  assert.deepEqual(await rowsOf(long, { documentId }), [422, 'batch_rows_invalid', '/csv/0 csv'], 'more than 2 MiB in UTF-8');
});

test('cells are read with the options of a registry import, and an ambiguous cell is an error', async () => {
  const types: Record<string, string> = { rent: 'number', since: 'date', vip: 'boolean' };
  const reading = { typeOf: ([name = '']: readonly string[]) => types[name], turns: { over: false, next: async () => undefined } };
  const csv = 'email;name;rent;since;vip\na@example.org;Ada;1.234,50;31.12.2026;ja\n';
  const options = { decimal: 'comma', grouping: 'point', dateOrder: 'dmy', booleans: 'ja|nein' } as const;
  const [row] = await readRows({ csv, data: {}, ...options }, reading);
  assert.deepEqual(row?.data, { rent: 1234.5, since: '2026-12-31', vip: true });
  assert.deepEqual((await readRows({ csv, delimiter: 'semicolon', ...options }, reading)).length, 1);
  const { id: templateId } = await template();
  const rejected = await call(owner, 'POST', bulk, {
    title: 'Ambiguous',
    templateId,
    data: { name: 'N', age: 1, party: { city: 'Paris' } },
    csv: 'email;name;rent;since\na@example.org;Ada;1.234;31.12.2026\n',
    decimal: 'comma',
  });
  assert.deepEqual(
    [rejected.status, rejected.body.errors?.map(({ pointer, rule }: any) => `${pointer} ${rule}`)],
    [422, ['/csv/1/rent ambiguous', '/csv/1/since ambiguous']],
    rejected.text,
  );
  const contradiction = await call(owner, 'POST', bulk, { title: 'C', templateId, csv, decimal: 'comma', grouping: 'comma' });
  assert.deepEqual([contradiction.status, contradiction.body.code], [400, 'validation_failed']);
});

test('a column or value that the template does not name is rejected once, with the nearest name', async () => {
  const { id: templateId } = await template();
  const data = { name: 'N', age: 1, party: { city: 'Paris' } };
  const csv = 'email,name,party.ctiy,rnet\na@example.org,Ada,Bonn,1\nb@example.org,Bob,Bonn,2\n';
  const refused = async (members: object) => {
    const answer = await call(owner, 'POST', bulk, { title: 'T', templateId, data, csv, ...members });
    assert.deepEqual([answer.status, answer.body.code], [422, 'batch_rows_invalid'], answer.text);
    return answer.body.errors.map(({ pointer, reason }: any) => [pointer, reason]);
  };
  assert.deepEqual(await refused({}), [
    ['/csv/0/rnet', 'is unknown; did you mean `rent`?'],
    ['/csv/0/party.ctiy', 'is unknown; did you mean `city`?'],
  ]);
  assert.deepEqual(await refused({ data: { ...data, party: { city: 'Paris', vpi: true } } }), [
    ['/data/party/vpi', 'is unknown; did you mean `vip`?'],
  ]);
});

test('the JSON part of a form has the same limits as a JSON body', async () => {
  const { id: templateId } = await template();
  const rule = async (request: string): Promise<string> => {
    const form = new FormData();
    form.set('request', new Blob([request]), 'request.json');
    form.set('file', new Blob(['email,name\nada@example.org,Ada\n']), 'rows.csv');
    const answer = await call(owner, 'POST', bulk, form);
    return `${answer.status} ${answer.body.code}`;
  };
  const nested = (levels: number) =>
    `{"title":"x","templateId":"${templateId}","data":{"name":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
  assert.equal(await rule(nested(50)), '422 batch_rows_invalid');
  for (const wrong of [nested(200_000), '{"title":"x","__proto__":{"message":"y"}}', '[]', 'null', '{'])
    assert.equal(await rule(wrong), '400 malformed_json', wrong.slice(0, 50));
});

test('the size of a file is limited before it is processed', async () => {
  const { id: templateId } = await template();
  const rule = async (csv: string, members: object = { templateId }): Promise<string> => {
    const answer = await call(owner, 'POST', bulk, { title: 'Large', csv, ...members });
    assert.deepEqual([answer.status, answer.body.code, answer.body.errors.length], [422, 'batch_rows_invalid', 1], answer.text);
    return `${answer.body.errors[0].pointer} ${answer.body.errors[0].rule}`;
  };
  const columns = (count: number) => `email,name,${Array.from({ length: count }, (_, n) => `a${n}`).join(',')}\na@example.org,A`;
  assert.deepEqual([await rule(columns(199)), await rule(columns(20_000))], ['/csv/0 csv', '/csv/0 csv']);
  for (const many of [','.repeat(250_000), `email,name\n${'\t;'.repeat(101_000)}`]) assert.equal(await rule(many), '/csv/0 csv');
  assert.equal(
    await rule(`email,name\na@example.org,"${','.repeat(60_000)}"`),
    '/csv/1/name name',
    'quoted separators do not separate cells',
  );
  const rows = `email,name\n${Array.from({ length: 1_000 }, (_, n) => `a${n}@example.org,A`).join('\n')}`;
  assert.equal(await rule(rows, { templateId, data: { name: 'x'.repeat(5_000) } }), '/csv/0 size');
});

test('a team can have twenty running batches', async () => {
  const other = (await chancery.team()).owner;
  await Promise.all(Array.from({ length: 20 }, () => waitingBatch(chancery.pool, other)));
  const { id: documentId } = await made(other, 'POST', '/api/v1/smartdoc/documents/', file());
  const ask = () => call(other, 'POST', bulk, { title: 'Many', documentId, csv: 'email,name\na@example.org,A' });
  const refused = await ask();
  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'], refused.text);
  await made(other, 'POST', `${bulk}/${(await made(other, 'GET', bulk))[0].id}/cancel`);
  assert.equal((await ask()).status, 201);
});

test('a file is validated completely: the errors of all rows are reported, and no request is sent', async () => {
  const { id: templateId } = await template();
  const errorsOf = async (csv: string, members: object = { templateId }): Promise<string[]> => {
    const answer = await call(owner, 'POST', bulk, { title: 'Wrong', csv, ...members });
    assert.deepEqual([answer.status, answer.body.code], [422, 'batch_rows_invalid'], answer.text);
    return answer.body.errors.map(({ pointer, rule }: any) => `${pointer} ${rule}`).toSorted();
  };
  assert.deepEqual(await errorsOf('mail,name\n'), ['/csv/0 rows', '/csv/0/email required', '/csv/0/mail unknown']);
  assert.deepEqual(await errorsOf('email,name,name,__proto__.x\na@example.org,A\n'), ['/csv/0/__proto__.x column', '/csv/0/name unique']);
  assert.deepEqual(await errorsOf('email,name\nnobody,A\nb@example.org,www.example.org\nc@example.org,C\nC@example.org,D,E\n'), [
    '/csv/1/email email',
    '/csv/2/name name',
    '/csv/4 columns',
    '/csv/4/email unique',
  ]);
  assert.deepEqual(
    await errorsOf('email,name,age,party.city\na@example.org,A,0,Paris\nb@example.org,B,five,Constantinople\n', {
      templateId,
      data: { name: 'N' },
    }),
    ['/csv/1/age minimum', '/csv/2/age type', '/csv/2/party.city maxLength'],
  );
  assert.deepEqual(await errorsOf('email,name\n"a'), ['/csv/0 csv']);
  assert.deepEqual(await errorsOf(`email,name\n${Array.from({ length: 1_001 }, (_, n) => `a${n}@example.org,A`).join('\n')}`), [
    '/csv/0 rows',
  ]);
  const csv = 'email,name,age\na@example.org,A,1\n';
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file());
  assert.deepEqual(await errorsOf(csv, { documentId }), ['/csv/1/age column']);
  assert.deepEqual(await errorsOf('email,name\na@example.org,A', { documentId, data: { name: 'N' } }), ['/data data']);
  const member = await chancery.user(team);
  const hidden = [{ templateId }, { documentId }, {}, { templateId, documentId }];
  for (const named of hidden)
    assert.equal((await call(member, 'POST', bulk, { title: 'W', csv, ...named })).body.code, 'batch_source_not_found');
  const client = await chancery.client(owner, ['signatures:read', 'signatures:write']);
  assert.equal((await call(client, 'POST', bulk, { title: 'W', csv, documentId })).body.code, 'insufficient_scope');
  const form = new FormData();
  form.set('other', 'x');
  assert.equal(await status(owner, 'POST', bulk, form), 400);
});

test('a cancelled batch sends no more requests; a failed row has its reason, and the other rows continue', async () => {
  const { id } = await waitingBatch(chancery.pool, owner);
  const races = await Promise.all(Array.from({ length: 10 }, () => status(owner, 'POST', `${bulk}/${id}/cancel`)));
  assert.deepEqual(races.toSorted(), [200, ...Array.from({ length: 9 }, () => 409)]);
  assert.deepEqual(
    (await made(owner, 'GET', `${bulk}/${id}/rows`)).map((row: any) => row.status),
    ['cancelled'],
  );
  const member = await chancery.user(team);
  const { id: documentId } = await made(member, 'POST', '/api/v1/smartdoc/documents/', file());
  const folder = (await made(member, 'POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7() })).id;
  await made(member, 'DELETE', `/api/v1/smartdoc/folders/${folder}`);
  const csv = 'email,name\na@example.org,A\nb@example.org,B\n';
  // Created while its folder existed. The worker runs after the deletion of the folder.
  const lost = await waitingBatch(chancery.pool, member, documentId);
  await chancery.pool.query("UPDATE signature_batch SET manner = jsonb_build_object('folderId', $2::text) WHERE id = $1", [
    lost.id,
    folder,
  ]);
  await batchJob.run(await deps(), { team: team.id, batch: lost.id }, aTry());
  assert.equal((await ended(member, lost.id)).failed, 1);
  assert.deepEqual(
    (await made(member, 'GET', `${bulk}/${lost.id}/rows`)).map((row: any) => row.code),
    ['parent_not_found'],
  );
  const copies = await ended(member, (await made(member, 'POST', bulk, { title: 'Copies', documentId, csv })).id);
  assert.equal(copies.done, 2);
  assert.equal(await status(await chancery.user(team), 'GET', `${bulk}/${copies.id}`), 404);
});

test('a batch needs a folder with write access, and an invalid folder never breaks the list of batches', async () => {
  const [member, colleague] = [await chancery.user(team), await chancery.user(team)];
  const { id: templateId } = await made(member, 'POST', '/api/v1/document-templates/', smallTemplate());
  const { id: documentId } = await made(member, 'POST', '/api/v1/smartdoc/documents/', file());
  const theirs = (await made(colleague, 'POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7() })).id;
  const csv = 'email,name\na@example.org,A\n';
  for (const folderId of ['elsewhere', randomUUIDv7(), theirs])
    for (const source of [{ templateId, data: { name: 'Ada' } }, { documentId }]) {
      const refused = await call(member, 'POST', bulk, { title: 'Astray', ...source, folderId, csv });
      assert.deepEqual([refused.status, refused.body.code], [422, 'parent_not_found'], refused.text);
    }
  await made(member, 'POST', bulk, { title: 'Outside', documentId, folderId: '', csv });
  assert.equal(await status(owner, 'GET', bulk), 200);
});

test('a name after a long title is cut between two characters, and does not stop the other rows', async () => {
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file());
  const title = '😀'.repeat(126);
  const csv = 'email,name\na@example.org,😀 A\nb@example.org,B\n';
  const { id } = await made(owner, 'POST', bulk, { title, documentId, csv });
  assert.equal((await ended(owner, id)).done, 2);
});

test('a row that the database rejects fails alone', async () => {
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file());
  await chancery.pool.query(`CREATE FUNCTION refuse_title() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'cannot be kept' USING ERRCODE = '22021'; END $$`);
  await chancery.pool.query(`CREATE TRIGGER refuse_title BEFORE INSERT ON document FOR EACH ROW WHEN (new.title = 'Kept, Bad')
    EXECUTE FUNCTION refuse_title()`);
  const csv = 'email,name\na@example.org,Good\nb@example.org,Bad\nc@example.org,Better\n';
  const batch = await ended(owner, (await made(owner, 'POST', bulk, { title: 'Kept', documentId, csv })).id);
  assert.deepEqual([batch.status, batch.done, batch.failed], ['done', 2, 1]);
  assert.deepEqual(
    (await made(owner, 'GET', `${bulk}/${batch.id}/rows`)).map((row: any) => [row.name, row.code]),
    [
      ['Good', undefined],
      ['Bad', 'validation_failed'],
      ['Better', undefined],
    ],
  );
});

test('a batch ends after repeated failures of its job, and its rows show it', async () => {
  const { id } = await waitingBatch(chancery.pool, owner);
  const data = { team: team.id, batch: id };
  await chancery.database.asSystem('give a job up', async (tx) => batchJob.options.onDiscard?.(tx, data, 'it failed'));
  assert.deepEqual((await ended(owner, id)).failed, 1);
  const [row] = await made(owner, 'GET', `${bulk}/${id}/rows`);
  assert.deepEqual([row.status, row.code], ['failed', 'internal_error']);
});

test('two workers at once, or a repeated run, request each row once', async () => {
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file());
  await chancery.node('worker');
  const csv = `email,name\n${Array.from({ length: 12 }, (_, n) => `a${n}@example.org,A${n}`).join('\n')}`;
  const batch = await made(owner, 'POST', bulk, { title: 'Once', documentId, csv });
  // Like a crash whose lease ended while the first run continued: the same job a second time.
  const again = `INSERT INTO job (team_id, id, name, data, run_at) SELECT team_id, gen_random_uuid(), name, data, now() FROM job WHERE data->>'batch' = $1`;
  await chancery.pool.query(again, [batch.id]).catch(() => undefined);
  const done = await ended(owner, batch.id);
  assert.equal(done.done, 12);
  const { rows } = await chancery.pool.query("SELECT count(*)::int AS n FROM document WHERE title LIKE 'Once, %'");
  assert.equal(rows[0].n, 12);
});

test('copies of a document behind a barrier stay behind it, even if the barrier is created later', async () => {
  const barred = (await made(owner, 'POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7() })).id;
  const below = (await made(owner, 'POST', '/api/v1/smartdoc/folders/', { name: 'Below', parentId: barred })).id;
  const open = (await made(owner, 'POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7() })).id;
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file({ folderId: barred }));
  const ask = (members: object) =>
    call(owner, 'POST', bulk, { title: 'Barred', documentId, csv: 'email,name\na@example.org,A', ...members });
  // Created before the barrier. The worker runs after it.
  const early = await waitingBatch(chancery.pool, owner, documentId);
  await made(owner, 'PUT', `/api/v1/smartdoc/folders/${barred}/barrier`, { userIds: [] });
  for (const place of [{}, { folderId: open }, { folderId: 'elsewhere' }]) {
    const refused = await ask(place);
    assert.deepEqual([refused.status, refused.body.code], [422, 'batch_outside_barrier'], refused.text);
  }
  const inside = await ask({ folderId: below });
  assert.equal((await ended(owner, inside.body.id)).done, 1);
  await batchJob.run(await deps(), { team: owner.team, batch: early.id }, aTry());
  assert.deepEqual(
    (await made(owner, 'GET', `${bulk}/${early.id}/rows`)).map(({ code }: any) => code),
    ['batch_outside_barrier'],
  );
  // An excluded member does not see the batch either, because its title and signers would reveal content. The same applies if only its folder is
  // behind a barrier.
  const ofTemplate = await waitingBatch(chancery.pool, owner);
  await chancery.pool.query("UPDATE signature_batch SET manner = jsonb_build_object('folderId', $2::text) WHERE id = $1", [
    ofTemplate.id,
    below,
  ]);
  const admin = await chancery.user(owner.team, { role: 'admin' });
  const kept = [inside.body.id, early.id, ofTemplate.id];
  for (const id of kept)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/rows'],
      ['POST', '/cancel'],
    ] as const)
      assert.equal((await call(admin, method, `${bulk}/${id}${path}`)).status, 404, `${method} ${path}`);
  const listed = (await made(admin, 'GET', bulk)).map(({ id }: any) => id);
  assert.ok(listed.length > 0 && kept.every((id) => !listed.includes(id)));
  assert.ok(kept.every((id) => id !== undefined) && (await made(owner, 'GET', bulk)).some(({ id }: any) => id === ofTemplate.id));
  // A batch is also hidden if one of its copies is moved behind a barrier later, because its row names the signer.
  const { id: plain } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file({ folderId: open }));
  const seen = await waitingBatch(chancery.pool, owner, plain);
  await chancery.pool.query("UPDATE signature_batch_row SET status = 'done', document_id = $2, request_id = $3 WHERE batch_id = $1", [
    seen.id,
    documentId,
    randomUUIDv7(),
  ]);
  for (const path of ['', '/rows'])
    assert.deepEqual(
      [await status(owner, 'GET', `${bulk}/${seen.id}${path}`), await status(admin, 'GET', `${bulk}/${seen.id}${path}`)],
      [200, 404],
    );
  // Emergency access allows reading each batch and cancelling none, whether its document or only its folder is behind the barrier.
  const requests = `/api/v1/barriers/${barred}/emergency-access`;
  const accessRequest = await made(admin, 'POST', requests, { reason: 'An audit' });
  await made(owner, 'POST', `${requests}/${accessRequest.id}/approve`);
  for (const id of kept) {
    assert.equal((await made(admin, 'GET', `${bulk}/${id}`)).id, id);
    assert.equal((await call(admin, 'POST', `${bulk}/${id}/cancel`)).status, 403);
  }
});

test('an excluded owner does not see a batch whose document is behind a barrier', async () => {
  const { id: folder } = await made(owner, 'POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7() });
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file({ folderId: folder }));
  const asker = await chancery.user(team);
  const { id } = await waitingBatch(chancery.pool, asker, documentId);
  const shown = async () => [
    await status(asker, 'GET', `${bulk}/${id}`),
    await status(asker, 'POST', `${bulk}/${id}/cancel`),
    (await made(asker, 'GET', bulk)).length,
  ];
  await made(owner, 'PUT', `/api/v1/smartdoc/folders/${folder}/barrier`, { userIds: [owner.id] });
  assert.deepEqual(await shown(), [404, 404, 0]);
  await made(owner, 'DELETE', `/api/v1/smartdoc/folders/${folder}/barrier`);
  assert.deepEqual(await shown(), [200, 200, 1]);
});

test('an unconfined API client views the batches of others, cannot cancel them, and is excluded by each barrier', async () => {
  const { id: folder } = await made(owner, 'POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7() });
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file({ folderId: folder }));
  const { id } = await waitingBatch(chancery.pool, owner, documentId);
  const client = await chancery.client(owner, ['signatures:read', 'signatures:write']);
  assert.equal((await made(client, 'GET', `${bulk}/${id}`)).id, id);
  assert.equal(await status(client, 'POST', `${bulk}/${id}/cancel`), 403);
  await made(owner, 'PUT', `/api/v1/smartdoc/folders/${folder}/barrier`, { userIds: [owner.id] });
  assert.equal(await status(client, 'GET', `${bulk}/${id}`), 404);
  assert.ok(!(await made(client, 'GET', bulk)).some((one: any) => one.id === id));
});

test('the batches of a leaving member belong to the successor', async () => {
  const [leaver, successor] = [await chancery.user(team), await chancery.user(team)];
  const { id } = await waitingBatch(chancery.pool, leaver);
  assert.equal(await status(successor, 'GET', `${bulk}/${id}`), 404);
  assert.equal(await status(owner, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${successor.id}`), 204);
  assert.equal((await made(successor, 'GET', `${bulk}/${id}`)).status, 'cancelled');
});

test('each row uses the current rights of the requester to share the document and to create one', async () => {
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file());
  const grants = `/api/v1/smartdoc/documents/${documentId}/access`;
  const outcome = async (id: string) => {
    await batchJob.run(await deps(), { team: owner.team, batch: id }, aTry());
    return (await made(owner, 'GET', `${bulk}/${id}/rows`)).map(({ status: how, code }: any) => [how, code]);
  };
  const asker = await chancery.user(team);
  const share = await made(owner, 'POST', grants, { userId: asker.id, access: 'write' });
  assert.deepEqual(await outcome((await waitingBatch(chancery.pool, asker, documentId)).id), [['done', undefined]]);
  const later = await waitingBatch(chancery.pool, asker, documentId);
  await made(owner, 'POST', '/api/v1/tasks/', { title: 'Read it', documentId, assignedTo: asker.id });
  await made(owner, 'DELETE', `${grants}/${share.id}`);
  assert.equal(await status(asker, 'GET', `/api/v1/smartdoc/documents/${documentId}`), 200, 'access for a task does not allow sharing');
  assert.deepEqual(await outcome(later.id), [['failed', 'document_access_denied']]);

  const client = await chancery.client(owner, ['signatures:write', 'signatures:read', 'documents:read', 'documents:write']);
  const ofClient = await waitingBatch(chancery.pool, { id: client.id, team: owner.team }, documentId);
  await made(owner, 'PATCH', `/api/v1/security/clients/${client.id}`, { scopes: ['signatures:write', 'documents:read'] });
  assert.deepEqual(await outcome(ofClient.id), [['failed', 'forbidden']]);
});

test('the error does not reveal whether a hidden folder is behind the barrier of the document', async () => {
  const asker = await chancery.user(team);
  const folder = async (members: object = {}) =>
    (await made(owner, 'POST', '/api/v1/smartdoc/folders/', { name: randomUUIDv7(), ...members })).id;
  const barred = await folder();
  const [given, hidden] = [await folder({ parentId: barred }), await folder({ parentId: barred })];
  const { id: documentId } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file({ folderId: given }));
  await made(owner, 'POST', `/api/v1/smartdoc/folders/${given}/shares`, { userId: asker.id, access: 'write' });
  await made(owner, 'PUT', `/api/v1/smartdoc/folders/${barred}/barrier`, { userIds: [owner.id, asker.id] });
  assert.equal(await status(asker, 'GET', `/api/v1/smartdoc/folders/${hidden}`), 404);
  const responseFor = async (folderId: string) => {
    const answer = await call(asker, 'POST', bulk, { title: 'Copies', documentId, folderId, csv: 'email,name\na@example.org,A' });
    return [answer.status, answer.body.code];
  };
  assert.deepEqual(await responseFor(hidden), await responseFor(randomUUIDv7()));
  assert.equal((await responseFor(given))[0], 201);
});

test('a batch ends when its requester leaves, even if they return, and no document is left without an owner', async () => {
  const other = await chancery.team();
  const member = await chancery.user(other);
  const { id: documentId } = await made(member, 'POST', '/api/v1/smartdoc/documents/', file());
  const waiting = await Promise.all(Array.from({ length: 20 }, () => waitingBatch(chancery.pool, member, documentId)));
  const with_ = await deps();
  // A batch that no worker runs before the member returns.
  await waitingBatch(chancery.pool, member, documentId);
  const running = waiting.map(({ id: batch }) => batchJob.run(with_, { team: other.id, batch }, aTry()));
  await Promise.race(running);
  assert.ok((await status(other.owner, 'DELETE', `/api/v1/team/members/${member.id}`)) < 300);
  await Promise.all(running);
  const { rows } = await chancery.pool.query(
    `SELECT (SELECT count(*) FROM signature_batch WHERE team_id = $1 AND status = 'running')::int AS running,
       (SELECT count(*) FROM signature_batch_row WHERE team_id = $1 AND status = 'waiting')::int AS waiting,
       (SELECT count(*) FROM document WHERE team_id = $1 AND user_id = $2)::int AS left`,
    [other.id, member.id],
  );
  assert.deepEqual(rows, [{ running: 0, waiting: 0, left: 0 }]);

  // The member is suspended just before a row. The transaction of the row checks the rights again.
  const late = await chancery.user(other);
  const { id: source } = await made(late, 'POST', '/api/v1/smartdoc/documents/', file());
  const last = await waitingBatch(chancery.pool, late, source);
  let suspended: Promise<number> | undefined;
  const pausing: BatchDependencies['database'] = {
    ...chancery.database,
    inTeam: async (...args) => {
      await (suspended ??= status(other.owner, 'PATCH', `/api/v1/team/members/${late.id}`, { isActive: false }));
      return chancery.database.inTeam(...args);
    },
  };
  await batchJob.run({ ...with_, database: pausing }, { team: other.id, batch: last.id }, aTry());
  assert.equal(await suspended, 200);
  assert.deepEqual(
    (await made(other.owner, 'GET', `${bulk}/${last.id}/rows`)).map(({ status: how, code }: any) => [how, code]),
    [['failed', 'forbidden']],
  );
});

test('a batch sends no request after its cancellation was confirmed, even for a row in progress', async () => {
  const other = (await chancery.team()).owner;
  const { id: documentId } = await made(other, 'POST', '/api/v1/smartdoc/documents/', file());
  const batches = await Promise.all(Array.from({ length: 24 }, () => waitingBatch(chancery.pool, other, documentId)));
  const with_ = await deps();
  const requests = async (batch: string): Promise<number> =>
    (
      await chancery.pool.query('SELECT count(*)::int AS n FROM signature_batch_row WHERE batch_id = $1 AND request_id IS NOT NULL', [
        batch,
      ])
    ).rows[0].n;
  const counted = await Promise.all(
    batches.map(async ({ id: batch }) => {
      const run = batchJob.run(with_, { team: other.team, batch }, aTry());
      const cancelled = await status(other, 'POST', `${bulk}/${batch}/cancel`);
      const then = await requests(batch);
      await run;
      const now = await requests(batch);
      return { cancelled, more: now - then };
    }),
  );
  assert.ok(
    counted.every(({ cancelled, more }) => more === 0 && (cancelled === 200 || cancelled === 409)),
    JSON.stringify(counted),
  );
  assert.ok(counted.some(({ cancelled }) => cancelled === 200));
  // Each existing document has a request: an overtaken row leaves nothing.
  const { rows } = await chancery.pool.query(
    `SELECT count(*)::int AS n FROM document d WHERE d.team_id = $1 AND d.id <> $2 AND NOT EXISTS (SELECT FROM signature_request_document r WHERE r.document_id = d.id)`,
    [other.team, documentId],
  );
  assert.equal(rows[0].n, 0);
});

test('the counts of a cancelled batch include a row that failed at the same time', async () => {
  const { id } = await waitingBatch(chancery.pool, owner);
  const failing = await chancery.pool.connect();
  try {
    await failing.query('BEGIN');
    await failing.query(
      "UPDATE signature_batch_row SET status = 'failed', code = 'forbidden', detail = 'Not any more' WHERE batch_id = $1",
      [id],
    );
    const cancelling = call(owner, 'POST', `${bulk}/${id}/cancel`);
    await eventually('the cancellation waits for the row', async () => {
      const { rows } = await chancery.pool.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0].n > 0;
    });
    await failing.query('COMMIT');
    const { status: is, body } = await cancelling;
    assert.deepEqual([is, body.status, body.done, body.failed], [200, 'cancelled', 0, 1]);
  } finally {
    failing.release();
  }
  const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'signature_batch.cancelled'", [
    id,
  ]);
  assert.deepEqual(rows, [{ data: { rows: 1, done: 0, failed: 1 } }]);
});
