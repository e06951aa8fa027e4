import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from './browser.ts';
import { phone } from './visits.ts';

/** Addresses of the running demo, as it prints them. */
export type Demo = { origin: string; form: string; signing: string };

/** Returns one PNG with three pages of the demo on phones: a form, a signing page, and the check of a sealed document. */
export async function pictureOfDemo(demo: Demo): Promise<Buffer> {
  const browser = await startBrowser();
  try {
    const pages = [await fillForm(browser, demo), await openSigning(browser, demo), await checkSealed(browser, demo)];
    const shots = [];
    for (const page of pages) shots.push(await page.screenshot());
    return await sideBySide(browser, shots);
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: phone, locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce' });
  await page.goto(address);
  return page;
}

async function fillForm(browser: Browser, { form }: Demo): Promise<Page> {
  const page = await visit(browser, form);
  await page.getByLabel('Your name').fill('Vera Visitor');
  await page.getByText('For a company').click();
  await page.getByLabel('Name of the company').fill('Acme Robotics GmbH');
  return page;
}

async function openSigning(browser: Browser, { signing }: Demo): Promise<Page> {
  const page = await visit(browser, signing);
  await page.getByRole('button', { name: 'Open the document' }).click();
  await page.getByText('Page 1 of 2').waitFor();
  await page.evaluate('document.images[0].decode()');
  return page;
}

/** Uploads the sealed agreement of the example to the verification page. */
async function checkSealed(browser: Browser, { origin }: Demo): Promise<Page> {
  const mails = (await (await fetch(`${origin}/dev/mail.json`)).json()) as { subject: string; text: string }[];
  const token = mails
    .map(({ subject, text }) => subject === 'Signed by all: NDA, Acme Robotics' && /\/sign\/([\w-]+)/.exec(text)?.[1])
    .find(Boolean);
  assert.ok(token, 'the example has a sealed agreement');
  const sealed = await fetch(`${origin}/api/v1/signatures/public/${token}/sealed`);
  assert.equal(sealed.status, 200);
  const page = await visit(browser, `${origin}/verify`);
  const buffer = Buffer.from(await sealed.arrayBuffer());
  await page.locator('input[type=file]').setInputFiles({ name: 'agreement.pdf', mimeType: 'application/pdf', buffer });
  await page.getByRole('button', { name: 'Check the signatures' }).click();
  await page.getByText('Olivia Berg').first().waitFor();
  return page;
}

async function sideBySide(browser: Browser, shots: Buffer[]): Promise<Buffer> {
  const gap = 24;
  const width = shots.length * (phone.width + gap) + gap;
  const page = await browser.newPage({ viewport: { width, height: phone.height + 2 * gap } });
  const pictures = shots.map((shot) => `<img src="data:image/png;base64,${shot.toString('base64')}">`).join('');
  const style = `body { margin: ${gap}px; display: flex; gap: ${gap}px; background: #d8dedb } img { border-radius: 12px }`;
  await page.setContent(`<!doctype html><style>${style}</style>${pictures}`);
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
  return page.screenshot();
}
