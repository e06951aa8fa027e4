import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { after, afterEach, before } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { isAccessible } from './accessible.ts';
import { startBrowser } from './browser.ts';

/**
 * Starts a browser for the tests of the calling `describe` block. Returns a function that opens a page in a new browser context. A test fails if a
 * script of its pages throws, a policy blocks something, or a dialog opens.
 * @param address the origin of the paths, read at each visit
 */
export function useBrowser(address: () => string): (path: string, options?: BrowserContextOptions) => Promise<Page> {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser.close());
  afterEach(async (test) => {
    if ('passed' in test && !test.passed) await Promise.all(contexts.flatMap((context) => context.pages()).map(printPage));
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    assert.deepEqual(complaints.splice(0), [], 'no policy blocked anything, and no script failed');
  });
  return async (path, options = {}) => {
    const context = await browser.newContext({ locale: 'en', baseURL: address(), ...options });
    contexts.push(context);
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    page.on('console', (message) => {
      // The browser itself writes this line for an error response.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
    await page.goto(path);
    return page;
  };
}

/** Prints the content of a page after a failed test. */
async function printPage(page: Page): Promise<void> {
  const shown = await page.locator('body').ariaSnapshot({ timeout: 2_000 }).catch(String);
  process.stdout.write(`The failed test showed ${page.url()}:\n${shown.slice(0, 4_000)}\n`);
}

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1_280, height: 900 };

/** Presses Tab until the element has the focus. */
export async function pressUntil(page: Page, what: string): Promise<void> {
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(what)})`)) return;
  }
  assert.fail(`${what} cannot be reached with the keyboard`);
}

/** With SCREENSHOTS=<folder>, images of the pages are stored there. */
const folder = process.env.SCREENSHOTS;
const looks = [phone, desktop].flatMap((size) => (['light', 'dark'] as const).map((colorScheme) => ({ size, colorScheme })));

/** Runs in the browser. Returns layout errors that no page should have. */
const untidy = `(() => {
  const shown = (what) => [...document.querySelectorAll(what)].filter((each) => each.checkVisibility());
  const parts = '.field, .summary, .notice, .others, .chosen, .actions';
  const gapBefore = (each) => {
    const before = each.previousElementSibling;
    return before?.matches(parts) && before.checkVisibility() ? each.getBoundingClientRect().top - before.getBoundingClientRect().bottom : Infinity;
  };
  return [
    ...shown('.card').filter((each) => each.textContent.trim() === '').map(() => 'a card with nothing in it'),
    ...shown('.month th').filter((each) => each.clientHeight > 34).map((each) => 'a day of the week in two lines: ' + each.textContent.trim()),
    ...shown(parts).filter((each) => gapBefore(each) < 12).map((each) => 'nothing between two parts: ' + each.outerHTML.slice(0, 200)),
  ];
})()`;

/** Checks that a page fits a phone and a desktop in light and dark mode, and that it is accessible. */
export async function fits(page: Page, name: string): Promise<void> {
  for (const { size, colorScheme } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const scroll = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(scroll, 0, `${name} does not scroll sideways at ${size.width} pixels`);
    const small = await page.evaluate(`[...document.querySelectorAll('button, input, select, textarea, .actions a, .day')]
      .filter((each) => each.checkVisibility() && !each.closest('.honey, .default, .apart') && each.getBoundingClientRect().height < 24)
      .filter((each) => !['checkbox', 'radio'].includes(each.type))
      .map((each) => each.outerHTML)`);
    assert.deepEqual(small, [], 'controls are at least 24 pixels high (WCAG 2.5.8)');
    assert.deepEqual(await page.evaluate<string[]>(untidy), [], `${name} is tidy at ${size.width} pixels`);
    // Checks each size and each colour scheme once. A phone in light mode gets all rules, a desktop in dark mode the visual rules.
    if ((size === phone) === (colorScheme === 'light'))
      await isAccessible(page, `${name} ${size.width} ${colorScheme}`, size === phone ? 'all' : 'looks');
    await keep(page, `${name}-${size.width}-${colorScheme}`);
  }
}

/** Stores a screenshot of a page if SCREENSHOTS names a folder. */
export async function keep(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  // The option `hide` uses an inline style, which the policy blocks.
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true, caret: 'initial' });
}
