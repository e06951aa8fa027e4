import { existsSync } from 'node:fs';
import process from 'node:process';
import { type Browser, chromium } from 'playwright-core';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser that tests of pages use: of `CHROMIUM_PATH`, or where systems put it. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? usual.find((path) => existsSync(path));

/** For `skip` of a test: false, or why there is no browser. */
export const noBrowser = chromiumPath === undefined && `no Chromium at ${usual.join(', ')}: name one with CHROMIUM_PATH`;

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }), args: ['--no-sandbox'] });
}
