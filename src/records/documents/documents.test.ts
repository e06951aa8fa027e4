import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type TestResponse, type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { byteRange } from '../../platform/http/downloads.ts';

const path = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let member: User;
let stranger: User;

before(async () => {
  chancery = await startChancery({ inProcess: true, settings: { MAX_UPLOAD_MB: '1' } });
  team = await chancery.team();
  owner = team.owner;
  member = await chancery.user(team);
  stranger = (await chancery.team()).owner;
});
after(() => chancery.stop());

const at50 = Array.from({ length: 50 });
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (text: string) => Buffer.from(text);

/** A form with the given fields, and a file in the part `file`. */
function form(fields: Record<string, string>, file?: Uint8Array | string, name = 'contract.pdf', type = 'application/pdf'): FormData {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.set(field, value);
  if (file !== undefined) data.set('file', new Blob([file as string], { type }), name);
  return data;
}

const ask = (by: User, method: string, where: string, body?: unknown, headers?: Record<string, string>) =>
  chancery.call(method, `${path}${where}`, { token: by.token, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) });

async function uploaded(by: User, file: Uint8Array | string, fields: Record<string, string> = {}): Promise<any> {
  const answer = await ask(by, 'POST', '/', form({ title: 'Uploaded', ...fields }, file));
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** Every file in the storage, including partial ones. */
async function files(): Promise<string[]> {
  const entries = await readdir(join(chancery.config.DATA_DIR, 'files'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

const documentsWith = async (title: string): Promise<number> =>
  (await chancery.pool.query('SELECT count(*)::int AS n FROM document WHERE title = $1', [title])).rows[0].n;

/** Runs a request that must be rejected, and verifies that neither a document nor a file is left. */
async function leavesNothing(title: string, work: () => Promise<unknown>): Promise<void> {
  const storedFiles = await files();
  await work();
  await eventually('the storage is as it was', async () => JSON.stringify(await files()) === JSON.stringify(storedFiles));
  assert.equal(await documentsWith(title), 0);
}

describe('a document', () => {
  test('is created as JSON, with a Location, an ETag and its metadata, and read back the same', async () => {
    const made = await ask(owner, 'POST', '/', { title: ' Lease ', description: 'Main Street', metadata: { matter: { no: 7 } } });
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), `${path}/${made.body.id}`);
    assert.match(made.headers.get('etag') ?? '', /^"1-/);
    assert.deepEqual(made.body, {
      id: made.body.id,
      title: 'Lease',
      description: 'Main Street',
      userId: owner.id,
      status: 'draft',
      createdBy: owner.id,
      createdByType: 'user',
      metadata: { matter: { no: 7 } },
      createdAt: made.body.createdAt,
      updatedAt: made.body.createdAt,
    });
    assert.deepEqual((await ask(owner, 'GET', `/${made.body.id}`)).body, made.body);
    const content = await ask(owner, 'GET', `/${made.body.id}/content`);
    assert.deepEqual([content.status, content.body.code], [404, 'document_has_no_file']);
  });

  test('is created by multipart with its first version, whose hash, size, name and type are given', async () => {
    const bytes = randomBytes(70_000);
    const made = await ask(owner, 'POST', '/', form({ title: 'Agreement', description: 'By form' }, bytes, 'Übung 1.pdf'));
    assert.equal(made.status, 201);
    const { currentVersion: version, ...rest } = made.body;
    assert.deepEqual([rest.title, rest.description], ['Agreement', 'By form']);
    assert.deepEqual(version, {
      number: 1,
      fileName: 'Übung 1.pdf',
      mediaType: 'application/pdf',
      size: bytes.length,
      sha256: sha256(bytes),
      createdBy: owner.id,
      createdByType: 'user',
      createdAt: version.createdAt,
    });
    const response = await fetch(`${chancery.url}${path}/${made.body.id}/content`, { headers: { authorization: `Bearer ${owner.token}` } });
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
    assert.equal(response.headers.get('content-length'), '70000');
    assert.equal(response.headers.get('content-type'), 'application/pdf');
    assert.equal(response.headers.get('content-disposition'), `attachment; filename="_bung 1.pdf"; filename*=UTF-8''%C3%9Cbung%201.pdf`);
    assert.equal(response.headers.get('content-security-policy'), "sandbox; default-src 'none'");
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  });

  test('takes fields of a form in any order, before and after the file, also as JSON of their own', async () => {
    const boundary = 'b0';
    const body = [
      part('file', '%PDF', { filename: 'a.pdf', type: 'application/pdf' }),
      part('title', 'Field after file'),
      part('metadata', '{"matter":{"no":8}}', { type: 'application/json' }),
    ];
    const made = await ask(owner, 'POST', '/', multipart(boundary, body), { 'content-type': `multipart/form-data; boundary=${boundary}` });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual([made.body.title, made.body.metadata], ['Field after file', { matter: { no: 8 } }]);
  });

  test('without a title or with an invalid folder, is rejected and leaves no file', async () => {
    for (const [fields, status, code] of [
      [{ description: 'untitled' }, 400, 'validation_failed'],
      [{ title: 'Refused', folderId: randomUUIDv7() }, 422, 'parent_not_found'],
      [{ title: 'a/b' }, 400, 'validation_failed'],
      [{ title: 'Refused', matter: 'M-1' }, 400, 'validation_failed'],
    ] as [Record<string, string>, number, string][]) {
      await leavesNothing('Refused', async () => {
        const answer = await ask(owner, 'POST', '/', form(fields, 'x'.repeat(5_000)));
        assert.deepEqual([answer.status, answer.body.code], [status, code]);
      });
    }
  });

  test('is changed member by member; null clears, an unknown status is refused', async () => {
    const made = await chancery.document(owner, { title: 'Draft', description: 'old', metadata: { a: 1, b: 2 } });
    const put = await ask(owner, 'PUT', `/${made.id}`, { ...made, status: 'archived', description: null, metadata: { a: null } });
    assert.equal(put.status, 200);
    assert.deepEqual(
      [put.body.title, put.body.status, put.body.description, put.body.metadata],
      ['Draft', 'archived', undefined, { b: 2 }],
    );
    assert.match(put.headers.get('etag') ?? '', /^"2-/);
    for (const status of ['lost', 'in_review', 'approved', 'signed']) {
      const odd = await ask(owner, 'PUT', `/${made.id}`, { status });
      assert.deepEqual([odd.status, odd.body.errors[0].pointer], [400, '/status'], `${status} cannot be set by users`);
    }
    const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'document.updated'", [
      made.id,
    ]);
    assert.deepEqual(rows[0].data.changes, {
      description: { from: 'old' },
      status: { from: 'draft', to: 'archived' },
      metadata: {},
    });
  });

  test('is deleted: gone from reads and lists, and from every operation on it', async () => {
    const made = await uploaded(owner, 'bin me', { title: 'Binned' });
    assert.equal((await ask(owner, 'DELETE', `/${made.id}`)).status, 204);
    for (const [method, where, body] of [
      ['GET', '', undefined],
      ['GET', '/content', undefined],
      ['GET', '/versions', undefined],
      ['PUT', '', { title: 'again' }],
      ['PATCH', '/move', { folderId: null }],
      ['DELETE', '', undefined],
      ['POST', '/versions', form({}, 'more')],
    ] as const) {
      assert.equal((await ask(owner, method, `/${made.id}${where}`, body)).status, 404, `${method} ${where}`);
    }
    assert.deepEqual((await ask(owner, 'GET', '/?q=Binned')).body, []);
  });

  test('of 50 deletes at once one deletes, and 49 find nothing', async () => {
    const made = await chancery.document(owner);
    const answers = await Promise.all(at50.map(() => ask(owner, 'DELETE', `/${made.id}`)));
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    assert.equal(answers.filter(({ status }) => status === 404).length, 49);
  });
});

describe('If-Match', () => {
  test('a stale tag is 412 for each change, and nothing changes', async () => {
    const made = await uploaded(owner, 'one', { title: 'Guarded' });
    const { headers } = await ask(owner, 'PUT', `/${made.id}`, { title: 'Guarded 2' });
    const [stale, fresh] = ['"1"', headers.get('etag') ?? ''];
    assert.notEqual(fresh, stale);
    for (const tag of [stale, `W/${fresh}`, 'nonsense', '"1", "0"']) {
      for (const [method, where, body] of [
        ['PUT', '', { title: 'lost update' }],
        ['PATCH', '/move', { folderId: null }],
        ['DELETE', '', undefined],
        ['POST', '/versions', form({}, 'stale version')],
      ] as const) {
        const answer = await ask(owner, method, `/${made.id}${where}`, body, { 'if-match': tag });
        assert.deepEqual([answer.status, answer.body.code], [412, 'precondition_failed'], `${method} ${where} ${tag}`);
      }
    }
    const now = await ask(owner, 'GET', `/${made.id}`);
    assert.deepEqual([now.body.title, now.body.currentVersion.number, now.headers.get('etag')], ['Guarded 2', 1, fresh]);
    for (const tag of [fresh, '*', `"0", ${fresh}`]) {
      const last = (await ask(owner, 'GET', `/${made.id}`)).headers.get('etag') ?? '';
      const answer = await ask(owner, 'PUT', `/${made.id}`, { title: 'Guarded' }, { 'if-match': tag.replace(fresh, last) });
      assert.equal(answer.status, 200, tag);
    }
  });

  test('of 50 concurrent changes from one version, one succeeds', async () => {
    const made = await chancery.document(owner);
    const answers = await Promise.all(at50.map((_, n) => ask(owner, 'PUT', `/${made.id}`, { title: `Try ${n}` }, { 'if-match': '"1"' })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 412).length, 49);
  });
});

describe('versions', () => {
  test('are numbered, listed newest first, and each stays as it was uploaded', async () => {
    const made = await uploaded(owner, 'first text', { title: 'Versioned' });
    const second = await ask(owner, 'POST', `/${made.id}/versions`, form({}, 'second text', 'b.txt', 'text/plain'));
    assert.equal(second.status, 201);
    assert.equal(second.headers.get('location'), `${path}/${made.id}/content?version=2`);
    assert.deepEqual([second.body.number, second.body.sha256, second.body.fileName], [2, sha256('second text'), 'b.txt']);
    const list = (await ask(owner, 'GET', `/${made.id}/versions`)).body;
    assert.deepEqual(
      list.map((version: any) => [version.number, version.sha256]),
      [
        [2, sha256('second text')],
        [1, sha256('first text')],
      ],
    );
    assert.deepEqual((await ask(owner, 'GET', `/${made.id}`)).body.currentVersion, second.body);
    assert.equal((await ask(owner, 'GET', `/${made.id}/content`)).text, 'second text');
    assert.equal((await ask(owner, 'GET', `/${made.id}/content?version=1`)).text, 'first text');
    assert.equal((await ask(owner, 'GET', `/${made.id}/content?version=3`)).status, 404);
    assert.equal((await ask(owner, 'GET', `/${made.id}/content?version=0`)).status, 400);
  });

  test('cannot be changed or deleted: there is no operation, and requests have no database permission', async () => {
    const made = await uploaded(owner, 'for good');
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST'])
      assert.equal((await ask(owner, method, `/${made.id}/versions/1`, {})).status, 404, method);
    const { rows } = await chancery.pool.query(
      "SELECT privilege_type FROM information_schema.role_table_grants WHERE table_name = 'document_version' AND grantee = 'chancery_app' ORDER BY 1",
    );
    assert.deepEqual(
      rows.map((row) => row.privilege_type),
      ['INSERT', 'SELECT'],
    );
  });

  test('of 50 uploads at once are numbered one after the other, and each number has its own bytes', async () => {
    const made = await uploaded(owner, 'v1', { title: 'Raced' });
    const answers = await Promise.all(at50.map((_, n) => ask(owner, 'POST', `/${made.id}/versions`, form({}, `race ${n}`))));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.deepEqual(
      answers.map(({ body }) => body.number).toSorted((a, b) => a - b),
      at50.map((_, n) => n + 2),
    );
    const list = (await ask(owner, 'GET', `/${made.id}/versions`)).body;
    for (const [n, { body }] of answers.entries()) {
      assert.equal(list.find((version: any) => version.number === body.number).sha256, sha256(`race ${n}`));
      assert.equal((await ask(owner, 'GET', `/${made.id}/content?version=${body.number}`)).text, `race ${n}`);
    }
    const { rows } = await chancery.pool.query(
      "SELECT count(*)::int AS n FROM audit_entry WHERE type = 'document.version_added' AND target_id = $1",
      [made.id],
    );
    assert.equal(rows[0].n, 51, 'each is in the journal once');
  });
});

describe('content', () => {
  const text = '0123456789';
  let id = '';
  let tag = '';
  const read = (headers: Record<string, string> = {}, by = owner) => ask(by, 'GET', `/${id}/content`, undefined, headers);
  before(async () => {
    const made = await uploaded(owner, text, { title: 'Ranged' });
    [id, tag] = [made.id, `"${made.currentVersion.sha256}"`];
  });

  for (const [range, expected, content] of [
    ['bytes=0-3', 'bytes 0-3/10', '0123'],
    ['bytes=4-', 'bytes 4-9/10', '456789'],
    ['bytes=-3', 'bytes 7-9/10', '789'],
    ['bytes=-300', 'bytes 0-9/10', text],
    ['bytes=8-99999999999999999999', 'bytes 8-9/10', '89'],
    ['bytes=9-9', 'bytes 9-9/10', '9'],
  ] as const) {
    test(`the range ${range} is answered 206 with just that`, async () => {
      const answer = await read({ range });
      assert.equal(answer.status, 206);
      assert.equal(answer.headers.get('content-range'), expected);
      assert.equal(answer.headers.get('content-length'), String(content.length));
      assert.equal(answer.headers.get('etag'), tag);
      assert.equal(answer.text, content);
    });
  }

  for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999-']) {
    test(`the range ${range} lies outside and is 416, naming the size`, async () => {
      const answer = await read({ range });
      assert.deepEqual([answer.status, answer.body.code], [416, 'range_not_satisfiable']);
      assert.equal(answer.headers.get('content-range'), 'bytes */10');
      assert.equal(answer.headers.get('content-disposition'), null, 'the refusal is no download');
      assert.equal(answer.headers.get('etag'), null);
    });
  }

  for (const range of ['bytes=5-2', 'bytes=a-b', 'bytes=-', 'bytes=', 'lines=1-2', 'bytes=0-1,3-4', 'nonsense']) {
    test(`the range ${range} is not one that is understood: the whole is sent`, async () => {
      const answer = await read({ range });
      assert.deepEqual([answer.status, answer.text], [200, text]);
      assert.equal(answer.headers.get('accept-ranges'), 'bytes');
    });
  }

  // As long as one read of a file.
  const long = 'x'.repeat(64 * 1024);
  for (const [whole, kept, range, status] of [
    [text, '01234', undefined, 200],
    [text, '01234', 'bytes=2-7', 206],
    [text, '', undefined, 503],
    [text, '0123456789 and what is not of it', undefined, 503],
    [long, `${long}!`, undefined, 503],
  ] as const) {
    test(`a file of which ${kept.length} bytes are there${range ? ', or a range of it,' : ''} is never taken for whole, nor runs into the next answer`, async () => {
      const made = await uploaded(owner, whole, { title: 'Damaged' });
      const { rows } = await chancery.pool.query('SELECT storage_key FROM document_version WHERE document_id = $1', [made.id]);
      const place = (await files()).find((file) => file.endsWith(rows[0].storage_key));
      await writeFile(place ?? '', kept);
      const credential = { authorization: `Bearer ${owner.token}` };
      const request = (where: string, headers: Record<string, string>) =>
        [`GET ${where} HTTP/1.1`, 'host: localhost', ...Object.entries(headers).map((header) => header.join(': ')), '', ''].join('\r\n');
      const socket: Socket = connect(Number(new URL(chancery.url).port), '127.0.0.1');
      socket.write(request(`${path}/${made.id}/content`, { ...credential, ...(range ? { range } : {}) }) + request('/nowhere', {}));
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      await eventually('both answers, or the end', () => socket.readableEnded || received.includes('/nowhere'));
      socket.destroy();
      assert.equal(received.slice(9, 12), String(status));
      const [, head = '', rest = ''] = /^([^]+?)\r\n\r\n([^]*)$/.exec(received) ?? [];
      if (status === 503) {
        const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
        assert.equal(JSON.parse(rest.slice(0, length)).code, 'unavailable');
        assert.match(rest.slice(length), /^HTTP\/1\.1 404 /);
        assert.doesNotMatch(head, /etag|content-disposition|accept-ranges/, 'the refusal is no download');
      } else
        assert.ok(whole.includes(rest) && rest.length < (range ? 6 : whole.length), `after it came ${rest.length}: ${rest.slice(-100)}`);
    });
  }

  test('every served range is within the file, for any header', () => {
    const header = fc.oneof(
      fc.string(),
      fc.tuple(fc.option(fc.bigInt()), fc.option(fc.bigInt())).map(([a, b]) => `bytes=${a ?? ''}-${b ?? ''}`),
    );
    fc.assert(
      fc.property(header, fc.nat(1_000), (value, size) => {
        const found = byteRange(value, size);
        if (typeof found !== 'object') return;
        assert.ok(found.start >= 0 && found.start <= found.end && found.end < size);
      }),
      { numRuns: 1_000 },
    );
  });

  test('If-None-Match with the current tag is 304 without the bytes, compared weakly', async () => {
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await read({ 'if-none-match': known });
      assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', tag], known);
    }
    assert.equal((await read({ 'if-none-match': '"other"' })).status, 200);
    assert.equal((await read({ 'if-none-match': tag, range: 'bytes=0-1' })).status, 304, 'it is looked at before the range');
  });

  test('If-Range sends the range while the file is the same, and the whole otherwise', async () => {
    assert.equal((await read({ 'if-range': tag, range: 'bytes=0-1' })).status, 206);
    for (const other of ['"other"', `W/${tag}`, 'Sat, 21 Nov 2026 10:00:00 GMT']) {
      const answer = await read({ 'if-range': other, range: 'bytes=0-1' });
      assert.deepEqual([answer.status, answer.text], [200, text], other);
    }
  });

  test('HEAD returns length and tag, sends nothing, reads nothing and records no read', async () => {
    const privilegedAccess = async () =>
      (
        await chancery.pool.query("SELECT count(*)::int AS n FROM audit_entry WHERE type = 'document.content_read' AND target_id = $1", [
          id,
        ])
      ).rows[0].n;
    const recorded = await privilegedAccess();
    // Its file is missing: opening it would fail.
    const { rows } = await chancery.pool.query('SELECT storage_key FROM document_version WHERE document_id = $1', [id]);
    await chancery.pool.query("UPDATE document_version SET storage_key = 'away' WHERE document_id = $1", [id]);
    const unread = await ask(owner, 'HEAD', `/${id}/content`);
    await chancery.pool.query('UPDATE document_version SET storage_key = $2 WHERE document_id = $1', [id, rows[0].storage_key]);
    assert.deepEqual([unread.status, unread.headers.get('content-length'), await privilegedAccess()], [200, '10', recorded]);
    const answer = await ask(owner, 'HEAD', `/${id}/content`);
    assert.deepEqual([answer.status, answer.text, answer.headers.get('content-length'), answer.headers.get('etag')], [200, '', '10', tag]);
  });

  test('is served for any accepted media type: the file has its own type', async () => {
    for (const accept of ['application/pdf', 'image/png', '*/*']) assert.equal((await read({ accept })).status, 200, accept);
  });

  test('a read is in the journal with the reader, the version and the reason for the access', async () => {
    await read({}, owner);
    const { rows } = await chancery.pool.query(
      "SELECT actor_id, data FROM audit_entry WHERE type = 'document.content_read' AND target_id = $1 ORDER BY id DESC LIMIT 1",
      [id],
    );
    assert.deepEqual(rows, [{ actor_id: owner.id, data: { version: 1, via: 'owner' } }]);
  });

  test('of an empty file is empty, and has no range', async () => {
    const made = await uploaded(owner, '', { title: 'Empty' });
    assert.equal(made.currentVersion.sha256, sha256(''));
    const answer = await ask(owner, 'GET', `/${made.id}/content`);
    assert.deepEqual([answer.status, answer.text, answer.headers.get('content-length')], [200, '', '0']);
    assert.equal((await ask(owner, 'GET', `/${made.id}/content`, undefined, { range: 'bytes=0-' })).status, 416);
  });

  test('names that would break a header or leave a folder are made safe', async () => {
    const made = await ask(
      owner,
      'POST',
      '/',
      multipart('b1', [
        part('title', 'Named'),
        part('file', 'x', { filename: `../..\\e"vil'(1)*.pdf`.replaceAll('"', '%22'), type: 'text/html' }),
      ]),
      { 'content-type': 'multipart/form-data; boundary=b1' },
    );
    assert.equal(made.status, 201, made.text);
    assert.doesNotMatch(made.body.currentVersion.fileName, /[/\\]/);
    const answer = await ask(owner, 'GET', `/${made.body.id}/content`);
    const disposition = answer.headers.get('content-disposition') ?? '';
    assert.match(disposition, /^attachment; filename="[^"\\]*"; filename\*=UTF-8''[\w.%!~-]+$/);
  });
});

