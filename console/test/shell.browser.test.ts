import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { isAccessible } from '../../test/accessible.ts';
import { withoutBrowser } from '../../test/browser.ts';
import { type Registered, registered } from '../../test/people.ts';
import { fits, phone } from '../../test/visits.ts';
import { narrow, useConsole } from './console.ts';

const isAt = (page: Page, heading: string) => page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
const rowNames = (page: Page) => page.locator('tr[data-row] th').allTextContents();

describe('the frame of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();
  const documentsOf = async ({ token }: Registered, titles: readonly string[]) => {
    const made: { id: string }[] = [];
    for (const title of titles) {
      const answer = await chancery().call('POST', '/api/v1/smartdoc/documents/', { token, body: { title } });
      assert.equal(answer.status, 201, answer.text);
      made.push(answer.body);
    }
    return made;
  };

  test('every page of the navigation opens by mouse, by keys and on a phone', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app');
    for (const name of ['Documents', 'Workflows', 'Signatures', 'Team settings', 'Me', 'Inbox']) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
      await isAt(page, name);
    }
    for (const [key, name] of Object.entries({
      d: 'Documents',
      w: 'Workflows',
      s: 'Signatures',
      t: 'Team settings',
      m: 'Me',
      i: 'Inbox',
    })) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await isAt(page, name);
    }
    const small = await as(person, '/app', { viewport: phone });
    await small.getByRole('button', { name: 'More' }).click();
    await small.getByRole('menuitem', { name: 'Me' }).click();
    await isAt(small, 'Me');
  });

  test('single letters can be switched off', async () => {
    const page = await as(await registered(chancery()), '/app');
    await isAt(page, 'Inbox');
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Use single letters as shortcuts' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    assert.equal(new URL(page.url()).pathname, '/app');
  });

  test('the palette opens a page and finds a document by its title', async () => {
    const person = await registered(chancery());
    const [made] = await documentsOf(person, ['Lease of the harbour office']);
    const page = await as(person, '/app');
    await isAt(page, 'Inbox');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('workf');
    await page.keyboard.press('Enter');
    await isAt(page, 'Workflows');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('harbour');
    await page.getByRole('option', { name: 'Lease of the harbour office' }).waitFor();
    await isAccessible(page, 'the palette');
    await page.keyboard.press('Enter');
    await isAt(page, 'Lease of the harbour office');
    assert.equal(new URL(page.url()).pathname, `/app/documents/${made?.id}`);
  });

  test('the palette has the focus before the next key', async () => {
    const page = await as(await registered(chancery()), '/app');
    await isAt(page, 'Inbox');
    // The next key is a separate task, so it comes after all microtasks.
    const focused = await page.evaluate(`(async () => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
      await null;
      return document.activeElement.role;
    })()`);
    assert.equal(focused, 'combobox');
  });

  test('rows behave alike: j and k move, Space previews, Escape returns to the row, Enter opens', async () => {
    const person = await registered(chancery());
    await documentsOf(person, ['First', 'Second', 'Third']);
    const page = await as(person, '/app/documents');
    await page.getByText('3 items').waitFor();
    assert.deepEqual(await rowNames(page), ['Third', 'Second', 'First']);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    const panel = page.getByRole('complementary', { name: 'Preview of the document' });
    await panel.getByRole('heading', { name: 'Second' }).waitFor();
    await panel.getByText('Ada Lovelace').waitFor();
    await fits(page, 'console-peek');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.keyboard.press('j');
    await panel.getByRole('heading', { name: 'First' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'First');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await isAt(page, 'Second');
    await page.goBack();
    await page.getByText('Third').click();
    await panel.getByRole('heading', { name: 'Third' }).waitFor();
  });

  test('a list shows at most 100 rows, in both directions', async () => {
    const person = await registered(chancery());
    const titles = Array.from({ length: 120 }, (_, at) => `Document ${String(at).padStart(3, '0')}`);
    await documentsOf(person, titles);
    const page = await as(person, '/app/documents');
    await page.getByText('120 items').waitFor();
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    await page.getByText('Document 020').waitFor();
    assert.equal((await rowNames(page)).length, 100);
    await more.click();
    await page.getByText('Document 000').waitFor();
    assert.equal((await rowNames(page)).length, 70);
    await page.getByRole('button', { name: 'Show earlier ones' }).click();
    await page.getByText('Document 119').waitFor();
    assert.ok((await rowNames(page)).length <= 100);
  });

  test('a change of the service appears in all tabs, with one connection', async () => {
    const person = await registered(chancery());
    const first = await as(person, '/app/documents');
    await first.getByText('No documents yet').waitFor();
    const second = await first.context().newPage();
    const streams: string[] = [];
    second.on('request', (request) => {
      if (request.url().endsWith('/changes')) streams.push(request.url());
    });
    await second.goto('/app/documents');
    await second.getByText('No documents yet').waitFor();
    await documentsOf(person, ['Arrived by itself']);
    for (const page of [first, second]) await page.getByText('Arrived by itself').waitFor();
    assert.deepEqual(streams, []);
  });

  test('a change of someone else is compared before it is overwritten', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app/settings/team');
    const field = page.getByLabel('Name of the team');
    const save = page.getByRole('region', { name: 'Team', exact: true }).getByRole('button', { name: 'Save', exact: true });
    await field.waitFor();
    const rename = async (name: string) => {
      const { headers } = await chancery().call('GET', '/api/v1/team', { token: person.token });
      const ifMatch = { 'if-match': headers.get('etag') ?? '' };
      return chancery().call('PATCH', '/api/v1/team', { token: person.token, headers: ifMatch, body: { name } });
    };
    await rename('Harbour of others');
    await field.fill('Harbour of mine');
    await save.click();
    const conflict = page.getByRole('alert', { name: 'Changed by someone else' });
    await conflict.getByRole('cell', { name: 'Harbour of others' }).waitFor();
    await fits(page, 'console-conflict');
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Saved.').first().waitFor();
    assert.equal((await chancery().call('GET', '/api/v1/team', { token: person.token })).body.name, 'Harbour of mine');
    await rename('Harbour of others');
    await field.fill('Harbour again');
    await save.click();
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    await conflict.waitFor({ state: 'detached' });
    assert.equal(await field.inputValue(), 'Harbour of others');
  });

  test('an error, a missing page and a lost connection are explained', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app/nothing/here');
    await isAt(page, 'Page not found');
    await page.goto('/app/documents/0190a8a0-0000-7000-8000-000000000000');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.route('**/api/v1/workflows/*', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '7' },
        body: JSON.stringify({ code: 'rate_limited', status: 429, detail: 'Slow down.', request_id: 'r-1' }),
      }),
    );
    await page.getByRole('link', { name: 'Workflows', exact: true }).click();
    await page.getByText('Too many requests.').waitFor();
    await page.getByText('Try again in 7 seconds.').waitFor();
    await page.getByText('Details').click();
    await page.getByText('r-1').waitFor();
    await fits(page, 'console-problem');
    await page.unroute('**/api/v1/workflows/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No running workflows').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
  });

  test('titles with markup are shown as text', async () => {
    const title = '<img src=x onerror="alert(1)">Lease';
    const person = await registered(chancery());
    const [made] = await documentsOf(person, [title]);
    const page = await as(person, '/app/documents');
    await page.getByText(title).waitFor();
    await page.goto(`/app/documents/${made?.id}`);
    await isAt(page, title);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('lease');
    await page.getByRole('option').getByText(title).waitFor();
    const refused = page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x>')");
    await assert.rejects(refused, /Markup from a text is not allowed/);
  });

  test('lists fit each screen, and have no errors for axe', async () => {
    const person = await registered(chancery());
    await documentsOf(person, ['A lease with a title that is much longer than the width of a phone, so that it needs two lines', 'Short']);
    const page = await as(person, '/app/documents');
    await page.getByText('2 items').waitFor();
    await page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' });
    await fits(page, 'console-documents');
    await narrow(page, 'console-documents');
    await page.goto('/app');
    await page.getByText('Nothing waits for you').waitFor();
    await fits(page, 'console-inbox');
    await narrow(page, 'console-inbox');
  });
});
