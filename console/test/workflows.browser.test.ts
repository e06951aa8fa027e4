import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { isAccessible } from '../../test/accessible.ts';
import { withoutBrowser } from '../../test/browser.ts';
import type { User } from '../../test/harness.ts';
import { broughtIn, cookieOf, type Registered, registered, signIn } from '../../test/people.ts';
import { pdfDocument } from '../../test/signatures.ts';
import { desktop, keep, phone, pressUntil } from '../../test/visits.ts';
import { narrow, useConsole } from './console.ts';

const path = '/api/v1/workflows';

describe('the workflows of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();
  /** The person at the screen, and a colleague in her team. */
  let ada: Registered;
  let ben: User;

  before(async () => {
    ada = await registered(chancery());
    ben = await chancery().user(ada.team, { firstName: 'Ben', role: 'admin' });
  });

  async function made(by: { token: string }, method: string, to: string, body?: unknown): Promise<any> {
    const answer = await chancery().call(method, to, { token: by.token, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  }
  const read = (id: string) => made(ada, 'GET', `${path}/${id}`);
  /** Starts a workflow of Ben about a new document. */
  async function started(name: string, steps: object[], more: object = {}): Promise<any> {
    const { id: documentId } = await pdfDocument(chancery(), ben, { title: 'Supplier agreement' });
    const { id } = await made(ben, 'POST', `${path}/`, { name, documentId, steps, ...more });
    return made(ben, 'POST', `${path}/${id}/start`);
  }
  const review = (person: { id: string }) => ({ id: 'review', type: 'review', name: 'Review the contract', assignees: [person.id] });
  const approval = { id: 'approval', type: 'approval', name: 'Approve the contract', dependsOn: ['review'] };
  /** A workflow that branches, with a step of Ada in progress. */
  const branched = (name: string, more: object = {}) =>
    started(
      name,
      [
        { id: 'intake', type: 'task', name: 'Collect the questionnaire', dependsOn: [], assignees: [ada.id] },
        { id: 'security', type: 'review', name: 'Assess security', dependsOn: ['intake'], assignees: [ben.id], dueInDays: 5 },
        { id: 'privacy', type: 'review', name: 'Assess data protection', dependsOn: ['intake'], assignees: [ada.id] },
        { id: 'approval', type: 'approval', name: 'Approve the supplier', dependsOn: ['security', 'privacy'], assignees: [ben.id] },
      ],
      more,
    );

  /** Opens a path with a new session. */
  async function open(to: string, options: BrowserContextOptions = { viewport: desktop }, person = ada): Promise<Page> {
    const refreshToken = cookieOf(await signIn(chancery(), person.email), 'refresh_token');
    const page = await as({ ...person, refreshToken }, to, options);
    await page.getByRole('navigation', { name: /Main|Hauptnavigation/ }).waitFor();
    return page;
  }
  function counter() {
    const clicks = { count: 0 };
    const click = async (target: Locator) => {
      await target.click();
      clicks.count += 1;
    };
    return { clicks, click };
  }
  const said = (page: Page, text: string | RegExp) => page.locator('[role=status][aria-live=polite]').filter({ hasText: text }).waitFor();
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

  test('three clicks on the page of a document start a workflow from the library', async () => {
    const { id: documentId } = await pdfDocument(chancery(), ada, { title: 'Services agreement' });
    const page = await open(`/app/documents/${documentId}`);
    const { clicks, click } = counter();
    await click(page.getByRole('link', { name: 'Start a workflow' }));
    await page.getByRole('link', { name: 'NDA approval' }).waitFor();
    await keep(page, 'workflow-templates');
    await click(page.getByRole('link', { name: 'Contract review and signature' }));
    await page.getByRole('textbox', { name: 'Name of the workflow' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Approve the contract' }).waitFor();
    await keep(page, 'workflow-start');
    await click(page.getByRole('button', { name: 'Start', exact: true }));
    await heading(page, 'Contract review and signature: Services agreement');
    assert.equal(clicks.count, 3);
    await keep(page, 'workflow-started');
    const [workflow] = await made(ada, 'GET', `${path}/document/${documentId}`);
    assert.deepEqual([workflow.status, workflow.type], ['active', 'contract-review-and-signature']);
    // Two clicks more decide the first step.
    await click(page.getByRole('link', { name: 'Open your task: Review the contract' }));
    await click(page.getByRole('button', { name: 'Approve' }));
    await said(page, /^Approved/);
    assert.equal((await read(workflow.id)).steps[0].outcome, 'approved');
  });

  test('on a phone the keyboard alone starts a workflow with the entries of a template of the team', async () => {
    await pdfDocument(chancery(), ada, { title: 'Lease of the warehouse' });
    await made(ada, 'POST', `${path}/templates`, {
      name: 'lease-check',
      description: 'A lease is checked by a colleague.',
      parameters: [
        { name: 'counsel', type: 'user', required: true },
        { name: 'landlord', type: 'text', required: true },
        { name: 'endsOn', type: 'date' },
      ],
      steps: [
        { id: 'check', type: 'review', name: 'Check the lease of {{landlord}}', assignees: ['{{counsel}}'] },
        { id: 'sign', type: 'task', name: 'File the lease', dueInDays: 2 },
      ],
    });
    const page = await open('/app/workflows', { viewport: phone });
    await page.getByText('Running', { exact: true }).waitFor();
    await pressUntil(page, 'a[href*="/workflows/new"]');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Lease check' }).waitFor();
    await pressUntil(page, 'a[href*="lease-check"]');
    await page.keyboard.press('Enter');
    await heading(page, 'Lease check');
    const choose = async (label: string, text: string, option: string) => {
      await pressUntil(page, `input[id="${await page.getByRole('combobox', { name: label }).getAttribute('id')}"]`);
      await page.keyboard.type(text);
      await page.getByRole('option', { name: option }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    };
    await choose('Document', 'warehouse', 'Lease of the warehouse');
    await choose('Counsel', 'Ben', 'Ben');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Acme Lettings');
    await keep(page, 'workflow-start-phone');
    await page.getByRole('listitem').filter({ hasText: 'Check the lease of Acme Lettings' }).getByText('Ben').waitFor();
    await pressUntil(page, 'button[type=submit]');
    await page.keyboard.press('Enter');
    await heading(page, 'Lease check: Lease of the warehouse');
    const [workflow] = await made(ada, 'GET', `${path}/?q=Lease+of+the`);
    assert.deepEqual(
      [workflow.status, workflow.steps[0].name, workflow.steps[0].assignees],
      ['active', 'Check the lease of Acme Lettings', [ben.id]],
    );
  });

  test('a draft is saved with another person for a step, started from its page and deleted after its end', async () => {
    const { id: documentId } = await pdfDocument(chancery(), ada, { title: 'Draft agreement' });
    const page = await open(`/app/workflows/new?document=${documentId}&template=nda-approval`);
    const person = page.getByRole('combobox', { name: 'Person for Approve the agreement' });
    await person.fill('Ben');
    await page.getByRole('option', { name: /Ben/ }).click();
    await page.getByRole('button', { name: 'Save as a draft' }).click();
    await heading(page, 'NDA approval: Draft agreement');
    const [{ id, status, steps }] = await made(ada, 'GET', `${path}/document/${documentId}`);
    assert.deepEqual([status, steps[1].assignees], ['draft', [ben.id]]);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await said(page, 'Workflow started.');
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await page.getByRole('dialog').getByText('Its open task is cancelled').waitFor();
    await page.getByRole('textbox', { name: 'Reason' }).fill('The talks ended.');
    await keep(page, 'workflow-cancel');
    await page.getByRole('button', { name: 'Cancel the workflow' }).click();
    await said(page, 'Workflow cancelled.');
    await page.getByText('The talks ended.').waitFor();
    assert.deepEqual([(await read(id)).status, (await read(id)).reason], ['cancelled', 'The talks ended.']);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await heading(page, 'Workflows');
    assert.equal((await chancery().call('GET', `${path}/${id}`, { token: ada.token })).status, 404);
  });

  test('the tabs and the search select workflows, and the panel shows the steps of one', async () => {
    const mine = await started('Waits for Ada', [review(ada), approval]);
    const others = await started('Waits for Ben', [review(ben), approval], { dueDate: '2026-01-02T10:00:00Z' });
    const page = await open('/app/workflows?q=Waits+for');
    const row = (id: string) => page.locator(`tr[data-row="${id}"]`);
    await row(others.id).getByText('Review the contract').last().waitFor();
    await row(mine.id).getByText('Ada Lovelace').last().waitFor();
    await keep(page, 'workflows');
    await page.getByRole('link', { name: 'Waiting for me' }).click();
    await row(others.id).waitFor({ state: 'detached' });
    await row(mine.id).waitFor();
    await page.getByRole('link', { name: 'Overdue' }).click();
    await row(others.id).waitFor();
    assert.equal(await row(mine.id).count(), 0);
    assert.match(page.url(), /tab=overdue/);
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('nothing like it');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.goBack();
    await page.goto(`/app/workflows?q=Waits+for`);
    await row(mine.id).getByRole('link').click();
    const panel = page.getByRole('complementary', { name: 'Preview of the workflow' });
    await panel.getByRole('link', { name: 'Open your task: Review the contract' }).waitFor();
    await panel.getByRole('list', { name: 'Steps' }).getByText('Approve the contract').waitFor();
    await keep(page, 'workflows-panel');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  test('the keyboard alone leads from the list to a step, pauses the workflow and resumes it', async () => {
    const { id } = await branched('Keyboard check');
    const page = await open('/app');
    await heading(page, 'Inbox');
    for (const key of ['g', 'w']) await page.keyboard.press(key);
    await page.locator(`tr[data-row="${id}"]`).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading(page, 'Keyboard check');
    await pressUntil(page, 'svg a[href*="step=intake"]');
    await page.keyboard.press('Enter');
    await page.waitForURL(/step=intake/);
    await page.getByText('Task', { exact: true }).first().waitFor();
    const press = async (name: string) => {
      await page.evaluate('document.querySelector("#content").focus()');
      await page.getByRole('button', { name, exact: true }).waitFor();
      for (let step = 0; step < 40; step += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate<boolean>(`document.activeElement.textContent === ${JSON.stringify(name)}`)) break;
      }
      await page.keyboard.press('Enter');
    };
    await press('Pause…');
    await page.getByRole('textbox', { name: 'Reason' }).waitFor();
    await page.keyboard.type('Their counsel is away.');
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await said(page, 'Workflow paused.');
    await page.getByText('Their counsel is away.').waitFor();
    assert.equal((await read(id)).status, 'paused');
    await keep(page, 'workflow-paused');
    await press('Resume');
    await said(page, 'Workflow resumed.');
    assert.equal((await read(id)).status, 'active');
  });

  test('a step in the diagram opens its details, which the address keeps', async () => {
    const { id } = await branched('Diagram check');
    const [task] = await made(ada, 'GET', `/api/v1/tasks/?workflowId=${id}&assignedTo=me`);
    await made(ada, 'POST', `/api/v1/tasks/${task.id}/complete`, { comment: 'All answers are in.' });
    const page = await open(`/app/workflows/${id}`, { viewport: { width: 1_440, height: 900 } });
    const diagram = page.getByRole('group', { name: 'Diagram of Diagram check' });
    await diagram.getByRole('link', { name: /Approve the supplier/ }).waitFor();
    assert.equal(await diagram.getByRole('link').count(), 4);
    await diagram.getByRole('link', { name: /Collect the questionnaire/ }).click();
    await page.getByRole('blockquote').getByText('All answers are in.').waitFor();
    await page.waitForURL(/step=intake/);
    await keep(page, 'workflow-step');
    await page.reload();
    await page.getByRole('blockquote').getByText('All answers are in.').waitFor();
    // A change of another person arrives without a reload.
    await made(ben, 'POST', `${path}/${id}/pause`, { reason: 'Waiting for the auditor' });
    await page.getByText('Waiting for the auditor').waitFor();
  });

  test('a failed step says why, and leads to the decision how it goes on', async () => {
    const { id: documentId } = await pdfDocument(chancery(), ada, { title: 'Contract' });
    const signers = [{ email: 'vera@acme.example', name: 'Vera Visitor', signsAs: 'receiving' }];
    const { id } = await made(ada, 'POST', `${path}/`, {
      name: 'Failing check',
      documentId,
      steps: [{ id: 'sign', type: 'signature', name: 'Have it signed', config: { signers } }],
    });
    await made(ada, 'POST', `${path}/${id}/start`);
    const page = await open(`/app/workflows/${id}`, { viewport: phone });
    await page
      .getByRole('list', { name: 'Steps' })
      .getByRole('link', { name: /Have it signed/ })
      .click();
    await page.getByText('This step failed').waitFor();
    await keep(page, 'workflow-failed-phone');
    await page.getByRole('link', { name: 'Decide how it goes on' }).click();
    await page.getByRole('button', { name: 'Cancel the workflow' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the workflow' }).click();
    await said(page, /^Cancelled/);
    assert.equal((await read(id)).status, 'cancelled');
  });

  test('an approval round shows its votes beside the step', async () => {
    const rules = [{ id: 'two', need: [{ count: 2, from: [ada, ben].map((one) => `user:${one.id}`) }] }];
    const { id } = await started('Round check', [
      { id: 'board', type: 'approval', name: 'Approve the budget', config: { approval: { rules, exclude: [] } } },
    ]);
    const page = await open(`/app/workflows/${id}?step=board`);
    await page.getByText('0 of 2 approvals').first().waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Ben' }).getByText('Has not voted').last().waitFor();
  });

  test('comments, history and access are tabs', async () => {
    const { id } = await branched('Tabs check');
    await made(ben, 'POST', `${path}/${id}/comments`, { text: 'The annex is missing.', stepId: 'intake' });
    const page = await open(`/app/workflows/${id}`);
    await page.getByRole('link', { name: 'Comments' }).click();
    await page.getByText('The annex is missing.').waitFor();
    await page.getByRole('textbox', { name: 'New comment' }).fill('I ask them for it.');
    await page.getByRole('button', { name: 'Add the comment' }).click();
    await page.getByRole('listitem').filter({ hasText: 'I ask them for it.' }).waitFor();
    assert.equal((await made(ada, 'GET', `${path}/${id}/comments`)).length, 2);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Ben' }).filter({ hasText: 'started the workflow' }).waitFor();
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Ben' }).getByText('Created it').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Ada' }).getByText('Has a task in it').waitFor();
  });

  test('a viewer sees a workflow with a task for them, and no action', async () => {
    const vera = await registered(chancery());
    const token = await broughtIn(chancery(), ada, vera, 'viewer');
    const { id } = await started('Viewer check', [{ id: 'read', type: 'acknowledgement', name: 'Read the policy', assignees: [vera.id] }]);
    assert.equal((await chancery().call('GET', `${path}/${id}`, { token })).status, 200);
    const page = await open(`/app/workflows/${id}`, { viewport: desktop }, vera);
    await heading(page, 'Viewer check');
    await page.getByRole('link', { name: /^Open your task/ }).waitFor();
    for (const name of ['Pause…', 'Cancel…']) assert.equal(await page.getByRole('button', { name }).count(), 0);
    await page.goto('/app/workflows/new');
    await page.getByRole('heading', { name: 'You do not have access' }).waitFor();
  });

  for (const [locale, colorScheme] of [
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)
    test(`all screens are accessible and fit 320 pixels (${locale}, ${colorScheme})`, async () => {
      const { id, documentId: itsDocument } = await branched('Supplier check of Acme Robotics', { dueDate: '2026-02-02' });
      const [task] = await made(ada, 'GET', `/api/v1/tasks/?workflowId=${id}&assignedTo=me`);
      await made(ada, 'POST', `/api/v1/tasks/${task.id}/complete`, { comment: 'All answers are in.' });
      const { id: documentId } = await pdfDocument(chancery(), ada, { title: 'Services agreement' });
      const wide = { width: 1_440, height: 900 };
      const page = await open('/app/workflows', { viewport: wide, locale, colorScheme });
      for (const [name, to, wait] of [
        ['list', '/app/workflows', 'tr[data-row]'],
        ['panel', `/app/workflows?peek=${id}`, 'aside ol > li'],
        ['page', `/app/workflows/${id}`, 'ol > li'],
        ['step', `/app/workflows/${id}?step=intake`, 'blockquote'],
        ['comments', `/app/workflows/${id}?tab=comments`, 'textarea'],
        ['history', `/app/workflows/${id}?tab=history`, 'ol > li'],
        ['access', `/app/workflows/${id}?tab=access`, 'main ul > li'],
        ['templates', `/app/workflows/new?document=${documentId}`, 'main ul > li'],
        ['start', `/app/workflows/new?document=${documentId}&template=vendor-due-diligence`, 'form li'],
        ['document', `/app/documents/${itsDocument}?tab=workflow`, 'main ol > li'],
      ] as const) {
        await page.setViewportSize(wide);
        await page.goto(to);
        await page.locator(wait).first().waitFor();
        await page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' });
        await keep(page, `workflow-${name}-${locale}`);
        await isAccessible(page, `${name} ${locale}`);
        await narrow(page, `workflow-${name}-${locale}`);
      }
      await page.setViewportSize(phone);
      await page.goto(`/app/workflows/${id}?step=security`);
      await page.locator('ol > li').first().waitFor();
      await keep(page, `workflow-page-phone-${locale}`);
    });
});