type Part = { head: string; value: string | Buffer };
function part(name: string, value: string | Buffer, { filename, type }: { filename?: string; type?: string } = {}): Part {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  return { head: `content-disposition: form-data; name="${name}"${file}\r\n${type ? `content-type: ${type}\r\n` : ''}`, value };
}

/** A multipart body byte for byte, which no client would write. */
function multipart(boundary: string, parts: readonly Part[], end = `--${boundary}--\r\n`): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ head, value }) => [bytesOf(`--${boundary}\r\n${head}\r\n`), Buffer.from(value), bytesOf('\r\n')]),
    bytesOf(end),
  ]);
}

describe('a malformed multipart body', () => {
  const send = (body: Buffer | FormData, boundary = 'bb', where = '/') =>
    ask(owner, 'POST', where, body, body instanceof FormData ? {} : { 'content-type': `multipart/form-data; boundary=${boundary}` });
  const title = part('title', 'Refused');
  const file = part('file', 'y'.repeat(10_000), { filename: 'a.pdf', type: 'application/pdf' });

  const cases: [string, () => Promise<TestResponse>, number, string][] = [
    ['two files', () => send(multipart('bb', [title, file, file])), 400, 'validation_failed'],
    ['a part `file` without a file name', () => send(multipart('bb', [title, part('file', 'y')])), 400, 'file_required'],
    ['a file under another name', () => send(multipart('bb', [title, part('document', 'y', { filename: 'a.pdf' })])), 400, 'file_required'],
    ['another boundary than the header says', () => send(multipart('bb', [title, file]), 'other'), 400, 'validation_failed'],
    [
      'no boundary',
      () => ask(owner, 'POST', '/', multipart('bb', [title]), { 'content-type': 'multipart/form-data' }),
      400,
      'validation_failed',
    ],
    ['no end', () => send(multipart('bb', [title, file], '')), 400, 'validation_failed'],
    [
      'a title twice the size of a field',
      () => send(multipart('bb', [part('title', 'x'.repeat(130_000)), file])),
      400,
      'validation_failed',
    ],
    [
      '100 fields',
      () => send(multipart('bb', [file, ...Array.from({ length: 100 }, (_, n) => part(`f${n}`, '1'))])),
      400,
      'validation_failed',
    ],
    ['a field that reaches the prototype', () => send(multipart('bb', [title, file, part('__proto__', '1')])), 400, 'validation_failed'],
    [
      'JSON that nests without end',
      () => send(multipart('bb', [title, file, part('deep', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, { type: 'application/json' })])),
      400,
      'validation_failed',
    ],
    ['a file of more than MAX_UPLOAD_MB', () => send(form({ title: 'Refused' }, randomBytes(1024 * 1024 + 1))), 413, 'payload_too_large'],
    [
      'a large file before its title',
      () => send(multipart('bb', [part('file', randomBytes(3_000_000), { filename: 'big' }), title])),
      413,
      'payload_too_large',
    ],
  ];
  for (const [what, work, status, code] of cases) {
    test(`${what}: ${status} ${code}, and nothing is left`, () =>
      leavesNothing('Refused', async () => {
        const answer = await work();
        assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
      }));
  }

  test('a file of exactly MAX_UPLOAD_MB is accepted', async () => {
    const made = await uploaded(owner, randomBytes(1024 * 1024));
    assert.equal(made.currentVersion.size, 1024 * 1024);
  });

  test('a version without a file is rejected in every format', async () => {
    const made = await chancery.document(owner);
    for (const [body, headers] of [
      [form({ title: 'x' }), undefined],
      [{}, undefined],
      ['%PDF', { 'content-type': 'application/pdf' }],
      [undefined, undefined],
      [
        multipart('bb', [part('file', '', { filename: '', type: 'application/octet-stream' })]),
        { 'content-type': 'multipart/form-data; boundary=bb' },
      ],
    ] as const) {
      const answer = await ask(owner, 'POST', `/${made.id}/versions`, body, headers);
      assert.deepEqual([answer.status, answer.body.code], [400, 'file_required'], answer.text);
    }
    assert.deepEqual((await ask(owner, 'GET', `/${made.id}/versions`)).body, []);
  });

  test('a document may come as a form without a file, as a browser sends an empty file field', async () => {
    const answer = await send(
      multipart('bb', [part('title', 'No file'), part('file', '', { filename: '', type: 'application/octet-stream' })]),
    );
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body.currentVersion, undefined);
  });

  test('a type other than JSON or a form is 415, and so is a form where no file is accepted', async () => {
    const text = await ask(owner, 'POST', '/', 'title=a', { 'content-type': 'text/plain' });
    assert.deepEqual([text.status, text.body.code], [415, 'unsupported_media_type']);
    const put = await ask(owner, 'PUT', `/${randomUUIDv7()}`, form({ title: 'x' }));
    assert.equal(put.status, 415);
  });

  test('any bytes sent as a form are rejected and leave nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.constantFrom(
              '--bb',
              '--bb--',
              '\r\n',
              '\n',
              'content-disposition: form-data; name="file"; filename="a"',
              'content-disposition: form-data; name="title"',
              ':',
              '\0',
            ),
            fc.string({ maxLength: 20 }),
          ),
          { maxLength: 12 },
        ),
        async (pieces) => {
          const storedFiles = await files();
          const answer = await send(bytesOf(pieces.join('')));
          assert.ok(answer.status === 400, `${JSON.stringify(pieces)} answered ${answer.status} ${answer.text}`);
          assert.deepEqual(await files(), storedFiles);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** A request on a separate socket, which a test may cut. */
async function open(by: User, where: string, body: Buffer, sent = body.length): Promise<Socket> {
  const { port, hostname } = new URL(chancery.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path}${where} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${by.token}\r\ncontent-type: multipart/form-data; boundary=bb\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => socket.write(body.subarray(0, sent), () => resolve()));
  return socket;
}

