import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { totpAt, totpStep } from '../../src/platform/crypto/totp.ts';
import { addAuthenticator, withoutBrowser } from '../../test/browser.ts';
import { authPath, goodPassword, mailsTo, registered, secretOf, signIn } from '../../test/people.ts';
import { fits } from '../../test/visits.ts';
import { narrow, useConsole } from './console.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the account pages of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();

  for (const [path, ready] of [
    ['/app/me', 'Notifications'],
    ['/app/me/security', 'Where you are signed in'],
    ['/app/me/apps', 'No connected apps'],
  ] as const)
    test(`${path} fits each screen, and has no errors for axe`, async () => {
      const page = await as(await registered(chancery()), path);
      await page.getByRole('heading', { name: ready }).waitFor();
      await page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' });
      await fits(page, `console${path.replaceAll('/', '-').slice(4)}`);
      await narrow(page, `console${path.replaceAll('/', '-').slice(4)}`);
    });

  test('a person changes name, language and notifications', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app/me');
    await page.getByLabel('First name').fill('Augusta');
    await section(page, 'Profile').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    await page.getByLabel('Once a day').click();
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Ich', exact: true }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
    const read = async (path: string) => (await chancery().call('GET', `${authPath}${path}`, { token: person.token })).body;
    assert.equal((await read('/profile')).firstName, 'Augusta');
    assert.equal((await read('/profile/notifications')).taskAssigned, 'daily');
  });

  test('a new email address counts after the code that was mailed to it', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app/me');
    const wanted = `new.${person.email}`;
    await section(page, 'Email address').getByLabel('Email address').fill(wanted);
    await page.getByRole('button', { name: 'Change the address' }).click();
    await page.getByText(`We sent a code to ${wanted}.`).waitFor();
    const [mail] = await mailsTo(chancery(), wanted);
    await page.getByLabel('Code from the email').fill(/\d{6}/.exec(`${mail?.subject} ${mail?.text}`)?.[0] ?? '');
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByText('Saved.').first().waitFor();
    assert.equal((await signIn(chancery(), wanted)).status, 200);
  });

  test('a new password ends the other sessions, and this one stays', async () => {
    const person = await registered(chancery());
    assert.equal((await signIn(chancery(), person.email)).status, 200);
    const page = await as(person, '/app/me/security');
    const sessions = section(page, 'Where you are signed in').getByRole('listitem');
    await sessions.nth(1).waitFor();
    await page.getByLabel('Current password').fill(goodPassword);
    await page.getByLabel('New password').fill('Lantern-over-the-bay-48');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Your password was changed.').first().waitFor();
    await sessions.nth(1).waitFor({ state: 'detached' });
    assert.equal((await signIn(chancery(), person.email, 'Lantern-over-the-bay-48')).status, 200);
  });

  test('an app becomes the second factor, and shows backup codes once', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app/me/security');
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const secret = (await page.getByText(/^[A-Z2-7]{16,}$/).textContent()) ?? '';
    const code = totpAt(secretOf(`otpauth://totp/x?secret=${secret}`), totpStep(new Date()));
    await page.getByLabel('Code from the app').fill(code);
    await page.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('group', { name: 'Backup codes' });
    await codes.getByRole('listitem').first().waitFor();
    assert.ok((await codes.getByRole('listitem').count()) >= 8);
    await codes.getByRole('button', { name: 'I stored them' }).click();
    await codes.waitFor({ state: 'detached' });
    await section(page, 'Second factor').getByText('On', { exact: true }).waitFor();
    assert.equal((await signIn(chancery(), person.email)).body.twoFactorRequired, true);
  });

  test('a passkey is added and removed', async () => {
    const page = await as(await registered(chancery()), '/app/me/security');
    await addAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('Laptop');
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.getByRole('button', { name: 'I stored them' }).click();
    const row = section(page, 'Passkeys').getByRole('listitem').filter({ hasText: 'Laptop' });
    await row.getByRole('button', { name: 'Remove: Laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('a person ends a session of another device', async () => {
    const person = await registered(chancery());
    const other = (await signIn(chancery(), person.email)).body.accessToken;
    const page = await as(person, '/app/me/security');
    const rows = section(page, 'Where you are signed in').getByRole('listitem');
    await rows.nth(1).waitFor();
    await rows
      .getByRole('button', { name: /^Sign out: / })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    assert.equal((await chancery().call('GET', `${authPath}/profile`, { token: other })).status, 401);
  });
});
