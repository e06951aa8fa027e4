import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { exhaustive } from './tier.ts';

/**
 * The path of Chromium: CHROMIUM_PATH or an installation path of the system. Prefers the headless shell: the full browser also renders its own
 * window, which takes three times as long.
 */
const chromiumPath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== undefined && existsSync(path));

/** Why the browser tests are skipped, or false if they run. */
export const withoutBrowser: string | false = exhaustive
  ? chromiumPath === undefined && 'Chromium not found: install it, or set CHROMIUM_PATH'
  : 'npm run test:all runs the browser tests';

/** Starts Chromium without a window. Its sandbox does not work as root. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** Gives the browser of a page an authenticator that verifies its user without a prompt. */
export async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
  return { cdp, authenticatorId };
}

export type Site = { origin: string; close(): Promise<void> };

/** An empty page on `http://localhost` with the public WebAuthn library for browsers, on a separate port. */
export async function startSite(): Promise<Site> {
  const library = await readFile(new URL('../node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js', import.meta.url), 'utf8');
  const server: Server = createServer((request, response) => {
    const script = request.url === '/library.js';
    response.writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html' });
    response.end(script ? library : '<!doctype html><title>Site</title><script src="/library.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