describe('an upload whose connection is cut', () => {
  const title = part('title', 'Cut');
  const file = part('file', randomBytes(400_000), { filename: 'a.bin' });

  test('in the middle of the file leaves neither a document nor a file', () =>
    leavesNothing('Cut', async () => {
      const storedFiles = (await files()).length;
      const socket = await open(owner, '/', multipart('bb', [title, file]), 200_000);
      await eventually('the file is being written', async () => (await files()).length > storedFiles);
      socket.destroy();
    }));

  test('after the file and before the end leaves neither, wherever it is cut', async () => {
    const body = multipart('bb', [file, title]);
    await leavesNothing('Cut', async () => {
      await Promise.all(
        at50.map(async (_, n) => {
          const socket = await open(owner, '/', body, body.length - 1 - n * 3);
          await new Promise((resolve) => setTimeout(resolve, n % 7 === 0 ? 0 : n * 3));
          socket.destroy();
        }),
      );
    });
  });

  test('of the same length without an end, 50 at once, leaves no half-written file and no open one', async () => {
    const body = multipart('bb', [title, file]);
    await leavesNothing('Cut', async () => {
      const sockets = await Promise.all(at50.map((_, n) => open(owner, '/', body, 1_000 + n * 7_000)));
      for (const socket of sockets) socket.destroy();
    });
  });

  /** Locks a document, so that changes wait; resolves once a change waits. */
  async function hold(id: string): Promise<{ waiting(): Promise<number>; release(): Promise<void> }> {
    const client = await chancery.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM document WHERE id = $1 FOR UPDATE', [id]);
    const waiting = () =>
      eventually(
        'a request waits for the document',
        async () =>
          (await chancery.pool.query("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"))
            .rows[0]?.pid as number,
      );
    return {
      waiting,
      async release() {
        await client.query('COMMIT');
        client.release();
      },
    };
  }

  test('an upload that was sent completely is stored completely: the version has its file', async () => {
    const made = await uploaded(owner, 'before', { title: 'Kept whole' });
    const lock = await hold(made.id);
    const socket = await open(owner, `/${made.id}/versions`, multipart('bb', [part('file', 'sent whole', { filename: 'b' })]));
    await lock.waiting();
    const { server } = chancery.app();
    const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    const connected = await connections();
    socket.destroy();
    await eventually('the service sees that', async () => (await connections()) < connected);
    await lock.release();
    await eventually('the version is there', async () => (await ask(owner, 'GET', `/${made.id}/versions`)).body.length === 2);
    assert.equal((await ask(owner, 'GET', `/${made.id}/content`)).text, 'sent whole');
  });

  test('from the database is a 503, and leaves no version and no file', async () => {
    const made = await uploaded(owner, 'before', { title: 'Lost' });
    const kept = await files();
    const lock = await hold(made.id);
    const answering = ask(owner, 'POST', `/${made.id}/versions`, form({}, 'lost on the way'));
    await chancery.pool.query('SELECT pg_terminate_backend($1)', [await lock.waiting()]);
    const answer = await answering;
    await lock.release();
    assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable']);
    assert.deepEqual(await files(), kept);
    assert.equal((await ask(owner, 'GET', `/${made.id}/versions`)).body.length, 1);
    assert.equal((await ask(owner, 'POST', `/${made.id}/versions`, form({}, 'again'))).status, 201, 'the next upload is accepted');
  });
});

