import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { withoutBrowser } from '../../test/browser.ts';
import { bookIn, plainCalendar } from '../../test/bookings.ts';
import type { User } from '../../test/harness.ts';
import { callTool, mcpToken } from '../../test/mcp.ts';
import { cookieOf, goodPassword, type Registered, registered, signIn } from '../../test/people.ts';
import { askToSign, outToSign, pdfDocument } from '../../test/signatures.ts';
import { desktop, fits, keep, phone } from '../../test/visits.ts';
import { narrow, useConsole } from './console.ts';

describe('the inbox and the tasks of the console', { skip: withoutBrowser }, () => {
  const { chancery, as, visit } = useConsole();
  /** The person at the screen, and a colleague in her team. */
  let ada: Registered;
  let ben: User;
  let cleo: User;

  before(async () => {
    ada = await registered(chancery());
    ben = await chancery().user(ada.team, { firstName: 'Ben', role: 'admin' });
    cleo = await chancery().user(ada.team, { firstName: 'Cleo', role: 'admin' });
  });

  async function made(by: { token: string }, method: string, path: string, body?: unknown): Promise<any> {
    const answer = await chancery().call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  }
  const give = (title: string, more: object = {}) => made(ben, 'POST', '/api/v1/tasks/', { title, assignedTo: ada.id, ...more });
  const taskOf = (id: string) => made(ada, 'GET', `/api/v1/tasks/${id}`);
  /** Starts a workflow about a document, and returns its first task. */
  async function step(name: string, members: object): Promise<any> {
    const { id: document } = await pdfDocument(chancery(), ben, { title: 'Supplier agreement' });
    const { id } = await made(ben, 'POST', '/api/v1/workflows/', {
      name: 'Contract review',
      documentId: document,
      steps: [{ id: 's', name, dependsOn: [], ...members }],
    });
    await made(ben, 'POST', `/api/v1/workflows/${id}/start`);
    const found = await made(ada, 'GET', `/api/v1/tasks/?workflowId=${id}&assignedTo=me`);
    return found[0];
  }
  const approval = (name: string) => step(name, { type: 'approval', assignedTo: ada.id });

  /** Opens a path with a new session of Ada, and counts the clicks and the keys that she presses. */
  async function open(path: string, options: BrowserContextOptions = { viewport: desktop }): Promise<Page> {
    const refreshToken = cookieOf(await signIn(chancery(), ada.email), 'refresh_token');
    const page = await as({ ...ada, refreshToken }, path, options);
    await page.getByRole('navigation', { name: /Main|Hauptnavigation/ }).waitFor();
    await page.evaluate(`window.counted = { click: 0, keydown: 0 };
      for (const kind of Object.keys(counted)) addEventListener(kind, () => { counted[kind] += 1; }, true);`);
    return page;
  }
  const counted = (page: Page) => page.evaluate<{ click: number; keydown: number }>('window.counted');
  const row = (page: Page, title: string) => page.getByRole('link', { name: title });
  const said = (page: Page, text: RegExp) => page.locator('[role=status][aria-live=polite]').filter({ hasText: text }).waitFor();

  test('two keys approve the first task, and the focus moves to the next one', async () => {
    const [first, second] = [await approval('Approve with the keyboard'), await give('Call the notary by keyboard')];
    const page = await open('/app?q=keyboard');
    await row(page, first.title).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await said(page, /^Approved\. (\d+|None) left\.$/);
    await row(page, first.title).waitFor({ state: 'detached' });
    assert.equal((await counted(page)).keydown, 2);
    assert.deepEqual([(await taskOf(first.id)).outcome, (await taskOf(second.id)).status], ['approved', 'open']);
    assert.ok((await page.evaluate<string>('document.activeElement.textContent')).includes(second.title));
  });

  test('a rejection by key asks for the reason first, and stores it', async () => {
    const task = await approval('Reject the draft');
    const page = await open(`/app/tasks/${task.id}`);
    await page.getByRole('button', { name: 'Reject' }).waitFor();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Reject?' });
    await dialog.getByLabel('Reason').fill('Clause 4 is missing.');
    assert.equal((await taskOf(task.id)).status, 'open');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await said(page, /^Rejected\. (\d+|None) left\.$/);
    await page.getByRole('blockquote').getByText('Clause 4 is missing.').waitFor();
    const { status, comment } = await taskOf(task.id);
    assert.deepEqual([status, comment], ['rejected', 'Clause 4 is missing.']);
  });

  test('the filters are a part of the address, and the search finds titles', async () => {
    const [wanted] = [await give('Renew the lease in Trieste'), await give('Another matter')];
    const page = await open('/app');
    await page.keyboard.press('/');
    await page.keyboard.type('lease in');
    await page.waitForURL(/q=lease/);
    await row(page, 'Another matter').waitFor({ state: 'detached' });
    await row(page, wanted.title).waitFor();
    await page.getByRole('link', { name: /^Tasks \d/ }).click();
    await page.waitForURL(/kind=task/);
    assert.equal(new URL(page.url()).searchParams.get('q'), 'lease in');
    await page.reload();
    await row(page, wanted.title).waitFor();
    assert.equal(await row(page, 'Another matter').count(), 0);
    assert.match(await page.title(), /^\(\d+\) Inbox/);
  });

  test('what arrives while a row has the focus is counted, and shown on request', async () => {
    await give('Already here');
    const page = await open('/app?kind=task');
    await row(page, 'Already here').waitFor();
    await page.keyboard.press('j');
    const focused = await page.evaluate<string>('document.activeElement.closest("tr").dataset.row');
    await give('Arrives now', { dueDate: new Date(Date.now() + 60_000).toISOString() });
    await page.getByText('1 new').first().waitFor();
    assert.equal(await row(page, 'Arrives now').count(), 0);
    assert.equal(await page.evaluate('document.activeElement.closest("tr").dataset.row'), focused);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await row(page, 'Arrives now').waitFor();
  });

  test('several tasks are completed at once', async () => {
    const given = [await give('First of several'), await give('Second of several')];
    const page = await open('/app?q=of+several');
    for (const { title } of given) await page.getByRole('checkbox', { name: `Pick ${title}` }).check();
    await page.getByRole('toolbar', { name: '2 selected' }).getByRole('button', { name: 'Decide…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click();
    await said(page, /^Completed\. (\d+|None) left\.$/);
    for (const { id } of given) assert.equal((await taskOf(id)).status, 'completed');
  });

  test('a task is passed on to another person', async () => {
    const task = await give('Somebody else knows more');
    const page = await open(`/app/tasks/${task.id}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Pass on…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pass on' });
    await dialog.getByRole('searchbox', { name: 'Person' }).fill('Cleo');
    await dialog.getByRole('radio', { name: /Cleo/ }).check();
    await dialog.getByRole('button', { name: 'Pass on' }).click();
    await said(page, /^Passed on\. (\d+|None) left\.$/);
    assert.equal((await taskOf(task.id)).assignedTo, cleo.id);
  });

  test('the call of a program is read as a table, and approved', async () => {
    const policy = await made(ada, 'POST', '/api/v1/approval-policies/', {
      name: 'calls',
      rules: [{ id: 'only', need: [{ count: 1, from: [`user:${ada.id}`] }] }],
    });
    const client = await chancery().client(ben, ['tasks:read', 'tasks:write']);
    await made(ada, 'PATCH', `/api/v1/security/clients/${client.id}`, { approvalPolicy: policy.name });
    const access = await mcpToken(chancery(), client);
    const call = { title: 'Order the extract', description: 'Hidden \u202e text', assignedTo: cleo.id };
    const { value } = await callTool(chancery(), access, 'create_task', call);
    const page = await open('/app?kind=approval');
    await row(page, 'Test client: create a task').click();
    const panel = page.getByRole('complementary', { name: 'Preview' });
    await panel.getByText('Test client asks to do this: create a task.').waitFor();
    for (const [name, text] of [
      ['Title', 'Order the extract'],
      ['Description', String.raw`Hidden \u{202e} text`],
      ['Assigned to', /^Cleo/],
    ] as const)
      await panel.getByRole('row', { name }).getByRole('cell', { name: text }).waitFor();
    await keep(page, 'inbox-call');
    await panel.getByRole('button', { name: 'Approve' }).click();
    await said(page, /^Approved\. (\d+|None) left\.$/);
    assert.deepEqual(
      [(await made(ada, 'GET', `/api/v1/approvals/${value.approvalId}`)).status, (await counted(page)).click],
      ['approved', 2],
    );
  });

  test('keys alone read the call of a program, and deny it with a reason', async () => {
    const client = await chancery().client(ben, ['tasks:read', 'tasks:write']);
    await made(ada, 'PATCH', `/api/v1/security/clients/${client.id}`, { approvalPolicy: 'calls' });
    const { value } = await callTool(chancery(), await mcpToken(chancery(), client), 'create_task', { title: 'Denied' });
    const page = await open('/app?kind=approval');
    await row(page, 'Test client: create a task').waitFor();
    for (const key of ['j', 'Space']) await page.keyboard.press(key);
    await page.getByRole('complementary', { name: 'Preview' }).getByRole('cell', { name: 'Denied' }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('dialog', { name: 'Deny?' }).getByLabel('Reason').waitFor();
    await page.keyboard.type('Not agreed.');
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
    await said(page, /^Denied\. (\d+|None) left\.$/);
    assert.equal((await made(ada, 'GET', `/api/v1/approvals/${value.approvalId}`)).status, 'rejected');
  });

  test('an approval round shows its votes and the missing ones', async () => {
    const rules = [{ id: 'two', need: [{ count: 2, from: [ada, ben, cleo].map(({ id }) => `user:${id}`) }] }];
    const task = await step('Approve the budget', { type: 'approval', config: { approval: { rules, exclude: [] } } });
    const round = await made(ada, 'GET', `/api/v1/approvals/${task.roundId}`);
    const own = round.candidates.find((one: any) => one.userId === cleo.id);
    await made(cleo, 'POST', `/api/v1/tasks/${own.taskId}/complete`, { outcome: 'approved' });
    const page = await open(`/app/tasks/${task.id}`);
    await page.getByText('1 of 2 approvals').waitFor();
    await page.getByText('1 more approval is needed.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Cleo' }).getByText('Approved', { exact: true }).first().waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Ben' }).getByText('Has not voted').waitFor();
  });

  test('a newer version is compared with the one that the person saw last', async () => {
    const task = await approval('Approve the first version');
    const page = await open(`/app/tasks/${task.id}`);
    await page.getByText('Version 1').waitFor();
    const form = new FormData();
    form.set('file', new Blob(['The term is three years.'], { type: 'text/plain' }), 'agreement.txt');
    await made(ben, 'POST', `/api/v1/smartdoc/documents/${task.documentId}/versions`, form);
    const [next] = await made(ada, 'GET', `/api/v1/tasks/?workflowId=${task.workflowId}&status=open`);
    await page.goto(`/app/tasks/${next.id}`);
    await page.getByText('You last saw version 1.').waitFor();
    await page.getByRole('button', { name: 'Compare with version 1' }).click();
    await page.getByRole('region', { name: 'Changes from version 1 to 2' }).getByText('three years').waitFor();
  });

  test('a mail leads a member on a phone to the sign-in, and then to the signing page', async () => {
    const { id } = await askToSign(chancery(), ben, { signers: [{ email: ada.email, name: 'Ada Lovelace' }] });
    const [token] = await outToSign(chancery(), id);
    const page = await visit(`/sign/${token}`, { viewport: phone, hasTouch: true });
    await page.getByRole('link', { name: 'Sign in' }).tap();
    await page.getByLabel('E-mail address').fill(ada.email);
    await page.getByLabel('Password').fill(goodPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).tap();
    await page.waitForURL(new RegExp(`/sign/${token}`));
    await page.getByRole('button', { name: 'Open the document' }).waitFor();
  });

  test('a booking is confirmed in its row, and a record is rejected after a look at it', async () => {
    const fields = [{ id: 'name', type: 'text', label: 'Name' }];
    const form = await made(ada, 'POST', '/api/v1/interfaces/', { title: 'Consultation', type: 'form', fields });
    await made(ada, 'POST', `/api/v1/interfaces/${form.id}/publish`, { revision: 1 });
    await made(ada, 'PUT', `/api/v1/interfaces/${form.id}/calendar`, { ...plainCalendar, confirmation: 'manual' });
    const { bookingId } = await bookIn(chancery(), ada.team, form.id);
    const registry = await made(ada, 'POST', '/api/v1/registries/', { name: 'Suppliers', fields });
    const record = await made(ada, 'POST', `/api/v1/registries/${registry.id}/records`, { data: { name: 'Doubtful Ltd' } });
    await chancery().pool.query("UPDATE registry_record SET state = 'pending' WHERE id = $1", [record.id]);
    await chancery().pool.query("UPDATE registry_value SET state = 'pending' WHERE record_id = $1", [record.id]);
    const page = await open('/app');
    await page.getByText('Booking · Grace').waitFor();
    await page.getByRole('button', { name: 'Confirm: Consultation' }).click();
    await said(page, /^Booking confirmed\. (\d+|None) left\.$/);
    await row(page, 'Suppliers').click();
    const panel = page.getByRole('complementary', { name: 'Preview' });
    await panel.getByText('Doubtful Ltd').waitFor();
    await panel.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('dialog', { name: 'Reject the record?' }).getByRole('button', { name: 'Reject' }).click();
    await said(page, /^Record rejected\. (\d+|None) left\.$/);
    const booking = await made(ada, 'GET', `/api/v1/interfaces/${form.id}/bookings/${bookingId}`);
    const { status } = await made(ada, 'GET', `/api/v1/registries/${registry.id}/records/${record.id}`);
    assert.deepEqual([booking.status, status], ['confirmed', 'deleted']);
  });

  test('a person who is away names who gets the new tasks', async () => {
    const page = await open('/app');
    await page.getByRole('button', { name: 'Away…' }).click();
    const dialog = page.getByRole('dialog', { name: 'While you are away' });
    await dialog.getByRole('searchbox', { name: 'Person' }).fill('Cleo');
    await dialog.getByRole('radio', { name: /Cleo/ }).check();
    await dialog.getByLabel('Until').fill(new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10));
    await dialog.getByRole('button', { name: 'Set' }).click();
    await said(page, /^Saved\./);
    assert.equal((await made(ada, 'GET', '/api/v1/tasks/delegations/me')).toUserId, cleo.id);
    await page.getByRole('button', { name: 'Away…' }).click();
    await dialog.getByRole('button', { name: 'End it now' }).click();
    await said(page, /^Your tasks come to you again\./);
    assert.equal((await chancery().call('GET', '/api/v1/tasks/delegations/me', { token: ada.token })).status, 404);
  });

  test('the mail of a task leads to its page, after the sign-in', async () => {
    const task = await give('From a mail');
    const page = await open(`/app/tasks/${task.id}`, { viewport: phone });
    await page.getByRole('heading', { name: 'From a mail' }).waitFor();
    await page.getByRole('button', { name: 'Complete' }).waitFor();
  });

  test('the screens fit a phone and a desktop, in light, dark and German, and are accessible', async () => {
    await give('Late', { dueDate: '2020-01-01', description: 'It was due long ago.' });
    await give('Due today', { dueDate: new Date(Date.now() + 60_000).toISOString() });
    const task = await approval('Approve with a long title that says which agreement of which supplier it is about');
    await made(ada, 'POST', '/api/v1/tasks/', { title: 'Waits for Ben', assignedTo: ben.id });
    const page = await open('/app');
    await row(page, 'Waits for Ben').waitFor();
    await fits(page, 'inbox');
    await narrow(page, 'inbox');
    await page.setViewportSize({ width: 1_440, height: 900 });
    await keep(page, 'inbox-1440');
    await page.goto(`/app/tasks/${task.id}`);
    await page.getByText('The first page').first().waitFor();
    await fits(page, 'task');
    await narrow(page, 'task');
    const german = await open('/app', { viewport: desktop, locale: 'de' });
    await german.getByRole('heading', { name: 'Eingang' }).waitFor();
    await row(german, 'Waits for Ben').waitFor();
    await keep(german, 'inbox-de');
  });
});
