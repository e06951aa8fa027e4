import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { isAccessible } from '../../../test/accessible.ts';
import { startBrowser, withoutBrowser } from '../../../test/browser.ts';
import { allowedThere, signInServerBody } from '../../../test/mcp-tools.ts';
import { changingScopes, usualScopes } from '#connected-apps';
import { type Chancery, sharedChancery } from '../../../test/harness.ts';
import { enrolled, goodPassword, registered } from '../../../test/people.ts';
import { policyBody } from '../../../test/operations/approval-policies.ts';
import { authorizePath, pkce, registerConnectedApp } from '../../../test/connected-apps.ts';

describe('the page to connect an app', { skip: withoutBrowser }, () => {
  let chancery: Chancery;
  let browser: Browser;
  before(async () => {
    chancery = await sharedChancery();
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
  });

  /** Creates an approval policy, and returns its name. */
  async function policyOf(token: string): Promise<string> {
    const { status, text, body } = await chancery.call('POST', '/api/v1/approval-policies/', { token, body: policyBody() });
    assert.equal(status, 201, text);
    return body.name;
  }

  const shots = process.env.SCREENSHOTS;
  async function shown(page: Page, name: string): Promise<void> {
    await isAccessible(page, name);
    if (shots === undefined) return;
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  }

  for (const [name, width, locale] of [
    ['phone', 360, 'de'],
    ['desktop', 1280, 'en'],
  ] as const) {
    test(`by keyboard, on a ${name}: sign-in, second factor, requested scopes, and allow`, async () => {
      const twice = name === 'phone' ? await enrolled(chancery) : undefined;
      const person = twice ?? (await registered(chancery));
      const client = await registerConnectedApp(chancery);
      const policy = twice && (await policyOf(twice.token));
      const page = await (await browser.newContext({ viewport: { width, height: 800 }, locale })).newPage();
      // The redirect address of the app.
      const answered = new Promise<URL>((resolve) => {
        void page.route('http://localhost:33418/**', (route) => {
          resolve(new URL(route.request().url()));
          return route.fulfill({ body: 'done' });
        });
      });
      const wanted = { scope: `${usualScopes.join(' ')} ${changingScopes.join(' ')}` };
      await page.goto(chancery.url + authorizePath(chancery, client, pkce().challenge, wanted));
      const view = (which: string) => page.locator(`[data-view="${which}"]`);
      await view('sign-in').waitFor();
      await shown(page, `consent-${name}-sign-in`);
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
      await page.keyboard.press('Tab');
      await page.keyboard.type(person.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type('not the password');
      await page.keyboard.press('Enter');
      await view('sign-in').locator('.alert:not(:empty)').waitFor();
      await page.fill('#password', goodPassword);
      await page.keyboard.press('Enter');
      if (twice) {
        await view('code').waitFor();
        await shown(page, `consent-${name}-code`);
        await page.keyboard.press('Tab');
        await page.keyboard.type(twice.code(1));
        await page.keyboard.press('Enter');
      }
      await view('ask').waitFor();
      await shown(page, `consent-${name}-ask`);
      assert.match(await view('ask').innerText(), /Assistant/);
      assert.match(await view('ask').innerText(), /localhost:33418/);
      assert.ok((await view('ask').locator('[data-scopes] li').count()) > 4);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'no element is wider than the screen');
      // Changes need a separate check mark, which is not preselected.
      const tick = view('ask').locator('[data-changes] input');
      assert.deepEqual([await tick.isVisible(), await tick.isChecked()], [true, false]);
      assert.ok((await view('ask').locator('[data-changing] li').count()) === 3);
      await page.keyboard.press('Tab');
      const approvers = view('ask').locator('[data-approvers]');
      assert.equal(await approvers.isVisible(), false);
      if (policy !== undefined) {
        await page.keyboard.press('Space');
        await page.keyboard.press('Tab');
        await approvers.locator('option', { hasText: policy }).waitFor({ state: 'attached' });
        await page.keyboard.type(policy);
        await shown(page, `consent-${name}-policy`);
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'no element is wider than the screen');
      }
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      const at = await answered;
      assert.ok(at.searchParams.get('code'));
      assert.equal(at.searchParams.get('state'), 'opaque');
      const { rows } = await chancery.pool.query('SELECT scopes, approval_policy FROM connected_app_connection WHERE client_id = $1', [
        client,
      ]);
      assert.equal(rows[0].scopes.includes('tasks:write'), twice !== undefined);
      assert.equal(rows[0].approval_policy, policy ?? null);
      assert.deepEqual(await page.context().cookies(), [], 'the page leaves no session in the browser');
    });
  }

  test('a person can deny without signing in, and the app gets the response', async () => {
    const page = await (await browser.newContext()).newPage();
    const answered = page.waitForRequest('http://localhost:33418/**');
    await page.route('http://localhost:33418/**', (route) => route.fulfill({ body: 'done' }));
    await page.goto(chancery.url + authorizePath(chancery, await registerConnectedApp(chancery), pkce().challenge));
    await page.locator('[data-view="sign-in"] [data-deny]').click();
    const at = new URL((await answered).url());
    assert.deepEqual([at.searchParams.get('error'), at.searchParams.get('code')], ['access_denied', null]);
    const refused = await page.goto(chancery.url + authorizePath(chancery, 'unknown', pkce().challenge));
    assert.equal(refused?.status(), 400);
    await shown(page, 'consent-refused');
  });

  for (const [name, width, locale] of [
    ['phone', 360, 'de'],
    ['desktop', 1280, 'en'],
  ] as const)
    test(`the response of an external authorization server is displayed and fits a ${name}`, async () => {
      const server = await signInServerBody();
      const { owner } = await chancery.team();
      const made = await chancery.call('POST', '/ws/api/agents/mcp-servers', { token: owner.token, body: server });
      const begun = await chancery.call('POST', `/ws/api/agents/mcp-servers/${made.body.id}/sign-in`, { token: owner.token, body: {} });
      const answer = await allowedThere(begun.body.authorizationUrl);
      const page = await (await browser.newContext({ viewport: { width, height: 800 }, locale })).newPage();
      await page.goto(`${chancery.url}/oauth/mcp-callback?${new URLSearchParams(answer).toString()}`);
      await shown(page, `mcp-callback-${name}`);
      assert.deepEqual(JSON.parse((await page.locator('code').textContent()) ?? ''), answer);
      const left = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      assert.equal(left, 0, 'no element is wider than the screen');
      await page.goto(`${chancery.url}/oauth/mcp-callback?state=none&code=x`);
      await shown(page, `mcp-callback-${name}-unknown`);
    });
});