test('an upload may take as long as the largest file over 1 Mbit/s, and every request at least two minutes', async () => {
  assert.equal(chancery.app().server.requestTimeout, 120_000);
  const larger = await startChancery({ role: 'api', inProcess: true, settings: { MAX_UPLOAD_MB: '100' } });
  const { requestTimeout } = larger.app().server;
  await larger.stop();
  assert.ok(requestTimeout >= (100 * 1024 * 1024 * 8) / 1_000);
});

describe('an upload with an Idempotency-Key', () => {
  test('sent again gets the same response, and its bytes are stored once', async () => {
    const key = { 'idempotency-key': randomUUIDv7() };
    const send = (content = 'same bytes') => ask(owner, 'POST', '/', form({ title: 'Replayed' }, content), key);
    const first = await send();
    const storedFiles = await files();
    const second = await send();
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(
      [second.headers.get('idempotency-replayed'), second.headers.get('location'), second.headers.get('etag')],
      ['true', first.headers.get('location'), first.headers.get('etag')],
    );
    assert.deepEqual(await files(), storedFiles);
    const other = await send('other bytes');
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    assert.deepEqual(await files(), storedFiles);
    assert.equal(await documentsWith('Replayed'), 1);
    assert.equal((await ask(owner, 'GET', `/${first.body.id}/content`)).text, 'same bytes');
  });

  test('sent 50 times at once creates one version and stores one file', async () => {
    const made = await uploaded(owner, 'v1');
    const storedFiles = (await files()).length;
    const key = { 'idempotency-key': randomUUIDv7() };
    const answers = await Promise.all(at50.map(() => ask(owner, 'POST', `/${made.id}/versions`, form({}, 'once'), key)));
    for (const { status, body } of answers) {
      assert.ok(status === 201 || status === 409, String(status));
      if (status === 201) assert.equal(body.number, 2);
      else assert.equal(body.code, 'idempotency_in_progress');
    }
    assert.equal((await ask(owner, 'GET', `/${made.id}/versions`)).body.length, 2);
    assert.equal((await files()).length, storedFiles + 1);
  });
});

