import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { withoutBrowser } from '../../test/browser.ts';
import { type Registered, registered } from '../../test/people.ts';
import { pdfDocument, signatures } from '../../test/signatures.ts';
import { desktop, fits, keep, phone } from '../../test/visits.ts';
import { eventually } from '../../test/webhook-receiver.ts';
import { useConsole } from './console.ts';

describe('asking for signatures in the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();

  /** A person with a document that can be signed. */
  async function withDocument(): Promise<{ person: Registered; id: string }> {
    const person = await registered(chancery());
    return { person, id: (await pdfDocument(chancery(), person)).id };
  }
  const requestsOf = async ({ token }: Registered) => {
    const [listed] = (await chancery().call('GET', `${signatures}/`, { token })).body;
    return (await chancery().call('GET', `${signatures}/${listed.id}`, { token })).body;
  };
  const addressOf = (name: string, { id }: Registered) => `${name}.${id}@example.org`;
  const sent = (page: Page) => page.getByText(/^Sent to/).first();
  const fieldsOf = (request: any) =>
    request.fields.map(({ kind, page, x, y }: any) => ({ kind, page, x: Math.round(x), y: Math.round(y) }));

  test('the keyboard alone adds signers, places a field, moves it and sends', async () => {
    const { person, id } = await withDocument();
    const page = await as(person, `/app/signatures/new?document=${id}`, { viewport: desktop });
    await page.locator('canvas[data-drawn]').first().waitFor();
    const tabTo = async (what: string) => {
      for (let step = 0; step < 80; step += 1) {
        if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(what)})`)) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`${what} cannot be reached with the keyboard`);
    };
    await tabTo('input[placeholder="Name or email address"]');
    for (const name of ['ben', 'vera']) {
      await page.keyboard.type(addressOf(name, person));
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Shift+Tab');
    await tabTo('button[aria-label^="Move Vera"][aria-label$="up"]');
    await page.keyboard.press('Enter');
    await tabTo('[aria-label="Fields"] button');
    await page.keyboard.press('Enter');
    await page.locator('[data-field]:focus').waitFor();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Shift+ArrowUp']) await page.keyboard.press(key);
    await page.getByRole('button', { name: /^Signature for Vera.*, 75 from the left, 638 from the top$/ }).waitFor();
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate<boolean>("document.activeElement.textContent === 'Send'")) break;
    }
    await page.keyboard.press('Enter');
    await sent(page).waitFor();
    const request = await requestsOf(person);
    assert.match(request.signers[0].name, /^Vera/, 'the order was changed');
    assert.deepEqual(fieldsOf(request), [{ kind: 'signature', page: 1, x: 75, y: 638 }]);
  });

  test('fields are dragged, set by numbers, copied, previewed and removed, and a reload keeps the draft', async () => {
    const { person, id } = await withDocument();
    const page = await as(person, `/app/signatures/new?document=${id}`, { viewport: { width: 1_440, height: 1_000 } });
    await page.getByLabel('Add a signer').fill(`Vera Visitor ${addressOf('vera', person)}`);
    await page.keyboard.press('Enter');
    await page.locator('canvas[data-drawn]').first().waitFor();
    const sheet = await page.locator('[data-page="1"]').boundingBox();
    const kind = await page.getByRole('button', { name: 'Initials' }).boundingBox();
    assert.ok(sheet && kind);
    await page.mouse.move(kind.x + 20, kind.y + 10);
    await page.mouse.down();
    await page.mouse.move(sheet.x + sheet.width / 3, sheet.y + 260, { steps: 8 });
    await page.mouse.up();
    const field = page.getByRole('button', { name: /^Initials for Vera Visitor/ });
    await field.waitFor();
    const box = await field.boundingBox();
    assert.ok(box && Math.abs(box.x + box.width / 2 - (sheet.x + sheet.width / 3)) < 8, 'the field is where it was dropped');
    await page.getByLabel('From left').fill('100');
    await page.getByLabel('From top').fill('200.5');
    await page.getByRole('button', { name: 'Copy to next page' }).click();
    await page.getByText('1 signer, 2 fields.').waitFor();
    await page.getByRole('switch', { name: 'Preview filled' }).click();
    await page.locator('[data-page="1"]').getByText('VV', { exact: true }).waitFor();
    await keep(page, 'ask-preview');
    await page.reload();
    await page.getByText('1 signer, 2 fields.').waitFor();
    await page.locator('canvas[data-drawn]').first().waitFor();
    await page.locator('[data-page="2"] [data-field]').focus();
    await page.keyboard.press('Delete');
    await page.getByText('1 signer, 1 field.').waitFor();
    await page.getByLabel('Message', { exact: true }).fill('Please sign by Friday.');
    await page.getByText('Preview of the email').click();
    await page.getByRole('heading', { name: 'Please sign: Services agreement' }).waitFor();
    await page.getByText('Message: Please sign by Friday.').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await sent(page).waitFor();
    const request = await requestsOf(person);
    assert.deepEqual(
      request.fields.map(({ kind: of, page: on, x, y }: any) => [of, on, x, y]),
      [['initials', 1, 100, 200.5]],
    );
    assert.equal(request.message, 'Please sign by Friday.');
    await page.goto(`/app/signatures/new?document=${id}`);
    await page.getByText('Add at least one signer.').waitFor();
  });

  test('a finger drags a field to its place on a phone, and moves it', async () => {
    const { person, id } = await withDocument();
    const page = await as(person, `/app/signatures/new?document=${id}`, { viewport: phone, hasTouch: true });
    const cdp = await page.context().newCDPSession(page);
    /** Moves a finger from the middle of an element. */
    const drag = async (what: Locator, x: number, y: number) => {
      const box = await what.boundingBox();
      assert.ok(box);
      const [startX, startY] = [box.x + box.width / 2, box.y + box.height / 2];
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share = 0) =>
        cdp.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: startX + (x - startX) * share, y: startY + (y - startY) * share }],
        });
      await touch('touchStart');
      for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', share);
      await touch('touchEnd');
    };
    await page.getByLabel('Add a signer').fill(`Vera Visitor ${addressOf('vera', person)}`);
    await page.getByRole('button', { name: /^Add Vera Visitor/ }).tap();
    await page.locator('canvas[data-drawn]').first().waitFor();
    await page.locator('[data-page="1"]').evaluate((element: any) => element.scrollIntoView({ block: 'center' }));
    await keep(page, 'ask-where-phone');
    await drag(page.getByRole('button', { name: 'Initials' }), 200, 520);
    const field = page.getByRole('button', { name: /^Initials for Vera Visitor/ });
    await field.waitFor();
    await page.getByText('1 signer, 1 field.').waitFor();
    const before = await field.boundingBox();
    assert.ok(before && Math.abs(before.x + before.width / 2 - 200) < 8, 'the field is where it was dropped');
    await drag(field, 120, before.y + 60);
    const after = await field.boundingBox();
    assert.ok(after && Math.abs(after.x + after.width / 2 - 120) < 8, 'the field moved with the finger');
    await eventually('the position is shown', async () => {
      await page.getByText('Selected field: Initials').tap();
      return (await page.getByLabel('From top').isVisible()) || undefined;
    });
    await page.getByLabel('From top').fill('200.5');
    await keep(page, 'ask-field-phone');
    await page.getByRole('button', { name: 'Send', exact: true }).tap();
    await sent(page).waitFor();
    assert.deepEqual(
      (await requestsOf(person)).fields.map(({ kind, page: on, y }: any) => [kind, on, y]),
      [['initials', 1, 200.5]],
    );
  });

  test('a phone on its side shows a new field between the tools and the summary', async () => {
    const { person, id } = await withDocument();
    const page = await as(person, `/app/signatures/new?document=${id}`, {
      viewport: { width: phone.height, height: phone.width },
      hasTouch: true,
    });
    await page.getByRole('button', { name: /^Add Ada Lovelace/ }).tap();
    await page.locator('canvas[data-drawn]').first().waitFor();
    await page.getByRole('button', { name: 'Signature', exact: true }).tap();
    const field = page.getByRole('button', { name: /^Signature for Ada Lovelace/ });
    await field.and(page.locator(':focus')).waitFor();
    const isUncovered = await field.evaluate((element: any) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const at = (y: number) => (globalThis as any).document.elementFromPoint((left + right) / 2, y);
      return [top + 2, bottom - 2].every((y) => element.contains(at(y)));
    });
    await keep(page, 'ask-landscape');
    assert.ok(isUncovered, 'nothing covers the field');
  });

  test('the screen fits and is accessible', async () => {
    const { person, id } = await withDocument();
    const page = await as(person, `/app/signatures/new?document=${id}`, { viewport: desktop });
    await page.getByLabel('Add a signer').fill(`Vera Visitor ${addressOf('vera', person)}`);
    await page.keyboard.press('Enter');
    await page.locator('canvas[data-drawn]').first().waitFor();
    await page.getByRole('button', { name: 'Signature', exact: true }).click();
    await fits(page, 'ask-for-signatures');
    await page.setViewportSize({ width: 320, height: 700 });
    // The pages of the document are drawn again in the new width. The policy of the page blocks `waitForFunction`.
    await eventually('the page fits 320 pixels', () => page.evaluate<boolean>('document.documentElement.scrollWidth === innerWidth'));
    await keep(page, 'ask-320');
  });
});
