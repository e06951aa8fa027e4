import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../test/browser.ts';
import { eventually } from '../../test/webhook-receiver.ts';
import { cookieOf, type Registered, registered, signIn } from '../../test/people.ts';
import { askToSign, outToSign, presentPdf, signatures } from '../../test/signatures.ts';
import { fits, keep, phone, desktop } from '../../test/visits.ts';
import { useConsole } from './console.ts';

describe('the signatures of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();

  /** Opens a path in a new session of a person. */
  const open = async (person: Registered, path: string, options = {}): Promise<Page> =>
    as({ ...person, refreshToken: cookieOf(await signIn(chancery(), person.email), 'refresh_token') }, path, options);
  const read = async (person: Registered, id: string) =>
    (await chancery().call('GET', `${signatures}/${id}`, { token: person.token })).body;

  /** A request that was sent to two signers two days ago. */
  async function requested(person: Registered, members: object = {}) {
    const signers = [
      { email: `vera.${person.id}@example.org`, name: 'Vera Visitor', order: 1 },
      { email: `ben.${person.id}@example.org`, name: 'Ben Bauer', order: 2 },
    ];
    const { id } = await askToSign(chancery(), person as never, { signers, message: 'As we spoke about on Monday.', ...members });
    await eventually('the first email', async () => ((await read(person, id)).status === 'pending' ? true : undefined));
    const ago = "now() - interval '2 days'";
    await chancery().pool.query(`UPDATE signature_signer SET sent_at = ${ago} WHERE request_id = $1 AND sent_at IS NOT NULL`, [id]);
    return { id, email: signers[0]?.email ?? '' };
  }

  test('on a phone a request shows who it waits for, and is corrected, extended and voided', async () => {
    const person = await registered(chancery());
    const { id } = await requested(person);
    const page = await open(person, '/app/signatures', { viewport: phone });
    await page.getByText('Vera Visitor', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Services agreement' }).click();
    await page.getByRole('button', { name: 'Correct Vera Visitor' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Vera Vogel');
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    await page.getByText('Vera Vogel').first().waitFor();
    const before = Date.parse((await read(person, id)).expiresAt);
    await page.getByRole('button', { name: 'Extend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click();
    await page.getByText('Deadline extended.').first().waitFor();
    assert.ok(Date.parse((await read(person, id)).expiresAt) > before + 10 * 86_400_000);
    await page.getByRole('button', { name: 'Void…' }).click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('The price changed');
    await page.getByRole('dialog').getByRole('button', { name: 'Void…' }).click();
    await page.getByText('Request voided.').first().waitFor();
    const { status, endReason } = await read(person, id);
    assert.deepEqual([status, endReason], ['voided', 'The price changed']);
  });

  test('a member gets back to the inbox after delegating, and from a void request', async () => {
    const ada = await registered(chancery());
    const ben = await chancery().user(ada.team, { firstName: 'Ben', role: 'admin' });
    const signers = [{ email: ada.email, name: 'Ada Lovelace' }];
    const ids: string[] = [];
    for (const allowDelegation of [true, false]) ids.push((await askToSign(chancery(), ben, { signers, allowDelegation })).id);
    for (const id of ids) {
      await outToSign(chancery(), id);
      await presentPdf(chancery(), id);
    }
    const page = await open(ada, '/app', { viewport: phone });
    const back = page.getByRole('link', { name: 'Back to the inbox' });
    await page.goto(`/sign/requests/${ids[0]}`);
    await page.getByRole('button', { name: /^Open the document/ }).click();
    await page.getByRole('link', { name: 'Ask another person to sign' }).click();
    await page.getByLabel('Their full name').fill('Dora Delegate');
    await page.getByLabel('Their e-mail address').fill(`dora.${ada.id}@example.org`);
    await page.getByRole('button', { name: 'Delegate' }).click();
    await back.waitFor();
    await page.goto(`/sign/requests/${ids[1]}`);
    await page.getByRole('button', { name: /^Open the document/ }).waitFor();
    assert.equal(await back.count(), 0);
    const voided = await chancery().call('POST', `${signatures}/${ids[1]}/void`, { token: ben.token, body: { reason: 'A wrong version' } });
    assert.equal(voided.status, 200, voided.text);
    await page.reload();
    await page.getByText('A wrong version').waitFor();
    await keep(page, 'sign-void-phone');
    await back.click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  });

  test('the tabs, the search and the page fit and are accessible', async () => {
    const person = await registered(chancery());
    const { id } = await requested(person);
    const { id: failed } = await requested(person, { signers: [{ email: `x.${person.id}@example.org`, name: 'Xaver Huber' }] });
    await chancery().pool.query("UPDATE signature_request SET status = 'failed', error = 'The file is damaged.' WHERE id = $1", [failed]);
    const page = await open(person, '/app/signatures', { viewport: desktop });
    await page.getByRole('cell', { name: 'Vera Visitor', exact: true }).waitFor();
    assert.equal(await page.locator('tr[data-row]').count(), 1, 'what needs action has a tab of its own');
    await fits(page, 'signatures');
    await page.setViewportSize(desktop);
    await page.getByText('Needs action').click();
    await page.getByRole('cell', { name: 'Failed' }).waitFor();
    await page.getByLabel('Document or signer').fill('nobody');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByLabel('Document or signer').fill('xaver');
    await page.getByRole('cell', { name: 'Failed' }).waitFor();
    assert.match(page.url(), /tab=stalled/);
    await page.goto(`/app/signatures/${id}`);
    await page.getByRole('heading', { name: 'Signers', exact: true }).waitFor();
    await fits(page, 'signature-request');
    await page.setViewportSize({ width: 320, height: 700 });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, 'the page fits 320 pixels');
    await keep(page, 'signature-request-320');
  });
});