describe('who sees a document', () => {
  /** The access of a person to a document, by the status of each operation. */
  async function reach(by: User, id: string): Promise<'nothing' | 'read' | 'write'> {
    const [get, content, versions, put, added] = [
      await ask(by, 'GET', `/${id}`),
      await ask(by, 'GET', `/${id}/content`),
      await ask(by, 'GET', `/${id}/versions`),
      await ask(by, 'PUT', `/${id}`, { metadata: { note: by.id } }),
      await ask(by, 'POST', `/${id}/versions`, form({}, by.id)),
    ];
    const listed = (await ask(by, 'GET', '/')).body.some((one: any) => one.id === id);
    const seen = [get.status, content.status, versions.status, put.status, added.status, listed].join(' ');
    const known = {
      '404 404 404 404 404 false': 'nothing',
      '200 200 200 403 403 true': 'read',
      '200 200 200 200 201 true': 'write',
    } as const;
    assert.ok(seen in known, `one and the same over all operations: ${seen}`);
    return known[seen as keyof typeof known];
  }
  const share = (folder: string, user: User, access: 'read' | 'write') =>
    chancery.call('POST', `${folders}/${folder}/shares`, { token: owner.token, body: { userId: user.id, access } });

  test('outside any folder it belongs to its creator, regardless of position, and administrators see it by role', async () => {
    const made = await uploaded(member, 'mine alone');
    assert.equal(await reach(member, made.id), 'write');
    assert.equal(await reach(await chancery.user(team), made.id), 'nothing');
    assert.equal(await reach(owner, made.id), 'write');
    assert.equal(await reach(stranger, made.id), 'nothing');
  });

  test('in a folder it is visible like the folder: to its owner and to users with a share of it or of a folder above', async () => {
    const above = await chancery.folder(owner);
    const folder = await chancery.folder(owner, { parentId: above.id });
    const made = await uploaded(owner, 'in a folder', { folderId: folder.id });
    assert.equal(await reach(owner, made.id), 'write');
    assert.equal(await reach(member, made.id), 'nothing');
    const given = await share(above.id, member, 'read');
    assert.equal(await reach(member, made.id), 'read');
    const more = await share(folder.id, member, 'write');
    assert.equal(await reach(member, made.id), 'write', 'the widest active share');
    for (const [where, one] of [
      [folder.id, more],
      [above.id, given],
    ] as const)
      await chancery.call('DELETE', `${folders}/${where}/shares/${one.body.id}`, { token: owner.token });
    assert.equal(await reach(member, made.id), 'nothing');
  });

  test('content created in another user’s folder belongs to the owner of the tree, and is inaccessible after the share ends', async () => {
    const folder = await chancery.folder(owner);
    const given = await share(folder.id, member, 'write');
    const made = await uploaded(member, 'theirs', { folderId: folder.id });
    assert.deepEqual([made.userId, made.currentVersion.createdBy], [owner.id, member.id]);
    assert.equal(await reach(member, made.id), 'write');
    await chancery.call('DELETE', `${folders}/${folder.id}/shares/${given.body.id}`, { token: owner.token });
    assert.equal(await reach(member, made.id), 'nothing');
    assert.equal(await reach(owner, made.id), 'write');
  });

  test('a folder shared for reading accepts no document of the reader, and a hidden one discloses nothing', async () => {
    const folder = await chancery.folder(owner);
    const create = () => ask(member, 'POST', '/', { title: 'Intruder', folderId: folder.id });
    const hidden = await create();
    await share(folder.id, member, 'read');
    const readable = await create();
    for (const answer of [hidden, readable]) assert.deepEqual([answer.status, answer.body.code], [422, 'parent_not_found']);
    const own = await chancery.document(member);
    assert.equal((await ask(member, 'PATCH', `/${own.id}/move`, { folderId: folder.id })).status, 422);
  });

  test('a reviewer sees the document of the workflow, and no other in its folder', async () => {
    const folder = await chancery.folder(owner);
    const [reviewed, other] = [
      await uploaded(owner, 'to review', { folderId: folder.id }),
      await uploaded(owner, 'beside', { folderId: folder.id }),
    ];
    const reviewer = await chancery.user(team);
    const workflow = await chancery.call('POST', '/api/v1/workflows/', {
      token: owner.token,
      body: { name: 'Review', documentId: reviewed.id, steps: [{ id: 'a', type: 'review', assignedTo: reviewer.id }] },
    });
    assert.equal(await reach(reviewer, reviewed.id), 'nothing');
    assert.equal((await chancery.call('POST', `/api/v1/workflows/${workflow.body.id}/start`, { token: owner.token })).status, 200);
    assert.equal(await reach(reviewer, reviewed.id), 'read');
    assert.equal(await reach(reviewer, other.id), 'nothing');
  });

  test('a viewer reads and does not write', async () => {
    const viewer = await chancery.user(team, { role: 'viewer' });
    const folder = await chancery.folder(owner);
    const made = await uploaded(owner, 'look', { folderId: folder.id });
    assert.equal((await ask(viewer, 'GET', `/${made.id}/content`)).status, 404);
    await share(folder.id, viewer, 'write');
    assert.equal((await ask(viewer, 'GET', `/${made.id}/content`)).text, 'look');
    const answer = await ask(viewer, 'POST', `/${made.id}/versions`, form({}, 'x'));
    assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope']);
  });

  test('content of another team is a 404 like that of a missing document', async () => {
    const made = await uploaded(owner, 'secret of the team');
    const [theirs, none] = [await ask(stranger, 'GET', `/${made.id}/content`), await ask(stranger, 'GET', `/${randomUUIDv7()}/content`)];
    const shape = ({ status, body }: TestResponse) => [status, body.code, body.detail, body.title];
    assert.deepEqual(shape(theirs), shape(none));
    assert.equal(theirs.status, 404);
    assert.ok(!theirs.text.includes('secret'));
    assert.equal((await ask(stranger, 'GET', `/${made.id}/content`, undefined, { 'if-none-match': '*' })).status, 404);
  });
});

