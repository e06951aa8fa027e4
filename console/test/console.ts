import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Chancery, startChancery } from '../../test/harness.ts';
import { isAccessible } from '../../test/accessible.ts';
import { authPath, type Registered } from '../../test/people.ts';
import { freePort } from '../../test/spawned.ts';
import { keep, useBrowser } from '../../test/visits.ts';

type Visit = (path: string, options?: BrowserContextOptions) => Promise<Page>;
/** The console of a running service. `as` opens a path with the session of a person, without the sign-in page. */
type RunningConsole = {
  chancery: () => Chancery;
  visit: Visit;
  as: (person: Registered, path: string, options?: BrowserContextOptions) => Promise<Page>;
};

/**
 * Starts the service for the tests of the calling `describe` block, at its configured address, because cookies and passkeys belong to it. Returns
 * functions that open the console in Chromium.
 */
export function useConsole(settings: Record<string, string> = {}): RunningConsole {
  let chancery: Chancery;
  before(async () => {
    const port = String(await freePort());
    chancery = await startChancery({ settings: { ALTCHA: 'off', PORT: port, BASE_URL: `http://localhost:${port}`, ...settings } });
  });
  after(() => chancery.stop());
  const visit = useBrowser(() => chancery.config.BASE_URL);
  return {
    chancery: () => chancery,
    visit,
    as: ({ refreshToken }, path, options = {}) =>
      visit(path, { ...options, storageState: { cookies: [sessionCookie(refreshToken)], origins: [] } }),
  };
}

const sessionCookie = (value: string) => ({
  name: 'refresh_token',
  value,
  domain: 'localhost',
  path: '/',
  expires: -1,
  httpOnly: true,
  secure: false,
  sameSite: 'Strict' as const,
});

/** Checks that a page needs no horizontal scrolling at 320 pixels (WCAG 1.4.10), and from right to left. */
export async function narrow(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const direction of ['ltr', 'rtl']) {
    await page.evaluate(`document.documentElement.dir = '${direction}'`);
    const scroll = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(scroll, 0, `${name} does not scroll sideways (${direction})`);
    await keep(page, `${name}-320-${direction}`);
  }
  await isAccessible(page, `${name} 320`, 'looks');
  await page.evaluate("document.documentElement.dir = 'ltr'");
}

/** Adds a passkey of the browser to a person, with the API. */
export async function addPasskey(page: Page, person: Registered): Promise<void> {
  const made = await page.evaluate(
    async ([path, token]) => {
      const ask = async (address: string, body: unknown) => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
        return (await (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as any;
      };
      const { PublicKeyCredential: Kind, navigator } = globalThis as any;
      const publicKey = Kind.parseCreationOptionsFromJSON(await ask(`${path}/passkeys/options`, {}));
      const response = (await navigator.credentials.create({ publicKey })).toJSON();
      return ask(`${path}/passkeys`, { name: 'Chromium', response });
    },
    [authPath, person.token] as const,
  );
  assert.equal(made.name, 'Chromium', JSON.stringify(made));
}
