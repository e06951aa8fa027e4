import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../test/browser.ts';
import { goodPassword, mailsTo } from '../../test/people.ts';
import { fits } from '../../test/visits.ts';
import { narrow, useConsole } from './console.ts';

const isAt = (page: Page, heading: string) => page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();

describe('the registration of the console', { skip: withoutBrowser }, () => {
  const { chancery, visit } = useConsole({ ALTCHA: 'on' });
  const codeFor = async (email: string) => /\d{6}/.exec((await mailsTo(chancery(), email))[0]?.subject ?? '')?.[0] ?? '';

  test('a person creates an account with a proof of work, and confirms the address', async () => {
    const email = `grace.${Date.now().toString(36)}@example.org`;
    const page = await visit('/app/login');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await isAt(page, 'Create an account');
    await fits(page, 'console-register');
    await narrow(page, 'console-register');
    await page.getByLabel('First name').fill('Grace');
    await page.getByLabel('Last name').fill('Hopper');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await page.keyboard.press('Enter');
    await isAt(page, 'Confirm your address');

    // The sign-in of an unconfirmed address leads to the code.
    await page.getByRole('link', { name: 'I have an account' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await page.keyboard.press('Enter');
    await page.getByText('Confirm your email address first').waitFor();
    await page.getByRole('link', { name: 'Enter the code' }).click();
    await page.getByLabel('Code from the email').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('The code is wrong, used or expired.').first().waitFor();
    await page.getByLabel('Code from the email').fill(await codeFor(email));
    await page.keyboard.press('Enter');
    await isAt(page, 'Inbox');
  });
});

describe('the registration by invitation', { skip: withoutBrowser }, () => {
  const { visit } = useConsole({ REGISTRATION: 'invited' });

  test('the sign-in has no link to a registration, and its address says how to get an invitation', async () => {
    const page = await visit('/app/login');
    await isAt(page, 'Sign in');
    assert.equal(await page.getByRole('link', { name: 'Create an account' }).count(), 0);
    await page.goto(new URL('/app/register?email=grace@example.org', page.url()).href);
    await isAt(page, 'Registration is by invitation');
    await page.getByText('Ask the owner or an administrator of your team').waitFor();
    assert.equal(await page.getByRole('textbox').count(), 0);
    await fits(page, 'console-register-closed');
    await narrow(page, 'console-register-closed');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await isAt(page, 'Registrierung nur mit Einladung');
    await page.getByRole('link', { name: 'Ich habe ein Konto' }).click();
    await isAt(page, 'Anmelden');
  });
});
