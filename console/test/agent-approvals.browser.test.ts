import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { calling } from '../../test/agent-runs.ts';
import { withoutBrowser } from '../../test/browser.ts';
import { startModelServer } from '../../test/model-server.ts';
import { cookieOf, type Registered, registered, signIn } from '../../test/people.ts';
import { desktop, keep, phone } from '../../test/visits.ts';
import { eventually } from '../../test/webhook-receiver.ts';
import { useConsole } from './console.ts';

const agents = '/ws/api/agents';
const model = withoutBrowser ? undefined : await startModelServer();

describe('the approval of a call of an agent in the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole({
    AGENT_MODEL_PROTOCOL: 'openai',
    AGENT_MODEL_URL: model?.url ?? '',
    AGENT_MODEL_KEY: 'key-of-the-operator',
    AGENT_MODELS: 'small',
    AGENT_MODEL_REGION: 'EU',
  });
  let ada: Registered;
  let agent: string;

  before(async () => {
    ada = await registered(chancery());
    await made('PUT', `${agents}/settings`, { enabled: true });
    ({ id: agent } = await made('POST', `${agents}/`, {
      name: 'Contract reviewer',
      scopes: ['tasks:read', 'tasks:write'],
      tools: { allow: ['create_task'] },
    }));
  });
  after(() => model?.close());

  async function made(method: string, to: string, body?: unknown): Promise<any> {
    const answer = await chancery().call(method, to, { token: ada.token, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  }
  /** Starts a run that asks to create a task, and waits for the question. */
  async function waitingRun(title: string): Promise<string> {
    const key = `key-${randomUUIDv7()}`;
    model?.play(key, calling(['create_task', { title, description: 'The annex is missing.' }]));
    const { runId } = await made('POST', `${agents}/${agent}/runs`, { message: `Look at ${key}` });
    await eventually('the question', async () =>
      (await made('GET', `${agents}/runs/${runId}`)).status === 'awaiting_approval' ? true : undefined,
    );
    return runId;
  }
  const ended = (run: string) =>
    eventually('the end of the run', async () => {
      const { status, finishedAt } = await made('GET', `${agents}/runs/${run}`);
      return finishedAt === undefined ? undefined : status;
    });
  const open = async (viewport: typeof phone): Promise<Page> =>
    as({ ...ada, refreshToken: cookieOf(await signIn(chancery(), ada.email), 'refresh_token') }, '/app', { viewport });
  const titles = async () => (await made('GET', '/api/v1/tasks/?sort=-createdAt')).map(({ title }: any) => title);

  test('two clicks read the call and approve it, and the agent goes on', async () => {
    const run = await waitingRun('Ask for the annex');
    const page = await open(desktop);
    await page.getByRole('link', { name: 'Contract reviewer: create a task' }).click();
    const panel = page.getByRole('complementary', { name: 'Preview' });
    await panel.getByText('Contract reviewer asks to do this: create a task.').waitFor();
    await panel.getByRole('row', { name: 'Description' }).getByRole('cell', { name: 'The annex is missing.' }).waitFor();
    await keep(page, 'agent-call');
    assert.ok(!(await titles()).includes('Ask for the annex'));
    await panel.getByRole('button', { name: 'Approve' }).click();
    assert.equal(await ended(run), 'ok');
    assert.ok((await titles()).includes('Ask for the annex'));
  });

  test('on a phone the keyboard alone reads the call and approves it', async () => {
    const run = await waitingRun('Ask for the annex again');
    const page = await open(phone);
    await page.getByRole('link', { name: 'Contract reviewer: create a task' }).waitFor();
    for (const key of ['j', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('cell', { name: 'Ask for the annex again' }).waitFor();
    await keep(page, 'agent-call-phone');
    // The letter of an outcome after `g` opens a page, and decides nothing.
    for (const key of ['g', 'a']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'Matters', level: 1 }).waitFor();
    assert.equal((await made('GET', `${agents}/runs/${run}`)).status, 'awaiting_approval');
    await page.goBack();
    await page.getByRole('cell', { name: 'Ask for the annex again' }).waitFor();
    await page.keyboard.press('a');
    await page
      .getByText(/^Approved\./)
      .first()
      .waitFor();
    assert.equal(await ended(run), 'ok');
    assert.ok((await titles()).includes('Ask for the annex again'));
  });
});
