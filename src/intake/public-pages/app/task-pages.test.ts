import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { withoutBrowser } from '../../../../test/browser.ts';
import { type Chancery, sharedChancery, type TestTeam } from '../../../../test/harness.ts';
import { cookiesOf, pageClient } from '../../../../test/page-client.ts';
import { broughtIn, goodPassword, mailsTo, type Registered, registered } from '../../../../test/people.ts';
import { askToSign, outToSign, pdfDocument, presentPdf, signatures } from '../../../../test/signatures.ts';
import { desktop, fits, keep, useBrowser } from '../../../../test/visits.ts';

let chancery: Chancery;
let team: TestTeam;
let member: Registered;
let cookie: string;
const { get, post } = pageClient(() => chancery);
const enter = async (email: string) => cookiesOf(await post('/app/sign-in', { email, password: goodPassword }));

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team('Harbour & Lane');
  member = await registered(chancery);
  await broughtIn(chancery, team.owner, member);
  cookie = await enter(member.email);
});

const call = async (method: string, path: string, body?: unknown, token = team.owner.token) => {
  const answer = await chancery.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const give = (more: object = {}) => call('POST', '/api/v1/tasks/', { title: 'Read the <lease>', assignedTo: member.id, ...more });
const read = (id: string) => call('GET', `/api/v1/tasks/${id}`);

/** Creates a task of a workflow step with a document. */
async function stepTask(step: object): Promise<{ task: string; document: string }> {
  const { id: document } = await pdfDocument(chancery, team.owner, { title: 'The lease' });
  const steps = [{ id: 's', name: 'Decide on the lease', assignedTo: member.id, dependsOn: [], ...step }];
  const { id } = await call('POST', '/api/v1/workflows/', { name: 'Lease', documentId: document, steps });
  await call('POST', `/api/v1/workflows/${id}/start`);
  const [task] = await call('GET', `/api/v1/tasks/?workflowId=${id}`);
  return { task: task.id, document };
}

test('the mail of a task links to the console, and the page without scripts requires a sign-in', async () => {
  const task = await give();
  const mail = (await mailsTo(chancery, member.email)).find(({ text }) => text.includes(task.id));
  assert.match(mail?.text ?? '', new RegExp(` ${chancery.config.BASE_URL}/app/tasks/${task.id}$`, 'm'));
  const path = `/tasks/${task.id}`;
  const first = await get(path);
  assert.equal(first.headers.get('location'), `/app/sign-in?${new URLSearchParams({ next: path }).toString()}`);
  const page = await get(path, { cookie });
  assert.equal(page.status, 200, page.text);
  for (const text of ['Read the &lt;lease&gt;', 'Harbour &amp; Lane', 'Ada Number', 'value="completed"', member.email])
    assert.ok(page.text.includes(text), text);
  const list = await get('/tasks', { cookie });
  assert.ok(list.text.includes(path) && list.text.includes('Read the &lt;lease&gt;'));
});

test('an outcome button completes the task once, with a comment', async () => {
  const task = await give();
  const path = `/tasks/${task.id}`;
  for (const headers of [{ origin: 'https://evil.example' }, { origin: undefined }])
    assert.equal((await post(path, { _do: 'complete', outcome: 'completed' }, { cookie, ...headers })).status, 403);
  assert.equal(
    (await post(path, { _do: 'complete', outcome: 'completed' })).status,
    303,
    'without a session the page redirects to the sign-in',
  );
  assert.equal((await read(task.id)).status, 'open');
  assert.equal((await post(path, { _do: 'complete', outcome: 'unknown' }, { cookie })).status, 422);
  const done = await post(path, { _do: 'complete', outcome: 'completed', comment: 'All is well' }, { cookie });
  assert.equal(done.status, 303);
  const { status, comment, completedBy } = await read(task.id);
  assert.deepEqual([status, comment, completedBy], ['completed', 'All is well', member.id]);
  const page = await get(path, { cookie });
  assert.ok(page.text.includes('This task is done') && page.text.includes('All is well') && !page.text.includes('name="outcome"'));
  const again = await post(path, { _do: 'complete', outcome: 'completed' }, { cookie });
  assert.equal(again.status, 409);
});

test('an outcome button claims a task of a group and completes it, once', async () => {
  const { id: groupId } = await call('POST', '/api/v1/groups/', { name: 'Front desk' });
  await call('POST', `/api/v1/groups/${groupId}/members`, { userId: member.id });
  const task = await give({ assignedTo: undefined, groupId });
  const path = `/tasks/${task.id}`;
  assert.ok((await get('/tasks', { cookie })).text.includes(path), 'the list has it');
  assert.ok((await get(path, { cookie })).text.includes('value="completed"'));
  assert.equal((await post(path, { _do: 'complete', outcome: 'completed' }, { cookie })).status, 303);
  const { status, assignedTo, completedBy } = await read(task.id);
  assert.deepEqual([status, assignedTo, completedBy], ['completed', member.id, member.id]);
  assert.equal((await post(path, { _do: 'complete', outcome: 'completed' }, { cookie })).status, 409);
});

test('an approval shows its document version, and is rejected after a newer version', async () => {
  const { task, document } = await stepTask({ type: 'approval' });
  const path = `/tasks/${task}`;
  const page = await get(path, { cookie });
  for (const text of ['The lease', 'agreement.pdf', 'Version 1', 'value="approved"', 'value="changes_requested"', 'value="rejected"'])
    assert.ok(page.text.includes(text), text);
  const file = await get(`${path}/document?version=1`, { cookie });
  assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'application/pdf']);
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="agreement.pdf"/);
  assert.equal((await get(`${path}/document?version=1`)).status, 303);
  const form = new FormData();
  form.set('file', new Blob(['The second version'], { type: 'text/plain' }), 'second.txt');
  await call('POST', `/api/v1/smartdoc/documents/${document}/versions`, form);
  const late = await post(path, { _do: 'complete', outcome: 'approved', version: '1' }, { cookie });
  assert.equal(late.status, 409);
  assert.ok(late.text.includes('changed after you opened this page'));
});

