import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { apiAs, must } from '../../src/commands/demo/api.ts';
import { fillTeam } from '../../src/commands/demo/owner-team.ts';
import { isAccessible } from '../../test/accessible.ts';
import { withoutBrowser } from '../../test/browser.ts';
import { cookieOf, type Registered, registered, signIn } from '../../test/people.ts';
import { keep } from '../../test/visits.ts';
import { eventually } from '../../test/webhook-receiver.ts';
import { useConsole } from './console.ts';

/** A desktop of 1 280 pixels, at a zoom of 200 %. */
const zoomed = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };

describe('the states of each screen of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole({ AGENT_MODEL_PROTOCOL: 'simulated' });
  let person: Registered;
  /** The paths of the screens by name. The first text is shown when a screen is complete. */
  const screens: Record<string, [path: string, complete: string]> = {};
  before(async () => {
    person = await registered(chancery());
    const api = apiAs(chancery().config.BASE_URL, person.token);
    await fillTeam(api);
    const documents = must(await api.GET('/api/v1/smartdoc/documents/'));
    const document = documents.find(({ title }) => title.startsWith('NDA'))?.id ?? '';
    const [workflow] = must(await api.GET('/api/v1/workflows/'));
    const [task] = must(await api.GET('/api/v1/tasks/', { params: { query: { workflowId: workflow?.id ?? '' } } }));
    const signers = [{ name: 'Vera Visitor', email: 'vera@example.org' }];
    const request = must(await api.POST('/api/v1/signatures/', { body: { documentId: document, signers } }));
    Object.assign(screens, {
      inbox: ['', 'Review the agreement'],
      task: [`/tasks/${task?.id}`, 'Approve'],
      documents: ['/documents', 'Master services agreement'],
      document: [`/documents/${document}`, 'of 2'],
      history: [`/documents/${document}?tab=history`, 'created the document'],
      access: [`/documents/${document}?tab=access`, 'Owner'],
      ask: [`/signatures/new?document=${document}`, 'NDA, Acme Robotics'],
      signatures: ['/signatures', 'NDA, Acme Robotics'],
      request: [`/signatures/${request.id}`, 'Vera Visitor'],
      workflows: ['/workflows', 'Agreement signed in turn'],
      workflow: [`/workflows/${workflow?.id}`, 'Have the agreement signed'],
      templates: ['/templates', 'Non-disclosure agreement'],
      matters: ['/matters', 'No open matters'],
      members: ['/settings/members', 'Ada Lovelace'],
      me: ['/me', 'Profile'],
      security: ['/me/security', 'Passkeys'],
    });
  });
  /** Opens the inbox in a new session of the person. */
  const visit = async (options: BrowserContextOptions) => {
    const refreshToken = cookieOf(await signIn(chancery(), person.email), 'refresh_token') ?? '';
    return as({ ...person, refreshToken }, '/app', options);
  };
  const open = async (page: Page, name: string) => {
    const [path = '', complete = ''] = screens[name] ?? [];
    await page.goto(`/app${path}`);
    await page.getByText(complete).locator('visible=true').first().waitFor();
  };

  test('each one works at 200 %, in forced colours, without motion', async () => {
    const page = await visit({ ...zoomed, forcedColors: 'active', reducedMotion: 'reduce', colorScheme: 'dark' });
    for (const name of Object.keys(screens)) {
      await open(page, name);
      const scroll = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      assert.equal(scroll, 0, `${name} does not scroll sideways`);
      await keep(page, `state-forced-${name}`);
      await page.emulateMedia({ forcedColors: 'none' });
      await isAccessible(page, `${name} at 200 %`);
      await page.emulateMedia({ forcedColors: 'active' });
    }
  });

  test('each one says when there were too many requests, and works after that', async () => {
    const page = await visit(zoomed);
    // The profile is read for each screen, so the pages about it are left out.
    for (const name of Object.keys(screens).filter((one) => one !== 'me')) {
      await page.route('**/api/v1/**', (route) =>
        route.request().method() === 'GET' && !route.request().url().includes('/profile')
          ? route.fulfill({
              status: 429,
              contentType: 'application/problem+json',
              headers: { 'retry-after': '3' },
              body: JSON.stringify({ code: 'rate_limited', status: 429, detail: 'Slow down.', request_id: 'r-1' }),
            })
          : route.continue(),
      );
      await page.goto(`/app${screens[name]?.[0]}`);
      await page.getByRole('alert').first().waitFor();
      await page.getByText('Try again in 3 seconds.').first().waitFor();
      await keep(page, `state-limited-${name}`);
      await page.unroute('**/api/v1/**');
      // Each part of a screen has its own button.
      await eventually(`${name} works again`, async () => {
        const again = page.getByRole('button', { name: 'Try again' });
        if ((await again.count()) > 0) await again.first().click();
        return (await again.count()) === 0;
      });
    }
  });
});
