import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { file } from '../../../test/access/things.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';

const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
before(async () => {
  chancery = await startChancery({ withoutReading: true });
  team = await chancery.team();
  owner = team.owner;
});
after(() => chancery.stop());

async function addressOf(token: string, path: string, body?: object): Promise<string> {
  const {
    status,
    body: made,
    text,
  } = await chancery.call('POST', '/api/v1/downloads', { token, body: { path, ...(body ? { body } : {}) } });
  assert.equal(status, 201, text);
  return new URL(made.url).pathname;
}
const newDocument = async (user: User) => {
  const { body } = await chancery.call('POST', `${documents}/`, { token: user.token, body: file('Agreement') });
  return { id: body.id as string, path: `${documents}/${body.id}/content` };
};
const get = (path: string, options: RequestInit = {}, url = chancery.url) => fetch(url + path, options);
const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

test('a browser downloads a document by its address, without a header', async () => {
  const { path } = await newDocument(owner);
  const answer = await get(await addressOf(owner.token, path));
  assert.deepEqual([answer.status, await answer.text()], [200, 'Walked']);
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="walked.txt"/);
});

test('an address works once, and of 50 concurrent uses exactly one gets the file', async () => {
  const { path } = await newDocument(owner);
  const address = await addressOf(owner.token, path);
  const uses = await Promise.all(Array.from({ length: 50 }, () => get(address)));
  const found = await Promise.all(uses.map(async (answer) => (answer.status === 200 ? answer.text() : codeOf(answer))));
  assert.deepEqual(found.toSorted(), ['Walked', ...Array.from({ length: 49 }, () => 'download_expired')]);
});

test('HEAD returns the headers of the file and keeps the address', async () => {
  const { path } = await newDocument(owner);
  const address = await addressOf(owner.token, path);
  for (let times = 0; times < 2; times += 1) {
    const head = await get(address, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '6', '']);
  }
  assert.equal((await get(address)).status, 200);
});

test('a range request gets its part and ends the address', async () => {
  const { path } = await newDocument(owner);
  const address = await addressOf(owner.token, path);
  const part = await get(address, { headers: { range: 'bytes=1-3' } });
  assert.deepEqual([part.status, await part.text(), part.headers.get('content-range')], [206, 'alk', 'bytes 1-3/6']);
  assert.equal(await codeOf(await get(address)), 'download_expired');
});

test('an address sends a ZIP archive, which is a POST', async () => {
  const { id } = await newDocument(owner);
  const address = await addressOf(owner.token, `${documents}/download`, { documentIds: [id] });
  assert.equal((await get(address, { method: 'HEAD' })).status, 200);
  const answer = await get(address);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.deepEqual([answer.status, answer.headers.get('content-type'), bytes.subarray(0, 2).toString()], [200, 'application/zip', 'PK']);
  assert.equal(await codeOf(await get(address)), 'download_expired');
});

test('the access of the caller counts at the time of the download', async () => {
  const { id, path } = await newDocument(owner);
  const reader = await chancery.user(team, { role: 'member' });
  const { body: grant } = await chancery.call('POST', `${documents}/${id}/access`, {
    token: owner.token,
    body: { userId: reader.id, access: 'read' },
  });
  const [first, second] = [await addressOf(reader.token, path), await addressOf(reader.token, path)];
  assert.equal((await get(first)).status, 200);
  await chancery.call('DELETE', `${documents}/${id}/access/${grant.id}`, { token: owner.token });
  assert.deepEqual([(await get(second, { method: 'HEAD' })).status, await codeOf(await get(second))], [404, 'not_found']);
});

test('an address ends with the session of its caller', async () => {
  const { path } = await newDocument(owner);
  const member = await chancery.user(team, { role: 'admin' });
  const address = await addressOf(member.token, path);
  await chancery.call('POST', '/api/v1/security/auth/logout', { token: member.token });
  const answer = await get(address);
  assert.deepEqual([answer.status, await codeOf(answer)], [401, 'invalid_token']);
});

test('an API client needs the scope of the file', async () => {
  const { path } = await newDocument(owner);
  const { token } = await chancery.client(owner, ['tasks:read']);
  assert.equal(await codeOf(await get(await addressOf(token, path))), 'insufficient_scope');
});

test('an expired address is unknown', async () => {
  const { path } = await newDocument(owner);
  const address = await addressOf(owner.token, path);
  await chancery.pool.query("UPDATE download_address SET expires_at = now() - interval '1 second'");
  assert.equal(await codeOf(await get(address)), 'download_expired');
});

test('another node serves the address', async () => {
  const { path } = await newDocument(owner);
  const address = await addressOf(owner.token, path);
  const node = await chancery.node('api');
  try {
    assert.equal((await get(address, {}, node.address)).status, 200);
  } finally {
    await node.stop();
  }
});

test('the database has neither the address nor the access token', async () => {
  const { path } = await newDocument(owner);
  const token = (await addressOf(owner.token, path)).split('/').at(-1) ?? '';
  const { rows } = await chancery.pool.query('SELECT d::text AS row, credential FROM download_address d');
  for (const { row, credential } of rows) {
    assert.ok(!row.includes(token) && !row.includes(Buffer.from(token, 'base64url').toString('hex')));
    assert.ok(!credential.includes(Buffer.from(owner.token.slice(0, 40))));
  }
});

test('a path without a file is rejected', async () => {
  const paths = [
    documents,
    '/api/v1/tasks',
    '/oauth/token',
    `//evil.example${documents}/a/content`,
    'https://evil.example/',
    '/ws/api/agents/runs/a/events',
    '/api/v1/downloads/a',
  ];
  for (const path of paths) {
    const { status, body } = await chancery.call('POST', '/api/v1/downloads', { token: owner.token, body: { path } });
    assert.deepEqual([status, body.code], [422, 'not_downloadable'], path);
  }
});

test('an unknown address is a page in a browser, and an error document otherwise', async () => {
  const address = `/api/v1/downloads/${randomBytes(32).toString('base64url')}`;
  const [plain, page] = [await get(address), await get(address, { headers: { accept: 'text/html' } })];
  assert.deepEqual([plain.status, await codeOf(plain)], [404, 'download_expired']);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
});
