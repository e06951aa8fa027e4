import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { asking, file } from '../../../test/asking.ts';
import { type TestResponse, type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { untilBlocked } from '../../../test/signals.ts';
import { smallTemplate } from '../../../test/operations/small-template.ts';
import { askTool, declaredStandard, textOf, withoutPdfTools } from '../../../test/pdf.ts';
import { publishForm } from '../../../test/published-forms.ts';
import { firstStaff, staffToken } from '../../../test/staff.ts';
import { exhaustiveTest, sample } from '../../../test/tier.ts';
import { readableTemplate } from './access.ts';
import { makeDocument } from './make.ts';
import type { DocumentBody } from './schemas.ts';
import { sourceOf } from './sources.ts';

const templates = '/api/v1/document-templates';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let member: User;
const { call, made, status, folderBy } = asking(() => chancery);

before(async () => {
  chancery = await startChancery({ role: 'api', inProcess: true, settings: { ALTCHA: 'off', ...firstStaff } });
  team = await chancery.team();
  owner = team.owner;
  member = await chancery.user(team);
});
after(() => chancery.stop());

const head = '#let data = json(bytes(sys.inputs.data))\n#set document(title: "T")\n';
const body = (source: string, members: object = {}) => ({ ...smallTemplate(), source: head + source, ...members });
const template = (by: User, source = '#data.name', members: object = {}) => made(by, 'POST', `${templates}/`, body(source, members));
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function pdfOf(by: { token: string }, path: string, sent?: unknown): Promise<Uint8Array> {
  const answer = await fetch(`${chancery.url}${path}`, {
    method: sent === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${by.token}`, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  });
  assert.equal(answer.status, 200, path);
  assert.equal(answer.headers.get('content-type'), 'application/pdf');
  return new Uint8Array(await answer.arrayBuffer());
}
const preview = (by: User, id: string, data: unknown) => pdfOf(by, `${templates}/${id}/preview`, { data });
const contentOf = (by: User, id: string) => pdfOf(by, `${documents}/${id}/content`);

test('a template is created, read and changed; earlier versions stay, and only changed content creates a version', async () => {
  const first = await call(
    owner,
    'POST',
    `${templates}/`,
    body('#data.name #image("logo.png", alt: "A dot")', { name: ' Letter ', files: [{ path: 'logo.png', content: dot }] }),
  );
  assert.equal(first.status, 201, first.text);
  const { id, files } = first.body;
  assert.equal(first.headers.get('location'), `${templates}/${id}`);
  assert.deepEqual([first.body.name, first.body.version, first.body.access, files[0].mediaType], ['Letter', 1, 'manage', 'image/png']);
  assert.deepEqual(await made(owner, 'GET', `${templates}/${id}`), first.body);
  const again = await made(owner, 'PUT', `${templates}/${id}`, { ...first.body, name: 'Other', description: 'D' });
  assert.deepEqual([again.version, again.name, again.description], [1, 'Other', 'D'], 'a read template may be sent back');
  const changed = await made(owner, 'PUT', `${templates}/${id}`, { source: `${head}Now #data.name #image("logo.png", alt: "A dot")` });
  assert.deepEqual([changed.version, changed.files], [2, files]);
  const versions = await made(owner, 'GET', `${templates}/${id}/versions`);
  assert.deepEqual(
    versions.map(({ version }: any) => version),
    [2, 1],
  );
  assert.equal((await made(owner, 'GET', `${templates}/${id}/versions/1`)).source, first.body.source);
  assert.equal(await status(owner, 'GET', `${templates}/${id}/versions/3`), 404);
  const { source, schema, files: shown, ...listed } = await made(owner, 'GET', `${templates}/${id}`);
  assert.ok(source && schema && shown);
  assert.deepEqual(
    (await made(owner, 'GET', `${templates}/`)).find((one: any) => one.id === id),
    listed,
  );
  const wrong = await call(owner, 'PUT', `${templates}/${id}`, {
    files: [{ path: 'a.png', content: 'bm8=' }, { path: 'b.png' }, { path: 'a.png' }],
  });
  assert.deepEqual(
    wrong.body.errors.map(({ pointer }: any) => pointer),
    ['/files/0/content', '/files/1/content', '/files/2/content'],
    wrong.text,
  );
  assert.equal(await status(owner, 'DELETE', `${templates}/${id}`, undefined, { 'if-match': '"1"' }), 412);
  assert.equal(await status(owner, 'DELETE', `${templates}/${id}`), 204);
  assert.equal(await status(owner, 'GET', `${templates}/${id}`), 404);
});

test('of concurrent changes from one version, one succeeds', async () => {
  const { id } = await template(owner);
  const read = await call(owner, 'GET', `${templates}/${id}`);
  const tag = { 'if-match': read.headers.get('etag') ?? '' };
  const names = await Promise.all(Array.from({ length: 50 }, (_, n) => status(owner, 'PUT', `${templates}/${id}`, { name: `N${n}` }, tag)));
  assert.deepEqual(names.toSorted().slice(0, 2), [200, 412]);
  const second = { 'if-match': (await call(owner, 'GET', `${templates}/${id}`)).headers.get('etag') ?? '' };
  const save = (n: number, headers = {}) => status(owner, 'PUT', `${templates}/${id}`, { source: `${head}${n} #data.name` }, headers);
  assert.deepEqual((await Promise.all([save(1, second), save(2, second)])).toSorted(), [200, 412]);
  assert.deepEqual((await Promise.all([save(3), save(4)])).toSorted(), [200, 409], 'content without a tag is not lost silently');
  assert.deepEqual((await made(owner, 'GET', `${templates}/${id}/versions`)).length, 3);
});

exhaustiveTest('errors in a template are reported with their line, and nothing is stored', async () => {
  const kept = (await made(owner, 'GET', `${templates}/`)).length;
  const errorsOf = async (source: string, members: object = {}): Promise<string[]> => {
    const answer = await call(owner, 'POST', `${templates}/`, body(source, members));
    assert.deepEqual([answer.status, answer.body.code], [422, 'document_template_invalid'], `${source}: ${answer.text}`);
    return answer.body.errors.map(({ pointer, reason }: any) => `${pointer} ${reason}`);
  };
  assert.deepEqual(await errorsOf('ok\n#nope'), ['/source line 4: unknown variable: nope']);
  assert.match((await errorsOf('#let x ='))[0] ?? '', /^\/source line 3: expected expression/);
  const away = ['/source line 3: `eval`, `plugin` and `std` are not available in templates'];
  for (const source of [
    '#eval("1")',
    '#std.eval("1")',
    '#plugin("a.wasm")',
    '#(dictionary(std).at("ev" + "al"))("1")',
    '$ std.eval("1") $',
  ])
    assert.deepEqual(await errorsOf(source), away, source);
  for (const source of ['#import "@preview/cetz:0.3.0"', '#import "@local/a:1.0.0": *'])
    assert.deepEqual(await errorsOf(source), ['/source line 3: packages are not available in templates']);
  for (const path of ['/etc/passwd', '../../../../etc/passwd', 'https://example.org/a'])
    assert.match((await errorsOf(`#read("${path}")`))[0] ?? '', /^\/source line 3: (file not found|failed to load file)/, path);
  assert.match(
    (
      await errorsOf(
        '#image(bytes("<svg xmlns=\\"http://www.w3.org/2000/svg\\" width=\\"9\\" height=\\"9\\"><image href=\\"/etc/passwd\\"/></svg>"), alt: "a")',
      )
    )[0] ?? '',
    /line 3/,
  );
  assert.match((await errorsOf('$ x $'))[0] ?? '', /missing alt text/);
  const { schema } = smallTemplate();
  assert.match((await errorsOf('', { schema: { type: 'object' } }))[0] ?? '', /^\/schema\/examples must begin with an object/);
  assert.deepEqual(await errorsOf('', { schema: { ...schema, examples: [{}] } }), ['/schema/examples/0/name is required']);
  assert.match((await errorsOf('', { schema: { ...schema, type: 'thing' } }))[0] ?? '', /^\/schema\/type must be/);
  assert.match((await errorsOf('', { schema: { ...schema, $ref: 'https://example.org/schema' } }))[0] ?? '', /^\/schema is invalid/);
  assert.match(
    (await errorsOf('', { schema: { ...schema, properties: { name: { pattern: '(?=a)' } } } }))[0] ?? '',
    /^\/schema is invalid/,
  );
  assert.match(
    (await errorsOf('', { schema: { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' } }))[0] ?? '',
    /^\/schema\/\$schema/,
  );
  assert.equal(await status(owner, 'POST', `${templates}/`, body('', { schema: { ...schema, title: 'x'.repeat(70_000) } })), 400);
  assert.equal((await made(owner, 'GET', `${templates}/`)).length, kept);
});

test('checking base64 pictures takes little processor time for any input, and accepts any line ends', async () => {
  const sent = (content: string) => call(owner, 'POST', `${templates}/`, body('#data.name', { files: [{ path: 'logo.png', content }] }));
  const used = await cpuTimeOf(async () => {
    for (const content of [`${' '.repeat(100_000)}!`, `${dot}${' '.repeat(100_000)}!`, `${'='.repeat(100_000)}!`])
      assert.deepEqual((await sent(content)).body.errors[0].rule, 'picture');
  });
  assert.ok(used < 10_000, `${used} ms`);
  for (const content of [` ${dot.slice(0, 20)}\r\n${dot.slice(20)}\n \n`, dot.replace('==', ''), dot])
    assert.equal((await sent(content)).status, 201, content);
});

exhaustiveTest('a template over a limit is rejected with the limit: memory, pages or endless work', async () => {
  const limited = async (source: string) => {
    const answer = await call(owner, 'POST', `${templates}/`, body(source));
    assert.deepEqual([answer.status, answer.body.code], [422, 'document_limit_exceeded'], `${source}: ${answer.text}`);
    return answer.body.limit;
  };
  assert.equal(await limited('#let x = "aaaaaaaaaa"\n#{ let i = 0; while i < 40 { x = x + x; i += 1 } }\n#x.len()'), 'memory');
  assert.equal(await limited('#for i in range(5000) { pagebreak() }'), 'pages');
  const { id } = await template(owner, '#for i in range(data.at("pages", default: 1) - 1) { pagebreak() }', {
    schema: { ...smallTemplate().schema, additionalProperties: true },
  });
  const tooMany = await call(owner, 'POST', `${templates}/${id}/documents`, { data: { name: 'A', pages: 201 } });
  assert.deepEqual([tooMany.status, tooMany.body.limit], [422, 'pages']);
  assert.equal(await status(owner, 'POST', `${templates}/${id}/preview`, { data: { name: 'A', pages: 201 } }), 422);
  const faulty = await call(owner, 'PUT', `${templates}/${id}`, { source: `${head}#nope` });
  assert.deepEqual([faulty.status, faulty.body.code], [422, 'document_template_invalid']);
  const change = await call(owner, 'PUT', `${templates}/${id}`, { source: `${head}#for i in range(5000) { pagebreak() }` });
  assert.deepEqual([change.status, change.body.code], [422, 'document_limit_exceeded']);
});

test('values are data in any script; invalid ones are reported with their location', { skip: withoutPdfTools }, async () => {
  const schema = {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', maxLength: 200 },
      greeting: { type: 'string', default: 'Dear' },
      since: { type: 'string', format: 'date' },
      code: { type: 'string', pattern: '^(a+)+$' },
    },
    examples: [{ name: 'Ada' }],
  };
  const { id } = await template(owner, '#data.greeting #data.name\n#if data.name == "no" { panic("not this one") }', { schema });
  const markup = '*bold* #eval("1") #panic("x") $x$ @ref <label> `raw` = heading #import "@preview/a:1.0.0" \\ "]} end';
  const pdf = await preview(owner, id, { name: markup });
  assert.equal(textOf(pdf).replaceAll(/\s+/g, ' ').trim(), `Dear ${markup}`, 'the default is filled in');
  assert.equal(declaredStandard(pdf), 'PDF/A-2a');
  const scripts = 'Łukasz 日本語 مرحبا שלום สวัสดี 😀 \u{13000}';
  const text = textOf(await preview(owner, id, { name: scripts }));
  for (const word of ['Łukasz', '日本語', 'مرحبا', 'שלום', 'สวัสดี', '😀', 'U+13000']) assert.ok(text.includes(word), `${word} in ${text}`);
  const refused = async (data: unknown) => {
    const answer = await call(owner, 'POST', `${templates}/${id}/preview`, { data });
    assert.deepEqual([answer.status, answer.body.code], [422, 'document_data_invalid'], answer.text);
    return answer.body.errors.map(({ pointer, rule }: any) => `${pointer} ${rule}`);
  };
  assert.deepEqual(await refused({ since: 'yesterday' }), ['/data/name required', '/data/since format']);
  assert.deepEqual(await refused({ 'od~d/one': 1 }), ['/data/od~0d~1one unknown']);
  assert.deepEqual(await refused({ name: 'a', code: `${'a'.repeat(5_000)}!` }), ['/data/code pattern'], 'in time linear in the text');
  const panicked = await call(owner, 'POST', `${templates}/${id}/documents`, { data: { name: 'no' } });
  assert.deepEqual([panicked.status, panicked.body.errors[0].reason], [422, 'line 4: panicked with: "not this one"'], panicked.text);
});

test('a value that the schema does not name is rejected with the nearest name, unless the schema allows others', async () => {
  const party = { type: 'object', properties: { name: { type: 'string' }, city: { type: 'string' } } };
  const schema = {
    type: 'object',
    properties: { parties: { type: 'array', items: { $ref: '#/$defs/party' } }, notes: { type: 'object' }, seat: party },
    $defs: { party },
    examples: [{ parties: [{ name: 'Ada' }] }],
  };
  const errorsOf = async (id: string, data: object) => {
    const answer = await call(owner, 'POST', `${templates}/${id}/documents`, { data });
    return answer.status === 201 ? [] : answer.body.errors.map(({ pointer, reason }: any) => [pointer, reason]);
  };
  const { id } = await template(owner, '#data.parties.len()', { schema });
  assert.deepEqual(await errorsOf(id, { parties: [{ name: 'Ada' }, { name: 'Bob', ctiy: 'Bonn' }], seet: {} }), [
    ['/data/seet', 'is unknown; did you mean `seat`?'],
    ['/data/parties/1/ctiy', 'is unknown; did you mean `city`?'],
  ]);
  const previewed = await call(owner, 'POST', `${templates}/${id}/preview`, { data: { partes: [] } });
  assert.deepEqual([previewed.status, previewed.body.errors?.[0]?.pointer], [422, '/data/partes']);
  assert.deepEqual(await errorsOf(id, { parties: [], notes: { any: 1 } }), [], 'an object without named members accepts any');
  const open = await template(owner, '#data.parties.len()', { schema: { ...schema, additionalProperties: true } });
  assert.deepEqual(await errorsOf(open.id, { parties: [], more: 1 }), []);
  const composed = { ...schema, allOf: [{ properties: { more: { type: 'integer' } } }] };
  assert.deepEqual(await errorsOf((await template(owner, '#data.parties.len()', { schema: composed })).id, { parties: [], more: 1 }), []);
});

test('a document keeps its version, and the PDF stays when template and values change', { skip: withoutPdfTools }, async () => {
  const { id } = await template(owner, 'One #data.name');
  const folder = await folderBy(owner);
  const answer = await call(owner, 'POST', `${templates}/${id}/documents`, {
    data: { name: 'Ada' },
    title: 'For Ada',
    folderId: folder.id,
  });
  assert.equal(answer.status, 201, answer.text);
  const document = answer.body;
  assert.equal(answer.headers.get('location'), `${documents}/${document.id}`);
  const { number, fileName, mediaType } = document.currentVersion;
  assert.deepEqual(
    [document.title, document.folderId, number, fileName, mediaType],
    ['For Ada', folder.id, 1, 'For Ada.pdf', 'application/pdf'],
  );
  await made(owner, 'PUT', `${templates}/${id}`, { source: `${head}Two #data.name` });
  const second = await made(owner, 'POST', `${templates}/${id}/documents`, { data: { name: 'Ada' } });
  assert.equal(second.title, 'Small');
  assert.deepEqual(await made(owner, 'GET', `${documents}/${document.id}/template`), {
    documentId: document.id,
    templateId: id,
    version: 1,
    source: 'data',
  });
  assert.equal((await made(owner, 'GET', `${documents}/${second.id}/template`)).version, 2);
  const pdf = await contentOf(owner, document.id);
  assert.match(textOf(pdf), /One Ada/);
  assert.match(askTool(pdf, 'pdfinfo', 'PDF'), /Tagged: +yes/);
  askTool(pdf, 'qpdf', '--check', 'PDF');
  await made(owner, 'DELETE', `${templates}/${id}`);
  assert.equal((await made(owner, 'GET', `${documents}/${document.id}/template`)).templateId, id, 'also after the template is deleted');
  assert.equal(await status(owner, 'GET', `${documents}/${(await chancery.document(owner)).id}/template`), 404);
});

test('the same key creates one document, also for concurrent requests', async () => {
  const { id } = await template(owner);
  const headers = { 'idempotency-key': randomUUIDv7() };
  const ask = () => call(owner, 'POST', `${templates}/${id}/documents`, { data: { name: 'Once' } }, headers);
  const answers = await Promise.all([ask(), ask(), ask()]);
  const ids = new Set([...answers, await ask()].filter((one) => one.status === 201).map((one) => one.body.id));
  assert.equal(ids.size, 1, answers.map((one) => one.text).join('\n'));
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM document_from_template WHERE template_id = $1', [id]);
  assert.equal(rows[0].n, 1);
});

test(
  'a document from a submission or a record needs read access to it and write access to the folder',
  { skip: withoutPdfTools },
  async () => {
    const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } }, examples: [{ name: 'Ada' }] };
    const { id } = await template(owner, 'Of #data.name', { schema });
    await made(owner, 'POST', `${templates}/${id}/access`, { team: true, access: 'read' });
    const fields = [{ id: 'name', type: 'text', label: 'Name' }];
    const form = await publishForm(chancery, owner, { fields });
    const sent = await chancery.call('POST', `/api/v1/interfaces/public/${form.publicToken}/submit`, { body: { data: { name: 'Grace' } } });
    const { submissionId } = sent.body;
    const registry = await made(owner, 'POST', '/api/v1/registries/', { name: 'Parties', fields });
    const record = await made(owner, 'POST', `/api/v1/registries/${registry.id}/records`, { data: { name: 'Hedy' } });
    const ofRecord = { record: { registryTypeId: registry.id, recordId: record.id } };
    const from = async (of: object) => {
      const document = await made(owner, 'POST', `${templates}/${id}/documents`, of);
      const { source, sourceId } = await made(owner, 'GET', `${documents}/${document.id}/template`);
      return [textOf(await contentOf(owner, document.id)).trim(), source, sourceId];
    };
    assert.deepEqual(await from({ submissionId }), ['Of Grace', 'submission', submissionId]);
    assert.deepEqual(await from(ofRecord), ['Of Hedy', 'record', record.id]);
    const create = (by: { token: string }, of: object) => call(by, 'POST', `${templates}/${id}/documents`, of);
    const nothing = await create(member, { submissionId: randomUUIDv7() });
    assert.deepEqual([nothing.status, nothing.body.code], [422, 'document_source_not_found']);
    for (const one of [{ submissionId }, ofRecord, { record: { registryTypeId: registry.id, recordId: randomUUIDv7() } }]) {
      const hidden = await create(member, one);
      assert.deepEqual([hidden.status, hidden.body.detail], [422, nothing.body.detail], 'an unreadable source is like a missing one');
    }
    await made(owner, 'POST', `/api/v1/registries/${registry.id}/access`, { userId: member.id, access: 'read' });
    assert.equal((await create(member, ofRecord)).status, 201);
    const client = await chancery.client(owner, ['documents:read', 'documents:write']);
    assert.equal((await create(client, ofRecord)).body.code, 'document_source_not_found', 'an API client needs the scope to read it');
    const folder = await folderBy(owner);
    const elsewhere = await create(member, { data: { name: 'A' }, folderId: folder.id });
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [422, 'parent_not_found']);
    for (const one of [{}, { data: { name: 'A' }, submissionId }]) assert.equal((await create(owner, one)).status, 400);
    await made(owner, 'DELETE', `/api/v1/interfaces/${form.id}/submissions/${submissionId}`);
    assert.equal((await create(owner, { submissionId })).body.code, 'document_source_not_found');
  },
);

test('a document from a submission inside a barrier is created inside the same barrier, and never by emergency access', async () => {
  const admin = await chancery.user(team, { role: 'admin' });
  const { id } = await template(owner);
  await made(owner, 'POST', `${templates}/${id}/access`, { team: true, access: 'read' });
  const folder = await folderBy(member);
  const form = await publishForm(chancery, member, {
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
    config: { folderId: folder.id },
  });
  const sent = await chancery.call('POST', `/api/v1/interfaces/public/${form.publicToken}/submit`, { body: { data: { name: 'Grace' } } });
  const create = (by: User, at: object = {}) =>
    call(by, 'POST', `${templates}/${id}/documents`, { submissionId: sent.body.submissionId, ...at });
  assert.equal((await create(member)).status, 201, 'anywhere, where no barrier is');
  const barrier = `/api/v1/smartdoc/folders/${folder.id}/barrier`;
  await made(member, 'PUT', barrier, { userIds: [] });
  const refused = await create(member);
  assert.deepEqual([refused.status, refused.body.code], [422, 'document_outside_barrier']);
  assert.equal((await create(member, { folderId: (await folderBy(member)).id })).body.code, 'document_outside_barrier');
  assert.equal((await create(member, { folderId: folder.id })).status, 201);
  assert.equal((await create(admin)).body.code, 'document_source_not_found');
  const opening = await made(admin, 'POST', `/api/v1/barriers/${folder.id}/emergency-access`, { reason: 'Discovery' });
  await made(owner, 'POST', `/api/v1/barriers/${folder.id}/emergency-access/${opening.id}/approve`);
  assert.equal((await create(admin)).body.code, 'document_outside_barrier', 'emergency access reads only');
});

test('a user who loses access to the template or record during rendering creates no document', async () => {
  const [withdrawn, open] = [await template(owner), await template(owner)];
  const grant = await made(owner, 'POST', `${templates}/${withdrawn.id}/access`, { userId: member.id, access: 'read' });
  await made(owner, 'POST', `${templates}/${open.id}/access`, { userId: member.id, access: 'read' });
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const registry = await made(owner, 'POST', '/api/v1/registries/', { name: 'Parties', fields });
  const { id: recordId } = await made(owner, 'POST', `/api/v1/registries/${registry.id}/records`, { data: { name: 'Hedy' } });
  const reading = await made(owner, 'POST', `/api/v1/registries/${registry.id}/access`, { userId: member.id, access: 'read' });
  const asker = { team: team.id, actor: { type: 'user', id: member.id, role: 'member' }, now: new Date(), requestId: 'test' } as const;
  const scope = { ...asker, db: chancery.database.reader(team.id) };
  const upload = { key: randomUUIDv7(), size: 1, sha256: '0'.repeat(64), fileName: 'a.pdf', mediaType: 'application/pdf' };
  /** Creates from a body after rendering; its source was read before. */
  const setOf = async (id: string, sent: DocumentBody) => {
    const prepared = { ...(await readableTemplate(scope, id)), source: await sourceOf(scope, sent), places: [], upload };
    return () => chancery.database.inTeam(team.id, (db) => makeDocument({ ...asker, db, listeners: [] }, prepared, sent));
  };
  const ofTemplate = await setOf(withdrawn.id, { data: { name: 'A' } });
  const ofRecord = await setOf(open.id, { record: { registryTypeId: registry.id, recordId } });
  await made(owner, 'DELETE', `${templates}/${withdrawn.id}/access/${grant.id}`);
  await made(owner, 'DELETE', `/api/v1/registries/${registry.id}/access/${reading.id}`);
  await assert.rejects(ofTemplate, { code: 'not_found' });
  await assert.rejects(ofRecord, { code: 'document_source_not_found' });
});

test('a template that is deleted during sharing gets no share: the response is 404', async () => {
  const { id } = await template(owner);
  const deleting = await chancery.pool.connect();
  await deleting.query('BEGIN');
  await deleting.query('DELETE FROM document_template WHERE id = $1', [id]);
  const sharing = status(owner, 'POST', `${templates}/${id}/access`, { userId: member.id, access: 'read' });
  await untilBlocked(deleting);
  await deleting.query('COMMIT');
  deleting.release();
  assert.equal(await sharing, 404);
});

test('a template is private to its creator until shared, to use or to change it, and goes to the successor', async () => {
  const creator = await chancery.user(team);
  const { id } = await template(creator);
  const use = () => status(member, 'POST', `${templates}/${id}/documents`, { data: { name: 'A' } });
  const change = () => status(member, 'PUT', `${templates}/${id}`, { description: 'Changed' });
  const share = (members: object) => call(creator, 'POST', `${templates}/${id}/access`, members);
  assert.deepEqual([await use(), await change()], [404, 404]);
  const grant = (await share({ userId: member.id, access: 'read' })).body;
  assert.deepEqual([await use(), await change()], [201, 403]);
  await share({ userId: member.id, access: 'write' });
  assert.deepEqual([await use(), await change()], [201, 200]);
  assert.equal(await status(member, 'DELETE', `${templates}/${id}`), 403);
  assert.equal(await status(member, 'GET', `${templates}/${id}/access`), 403);
  assert.equal((await share({ userId: randomUUIDv7(), access: 'read' })).body.code, 'member_not_found');
  assert.equal((await share({ userId: creator.id, access: 'read' })).body.code, 'self_share_not_allowed');
  assert.equal(await status(creator, 'DELETE', `${templates}/${id}/access/${grant.id}`), 204);
  assert.equal(await use(), 404);
  // A read of a missing template is not recorded.
  assert.equal(await status(owner, 'GET', `${templates}/${id}/versions/9`), 404);
  assert.deepEqual((await made(creator, 'GET', `${templates}/${id}/access`)).privilegedAccess, []);
  await made(owner, 'GET', `${templates}/${id}`);
  const { privilegedAccess, grants } = await made(creator, 'GET', `${templates}/${id}/access`);
  assert.deepEqual(
    privilegedAccess.map(({ type, userId }: any) => [type, userId]),
    [['document_template.read', owner.id]],
  );
  assert.ok(grants.some(({ reason, userId }: any) => reason === 'owner' && userId === creator.id));
  await made(owner, 'DELETE', `/api/v1/team/members/${creator.id}?successorId=${member.id}`);
  assert.equal((await made(member, 'GET', `${templates}/${id}`)).access, 'manage');
});

test('a template declares signature fields on any page, and a request assigns them to its signers', async () => {
  const { id } = await made(member, 'POST', `${templates}/library/nda`);
  const { schema } = await made(member, 'GET', `${templates}/${id}`);
  const document = await made(member, 'POST', `${templates}/${id}/documents`, { data: schema.examples[0] });
  const { signatureFields: places } = await made(member, 'GET', `${documents}/${document.id}/template`);
  assert.deepEqual(
    places.map((one: any) => [one.signer, one.kind, one.page]),
    ['disclosing', 'receiving'].flatMap((signer) => [
      [signer, 'signature', 2],
      [signer, 'date', 2],
    ]),
  );
  // The access by a task ends with the task.
  const keeper = await chancery.user(team);
  const judged = `${documents}/${(await made(member, 'POST', `${templates}/${id}/documents`, { data: schema.examples[0] })).id}`;
  await made(member, 'POST', `${judged}/versions`, file());
  const task = await made(member, 'POST', '/api/v1/tasks/', {
    title: 'Judge',
    documentId: judged.split('/').at(-1),
    assignedTo: keeper.id,
  });
  assert.equal(await status(keeper, 'GET', `${judged}/template`), 200);
  await made(keeper, 'POST', `/api/v1/tasks/${task.id}/complete`);
  assert.equal(await status(keeper, 'GET', `${judged}/template`), 404);
  const ask = (by: User, documentId: string, ...names: string[]) => {
    const signers = names.map((signsAs, at) => ({ email: `signer${at}@acme.example`, name: 'Ada Acme', signsAs }));
    return call(by, 'POST', '/api/v1/signatures/', { documentId, signers });
  };
  const why = async (...names: string[]) => {
    const { status: answered, body: said } = await ask(owner, document.id, ...names);
    return [answered, said.errors[0].pointer, said.errors[0].rule];
  };
  assert.deepEqual(await why('disclosing', 'nobody'), [422, '/signers/1/signsAs', 'enum']);
  assert.deepEqual(await why('receiving', 'receiving'), [422, '/signers/1/signsAs', 'unique']);
  const create = await ask(member, document.id, 'receiving', 'disclosing');
  assert.equal(create.status, 201, create.text);
  const [first, second] = create.body.signers;
  assert.deepEqual(
    create.body.fields.map(({ signerId, kind, page, x, y, width, height, required }: any) => [
      signerId === first.id ? 'receiving' : signerId === second.id && 'disclosing',
      kind,
      page,
      x,
      y,
      width,
      height,
      required,
    ]),
    places
      .toSorted((one: any, other: any) => other.signer.localeCompare(one.signer))
      .map(({ signer, kind, page, x, y, width, height }: any) => [signer, kind, page, x, y, width, height, true]),
  );
  const plain = await made(owner, 'POST', `${templates}/${(await template(owner)).id}/documents`, { data: { name: 'Ada' } });
  const none = await ask(owner, plain.id, 'disclosing');
  assert.deepEqual([none.status, none.body.errors[0].rule], [422, 'place']);
  const wrong = await call(owner, 'POST', `${templates}/`, body('#data.name #metadata((signer: "a b", kind: "stamp")) <signature-field>'));
  assert.deepEqual([wrong.status, wrong.body.code], [422, 'document_template_invalid']);
  assert.match(wrong.body.errors[0].reason, /<signature-field>\/0/);
});

test('the library has five templates that render as tagged PDF/A from their examples', { skip: withoutPdfTools }, async () => {
  const all = await made(member, 'GET', `${templates}/library`);
  assert.deepEqual(
    all.map(({ slug }: any) => slug),
    ['nda', 'data-processing-agreement', 'engagement-letter', 'invoice', 'dsar-reply'],
  );
  for (const { slug, name, schema, source, signers } of sample(
    all,
    0.4,
    ({ slug: one }: any) => `/api/v1/document-templates/library/${one}`,
  ) as any[]) {
    assert.deepEqual((await made(member, 'POST', `${templates}/`, { name, source, schema })).signers, signers, slug);
    const copy = await made(member, 'POST', `${templates}/library/${slug}`);
    assert.deepEqual([copy.name, copy.librarySlug, copy.userId, copy.access], [name, slug, member.id, 'manage']);
    const pdf = await preview(member, copy.id, schema.examples[0]);
    assert.equal(declaredStandard(pdf), 'PDF/A-2a', slug);
    assert.match(askTool(pdf, 'pdfinfo', 'PDF'), /Tagged: +yes/, slug);
    askTool(pdf, 'qpdf', '--check', 'PDF');
    assert.match(textOf(pdf), /Page\s+1\s+of\s+\d/, slug);
  }
  const invoice = all.find(({ slug }: any) => slug === 'invoice');
  const copy = await made(member, 'POST', `${templates}/library/invoice`);
  const text = textOf(
    await preview(member, copy.id, { ...invoice.schema.examples[0], items: [{ name: 'A', quantity: 3, price: 33.335, vat: 19 }] }),
  );
  assert.match(text.replaceAll('\u{202f}', ''), /119\.02/, 'three of 33.34, and 19 per cent');
  assert.equal(await status(member, 'POST', `${templates}/library/none`), 404);
});

test('a preview without values has those of the first example of the schema', { skip: withoutPdfTools }, async () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' } },
    examples: [{ name: 'Sample Ltd.' }, { name: 'Second' }],
  };
  const { id } = await made(owner, 'POST', `${templates}/`, { ...smallTemplate(), schema });
  assert.match(textOf(await pdfOf(owner, `${templates}/${id}/preview`, {})), /Sample Ltd\./);
  const bare = await chancery.call('POST', `${templates}/${id}/preview`, { token: owner.token });
  assert.equal(bare.status, 200, bare.text);
});

