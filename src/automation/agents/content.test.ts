import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type User } from '../../../test/harness.ts';
import { listeners } from '../../listeners.ts';
import { knownScopes } from '#accounts';
import { loadTools } from '../../domains.ts';
import { openStorage } from '../../open-storage.ts';
import type { Scope } from '../../platform/scope.ts';
import { callOf, type Tool } from '../../platform/tools.ts';

const agents = '/ws/api/agents';
let chancery: Chancery;
let owner: User;
const { call, made, status } = asking(() => chancery);

before(async () => {
  chancery = await sharedChancery();
  ({ owner } = await chancery.team());
});

/** Creates an agent and returns the path of its files. */
const filesOfNew = async (): Promise<string> => {
  const { id } = await made(owner, 'POST', `${agents}/`, { name: `Agent ${randomUUIDv7()}` });
  return `${agents}/${id}/files`;
};
const refused = async (method: string, path: string, body?: unknown) => {
  const answer = await call(owner, method, path, body);
  return `${answer.status} ${answer.body?.code}`;
};

test('a file can be written, read by any spelling of its name and listed; each version names its writer', async () => {
  const files = await filesOfNew();
  const first = await made(owner, 'PUT', `${files}/Playbooks%2FNDA.md`, { content: 'Three years 😀' });
  assert.deepEqual(first.file, { ...first.file, name: 'Playbooks/NDA.md', size: 16, version: 1, updatedBy: owner.id });
  const second = await made(owner, 'PUT', `${files}/playbooks%2fnda.md`, { content: 'Two years' });
  assert.deepEqual([second.file.name, second.file.version], ['Playbooks/NDA.md', 2]);
  assert.deepEqual(await made(owner, 'GET', `${files}/PLAYBOOKS%2FNDA.MD`), second);
  const list = await made(owner, 'GET', files);
  const { content, version, ...listed } = second.file;
  assert.deepEqual([content, version, list.files], ['Two years', 2, [{ ...listed, etag: '"2"' }]]);
  const versions = files.replace('/files', '/file-versions');
  assert.deepEqual(
    (await made(owner, 'GET', `${versions}?name=playbooks%2Fnda.md`)).versions.map((one: any) => [one.name, one.version, one.changedBy]),
    [
      ['Playbooks/NDA.md', 2, owner.id],
      ['Playbooks/NDA.md', 1, owner.id],
    ],
  );
  assert.equal((await made(owner, 'GET', `${files}/playbooks%2Fnda.md?version=1`)).file.content, 'Three years 😀');
  const back = await made(owner, 'POST', `${files}/playbooks%2Fnda.md/restore`, { version: 1 });
  assert.deepEqual([back.file.content, back.file.version], ['Three years 😀', 3]);
  assert.equal((await made(owner, 'GET', versions)).versions.length, 3);
  for (const way of [
    refused('POST', `${files}/playbooks%2Fnda.md/restore`, { version: 9 }),
    refused('GET', `${files}/playbooks%2Fnda.md?version=9`),
  ])
    assert.equal(await way, '404 not_found');
  assert.equal(await status(owner, 'DELETE', `${files}/playbooks%2Fnda.md`), 204);
  assert.equal(await status(owner, 'GET', `${files}/playbooks%2Fnda.md`), 404);
  assert.equal(await status(owner, 'GET', `${versions}?name=playbooks%2Fnda.md`), 404);
});

test('exactly one of fifty writes with the same version succeeds; without a version all of fifty writes of a new file succeed', async () => {
  const files = await filesOfNew();
  const made50 = await Promise.all(Array.from({ length: 50 }, (_, n) => status(owner, 'PUT', `${files}/a.md`, { content: `${n}` })));
  assert.deepEqual(made50, Array(50).fill(200));
  const [{ etag }] = (await made(owner, 'GET', files)).files;
  assert.equal(etag, '"50"');
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) => status(owner, 'PUT', `${files}/a.md`, { content: `${n}` }, { 'if-match': etag })),
  );
  assert.deepEqual(outcomes.toSorted(), [200, ...Array(49).fill(412)]);
  assert.equal(await status(owner, 'PUT', `${files}/new.md`, { content: '' }, { 'if-match': '"1"' }), 412);
  assert.equal((await made(owner, 'GET', `${files.replace('/files', '/file-versions')}?name=a.md`)).versions.length, 20);
});

test('unsafe names get 400 over HTTP in every encoding', async () => {
  const files = await filesOfNew();
  const names = [
    '..%2Fmain',
    '%2e%2e%2fmain',
    '..%252fmain',
    '%2Fetc%2Fpasswd',
    'a%00b',
    'a%5Cb',
    'CON',
    'a%2F..%2Fb',
    'a%E2%80%AEb',
    'x'.repeat(300),
  ];
  for (const name of names) assert.equal(await refused('PUT', `${files}/${name}`, { content: 'x' }), '400 validation_failed', name);
  assert.deepEqual((await made(owner, 'GET', files)).files, []);
});

