import type { BrowserContextOptions, Page } from 'playwright-core';
import { demoOwner } from '../src/commands/demo/person.ts';
import { startBrowser } from './browser.ts';
import { phone } from './visits.ts';

type Shot = (page: Page) => Promise<unknown>;
const size = { width: 1_280, height: 800 };
/** Waits until a page of a PDF file is shown. */
const drawn = (page: Page) => page.locator('[data-page="1"] canvas[data-drawn]').waitFor();
const open = (page: Page, path: string, name: string) => page.goto(path).then(() => page.getByRole('heading', { name }).first().waitFor());
const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().press('Enter');
const agreement = 'NDA, Acme Robotics';

/** The pictures of the tour of the console, by the name of their file. Each begins in the inbox of the demo owner. */
const shots: Record<string, Shot> = {
  inbox: async (page) => {
    await page.getByText('Review the agreement').first().click();
    await page.getByRole('button', { name: 'Approve' }).first().waitFor();
    await drawn(page);
  },
  call: async (page) => {
    await follow(page, /Contract reviewer/);
    await page.getByRole('button', { name: 'Approve' }).first().waitFor();
  },
  documents: async (page) => {
    await open(page, '/app/documents', 'Documents');
    await page.getByText(agreement).waitFor();
  },
  workflow: async (page) => {
    await open(page, '/app/workflows', 'Workflows');
    await follow(page, /Agreement signed/);
    await page.getByText('Have the agreement signed').first().waitFor();
  },
  history: async (page) => {
    await open(page, '/app/documents', 'Documents');
    await follow(page, agreement);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('created the document').waitFor();
  },
  template: async (page) => {
    await open(page, '/app/templates', 'Templates');
    await follow(page, /Data processing agreement/);
    await page.getByRole('heading', { name: 'Data processing agreement' }).waitFor();
  },
  request: async (page) => {
    await open(page, '/app/signatures', 'Signatures');
    await follow(page, 'Services agreement');
    await page.getByRole('heading', { name: 'Services agreement' }).waitFor();
    await page.getByText('Vera Visitor').first().waitFor();
  },
  phone: async (page) => {
    await follow(page, /Review the agreement/);
    await page.getByRole('button', { name: 'Approve' }).first().waitFor();
    await drawn(page);
  },
};

/** Returns the PNG files of the tour of the console, by name. The demo runs at `origin`. */
export async function picturesOfConsole(origin: string): Promise<Map<string, Buffer>> {
  const browser = await startBrowser();
  try {
    const options: BrowserContextOptions = { baseURL: origin, locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce' };
    const context = await browser.newContext(options);
    const signedIn = await context.request.post('/api/v1/security/auth/login', {
      data: { email: demoOwner.email, password: demoOwner.password },
    });
    if (!signedIn.ok()) throw new Error(`the sign-in returned ${signedIn.status()}`);
    const pictures = new Map<string, Buffer>();
    for (const [name, show] of Object.entries(shots)) {
      const page = await context.newPage();
      await page.setViewportSize(name === 'phone' ? phone : size);
      await open(page, '/app', 'Inbox');
      await page.getByText('Review the agreement').first().waitFor();
      await show(page);
      await page.locator('text="…"').first().waitFor({ state: 'detached' });
      pictures.set(name, await page.screenshot());
      await page.close();
    }
    return pictures;
  } finally {
    await browser.close();
  }
}