exhaustiveTest('documents of a team wait in a separate queue: another team’s continue, and too many are rejected', async () => {
  const other = await chancery.team();
  const [mine, theirs] = [await template(owner), await template(other.owner)];
  const data = { name: 'A' };
  const ask = (by: User, id: string) => call(by, 'POST', `${templates}/${id}/preview`, { data });
  const kinds = [
    () => ask(owner, mine.id),
    () => call(owner, 'POST', `${templates}/`, body('#data.name')),
    () => call(owner, 'PUT', `${templates}/${mine.id}`, { source: `${head}${randomUUIDv7()} #data.name` }),
    () => call(owner, 'POST', `${templates}/${mine.id}/documents`, { data }),
  ];
  // One is rendering and ten wait: of fifteen of each kind most find the queue full.
  const many = kinds.map(() => [] as Promise<TestResponse>[]);
  for (let n = 0; n < 15; n += 1) kinds.forEach((kind, at) => many[at]?.push(kind()));
  const neighbour = ask(other.owner, theirs.id);
  for (const answers of await Promise.all(many.map((some) => Promise.all(some)))) {
    const refused = answers.find((one) => one.status === 429);
    assert.deepEqual([refused?.body.code, refused?.headers.get('retry-after')], ['document_queue_full', '10']);
    assert.ok(answers.every((one) => [200, 201, 409, 429].includes(one.status)));
  }
  assert.equal((await neighbour).status, 200);
});

