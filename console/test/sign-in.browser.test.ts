import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addAuthenticator, withoutBrowser } from '../../test/browser.ts';
import { enrolled, goodPassword, registered } from '../../test/people.ts';
import { desktop, fits, phone } from '../../test/visits.ts';
import { addPasskey, narrow, useConsole } from './console.ts';

const isAt = (page: Page, heading: string) => page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();

describe('the sign-in of the console', { skip: withoutBrowser }, () => {
  const { chancery, visit, as } = useConsole();

  for (const viewport of [phone, desktop]) {
    test(`a password signs in by mouse at ${viewport.width} pixels, and leads to the requested screen`, async () => {
      const person = await registered(chancery());
      const page = await visit('/app/documents?peek=7', { viewport });
      await page.getByLabel('Email address').fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(goodPassword);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await isAt(page, 'Documents');
      assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/app/documents?peek=7');
    });

    test(`a password signs in by keyboard alone at ${viewport.width} pixels`, async () => {
      const person = await registered(chancery());
      const page = await visit('/app', { viewport });
      await page.getByLabel('Email address').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.type(person.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(goodPassword);
      await page.keyboard.press('Enter');
      await isAt(page, 'Inbox');
    });
  }

  test('the page fits each screen, and has no errors for axe', async () => {
    const page = await visit('/app/login');
    await isAt(page, 'Sign in');
    await fits(page, 'console-sign-in');
    await narrow(page, 'console-sign-in');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await isAt(page, 'Anmelden');
    await fits(page, 'console-sign-in-de');
  });

  test('empty fields are named, and the first one has the focus', async () => {
    const page = await visit('/app/login');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Enter your email address.').waitFor();
    await page.getByText('Enter your password.').waitFor();
    assert.equal(await page.evaluate('document.activeElement.name'), 'email');
  });

  test('a wrong password is explained in the language of the person', async () => {
    const page = await visit('/app/login', { locale: 'de' });
    await page.getByLabel('E-Mail-Adresse').fill('ada@example.org');
    await page.getByLabel('Passwort', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByText('Die E-Mail-Adresse oder das Passwort ist falsch.').waitFor();
  });

  test('the second factor is a code of the app, or a backup code', async () => {
    const person = await enrolled(chancery());
    for (const code of [person.code(), person.backupCodes[0] ?? '']) {
      const page = await visit('/app/login');
      await page.getByLabel('Email address').fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(goodPassword);
      await page.keyboard.press('Enter');
      await isAt(page, 'Enter your code');
      await page.keyboard.type(code);
      await page.keyboard.press('Enter');
      await isAt(page, 'Inbox');
    }
  });

  test('a passkey signs in', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app');
    await addAuthenticator(page);
    await addPasskey(page, person);
    await page.context().clearCookies();
    await page.goto('/app/login');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await isAt(page, 'Inbox');
  });

  test('the result of a provider is shown, and leaves the address', async () => {
    const page = await visit('/app/login#error=sso_denied&error_description=x');
    await page.getByText('Your organisation did not sign you in.').waitFor();
    assert.equal(new URL(page.url()).hash, '');
  });

  test('another site is never the next page', async () => {
    const person = await registered(chancery());
    for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example']) {
      const page = await as(person, `/app/login?${new URLSearchParams({ next }).toString()}`);
      await isAt(page, 'Inbox');
      assert.equal(new URL(page.url()).host, new URL(chancery().config.BASE_URL).host);
    }
  });
});
