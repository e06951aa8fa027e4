import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam } from '../harness.ts';
import { eventually } from '../webhook-receiver.ts';
import type { Operation } from '../openapi.ts';
import { seedEverything } from '../seed.ts';
import { firstStaff, staffToken } from '../staff.ts';
import { seededPath } from './isolation.ts';
import { named } from './walk.ts';
import { exhaustive, sample } from '../tier.ts';

let chancery: Chancery;
let team: TestTeam;
let staff: string;
let seeded: Record<string, string>;
before(async () => {
  chancery = await startChancery({ withoutReading: true, settings: { ALTCHA: 'off', WEBHOOK_RETRY_SCHEDULE: '1h', ...firstStaff } });
  team = await chancery.team();
  staff = await staffToken(chancery);
  seeded = await seedEverything(chancery, team.owner);
  // A job prepares the signature request and changes it.
  const jobs = "SELECT FROM job WHERE name LIKE 'signature-%' AND state IN ('ready', 'running')";
  await eventually('the request is prepared', async () => (await chancery.pool.query(jobs)).rowCount === 0);
  await eventually('a checkpoint', async () => (await chancery.call('GET', '/tlog/checkpoint')).status === 200);
});
after(() => chancery.stop());

const shown = ({ responses }: Operation) => responses['200']?.content?.['application/json']?.schema;
/** Whether an operation reads a single resource: a JSON object, with authentication. */
const oneThing = (operation: Operation) =>
  operation.method === 'GET' && ['user', 'staff'].includes(operation.access) && shown(operation)?.type === 'object';
const query: Record<string, string> = {
  'GET /api/v1/security/audit/consistency': '?from=0&to=1',
  'GET /api/v1/smartdoc/documents/{id}/compare': '?from=1',
  'GET /ws/api/agents/skills/file': '?name=seeded-skill',
};
/** Reads of a current state, which can change between two calls. */
const moving = new Set(['GET /api/v1/team/usage', 'GET /api/v1/security/audit/checkpoint', 'GET /api/v1/security/audit/{id}/proof']);

const folders = '/api/v1/smartdoc/folders';
const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag') ?? '';

test('each read of a single resource has an ETag, and a request with this ETag gets 304', async () => {
  const walked: string[] = [];
  for (const operation of sample(chancery.description.operations.filter(oneThing), 0.1, named)) {
    const names = operation.path
      .replace('/templates/{name}', '/templates/dpia')
      .replace('{version}', '1')
      .replace('/presets/{id}', '/presets/policy-librarian');
    const path = `${seededPath(seeded, names)}${query[named(operation)] ?? ''}`;
    const token = operation.access === 'staff' ? staff : path.endsWith('/barrier') ? undefined : team.owner.token;
    if (token === undefined) continue;
    const get = (headers: Record<string, string> = {}, method = 'GET') => chancery.call(method, path, { token, headers });
    const first = await get();
    assert.equal(first.status, 200, `${named(operation)}: ${first.text}`);
    assert.match(tagOf(first), /^"(\d+-)?[\w-]{16}"$/, named(operation));
    walked.push(named(operation));
    if (moving.has(named(operation))) continue;
    for (const known of [tagOf(first), `"other", W/${tagOf(first)}`, '*']) {
      const again = await get({ 'if-none-match': known });
      assert.deepEqual([again.status, again.text, tagOf(again)], [304, '', tagOf(first)], `${named(operation)} for ${known}`);
    }
    const whole = await get({ 'if-none-match': '"other"' });
    assert.deepEqual([whole.status, whole.text], [200, first.text], named(operation));
    const head = await get({}, 'HEAD');
    assert.deepEqual([head.status, head.text, tagOf(head)], [200, '', tagOf(first)], named(operation));
    assert.equal((await get({ 'if-none-match': tagOf(first) }, 'HEAD')).status, 304, named(operation));
  }
  if (exhaustive) assert.ok(walked.length > 20, walked.join('\n'));
});

test('the ETag changes with the content of the response, even if the resource itself is unchanged', async () => {
  const folder = await chancery.folder(team.owner);
  const get = (known = '') =>
    chancery.call('GET', `${folders}/${folder.id}`, { token: team.owner.token, headers: { 'if-none-match': known } });
  const empty = tagOf(await get());
  assert.equal((await get(empty)).status, 304);
  await chancery.document(team.owner, { folderId: folder.id });
  const filled = await get(empty);
  assert.deepEqual([filled.status, filled.body.documentsCount], [200, 1]);
  assert.notEqual(tagOf(filled), empty);
  // The folder itself is unchanged, so the old ETag is still valid for a change.
  const put = (tag: string) =>
    chancery.call('PUT', `${folders}/${folder.id}`, { token: team.owner.token, body: { color: 'red' }, headers: { 'if-match': tag } });
  assert.equal((await put(empty)).status, 200);
  assert.equal((await put(tagOf(filled))).status, 412);
});

test('callers who see different content of one resource get different ETags, and no 304 for the ETag of the other', async () => {
  const member = await chancery.user(team);
  const folder = await chancery.folder(member);
  const hidden = await chancery.folder(member, { parentId: folder.id });
  const barrier = await chancery.call('PUT', `${folders}/${hidden.id}/barrier`, { token: member.token, body: { userIds: [] } });
  assert.equal(barrier.status, 200);
  const [inside, outside] = await Promise.all(
    [member, team.owner].map((by) => chancery.call('GET', `${folders}/${folder.id}`, { token: by.token })),
  );
  assert.ok(inside && outside);
  assert.deepEqual([inside.body.childrenCount, outside.body.childrenCount], [1, 0]);
  assert.notEqual(tagOf(inside), tagOf(outside));
  const conditional = await chancery.call('GET', `${folders}/${folder.id}`, {
    token: team.owner.token,
    headers: { 'if-none-match': tagOf(inside) },
  });
  assert.deepEqual([conditional.status, conditional.body.childrenCount], [200, 0]);
});

test('a change with an invalid or weak ETag, or that of another resource, is rejected with 412', async () => {
  const document = await chancery.document(team.owner);
  for (const tag of ['""', '"-"', '"1-a b"', 'W/"1-abc"', '1', '"2-abc"', '"1"x'])
    assert.equal(
      (
        await chancery.call('PUT', `/api/v1/smartdoc/documents/${document.id}`, {
          token: team.owner.token,
          body: { title: 'New' },
          headers: { 'if-match': tag },
        })
      ).status,
      412,
      tag,
    );
});