test('templates and their documents count against quotas of the team', async () => {
  const small = await chancery.team();
  const { id } = await template(small.owner);
  const quotas = { documentTemplates: 1, documents: 0 };
  const granted = await chancery.call('PUT', `/api/v1/staff/teams/${small.id}/quotas`, {
    token: await staffToken(chancery),
    body: { quotas, reason: 'Small' },
  });
  assert.equal(granted.status, 200, granted.text);
  const refused = async (path: string, sent?: unknown) => (await call(small.owner, 'POST', path, sent)).body;
  for (const [path, sent, quota] of [
    [`${templates}/`, body(''), 'documentTemplates'],
    [`${templates}/library/nda`, undefined, 'documentTemplates'],
    [`${templates}/${id}/documents`, { data: { name: 'A' } }, 'documents'],
  ] as const) {
    const answer = await refused(path, sent);
    assert.deepEqual([answer.code, answer.quota.name], ['quota_exceeded', quota]);
  }
});

test('property: for any values, a document is created or the errors are reported', async () => {
  const { schema } = smallTemplate();
  const { id } = await template(owner, '#repr(data)', {
    schema: { ...schema, required: [], properties: { a: { type: ['string', 'number'], maxLength: 5 } } },
  });
  const tried = fc.asyncProperty(fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor', ''), fc.jsonValue()), async (data) => {
    const answer = await call(owner, 'POST', `${templates}/${id}/preview`, { data });
    assert.ok([200, 400, 422].includes(answer.status), `${answer.status} ${JSON.stringify(data)}`);
  });
  await fc.assert(tried, { numRuns: 6 });
  const schemas = fc.asyncProperty(
    fc.dictionary(fc.constantFrom('type', 'properties', '$ref', 'allOf', 'if', 'pattern', '$id', '$defs', 'enum'), fc.jsonValue()),
    async (random) => {
      const answer = await call(owner, 'POST', `${templates}/`, body('', { schema: { ...random, examples: [{ name: 'A' }] } }));
      assert.ok([201, 400, 422].includes(answer.status), `${answer.status} ${JSON.stringify(random)}`);
    },
  );
  await fc.assert(schemas, { numRuns: 6 });
});
