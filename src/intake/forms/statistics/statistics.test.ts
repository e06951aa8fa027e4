import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { askingUnder } from '../../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
let creator: User;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  creator = await chancery.user(team);
});

const { call: send, made: ok } = askingUnder(`${path}/`, () => chancery);
const counsel = { name: 'Counsel', fields: [{ id: 'name', type: 'text', label: 'Name', public: true }] };
const form = { title: 'Intake', type: 'form', fields: [{ id: 'name', type: 'text', label: 'Name' }] };

test('submissions are counted by day and channel, and stay counted after an erasure', async () => {
  const { id } = await ok(creator, 'POST', '', form);
  const { publicToken, apiToken } = await ok(creator, 'POST', `${id}/publish`, { revision: 1 });
  const submit = (at: string, data: object) => chancery.call('POST', `${path}/${at}/submit`, { body: { data } });
  const { body } = await submit(`public/${publicToken}`, { name: 'Ada' });
  await submit(`public/${publicToken}`, { name: 'Bob' });
  await submit(`public/${publicToken}`, { name: 'Bot', _website: 'spam' });
  await submit(`api/${apiToken}`, { name: 'Program' });
  await ok(creator, 'DELETE', `${id}/submissions/${body.submissionId}`);
  await chancery.pool.query(
    `INSERT INTO interface_day (team_id, interface_id, day, channel, received) VALUES ($1, $2, '2026-01-31', 'public', 7), ($1, $2, '2026-02-01', 'public', 8)`,
    [team.id, id],
  );
  const recent = await ok(creator, 'GET', `${id}/statistics`);
  assert.equal(recent.total, 3);
  assert.deepEqual(
    recent.days.map(({ channel, received, spam }: any) => [channel, received, spam]),
    [
      ['api', 1, 0],
      ['public', 2, 1],
    ],
  );
  const { from, to, days } = await ok(creator, 'GET', `${id}/statistics?from=2026-01-01&to=2026-01-31`);
  assert.deepEqual([from, to, days], ['2026-01-01', '2026-01-31', [{ day: '2026-01-31', channel: 'public', received: 7, spam: 0 }]]);
  for (const span of ['from=2026-02-01&to=2026-01-01', 'from=2020-01-01&to=2026-01-01', 'from=yesterday'])
    assert.equal((await send(creator, 'GET', `${id}/statistics?${span}`)).status, 400, span);
  const editor = await chancery.user(team);
  await ok(creator, 'POST', `${id}/shares`, { userId: editor.id, rights: ['edit'] });
  assert.equal((await send(editor, 'GET', `${id}/statistics`)).status, 403);
});

test('a duplicate is a draft of its creator with the same questions, but without answers, links and shares', async () => {
  const { id } = await ok(creator, 'POST', '', { ...form, description: 'All of it', config: { retainDays: 7 } });
  await ok(creator, 'POST', `${id}/publish`, { revision: 1 });
  const editor = await chancery.user(team);
  await ok(creator, 'POST', `${id}/shares`, { userId: editor.id, rights: ['edit'] });
  const answer = await send(editor, 'POST', `${id}/duplicate`, { title: 'Second' });
  assert.equal(answer.status, 201, answer.text);
  const { title, description, fields, config, status, userId, revision } = answer.body;
  assert.deepEqual(
    [title, description, fields, config.retainDays, status, userId, revision],
    ['Second', 'All of it', form.fields, 7, 'draft', editor.id, 1],
  );
  assert.notEqual(answer.body.id, id);
  assert.deepEqual(await ok(editor, 'GET', `${answer.body.id}/shares`), []);
  assert.equal((await ok(editor, 'POST', `${id}/duplicate`, {})).title, 'Intake');
  const stranger = await chancery.user(team);
  assert.equal((await send(stranger, 'POST', `${id}/duplicate`, {})).status, 404);
});

test('a duplicate requires access to every resource that it names', async () => {
  const editor = await chancery.user(team);
  const folder = await chancery.folder(creator);
  const registry = (await chancery.call('POST', '/api/v1/registries', { token: creator.token, body: counsel })).body;
  const leaver = await chancery.user(team);
  const named: [object, string, string | undefined][] = [
    [{ config: { folderId: folder.id } }, 'parent_not_found', undefined],
    [{ fields: [{ id: 'who', type: 'registry', label: 'Who', registryTypeId: registry.id }] }, 'registry_not_found', undefined],
    [{ config: { notify: [leaver.id] } }, 'interface_invalid', '/config/notify/0'],
    [{ config: { startsTemplate: 'gone' } }, 'interface_invalid', '/config/startsTemplate'],
  ];
  const steps = [{ id: 'look', type: 'task' }];
  const template = await chancery.call('POST', '/api/v1/workflows/templates', {
    token: creator.token,
    body: { name: 'gone', description: 'Gone soon', steps },
  });
  assert.equal(template.status, 201, template.text);
  const forms = [];
  for (const [definition] of named) forms.push(await ok(creator, 'POST', '', { ...form, ...definition }));
  for (const { id } of forms) await ok(creator, 'POST', `${id}/shares`, { userId: editor.id, rights: ['edit'] });
  const left = `/api/v1/team/members/${leaver.id}?successorId=${creator.id}`;
  assert.equal((await chancery.call('DELETE', left, { token: team.owner.token })).status, 204);
  assert.equal((await chancery.call('DELETE', '/api/v1/workflows/templates/gone', { token: creator.token })).status, 204);
  await chancery.pool.query("INSERT INTO team_quota (team_id, name, most) VALUES ($1, 'interfaces', 1)", [team.id]);
  assert.equal((await send(creator, 'POST', `${forms[0].id}/duplicate`, {})).body.code, 'quota_exceeded');
  await chancery.pool.query('DELETE FROM team_quota WHERE team_id = $1', [team.id]);
  for (const [nth, [, code, pointer]] of named.entries()) {
    const { status, body, text } = await send(editor, 'POST', `${forms[nth].id}/duplicate`, {});
    assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [422, code, pointer], text);
  }
});