test('limits: 256 KiB of text in a file, 200 files and 10 MiB for an agent, and no file where a folder is needed', async () => {
  const files = await filesOfNew();
  const full = 'x'.repeat(256 * 1024);
  assert.equal(await refused('PUT', `${files}/long.md`, { content: `${full}x` }), '400 validation_failed');
  assert.equal(await refused('PUT', `${files}/long.md`, { content: 'é'.repeat(200 * 1024) }), '400 validation_failed');
  assert.equal(await refused('PUT', `${files}/nul.md`, { content: 'a\0b' }), '400 validation_failed');
  await Promise.all(Array.from({ length: 40 }, (_, n) => made(owner, 'PUT', `${files}/full${n}.md`, { content: full })));
  assert.equal(await refused('PUT', `${files}/more.md`, { content: 'x' }), '409 agent_file_limit');
  await made(owner, 'PUT', `${files}/full0.md`, { content: 'less' });
  await made(owner, 'PUT', `${files}/more.md`, { content: 'x' });
  assert.equal(await refused('POST', `${files}/full0.md/restore`, { version: 1 }), '409 agent_file_limit');
  assert.equal(await refused('PUT', `${files}/More.md%2Fa`, { content: 'x' }), '409 file_path_conflict');
  const small = await filesOfNew();
  const outcomes: number[] = [];
  for (let from = 0; from < 210; from += 70)
    outcomes.push(
      ...(await Promise.all(Array.from({ length: 70 }, (_, n) => status(owner, 'PUT', `${small}/d%2F${from + n}.md`, { content: '' })))),
    );
  assert.equal(outcomes.filter((one) => one === 200).length, 200);
  assert.equal(await refused('PUT', `${small}/d`, { content: '' }), '409 file_path_conflict');
});

const named = async (name: string): Promise<Tool> => {
  const storage = await openStorage(chancery.config);
  const tool = (await loadTools({ storage })).find((one) => one.name === name);
  assert.ok(tool, name);
  return tool;
};
/** Calls a tool as an agent of the team. */
async function asAgent(name: string, scopes: string[], input: unknown, folderIds?: string[]): Promise<any> {
  const tool = await named(name);
  const actor: Scope['actor'] = { type: 'agent', id: randomUUIDv7(), scopes: new Set(scopes), ...(folderIds ? { folderIds } : {}) };
  const given = callOf(tool, new Set(scopes), input);
  return chancery.database.inTeam(owner.team, (db) =>
    tool.run({ db, team: owner.team, actor, now: new Date(), requestId: randomUUIDv7(), listeners }, given),
  );
}

test('each tool has a unique name, an existing scope and the correct mutating flag', async () => {
  const { tools } = await made(owner, 'GET', `${agents}/tools`);
  assert.ok(tools.length >= 15);
  assert.equal(new Set(tools.map(({ name }: any) => name)).size, tools.length);
  for (const { name, scope, isMutating, annotations, inputSchema } of tools) {
    assert.match(name, /^[a-z][a-z_]{2,63}$/);
    assert.ok(knownScopes.includes(scope), name);
    assert.deepEqual([isMutating, annotations.readOnlyHint], [scope.endsWith(':write'), scope.endsWith(':read')], name);
    assert.equal(inputSchema.type, 'object', name);
  }
});

test('an agent has the reading tools of its scopes or those of its allow-list, without its deny-list', async () => {
  const has = async (id: string) =>
    (await made(owner, 'GET', `${agents}/tools?agentId=${id}`)).tools.filter(({ enabled }: any) => enabled).map(({ name }: any) => name);
  const main = await has('main');
  assert.ok(main.includes('search_documents') && !main.includes('create_task') && !main.includes('search_audit_journal'), main.join(' '));
  const one = await made(owner, 'POST', `${agents}/`, {
    name: 'Chosen',
    scopes: ['tasks:read', 'tasks:write', 'audit:read'],
    tools: { allow: ['create_task', 'get_task', 'get_document', 'search_audit_journal'], deny: ['get_task'] },
  });
  assert.deepEqual(await has(one.id), ['create_task', 'search_audit_journal']);
});

test('a tool enforces its scope and schema, and does its operation as the agent', async () => {
  const refusal = (code: string) => (error: any) => error.code === code;
  await assert.rejects(asAgent('create_task', ['tasks:read'], { title: 'No' }), refusal('insufficient_scope'));
  await assert.rejects(asAgent('create_task', ['tasks:write'], { title: 7 }), refusal('validation_failed'));
  await assert.rejects(asAgent('get_task', ['tasks:read'], { id: randomUUIDv7() }), refusal('not_found'));
  const task = await asAgent('create_task', ['tasks:read', 'tasks:write'], { title: 'Call Acme', assignedTo: owner.id });
  const read = await made(owner, 'GET', `/api/v1/tasks/${task.id}`);
  assert.deepEqual([read.title, read.createdByType, read.assignedTo], ['Call Acme', 'agent', owner.id]);
  await asAgent('comment_on_task', ['tasks:read', 'tasks:write'], { id: task.id, text: 'They are away' });
  assert.deepEqual(
    (await asAgent('list_task_comments', ['tasks:read'], { id: task.id })).items.map(({ text }: any) => text),
    ['They are away'],
  );
});

