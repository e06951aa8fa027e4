import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../harness.ts';
import { askToSign } from '../signatures.ts';

/* Operations on several resources: each item follows the rules of the operation for one, with a separate result and journal entry. */

const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let member: User;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  member = await chancery.user(team);
});

const call = (by: { token: string }, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  chancery.call(method, path, { token: by.token, headers, ...(body === undefined ? {} : { body }) });
const made = async (by: User, method: string, path: string, body?: unknown) => {
  const answer = await call(by, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};
const items = (ids: readonly string[], members = {}) => ({ items: ids.map((id) => ({ id, ...members })) });
const outcomes = ({ status, body, text }: Awaited<ReturnType<typeof call>>) => {
  assert.equal(status, 200, text);
  return body.results.map(({ status: of, problem }: any) => [of, problem?.code].filter((one) => one !== undefined).join(' '));
};
const entries = async (id: string) =>
  (await made(team.owner, 'GET', `/api/v1/security/audit?targetId=${id}`)).events.map(({ type }: any) => type);

test('labels of several documents are replaced by the rules of each, and each change is in the journal', async () => {
  const [own, read, hidden] = [await chancery.document(member), await chancery.document(team.owner), await chancery.document(team.owner)];
  await made(team.owner, 'POST', `${documents}/${read.id}/access`, { userId: member.id, access: 'read' });
  const ids = [own.id, read.id, hidden.id, randomUUIDv7()];
  const answer = await call(member, 'POST', `${documents}/label`, items(ids, { labels: ['Basalt'] }));
  assert.deepEqual(outcomes(answer), ['200', '403 forbidden', '404 not_found', '404 not_found']);
  const [first, second] = answer.body.results;
  assert.deepEqual([first.document.id, first.document.labels], [own.id, ['Basalt']]);
  assert.equal(second.problem.instance, `${documents}/${read.id}`);
  assert.deepEqual(first.document, await made(member, 'GET', `${documents}/${own.id}`));
  assert.deepEqual(await entries(own.id), ['document.updated', 'document.created']);
  assert.ok(!(await entries(read.id)).includes('document.updated'));
});

test('several documents are moved to the bin, except those under a legal hold', async () => {
  const [free, held] = [await chancery.document(team.owner), await chancery.document(team.owner)];
  await made(team.owner, 'POST', '/api/v1/smartdoc/holds', { documentId: held.id, reason: 'Discovery' });
  const answer = await call(team.owner, 'POST', `${documents}/delete`, items([free.id, held.id]));
  assert.deepEqual(outcomes(answer), ['204', '409 legal_hold_active']);
  assert.ok(!('document' in answer.body.results[0]));
  assert.equal((await call(team.owner, 'GET', `${documents}/${free.id}`)).status, 404);
  assert.equal((await call(team.owner, 'GET', `${documents}/${held.id}`)).status, 200);
  assert.deepEqual((await entries(free.id))[0], 'document.deleted');
});

test('two batches with the same 20 documents in opposite order delete each document once', async () => {
  const ids = (await Promise.all(Array.from({ length: 20 }, () => chancery.document(team.owner)))).map(({ id }) => id);
  const answers = await Promise.all(
    [ids, ids.toReversed()].map(async (list) => outcomes(await call(team.owner, 'POST', `${documents}/delete`, items(list)))),
  );
  assert.ok(
    answers.flat().every((outcome) => outcome === '204' || outcome === '404 not_found'),
    answers.flat().join(),
  );
  assert.equal(answers.flat().filter((outcome) => outcome === '204').length, 20);
  for (const id of ids) assert.equal((await entries(id)).filter((type: string) => type === 'document.deleted').length, 1);
});

test('a repeated key returns the results again and deletes nothing twice', async () => {
  const { id } = await chancery.document(team.owner);
  const headers = { 'idempotency-key': randomUUIDv7() };
  const send = () => call(team.owner, 'POST', `${documents}/delete`, items([id]), headers);
  const [first, again] = [await send(), await send()];
  assert.deepEqual([outcomes(first), outcomes(again)], [['204'], ['204']]);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal((await entries(id)).filter((type: string) => type === 'document.deleted').length, 1);
});

test('a batch has 1 to 100 items, each once', async () => {
  const id = randomUUIDv7();
  for (const ids of [[], [id, id.toUpperCase()], Array.from({ length: 101 }, () => randomUUIDv7())])
    for (const verb of ['delete', 'label']) {
      const answer = await call(team.owner, 'POST', `${documents}/${verb}`, items(ids, verb === 'label' ? { labels: [] } : {}));
      assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'], `${verb} of ${ids.length}`);
    }
});

test('several users are invited, each with a mail and a result; a member and a second invitation are rejected', async () => {
  const { owner } = await chancery.team();
  const address = () => `new.${randomUUIDv7()}@guest.example`;
  const [first, second] = [address(), address()];
  await made(owner, 'POST', '/api/v1/team/invitations', { email: second, role: 'member' });
  const invited = [first, second, owner.email].map((email) => ({ email, role: 'member' }));
  const answer = await call(owner, 'POST', '/api/v1/team/invitations/batch', { items: invited });
  assert.deepEqual(outcomes(answer), ['201', '409 already_invited', '409 already_member']);
  assert.deepEqual(
    answer.body.results.map(({ email }: any) => email),
    [first, second, owner.email],
  );
  assert.equal(answer.body.results[0].invitation.email, first);
  const twice = await call(owner, 'POST', '/api/v1/team/invitations/batch', {
    items: [first, first.toUpperCase()].map((email) => ({ email, role: 'member' })),
  });
  assert.deepEqual([twice.status, twice.body.code], [400, 'validation_failed']);
});

test('of two batches that invite the same ten addresses at once, each address gets one invitation', async () => {
  const { owner } = await chancery.team();
  const invited = Array.from({ length: 10 }, (_, n) => ({ email: `race.${n}.${owner.team}@guest.example`, role: 'viewer' }));
  const answers = await Promise.all(
    [invited, invited.toReversed()].map(async (list) =>
      outcomes(await call(owner, 'POST', '/api/v1/team/invitations/batch', { items: list })),
    ),
  );
  assert.deepEqual(
    answers.flat().toSorted(),
    [...Array.from({ length: 10 }, () => '201'), ...Array.from({ length: 10 }, () => '409 already_invited')].toSorted(),
  );
  assert.equal((await made(owner, 'GET', '/api/v1/team/invitations')).length, 10);
});

test('several deliveries are sent again, and each result has the delivery', async () => {
  const { owner } = team;
  const { id } = await made(owner, 'POST', '/api/v1/webhooks/', { name: 'Log', url: 'https://hooks.example.com/x', events: ['folder.*'] });
  const tested = [await made(owner, 'POST', `/api/v1/webhooks/${id}/test`), await made(owner, 'POST', `/api/v1/webhooks/${id}/test`)];
  const [failed, done] = tested.map((delivery) => delivery.id as string);
  await chancery.pool.query("UPDATE webhook_delivery SET status = 'failed' WHERE id = $1", [failed]);
  await chancery.pool.query("UPDATE webhook_delivery SET status = 'delivered' WHERE id = $1", [done]);
  await chancery.pool.query('DELETE FROM webhook_queue WHERE delivery_id = ANY ($1)', [[failed, done]]);
  const answer = await call(owner, 'POST', `/api/v1/webhooks/${id}/deliveries/retry`, items([failed ?? '', done ?? '', randomUUIDv7()]));
  assert.deepEqual(outcomes(answer), ['200', '409 webhook_delivery_not_retryable', '404 not_found']);
  assert.deepEqual([answer.body.results[0].delivery.id, answer.body.results[0].delivery.status], [failed, 'pending']);
  assert.ok((await entries(failed ?? '')).includes('webhook.delivery.retried'));
});

test('several failed signature requests are retried by the rules of each', async () => {
  const [failed, waiting] = [await askToSign(chancery, team.owner), await askToSign(chancery, team.owner)];
  await chancery.pool.query("UPDATE signature_request SET status = 'failed', step = 'prepare' WHERE id = $1", [failed.id]);
  const answer = await call(team.owner, 'POST', '/api/v1/signatures/retry', items([failed.id, waiting.id]));
  assert.deepEqual(outcomes(answer), ['200', '409 nothing_to_retry']);
  assert.equal(answer.body.results[0].request.status, 'preparing');
  assert.ok((await entries(failed.id)).includes('signature.retried'));
});
