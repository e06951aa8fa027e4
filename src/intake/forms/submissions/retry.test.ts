import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { letJobsBeDue } from '../../../../test/jobs.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
let creator: User;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  creator = await chancery.user(team);
});

type Form = { id: string; publicToken: string };
const call = (method: string, at: string, body?: unknown, { token }: User = creator) =>
  chancery.call(method, at, { token, ...(body === undefined ? {} : { body }) });
async function ok(...args: Parameters<typeof call>) {
  const answer = await call(...args);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}
async function formOf(config: object): Promise<Form> {
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const { id } = await ok('POST', `${path}/`, { title: 'Intake', type: 'form', fields, config });
  return ok('POST', `${path}/${id}/publish`, { revision: 1 });
}
async function submitted({ publicToken }: Form): Promise<string> {
  const answer = await chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data: { name: 'Ada' } } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.submissionId;
}
const retry = ({ id }: Form, submission: string, by?: User) => call('POST', `${path}/${id}/submissions/${submission}/retry`, undefined, by);
const codeOf = ({ status, body }: { status: number; body: any }) => `${status} ${body?.code ?? ''}`.trim();
const effect = (of: any, kind: string) => of.effects.find((one: any) => one.kind === kind);

test('failed effects are retried once even by concurrent callers, and successful effects are not repeated', async () => {
  const folder = await chancery.folder(creator, { name: 'Intake' });
  const form = await formOf({ createsDocument: true, startsTemplate: 'incident-report', folderId: folder.id });
  await ok('DELETE', `/api/v1/smartdoc/folders/${folder.id}`);
  const id = await submitted(form);
  const still = await ok('POST', `${path}/${form.id}/submissions/${id}/retry`);
  const { status, code, attempts } = effect(still, 'document');
  assert.deepEqual([still.status, status, code, attempts], ['failed', 'failed', 'parent_not_found', 2]);

  await ok('POST', `/api/v1/smartdoc/folders/${folder.id}/restore`);
  const answers = await Promise.all(Array.from({ length: 20 }, () => retry(form, id)));
  assert.deepEqual(answers.map(codeOf).toSorted(), ['200', ...Array.from({ length: 19 }, () => '409 submission_not_failed')]);
  const done = answers.find(({ status: answered }) => answered === 200)?.body;
  assert.deepEqual([done.status, effect(done, 'document').status, effect(done, 'document').attempts], ['received', 'done', 3]);
  assert.deepEqual([effect(done, 'workflow').attempts, effect(done, 'workflow').resultId], [1, effect(still, 'workflow').resultId]);
  const { rows } = await chancery.pool.query("SELECT user_id FROM document WHERE metadata ->> 'submissionId' = $1", [id]);
  assert.deepEqual(rows, [{ user_id: creator.id }]);
  const entries = await chancery.pool.query(
    "SELECT actor_id, data FROM audit_entry WHERE type = 'submission.retried' AND target_id = $1 ORDER BY id",
    [id],
  );
  assert.deepEqual(entries.rows, [
    { actor_id: creator.id, data: { interfaceId: form.id, kinds: ['document'] } },
    { actor_id: creator.id, data: { interfaceId: form.id, kinds: ['document'] } },
  ]);
});

test('a failed PDF is created by a retry', async () => {
  const form = await formOf({ createsDocument: true });
  await chancery.pool.query("INSERT INTO team_quota (team_id, name, most) VALUES ($1, 'storage', 1)", [team.id]);
  const id = await submitted(form);
  const read = () => ok('GET', `${path}/${form.id}/submissions/${id}`);
  await eventually('the PDF has failed', async () => {
    await letJobsBeDue(chancery.pool, 'waiting', 'issued-document');
    return (await read()).status === 'failed';
  });
  await chancery.pool.query('DELETE FROM team_quota WHERE team_id = $1', [team.id]);
  const retried = await ok('POST', `${path}/${form.id}/submissions/${id}/retry`);
  assert.deepEqual([retried.status, effect(retried, 'document').attempts], ['received', 1]);
  await eventually('the PDF is created', async () => effect(await read(), 'pdf').status === 'done');
});

test('a submission that has not failed, was erased or belongs to another form cannot be retried', async () => {
  const [form, other] = [await formOf({ createsDocument: true }), await formOf({})];
  const id = await submitted(form);
  assert.equal(codeOf(await retry(form, id)), '409 submission_not_failed');
  assert.equal(codeOf(await retry(other, id)), '404 not_found');
  await ok('DELETE', `${path}/${form.id}/submissions/${id}`);
  assert.equal(codeOf(await retry(form, id)), '404 not_found');
});