test('a tool returns nothing outside of the folders of an agent, and nothing for an agent without folders', async () => {
  const folder = await chancery.folder(owner);
  const inside = await chancery.document(owner, { title: 'Agreement inside', folderId: folder.id });
  const outside = await chancery.document(owner, { title: 'Agreement outside' });
  const seen = async (folderIds?: string[]) =>
    (await asAgent('search_documents', ['documents:read'], { q: 'Agreement' }, folderIds)).items.map(({ id }: any) => id).toSorted();
  assert.deepEqual(await seen(), [inside.id, outside.id].toSorted());
  assert.deepEqual(await seen([folder.id]), [inside.id]);
  assert.deepEqual(await seen([]), []);
  await assert.rejects(asAgent('get_document', ['documents:read'], { id: outside.id }, [folder.id]), /not/i);
  await made(owner, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [] });
  assert.deepEqual(await seen(), [outside.id]);
});

test('applying a preset again keeps the changes of users and reports them', async () => {
  const { id } = await made(owner, 'POST', `${agents}/`, { name: 'Reviewer' });
  const apply = (presetId: string) => made(owner, 'POST', `${agents}/presets/apply`, { presetId, agentId: id });
  const first = await apply('contract-reviewer');
  assert.deepEqual([first.files, first.conflicts], [['AGENTS.md', 'playbook.md'], []]);
  const agent = await made(owner, 'GET', `${agents}/${id}`);
  const { settings } = await made(owner, 'GET', `${agents}/presets/contract-reviewer`);
  assert.deepEqual([agent.presetId, agent.scopes, agent.tools.allow], ['contract-reviewer', settings.scopes, settings.tools.allow]);
  assert.deepEqual(await apply('contract-reviewer'), { ...first, files: [], settings: [] });
  await made(owner, 'PUT', `${agents}/${id}/files/Playbook.md`, { content: 'Ours' });
  await made(owner, 'PATCH', `${agents}/${id}`, { approval: 'always' });
  const again = await apply('contract-reviewer');
  assert.deepEqual(again.conflicts, [
    { kind: 'setting', name: 'approval' },
    { kind: 'file', name: 'playbook.md' },
  ]);
  assert.equal((await made(owner, 'GET', `${agents}/${id}/files/playbook.md`)).file.content, 'Ours');
  const other = await apply('deadline-watcher');
  assert.deepEqual([other.files, other.conflicts], [['AGENTS.md'], [{ kind: 'setting', name: 'approval' }]]);
  assert.equal((await made(owner, 'GET', `${agents}/${id}`)).approval, 'always');
  assert.equal(await refused('POST', `${agents}/presets/apply`, { presetId: 'none', agentId: id }), '404 not_found');
});

test('each preset can be applied to a new agent, and its tools and scopes exist', async () => {
  const { tools } = await made(owner, 'GET', `${agents}/tools`);
  const list = await made(owner, 'GET', `${agents}/presets`);
  assert.equal(list.length, 6);
  for (const { id: presetId } of list) {
    const { id } = await made(owner, 'POST', `${agents}/`, { name: presetId });
    const done = await made(owner, 'POST', `${agents}/presets/apply`, { presetId, agentId: id });
    assert.deepEqual(done.conflicts, [], presetId);
    const { settings } = await made(owner, 'GET', `${agents}/presets/${presetId}`);
    const has = (await made(owner, 'GET', `${agents}/tools?agentId=${id}`)).tools.filter(({ enabled }: any) => enabled);
    assert.deepEqual(
      has.map(({ name }: any) => name),
      settings.tools.allow.toSorted(),
      presetId,
    );
    assert.ok(tools.length > has.length);
  }
  const folder = await chancery.folder(owner);
  const { id } = await made(owner, 'POST', `${agents}/`, { name: 'Confined', folderIds: [folder.id] });
  const audit = { presetId: 'audit-summarizer', agentId: id };
  assert.equal(await refused('POST', `${agents}/presets/apply`, audit), '422 scope_not_confinable');
  const { id: full } = await made(owner, 'POST', `${agents}/`, { name: 'Full' });
  await made(owner, 'PUT', `${agents}/${full}/files/AGENTS.md%2Fa`, { content: '' });
  assert.equal(await refused('POST', `${agents}/presets/apply`, { presetId: 'audit-summarizer', agentId: full }), '409 file_path_conflict');
});
