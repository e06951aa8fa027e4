import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { asking } from '../../../../test/asking.ts';
import { followStream } from '../../../../test/event-stream.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';

type Changed = { type: string; id: string; updatedAt: string };
type Stream = Awaited<ReturnType<typeof followStream>>;

const changesPath = '/api/v1/changes';
const streams: Stream[] = [];
let chancery: Chancery;
let team: TestTeam;
let ada: User;
let ben: User;

before(async () => {
  chancery = await startChancery({ settings: { ALTCHA: 'off' } });
  team = await chancery.team();
  [ada, ben] = [await chancery.user(team), await chancery.user(team)];
});
const leaveAll = () => streams.splice(0).forEach((stream) => stream.leave());
afterEach(leaveAll);
after(async () => {
  leaveAll();
  await chancery.stop();
});

const { call: ask, made: done } = asking(() => chancery);

async function follow(token: string, lastEventId?: string, url = chancery.url): Promise<Stream> {
  const stream = await followStream(`${url}${changesPath}`, token, lastEventId);
  streams.push(stream);
  await eventually('the first event', async () => stream.events.length > 0);
  return stream;
}

const changesOf = ({ events }: Stream) => events.flatMap(({ event, data }) => (event === 'change' ? [data as Changed] : []));
const has = (stream: Stream, id: string) => changesOf(stream).some((one) => one.id === id);
const lastId = ({ events }: Stream) => events.at(-1)?.id ?? '';
/** A change of the whole team. Changes before it were sent before it. */
async function marker(...all: Stream[]): Promise<void> {
  const { id } = await done(team.owner, 'POST', '/api/v1/groups/', { name: `Group ${Math.random()}` });
  for (const stream of all) await eventually('the change of a group', async () => has(stream, id));
}
const task = (of: User, to: User) => done(of, 'POST', '/api/v1/tasks/', { title: 'Read the lease', assignedTo: to.id });

test('a stream has the changes that the caller may see, and no others', async () => {
  const [ofAda, ofBen] = [await follow(ada.token), await follow(ben.token)];
  const { id } = await task(ada, ada);
  await eventually('Ada sees her task', async () => has(ofAda, id));
  await marker(ofAda, ofBen);
  assert.ok(!has(ofBen, id));
  const [change] = changesOf(ofAda);
  assert.deepEqual(Object.keys(change ?? {}), ['type', 'id', 'updatedAt']);
  assert.equal(change?.type, 'task');
});

test('a stream continues after the last received event, without a gap', async () => {
  const first = await follow(ada.token);
  await marker(first);
  const position = lastId(first);
  first.leave();
  const { id } = await task(ada, ada);
  const { id: document } = await done(ada, 'POST', '/api/v1/smartdoc/documents', { title: 'Lease' });
  const second = await follow(ada.token, position);
  await eventually('both changes', async () => has(second, id) && has(second, document));
  assert.equal(second.events[0]?.event, 'ready');
});

test('a position that the journal has not reached is reset', async () => {
  const stream = await follow(ada.token, '999999999');
  assert.equal(stream.events[0]?.event, 'reset');
  await marker(stream);
});

test('several changes of a resource are one event, with the last time', async () => {
  const first = await follow(ada.token);
  await marker(first);
  const position = lastId(first);
  const { id } = await done(team.owner, 'POST', '/api/v1/groups/', { name: `Group ${Math.random()}` });
  for (const description of ['one', 'two']) await done(team.owner, 'PATCH', `/api/v1/groups/${id}`, { description });
  await marker(first);
  const again = await follow(ada.token, position);
  await eventually('the group', async () => has(again, id));
  const { updatedAt } = (await ask(ada, 'GET', `/api/v1/groups/${id}`)).body;
  assert.deepEqual(
    changesOf(again).filter((one) => one.id === id),
    [{ type: 'group', id, updatedAt }],
  );
});

test('changes of a document also change its folder', async () => {
  const { id: folderId } = await done(ada, 'POST', '/api/v1/smartdoc/folders', { name: `Leases ${Math.random()}` });
  const stream = await follow(ada.token);
  const { id } = await done(ada, 'POST', '/api/v1/smartdoc/documents', { title: 'Lease', folderId });
  await eventually('document and folder', async () => has(stream, id) && has(stream, folderId));
  const earlier = changesOf(stream).filter((one) => one.id === folderId).length;
  await ask(ada, 'DELETE', `/api/v1/smartdoc/documents/${id}`);
  await eventually('the folder again', async () => changesOf(stream).filter((one) => one.id === folderId).length > earlier);
});