describe('moving', () => {
  test('into a folder and out of it, with counts and events that follow', async () => {
    const folder = await chancery.folder(owner);
    const made = await chancery.document(owner);
    const moved = await ask(owner, 'PATCH', `/${made.id}/move`, { folderId: folder.id });
    assert.deepEqual([moved.status, moved.body.folderId, moved.headers.get('etag')?.slice(0, 3)], [200, folder.id, '"2-']);
    assert.equal((await chancery.call('GET', `${folders}/${folder.id}`, { token: owner.token })).body.documentsCount, 1);
    const out = await ask(owner, 'PATCH', `/${made.id}/move`, { folderId: null });
    assert.deepEqual([out.status, 'folderId' in out.body], [200, false]);
    const { rows } = await chancery.pool.query(
      "SELECT count(*)::int AS n FROM audit_entry WHERE type = 'document.moved' AND target_id = $1",
      [made.id],
    );
    assert.equal(rows[0].n, 2);
  });

  test('into a folder of another team, a deleted one or an invalid one is 422, and the document stays', async () => {
    const theirs = await chancery.folder(stranger);
    const gone = await chancery.folder(owner);
    await chancery.call('DELETE', `${folders}/${gone.id}`, { token: owner.token });
    const made = await chancery.document(owner);
    for (const folderId of [theirs.id, gone.id, 'none', randomUUIDv7()]) {
      const answer = await ask(owner, 'PATCH', `/${made.id}/move`, { folderId });
      assert.deepEqual([answer.status, answer.body.code], [422, 'parent_not_found'], folderId);
    }
    assert.match((await ask(owner, 'GET', `/${made.id}`)).headers.get('etag') ?? '', /^"1-/);
  });

  test('50 moves into a folder racing with its deletion: no document is left in a deleted folder', async () => {
    const folder = await chancery.folder(owner);
    const made = await Promise.all(at50.map(() => chancery.document(owner)));
    const moves = made.map(({ id }) => ask(owner, 'PATCH', `/${id}/move`, { folderId: folder.id }));
    const deletion = chancery.call('DELETE', `${folders}/${folder.id}?recursive=true`, { token: owner.token });
    const answers = await Promise.all(moves);
    assert.equal((await deletion).status, 200);
    for (const { status } of answers) assert.ok([200, 404, 422].includes(status), String(status));
    const { rows } = await chancery.pool.query(
      'SELECT count(*)::int AS n FROM document d JOIN folder f ON f.id = d.folder_id WHERE f.id = $1 AND f.deleted_at IS NOT NULL AND d.deleted_at IS NULL',
      [folder.id],
    );
    assert.equal(rows[0].n, 0);
  });

  test('content of a folder goes to the bin with it and returns with it', async () => {
    const folder = await chancery.folder(owner);
    const made = await uploaded(owner, 'along', { folderId: folder.id });
    await chancery.call('DELETE', `${folders}/${folder.id}?recursive=true`, { token: owner.token });
    assert.equal((await ask(owner, 'GET', `/${made.id}/content`)).status, 404);
    await chancery.call('POST', `${folders}/${folder.id}/restore`, { token: owner.token });
    assert.equal((await ask(owner, 'GET', `/${made.id}/content`)).text, 'along');
  });
});

describe('the list', () => {
  test('is filtered by folder, status and part of the title, and paged by limit and cursor', async () => {
    const someone = (await chancery.team()).owner;
    const folder = await chancery.folder(someone);
    const titles = ['Lease North', 'Lease South', 'Policy 100%'];
    const made: any[] = [];
    for (const title of titles)
      made.push(await chancery.document(someone, { title, ...(title.includes('South') ? { folderId: folder.id } : {}) }));
    await ask(someone, 'PUT', `/${made[0].id}`, { status: 'archived' });
    const list = async (query: string) => (await ask(someone, 'GET', `/${query}`)).body.map((one: any) => one.title);
    assert.deepEqual(await list(''), titles);
    assert.deepEqual(await list(`?folderId=${folder.id}`), ['Lease South']);
    assert.deepEqual(await list('?status=archived'), ['Lease North']);
    assert.deepEqual(await list('?q=LEASE'), ['Lease North', 'Lease South']);
    assert.deepEqual(await list('?q=100%25'), ['Policy 100%'], 'wildcards of other systems are normal characters');
    assert.deepEqual(await list('?q=_'), []);
    assert.deepEqual(await list('?status=draft&q=lease'), ['Lease South']);
    assert.deepEqual(await list(`?folderId=${randomUUIDv7()}`), []);
    assert.deepEqual(await list('?folderId=nonsense'), []);
    assert.equal((await ask(someone, 'GET', '/?status=lost')).status, 400);

    assert.deepEqual(await list('?sort=-createdAt'), titles.toReversed());
    assert.deepEqual(await list('?sort=-title'), titles.toReversed());
    assert.deepEqual(await list('?sort=-updatedAt'), ['Lease North', 'Policy 100%', 'Lease South']);
    const since = (await ask(someone, 'GET', `/${made[2].id}`)).body.updatedAt;
    assert.deepEqual(await list(`?updatedSince=${since}&sort=updatedAt`), ['Policy 100%', 'Lease North']);
    for (const query of ['?sort=size', '?updatedSince=yesterday', '?sort=updatedAt&cursor=WyJ4Il0'])
      assert.equal((await ask(someone, 'GET', `/${query}`)).status, 400, query);

    const walked: string[] = [];
    let next: string | undefined = `${path}/?limit=2&q=e`;
    for (let page = 0; next && page < 5; page += 1) {
      const answer: TestResponse = await chancery.call('GET', next, { token: someone.token });
      assert.ok(answer.body.length <= 2);
      walked.push(...answer.body.map((one: any) => one.title));
      next = /<[^>]*?(\/api[^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(walked, ['Lease North', 'Lease South']);
    for (const query of ['?limit=0', '?limit=501', '?limit=x', '?cursor=nonsense'])
      assert.equal((await ask(someone, 'GET', `/${query}`)).status, 400, query);
  });
});
