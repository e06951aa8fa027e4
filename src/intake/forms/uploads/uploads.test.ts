import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { type Clamd, startClamd, virus, withoutClamd } from '../../../../test/clamd.ts';
import { type Chancery, startChancery, type TestTeam } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { createDiskStorage } from '../../../platform/storage/disk.ts';
import { expireUploads } from './jobs.ts';

const path = '/api/v1/interfaces';
const mebibyte = 1024 * 1024;
const at50 = Array.from({ length: 50 }, (_, n) => n);
const fields = [
  { id: 'name', type: 'text', label: 'Name' },
  { id: 'proof', type: 'file', label: 'Proof' },
];
let chancery: Chancery;
let team: TestTeam;
/** The offset of the clock, in milliseconds. */
let ahead = 0;
const now = () => new Date(Date.now() + ahead);

before(async () => {
  const settings = { FORM_UPLOADS_PER_ADDRESS: '0', FORM_SUBMITS_PER_ADDRESS: '0' };
  chancery = await startChancery({ role: 'api', clock: now, settings });
  team = await chancery.team();
});
after(() => chancery.stop());

type Form = { id: string; publicToken: string; apiToken: string };
async function formOf(members: object = {}, on: Chancery = chancery, of: TestTeam = team): Promise<Form> {
  const ask = async (at: string, body: unknown) => {
    const answer = await on.call('POST', `${path}/${at}`, { token: of.owner.token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const { id } = await ask('', { title: `Form ${randomUUIDv7()}`, type: 'form', fields, ...members });
  return ask(`${id}/publish`, { revision: 1 });
}

const pdf = (n: number | string = '') => Buffer.from(`%PDF-1.7\n% ${n}\n%%EOF\n`);
const exe = Buffer.concat([Buffer.from('MZ\u0090\0\u0003\0\0\0\u0004\0\0\0', 'latin1'), randomBytes(400)]);
type More = { name?: string; session?: string; headers?: Record<string, string>; altcha?: unknown; on?: Chancery; late?: boolean };

function formData(bytes: string | Buffer, { name = 'proof.pdf', altcha, late = false }: More): FormData {
  const form = new FormData();
  const proof = altcha === undefined ? undefined : Buffer.from(JSON.stringify(altcha)).toString('base64');
  if (proof !== undefined && !late) form.set('altcha', proof);
  form.set('file', new Blob([Uint8Array.from(Buffer.from(bytes))]), name);
  if (proof !== undefined && late) form.set('altcha', proof);
  return form;
}
const send = (at: string, bytes: string | Buffer, more: More = {}) =>
  (more.on ?? chancery).call('POST', `${path}/${at}/upload`, {
    body: formData(bytes, more),
    headers: { ...(more.session === undefined ? {} : { 'x-submission-session': more.session }), ...more.headers },
  });
const upload = ({ publicToken }: Form, bytes: string | Buffer, more?: More) => send(`public/${publicToken}`, bytes, more);
/** Uploads the same file through both channels. */
const byBoth = (form: Form, bytes: string | Buffer, more?: More) =>
  Promise.all([upload(form, bytes, more), send(`api/${form.apiToken}`, bytes, more)]);
async function uploaded(
  form: Form,
  bytes: string | Buffer = pdf(),
  more: More = {},
): Promise<{ fileId: string; session: string; body: any }> {
  const { status, body, headers, text } = await upload(form, bytes, more);
  assert.equal(status, 200, text);
  return { fileId: body.fileId, session: headers.get('x-submission-session') ?? more.session ?? '', body };
}
const submit = ({ publicToken }: Form, data: object, session?: string) =>
  chancery.call('POST', `${path}/public/${publicToken}/submit`, {
    body: { data },
    ...(session === undefined ? {} : { headers: { 'x-submission-session': session } }),
  });
const query = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;
const rowsOf = ({ id }: Form) => query('SELECT * FROM submission_upload WHERE interface_id = $1 ORDER BY id', id);
const codes = (answers: { status: number; body: any }[]) =>
  Object.entries(Object.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`.trim()))
    .map(([code, all]) => `${all?.length} × ${code}`)
    .toSorted();
const folderOf = (on: Chancery) => join(on.config.DATA_DIR, 'files');
const namesOf = async (on: Chancery) =>
  (await readdir(folderOf(on), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);
const filesOf = async (on: Chancery = chancery) => (await namesOf(on)).length;
/** Counts files written since a moment, because files of earlier tests may still be deleted. */
async function newFiles(on: Chancery = chancery): Promise<() => Promise<number>> {
  const stored = new Set(await namesOf(on));
  return async () => (await namesOf(on)).filter((name) => !stored.has(name)).length;
}

/** Checks that a rejected or aborted upload leaves neither a row nor a file. */
async function leavesNothing(form: Form, work: () => Promise<unknown>, on: Chancery = chancery): Promise<void> {
  const made = await newFiles(on);
  await work();
  await eventually('the file is gone', async () => (await made()) === 0);
  assert.equal((await on.pool.query('SELECT FROM submission_upload WHERE interface_id = $1', [form.id])).rowCount, 0);
}

test('an upload is kept for a day with the type of its content, the first one starts a session, and the journal has no name', async () => {
  const form = await formOf();
  const answer = await upload(form, pdf(), { name: 'Rechnung März.pdf' });
  assert.equal(answer.status, 200, answer.text);
  const { fileId, ...rest } = answer.body;
  assert.deepEqual(rest, { fileName: 'Rechnung März.pdf', mediaType: 'application/pdf', size: pdf().length });
  const session = answer.headers.get('x-submission-session') ?? '';
  assert.match(session, /^[\w-]{43}$/);
  const cookies = answer.headers.getSetCookie();
  assert.deepEqual(
    cookies.map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1]),
    [`${path}/public/${form.publicToken}`, `/f/${form.publicToken}`],
  );
  for (const cookie of cookies) assert.match(cookie, /HttpOnly; SameSite=Lax/);
  const second = await upload(form, pdf(2), { session });
  assert.equal(second.headers.get('x-submission-session'), null, 'the session stays the same');
  const rows = await rowsOf(form);
  assert.equal(rows.length, 2);
  assert.equal(new Set(rows.map(({ session_id: id }) => id)).size, 1);
  assert.equal(rows[0].id, fileId);
  assert.ok(Math.abs(Date.parse(rows[0].expires_at) - Date.now() - 86_400_000) < 60_000);
  const [entry] = await query("SELECT * FROM audit_entry WHERE target_id = $1 AND type = 'upload.received'", fileId);
  assert.deepEqual(
    [entry.actor_type, entry.ip, entry.data],
    ['visitor', null, { interfaceId: form.id, channel: 'public', mediaType: 'application/pdf', size: pdf().length }],
  );
});

test('the content determines the type: a renamed program is rejected, text is text, and the extension matches the type', async () => {
  const form = await formOf();
  await leavesNothing(form, async () => {
    const answer = await upload(form, exe, { name: 'invoice.pdf' });
    assert.deepEqual([answer.status, answer.body.code], [415, 'unsupported_media_type']);
    assert.equal((await upload(form, randomBytes(600), { name: 'a.pdf' })).status, 415, 'unknown content');
    assert.equal((await upload(form, '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', { name: 'a.png' })).status, 415);
  });
  for (const [name, bytes, expected, kept] of [
    ['invoice.exe', pdf(), 'application/pdf', 'invoice.exe.pdf'],
    ['list.csv', 'a;b\n1;2', 'text/csv', 'list.csv'],
    ['page.html', '<script>alert(1)</script>', 'text/plain', 'page.html.txt'],
    ['run.bat', 'del *.*', 'text/plain', 'run.bat.txt'],
  ] as const) {
    const { body } = await uploaded(form, bytes, { name });
    assert.deepEqual([body.mediaType, body.fileName], [expected, kept]);
  }
  const pictures = await formOf({ config: { uploads: { accept: ['image/*'] } } });
  await leavesNothing(pictures, async () => assert.equal((await upload(pictures, pdf())).status, 415));
  const anything = await formOf({ config: { uploads: { accept: ['application/*'] } } });
  assert.equal((await uploaded(anything, exe, { name: 'a.pdf' })).body.fileName, 'a.pdf.exe');
  const unknown = await uploaded(anything, Buffer.from([0, 1, 2, 255]), { name: 'a.pdf' });
  assert.deepEqual([unknown.body.mediaType, unknown.body.fileName], ['application/octet-stream', 'a.pdf.bin']);
});

test('a hostile file name cannot escape its folder', async () => {
  const form = await formOf();
  for (const [name, kept] of [
    ['../../../etc/passwd.pdf', '.._.._.._etc_passwd.pdf'],
    ['C:\\Windows\\system32\\a.pdf', 'C:_Windows_system32_a.pdf'],
    ['/etc/cron.d/a.pdf', '_etc_cron.d_a.pdf'],
    ['invoice\u202efdp.exe.pdf', 'invoice_fdp.exe.pdf'],
    ['a\u0000b\tc.pdf', 'a_b_c.pdf'],
  ] as const) {
    const body = Buffer.concat([
      Buffer.from(`--bb\r\ncontent-disposition: form-data; name="file"; filename="${name.replaceAll('\\', '\\\\')}"\r\n\r\n`),
      pdf(name),
      Buffer.from('\r\n--bb--\r\n'),
    ]);
    const answer = await raw(form, body, { 'content-length': body.length });
    assert.equal(answer.status, 200, answer.text);
    // Some parsers use the last part of a path as the name. Both results are safe.
    const fileName = JSON.parse(answer.text).fileName as string;
    assert.ok([kept, kept.split('_').at(-1)].includes(fileName), `${name}: ${fileName}`);
  }
  const long = await uploaded(form, pdf(), { name: `${'é'.repeat(300)}.pdf` });
  assert.ok(Array.from(long.body.fileName as string).length <= 259);
});

/** Sends a request with a raw body. */
async function raw(
  { publicToken }: Form,
  body: Buffer,
  headers: Record<string, string | number>,
): Promise<{ status: number; text: string }> {
  const request = httpRequest(`${chancery.url}${path}/public/${publicToken}/upload`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=bb', ...headers },
  });
  request.on('error', () => undefined);
  const answered = once(request, 'response');
  // In chunks, as long as the server reads them.
  for (let at = 0; at < body.length; at += 64 * 1024) if (!request.write(body.subarray(at, at + 64 * 1024))) await once(request, 'drain');
  request.end();
  const [response] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, text: Buffer.concat(chunks).toString() };
}

test('an empty, too large or missing file is rejected and leaves nothing', async () => {
  const form = await formOf();
  await leavesNothing(form, async () => {
    assert.deepEqual(codes(await byBoth(form, '')), ['2 × 422 file_empty']);
    const head = Buffer.from('--bb\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n');
    const body = Buffer.concat([head, pdf(), randomBytes(21 * mebibyte), Buffer.from('\r\n--bb--\r\n')]);
    const large = await raw(form, body, { 'transfer-encoding': 'chunked' });
    assert.deepEqual([large.status, JSON.parse(large.text).code], [413, 'payload_too_large']);
    const small = await formOf({ config: { uploads: { maxSizeMb: 1 } } });
    assert.equal((await upload(small, Buffer.concat([pdf(), randomBytes(mebibyte)]))).status, 413);
    const empty = new FormData();
    empty.set('altcha', 'x');
    for (const at of [`public/${form.publicToken}`, `api/${form.apiToken}`])
      for (const without of [empty, {}])
        assert.equal((await chancery.call('POST', `${path}/${at}/upload`, { body: without })).body.code, 'file_required');
    const nameless = '--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n--b--\r\n';
    for (const at of [`${path}/public/${form.publicToken}/upload`, `${path}/api/${form.apiToken}/upload`, `/f/${form.publicToken}`])
      for (const [boundary, broken] of [
        ['b'.repeat(300), '--b'],
        ['b', nameless],
      ] as const) {
        const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'sec-fetch-site': 'same-origin' };
        assert.equal((await chancery.call('POST', at, { body: broken, headers, unchecked: true })).status, 400, `${at}: ${broken}`);
      }
  });
});

test('an upload that is aborted at any point leaves nothing', async () => {
  const form = await formOf();
  const body = Buffer.concat([
    Buffer.from('--bb\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'),
    pdf(),
    randomBytes(300_000),
    Buffer.from('\r\n--bb--\r\n'),
  ]);
  const { port, hostname } = new URL(chancery.url);
  await leavesNothing(form, async () => {
    const made = await newFiles();
    const sockets = await Promise.all(
      at50.slice(0, 20).map(async (n) => {
        const socket = connect(Number(port), hostname).on('error', () => undefined);
        socket.write(
          `POST ${path}/public/${form.publicToken}/upload HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=bb\r\ncontent-length: ${body.length}\r\n\r\n`,
        );
        await new Promise<void>((resolve) => socket.write(body.subarray(0, 200 + n * 15_000), () => resolve()));
        return socket;
      }),
    );
    await eventually('some are being written', async () => (await made()) > 0);
    for (const socket of sockets) socket.destroy();
  });
});

test('an address has a limit of concurrent upload bytes to a team, and other visitors can still upload', async (t) => {
  // Uploads of earlier tests count for their team until the service notices the closed connections.
  const form = await formOf({}, chancery, await chancery.team());
  const { port, hostname: host } = new URL(chancery.url);
  const sockets: Socket[] = [];
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  const begin = (localAddress: string) => {
    const socket = connect({ port: Number(port), host, localAddress }).on('error', () => undefined);
    socket.write(
      `POST ${path}/public/${form.publicToken}/upload HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=bb\r\ncontent-length: ${21 * 1024 * 1024}\r\n\r\n` +
        '--bb\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n',
    );
    // More than a small file, and less than a complete one.
    socket.write(randomBytes(70_000));
    sockets.push(socket);
  };
  await leavesNothing(form, async () => {
    const made = await newFiles();
    for (let n = 0; n < 10; n += 1) begin('127.0.0.1');
    await eventually('all are being written', async () => (await made()) === 10);
    const more = await upload(form, pdf());
    assert.deepEqual([more.status, more.body.code, more.headers.get('retry-after')], [429, 'rate_limited', '5']);
    begin('127.0.0.2');
    await eventually('the upload of another address is being written', async () => (await made()) === 11);
    for (const socket of sockets) socket.destroy();
  });
  await eventually('the address can upload again', async () => (await upload(form, pdf())).status === 200);
});

test('only the session that uploaded a file can use it, once; a submitted file stays', async () => {
  const form = await formOf();
  const [mine, others] = [await uploaded(form, pdf(1)), await uploaded(form, pdf(2))];
  const refused = await submit(form, { proof: others.fileId }, mine.session);
  assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].pointer], [422, 'submission_invalid', '/data/proof']);
  assert.equal((await submit(form, { proof: mine.fileId })).status, 422, 'without a session');
  const elsewhere = await formOf();
  assert.equal((await submit(elsewhere, { proof: mine.fileId }, mine.session)).status, 422, 'in another form');
  const viaApi = await send(`api/${form.apiToken}`, pdf(3));
  assert.equal(viaApi.status, 200, viaApi.text);
  assert.equal((await submit(form, { proof: viaApi.body.fileId })).status, 422, 'an upload of a program cannot be used by a visitor');
  const answers = await Promise.all(at50.map(() => submit(form, { proof: mine.fileId }, mine.session)));
  assert.deepEqual(codes(answers), ['1 × 200', '49 × 422 submission_invalid']);
  const rows = await rowsOf(form);
  assert.deepEqual(
    rows.map(({ submission_id: submission, expires_at: expires }) => [submission !== null, expires === null]),
    [
      [true, true],
      [false, false],
      [false, false],
    ],
  );
});

test('a program uploads a file with the token of its channel and uses it without a session', async () => {
  const form = await formOf({ config: { requireAltcha: true } });
  const { status, body, headers } = await send(`api/${form.apiToken}`, pdf());
  assert.deepEqual([status, headers.get('x-submission-session'), headers.getSetCookie()], [200, null, []]);
  const sent = await chancery.call('POST', `${path}/api/${form.apiToken}/submit`, { body: { data: { proof: body.fileId } } });
  assert.equal(sent.status, 200, sent.text);
  const [row] = await rowsOf(form);
  assert.equal(row.submission_id, sent.body.submissionId);
  for (const at of [`api/${form.publicToken}`, `public/${form.apiToken}`, `public/${'A'.repeat(64)}`, 'public/short'])
    assert.deepEqual(codes([await send(at, pdf())]), ['1 × 404 interface_not_found'], at);
});

test('of 50 concurrent uploads, a session can send ten, and a form has a total limit; another form is not affected', async () => {
  const form = await formOf();
  const { session } = await uploaded(form);
  const answers = await Promise.all(at50.map((n) => upload(form, pdf(n), { session })));
  assert.deepEqual(codes(answers), ['41 × 409 upload_limit', '9 × 200']);
  assert.equal((await upload(form, pdf())).status, 200, 'another session');
  const heavy = await uploaded(form);
  await query('UPDATE submission_upload SET size = $2 WHERE id = $1', heavy.fileId, 100 * mebibyte - 5);
  assert.equal((await upload(form, pdf(), { session: heavy.session })).body.code, 'upload_limit');
  await query('UPDATE submission_upload SET size = $2 WHERE id = $1', heavy.fileId, 2_048 * mebibyte - 5);
  const full = await byBoth(form, pdf());
  assert.deepEqual(codes(full), ['2 × 409 upload_limit']);
  assert.equal((await upload(await formOf(), pdf())).status, 200);
  const stored = await filesOf();
  const small = await chancery.team();
  await query("INSERT INTO team_quota (team_id, name, most) VALUES ($1, 'storage', 0)", small.id);
  const without = await byBoth(await formOf({}, chancery, small), pdf());
  assert.deepEqual(codes(without), ['2 × 409 quota_exceeded'], 'a team without storage quota');
  assert.equal(await filesOf(), stored);
  assert.equal(stored, (await query('SELECT FROM submission_upload')).length, 'rejected files are deleted');
});

async function proofFor({ publicToken }: Form) {
  const { body, status, text } = await chancery.call('GET', `${path}/public/${publicToken}/altcha?v=2`);
  assert.equal(status, 200, text);
  return { challenge: body, solution: await solveChallenge({ challenge: body as Challenge, deriveKey }) };
}

test('if a form requires a proof of work, it comes before the first file, and the session needs no other', async () => {
  const form = await formOf({ config: { requireAltcha: true } });
  const altcha = await proofFor(form);
  await leavesNothing(form, async () => {
    assert.equal((await upload(form, pdf())).body.code, 'altcha_required');
    assert.equal((await upload(form, pdf(), { altcha, late: true })).body.code, 'altcha_required');
    assert.equal((await upload(form, pdf(), { altcha: 'nonsense' })).body.code, 'altcha_invalid');
    assert.equal((await upload(form, pdf(), { session: 'x'.repeat(43) })).body.code, 'altcha_required', 'an unknown session');
    assert.equal((await upload(form, exe, { altcha })).status, 415);
  });
  const answers = await Promise.all(at50.slice(0, 10).map((n) => upload(form, pdf(n), { altcha })));
  assert.deepEqual(codes(answers), ['1 × 200', '9 × 400 altcha_already_used']);
  const session = answers.find(({ status }) => status === 200)?.headers.get('x-submission-session') ?? '';
  assert.equal((await upload(form, pdf(), { session })).status, 200);
  ahead = 11 * 60_000;
  assert.equal((await upload(form, pdf(), { altcha })).body.code, 'altcha_expired');
  ahead = 0;
});

test('a repeated upload returns the same file and session, and another file with the same key is rejected', async () => {
  const form = await formOf({ config: { requireAltcha: true } });
  const headers = { 'idempotency-key': randomUUIDv7() };
  const altcha = await proofFor(form);
  const stored = await filesOf();
  const first = await upload(form, pdf(), { headers, altcha });
  const again = await upload(form, pdf(), { headers, altcha });
  assert.equal(first.status, 200, first.text);
  assert.deepEqual([again.status, again.body, again.headers.get('idempotency-replayed')], [200, first.body, 'true']);
  assert.equal(again.headers.get('x-submission-session'), first.headers.get('x-submission-session'));
  assert.equal((await upload(form, pdf('other'), { headers, altcha })).body.code, 'idempotency_key_reused');
  assert.equal((await rowsOf(form)).length, 1);
  await eventually('one file is left', async () => (await filesOf()) === stored + 1);
});

test('a form without file fields, or one that is closed, not open or full accepts no files', async () => {
  const settings = { opensAt: '2099-01-01T00:00:00Z' };
  assert.deepEqual(codes(await byBoth(await formOf({ fields: fields.slice(0, 1) }), pdf())), ['2 × 404 uploads_disabled']);
  assert.deepEqual(codes(await byBoth(await formOf({ publicSettings: settings }), pdf())), ['2 × 410 interface_closed']);
  const full = await formOf({ publicSettings: { maxSubmissions: 1 } });
  assert.equal((await submit(full, { name: 'Ada' })).status, 200);
  assert.deepEqual(codes(await byBoth(full, pdf())), ['2 × 409 interface_full']);
  const signed = await formOf({
    fields: [{ id: 'sign', type: 'signature', label: 'Sign' }],
    config: { uploads: { accept: ['application/pdf'] } },
  });
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const { fileId, session } = await uploaded(signed, png, { name: 'signature.png' });
  const answer = await submit(signed, { sign: { fileId } }, session);
  assert.equal(answer.status, 200, answer.text);
});

test('unused uploads are deleted with their files after a day; of 50 concurrent submissions each is complete or rejected', async () => {
  const form = await formOf();
  const parts = { database: chancery.database, storage: await createDiskStorage({ folder: folderOf(chancery) }) };
  const [kept, left] = [await uploaded(form), await uploaded(form)];
  assert.equal((await submit(form, { proof: kept.fileId }, kept.session)).status, 200);
  const stored = await filesOf();
  await expireUploads(parts, new Date(Date.now() + 23 * 3_600_000));
  assert.equal(await filesOf(), stored);
  await query("UPDATE submission_upload SET expires_at = now() - interval '1 second' WHERE id = $1", left.fileId);
  await expireUploads(parts, new Date());
  assert.deepEqual(
    (await rowsOf(form)).map(({ id }) => id),
    [kept.fileId],
  );
  assert.equal(await filesOf(), stored - 1);
  // The clock of the service is before the expiry, the clock of the job is after it.
  const many = await Promise.all(at50.map((n) => uploaded(form, pdf(`race ${n}`))));
  const [, ...answers] = await Promise.all([
    expireUploads(parts, new Date(Date.now() + 25 * 3_600_000)),
    ...many.map(({ fileId, session }) => submit(form, { proof: fileId }, session)),
  ]);
  const taken = answers.filter(({ status }) => status === 200).length;
  const rows = await rowsOf(form);
  assert.equal(rows.length, taken + 1);
  assert.ok(rows.every(({ submission_id: submission }) => submission !== null));
  for (const { storage_key: key } of rows) assert.ok(await parts.storage.has(key));
});

test('members who can read submissions download their files as attachments, and the journal records the reader', async () => {
  const { id: creator, token } = await chancery.user(team);
  const form = await formOf({}, chancery, { ...team, owner: { ...team.owner, token } });
  const mine = await uploaded(form, '<script>alert(1)</script>', { name: 'page.html' });
  const { submissionId } = (await submit(form, { proof: mine.fileId }, mine.session)).body;
  const without = (await submit(form, { name: 'Ada' })).body.submissionId;
  const [files, member] = [`${path}/${form.id}/submissions/${submissionId}/files`, await chancery.user(team)];
  const get = (at: string, as = token, headers = {}) => chancery.call('GET', at, { token: as, headers });
  const [file] = (await get(`${path}/${form.id}/submissions/${submissionId}`)).body.files;
  assert.equal(file.name, 'page.html.txt');
  const sent = await get(`${files}/${mine.fileId}`);
  assert.deepEqual([sent.status, sent.text, sent.headers.get('etag')], [200, '<script>alert(1)</script>', `"${file.sha256}"`]);
  assert.match(sent.headers.get('content-disposition') ?? '', /^attachment; filename="page.html.txt"/);
  assert.match(sent.headers.get('content-security-policy') ?? '', /^sandbox/);
  assert.equal((await get(`${files}/${mine.fileId}`, token, { range: 'bytes=1-6' })).text, 'script');
  assert.equal((await get(`${files}/${mine.fileId}`, token, { range: 'bytes=99-' })).body.code, 'range_not_satisfiable');
  const elsewhere = await formOf({}, chancery, { ...team, owner: { ...team.owner, token } });
  for (const at of [
    `${path}/${elsewhere.id}/submissions/${submissionId}/files/${mine.fileId}`,
    `${path}/${form.id}/submissions/${without}/files/${mine.fileId}`,
    `${path}/${form.id}/submissions/${randomUUIDv7()}/files/${mine.fileId}`,
    `${files}/${randomUUIDv7()}`,
    `${files}/x`,
  ])
    assert.equal((await get(at)).status, 404, at);
  const own = `${files}/${mine.fileId}`;
  assert.equal((await get(own, member.token)).status, 404, 'a member who cannot see the form');
  const share = (rights: string[]) => chancery.call('POST', `${path}/${form.id}/shares`, { token, body: { userId: member.id, rights } });
  await share(['edit']);
  assert.equal((await get(own, member.token)).body.code, 'forbidden');
  await share(['submissions']);
  assert.equal((await get(`${files}/${mine.fileId}`, member.token)).status, 200);
  assert.equal((await get(own, team.owner.token)).status, 200);
  const entries = await query("SELECT type, actor_id, data FROM audit_entry WHERE target_id = $1 AND type ~ '_read$' ORDER BY id", form.id);
  assert.deepEqual(
    entries.map(({ type, actor_id: who, data }) => [type, who === creator ? 'maker' : who === member.id ? 'member' : 'owner', data.via]),
    [
      ...Array.from({ length: 3 }, () => ['submission.file_read', 'maker', undefined]),
      ['submission.file_read', 'member', undefined],
      ['submission.file_read', 'owner', 'role'],
    ],
  );
  const folder = await chancery.call('POST', '/api/v1/smartdoc/folders/', { token, body: { name: 'Barred' } });
  await chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.body.id}/barrier`, { token, body: { userIds: [] } });
  const barred = await formOf({ config: { folderId: folder.body.id } }, chancery, { ...team, owner: { ...team.owner, token } });
  const hidden = await uploaded(barred);
  const behind = (await submit(barred, { proof: hidden.fileId }, hidden.session)).body.submissionId;
  const closed = await get(`${path}/${barred.id}/submissions/${behind}/files/${hidden.fileId}`, team.owner.token);
  assert.equal(closed.status, 404, 'a barrier takes precedence over the role');
});

describe('a virus scanner', () => {
  let scanned: Chancery;
  let owners: TestTeam;
  let clamd: Clamd | undefined;
  const socket = join('/tmp', `chancery-clamd-${randomUUIDv7()}.sock`);
  before(async () => {
    scanned = await startChancery({ role: 'api', settings: { CLAMD_ADDRESS: socket, FORM_UPLOADS_PER_ADDRESS: '8' } });
    owners = await scanned.team();
  });
  after(async () => {
    await clamd?.stop();
    await scanned.stop();
  });

  test('an unavailable scanner rejects all files, and an available one accepts clean files', { skip: withoutClamd }, async () => {
    const form = await formOf({}, scanned, owners);
    const via = { on: scanned };
    await leavesNothing(
      form,
      async () => {
        const away = await upload(form, pdf(), via);
        assert.deepEqual([away.status, away.body.code, away.headers.get('retry-after')], [503, 'unavailable', '30']);
      },
      scanned,
    );
    clamd = await startClamd({ LocalSocket: socket });
    await leavesNothing(
      form,
      async () => {
        for (const infected of await byBoth(form, Buffer.concat([pdf(), Buffer.from(virus.bytes)]), via))
          assert.deepEqual([infected.status, infected.body.code, infected.body.signature], [422, 'file_infected', virus.signature]);
      },
      scanned,
    );
    const { session } = await uploaded(form, pdf(), via);
    await clamd.stop();
    assert.equal((await upload(form, pdf(2), { ...via, session })).status, 503, 'even with a session');
  });

  test('without a scanner, one address can upload a limited number of files a minute', async () => {
    const form = await formOf({}, scanned, owners);
    const answers = await Promise.all(at50.slice(0, 12).map(() => upload(form, '', { on: scanned })));
    assert.deepEqual(codes(answers), ['4 × 429 rate_limited', '8 × 422 file_empty']);
  });
});