test('a task of another person has no actions, and a task of another team is not found', async () => {
  const { id } = await call('POST', '/api/v1/tasks/', { title: 'Of the owner', assignedTo: team.owner.id }, member.token).catch(() =>
    give(),
  );
  const stranger = await registered(chancery);
  const other = await enter(stranger.email);
  const missing = await get(`/tasks/${id}`, { cookie: other });
  assert.equal(missing.status, 404);
  assert.match(missing.headers.get('content-type') ?? '', /^text\/html/);
  assert.equal((await post(`/tasks/${id}`, { _do: 'complete', outcome: 'completed' }, { cookie: other })).status, 404);
  assert.equal((await get('/tasks/none', { cookie })).status, 404);
});

test('a signature that was given elsewhere is recorded on the page of its task', async () => {
  const { task } = await stepTask({ type: 'signature' });
  const path = `/tasks/${task}`;
  assert.ok((await get(path, { cookie })).text.includes('value="signed_elsewhere"'));
  assert.equal((await post(path, { _do: 'complete', outcome: 'signed_elsewhere' }, { cookie })).status, 303);
  assert.equal((await read(task)).outcome, 'signed_elsewhere');
});

test('a member who must sign follows the link, signs in and signs', async () => {
  const signers = [{ email: member.email, name: 'Ada Lovelace' }];
  const { id } = await askToSign(chancery, team.owner, { signers });
  const [token] = await outToSign(chancery, id);
  await presentPdf(chancery, id);
  const path = `/sign/${token}`;
  const locked = await get(path);
  const href = /class="button" href="([^"]+)"/.exec(locked.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.equal(new URL(href, chancery.url).searchParams.get('next'), path);
  assert.ok(!locked.text.includes('Services agreement'));
  const other = await enter((await registered(chancery)).email);
  const wrong = await get(path, { cookie: other });
  assert.ok(wrong.text.includes('You are signed in with another account') && wrong.text.includes('switch='));
  const entered = await post('/app/sign-in', { email: member.email, password: goodPassword, next: path });
  assert.equal(entered.headers.get('location'), path);
  const own = cookiesOf(entered);
  assert.match((await get(path, { cookie: own })).text, /asks you to sign/);
  assert.equal((await post(path, { _do: 'open' }, { cookie: own })).status, 303);
  const form = (await get(path, { cookie: own })).text;
  const hidden = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]);
  const entries = { ...Object.fromEntries(hidden), name: 'Ada Lovelace', consent: 'yes' };
  const signed = await post(path, entries, { cookie: own });
  assert.equal(signed.status, 303, signed.text);
  const { body } = await chancery.call('GET', `${signatures}/${id}`, { token: team.owner.token });
  assert.equal(body.signers[0].status, 'signed');
});

