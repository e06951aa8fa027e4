import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { isAccessible } from '../../test/accessible.ts';
import { addAuthenticator, withoutBrowser } from '../../test/browser.ts';
import { authPath, goodPassword, type Registered, registered } from '../../test/people.ts';
import { addPasskey, useConsole } from './console.ts';

const isAt = (page: Page, heading: string) => page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();

/** Counts the requests of pages by path. */
function counting(...pages: Page[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const page of pages)
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      counts.set(path, (counts.get(path) ?? 0) + 1);
    });
  return counts;
}

describe('the session of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();
  /** Refuses the current token of pages at an operation, as after its expiry. With several pages, it waits for the request of each first. */
  const refuseToken = async (path: string, ...pages: Page[]) => {
    let [token, arrived]: [string | undefined, number] = [undefined, 0];
    const { promise: all, resolve } = Promise.withResolvers<void>();
    for (const page of pages)
      await page.route(`**${path}*`, async (route) => {
        token ??= route.request().headers().authorization;
        if (route.request().headers().authorization !== token) return route.continue();
        arrived += 1;
        if (arrived === pages.length) resolve();
        await all;
        return route.fulfill({
          status: 401,
          contentType: 'application/problem+json',
          headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
          body: JSON.stringify({ code: 'invalid_token', status: 401 }),
        });
      });
  };

  const signedInLongAgo = ({ email }: Registered) =>
    chancery().pool.query(
      `UPDATE sign_in SET auth_time = auth_time - interval '16 minutes', second_factor_at = second_factor_at - interval '16 minutes',
         own_proof_at = own_proof_at - interval '16 minutes' WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
      [email],
    );

  test('no token is in a storage or in a cookie that scripts read', async () => {
    const page = await as(await registered(chancery()), '/app');
    await isAt(page, 'Inbox');
    const stored = await page.evaluate<string>(
      'indexedDB.databases().then(({ length }) => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, length]))',
    );
    assert.doesNotMatch(stored, /eyJ|refresh/);
    assert.match(stored, /,0\]$/);
  });

  test('after a refused token the page renews it once, and repeats the request', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app');
    await isAt(page, 'Inbox');
    const counts = counting(page);
    await refuseToken('/api/v1/smartdoc/documents/', page);
    await page.getByRole('link', { name: 'Documents', exact: true }).click();
    await page.getByText('No documents yet').waitFor();
    assert.deepEqual([counts.get(`${authPath}/refresh`), counts.get('/api/v1/smartdoc/documents/')], [1, 2]);
  });

  test('two tabs with a refused token renew it once', async () => {
    const person = await registered(chancery());
    const first = await as(person, '/app');
    await isAt(first, 'Inbox');
    const second = await first.context().newPage();
    await second.goto('/app');
    await isAt(second, 'Inbox');
    const counts = counting(first, second);
    await refuseToken('/api/v1/workflows/', first, second);
    await Promise.all([first, second].map((page) => page.getByRole('link', { name: 'Workflows', exact: true }).click()));
    for (const page of [first, second]) await page.getByText('No running workflows').waitFor();
    assert.equal(counts.get(`${authPath}/refresh`), 1);
  });

  test('a sign-out whose token is refused ends the session with a new one', async () => {
    const page = await as(await registered(chancery()), '/app');
    await isAt(page, 'Inbox');
    const counts = counting(page);
    await refuseToken(`${authPath}/logout`, page);
    await page.getByRole('button', { name: /Switch team/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await isAt(page, 'Sign in');
    assert.equal(counts.get(`${authPath}/logout`), 2);
    await page.goto('/app');
    await isAt(page, 'Sign in');
  });

  test('a sign-out reaches all tabs, and the address leads back after the next sign-in', async () => {
    const person = await registered(chancery());
    const first = await as(person, '/app/documents');
    await isAt(first, 'Documents');
    const second = await first.context().newPage();
    await second.goto('/app/workflows');
    await isAt(second, 'Workflows');
    await first.getByRole('button', { name: /Switch team/ }).click();
    await first.getByRole('menuitem', { name: 'Sign out' }).click();
    for (const page of [first, second]) await isAt(page, 'Sign in');
    assert.equal(new URL(second.url()).searchParams.get('next'), '/workflows');
    await second.reload();
    await isAt(second, 'Sign in');
  });

  test('a session that ended elsewhere leads to the sign-in with a reason', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app');
    await isAt(page, 'Inbox');
    await chancery().call('POST', `${authPath}/logout`, { token: person.token });
    // The next request leads there, or the stream of changes before it.
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByText('Your session ended.').waitFor();
  });

  test('the teams of a person open in separate tabs', async () => {
    const person = await registered(chancery());
    const made = await chancery().call('POST', `${authPath}/teams`, { token: person.token, body: { name: 'Harbour Law' } });
    assert.equal(made.status, 201, made.text);
    const page = await as(person, '/app');
    await isAt(page, 'Inbox');
    await page.getByRole('button', { name: /Switch team/ }).click();
    await page.getByRole('menuitem', { name: 'Harbour Law' }).click();
    await page.getByRole('button', { name: 'Harbour Law · Switch team' }).waitFor();
    const other = await page.context().newPage();
    await other.goto('/app');
    await other.getByRole('button', { name: /Switch team/ }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Harbour Law · Switch team' }).waitFor();
  });

  test('a sensitive change asks for the password, and the same request is sent again', async () => {
    const person = await registered(chancery());
    await signedInLongAgo(person);
    const page = await as(person, '/app/me/security');
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/2fa/enable-init')) keys.push(request.headers()['idempotency-key']);
    });
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await dialog.getByText('The password is wrong.').waitFor();
    await isAccessible(page, 'the dialog that confirms the identity');
    await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    assert.equal(keys.length, 2);
    assert.ok(keys[0] !== undefined && keys[0] === keys[1], 'the same Idempotency-Key');
  });

  test('a sensitive change accepts a passkey, and nothing happens if the person refuses', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app/me/security');
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    await addAuthenticator(page);
    await addPasskey(page, person);
    await signedInLongAgo(person);
    await page.reload();
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('This step needs a recent sign-in.').first().waitFor();
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  });
});