test('a submission is a change only for those who may read submissions', async () => {
  const field = { id: 'name', type: 'text', label: 'Name' };
  const { id } = await done(ada, 'POST', '/api/v1/interfaces/', { title: 'Intake', type: 'form', fields: [field] });
  const { publicToken } = await done(ada, 'POST', `/api/v1/interfaces/${id}/publish`, { revision: 1 });
  const [ofAda, ofBen] = [await follow(ada.token), await follow(ben.token)];
  const submitted = await chancery.call('POST', `/api/v1/interfaces/public/${publicToken}/submit`, { body: { data: { name: 'Eve' } } });
  const { submissionId } = submitted.body;
  await eventually('Ada sees it', async () => changesOf(ofAda).some((one) => one.type === 'submission' && one.id === submissionId));
  await marker(ofBen);
  assert.ok(!changesOf(ofBen).some(({ type }) => type === 'submission' || type === 'interface'));
});

test('a change is not sent after its reader lost access', async () => {
  const { id } = await done(ada, 'POST', '/api/v1/smartdoc/folders', { name: `Shared ${Math.random()}` });
  const share = await done(ada, 'POST', `/api/v1/smartdoc/folders/${id}/shares`, { userId: ben.id, access: 'read' });
  const stream = await follow(ben.token);
  await done(ada, 'POST', '/api/v1/smartdoc/documents', { title: 'Shared', folderId: id });
  await eventually('Ben sees it', async () => has(stream, id));
  await ask(ada, 'DELETE', `/api/v1/smartdoc/folders/${id}/shares/${share.id}`);
  await marker(stream);
  const earlier = changesOf(stream).filter((one) => one.id === id).length;
  const { id: later } = await done(ada, 'POST', '/api/v1/smartdoc/documents', { title: 'Not shared', folderId: id });
  await marker(stream);
  assert.equal(changesOf(stream).filter((one) => one.id === id).length, earlier);
  assert.ok(!has(stream, later));
});

test('a stream ends without another change when the member is suspended', async () => {
  const cleo = await chancery.user(team);
  const stream = await follow(cleo.token);
  await marker(stream);
  assert.equal((await ask(team.owner, 'PATCH', `/api/v1/team/members/${cleo.id}`, { isActive: false })).status, 200);
  const known = stream.events.length;
  await done(team.owner, 'POST', '/api/v1/groups/', { name: `Group ${Math.random()}` });
  await eventually('the end', async () => stream.ended);
  assert.equal(stream.events.length, known);
});

test('changes of another team are never sent', async () => {
  const other = await chancery.team();
  const [own, foreign] = [await follow(ada.token), await follow(other.owner.token)];
  const { id } = await task(ada, ada);
  await eventually('Ada sees it', async () => has(own, id));
  const { id: group } = await done(other.owner, 'POST', '/api/v1/groups/', { name: 'Others' });
  await eventually('the other team sees its own', async () => has(foreign, group));
  assert.ok(!has(foreign, id) && !has(own, group));
});

test('an API client gets changes of the types of its scopes', async () => {
  const client = await chancery.client(team.owner, ['tasks:read']);
  const stream = await follow(client.token);
  const { id: document } = await done(ada, 'POST', '/api/v1/smartdoc/documents', { title: 'Lease' });
  const { id } = await task(ada, ada);
  await eventually('the task', async () => has(stream, id));
  assert.ok(!has(stream, document));
});

test('each change reaches streams on every node', async () => {
  const other = await chancery.node('api');
  const stream = await follow(ada.token, undefined, other.address ?? '');
  const { id } = await task(ada, ada);
  await eventually('the change', async () => has(stream, id));
});

test('the eleventh stream of a person is rejected', async () => {
  const dora = await chancery.user(team);
  for (let n = 0; n < 10; n += 1) await follow(dora.token);
  const rejected = await ask(dora, 'GET', changesPath);
  assert.equal(rejected.status, 429);
});