test('the session of a member leads from a request to its signing link, and shows no other person that it exists', async () => {
  const { id } = await askToSign(chancery, team.owner, { signers: [{ email: member.email, name: 'Ada Lovelace' }] });
  const path = `/sign/requests/${id}`;
  assert.equal((await get(path, { cookie })).status, 404, 'before the link is mailed');
  const [token] = await outToSign(chancery, id);
  await presentPdf(chancery, id);
  const led = await get(path, { cookie });
  assert.deepEqual([led.status, led.headers.get('location')], [303, `/sign/${token}`]);
  assert.equal((await get(path)).headers.get('location'), `/app/sign-in?${new URLSearchParams({ next: path }).toString()}`);
  const colleague = await registered(chancery);
  await broughtIn(chancery, team.owner, colleague);
  for (const other of [colleague, await registered(chancery)])
    assert.equal((await get(path, { cookie: await enter(other.email) })).status, 404);
  const folder = await call('POST', '/api/v1/smartdoc/folders/', { name: 'Behind a barrier' });
  await call('PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [] });
  const { documentId } = await call('GET', `${signatures}/${id}`);
  await call('PATCH', `/api/v1/smartdoc/documents/${documentId}/move`, { folderId: folder.id });
  assert.equal((await get(path, { cookie })).status, 404, 'a barrier excludes the member');
});

test('an unknown address sends a page to a browser and a problem document to an API client', async () => {
  for (const path of ['/nothing/here', '/no/such/page', '/api/v1/nothing']) {
    const page = await get(path, { 'accept-language': 'de', accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    assert.deepEqual([page.status, page.headers.get('vary')?.includes('accept')], [404, true]);
    assert.match(page.text, /<html[^>]*lang="de"[^]*Seite nicht gefunden/);
    for (const accept of ['*/*', 'application/json', undefined]) {
      const answer = await get(path, { accept });
      assert.deepEqual([answer.status, answer.body?.code], [404, 'not_found'], String(accept));
    }
  }
  assert.equal((await post('/no/such/page', {})).body.code, 'not_found');
  const sso = await get('/api/v1/security/auth/sso/start?email=ada@nowhere.example');
  assert.equal(sso.status, 404);
  assert.ok(sso.text.includes('No organisation is set up for this e-mail address'));
});

describe('in a browser', { skip: withoutBrowser }, () => {
  const visit = useBrowser(() => chancery.url);

  test('a person decides without a script, on a page that fits the screen', async () => {
    const { task } = await stepTask({ type: 'approval', description: 'Look at clause 4.' });
    const opened = await visit(`/tasks/${task}`, { javaScriptEnabled: false, viewport: desktop });
    await opened.getByLabel('E-mail address').fill(member.email);
    await opened.getByLabel('Password').fill(goodPassword);
    await opened.getByRole('button', { name: 'Sign in', exact: true }).click();
    await opened.getByRole('heading', { name: 'Decide on the lease' }).waitFor();
    await opened.getByLabel('Comment').fill('Clause 4 is fine');
    await opened.getByRole('button', { name: 'Approve' }).click();
    await opened.getByRole('heading', { name: 'This task is done' }).waitFor();
    await keep(opened, 'task-done');
    const { outcome, comment } = await read(task);
    assert.deepEqual([outcome, comment], ['approved', 'Clause 4 is fine']);
    const { task: next } = await stepTask({ type: 'approval' });
    const page = await visit(`/app/sign-in?next=/tasks/${next}`);
    await page.getByLabel('E-mail address').fill(member.email);
    await page.getByLabel('Password').fill(goodPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Decide on the lease' }).waitFor();
    await fits(page, 'task');
    await page.goto('/tasks');
    await fits(page, 'tasks');
  });
});
