import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { withoutBrowser } from '../../test/browser.ts';
import { authPath, broughtIn, cookieOf, mailsTo, type Registered, registered, signIn } from '../../test/people.ts';
import { plainPdf } from '../../test/plain-pdf.ts';
import { askToSign, pdfDocument, signatures } from '../../test/signatures.ts';
import { desktop, keep, phone } from '../../test/visits.ts';
import { eventually } from '../../test/webhook-receiver.ts';
import { useConsole } from './console.ts';

/** How a person uses a page. `presses` counts clicks, taps or Enter. Typing and the menu of a phone do not count. */
type Hand = {
  press: (what: Locator) => Promise<void>;
  write: (what: Locator, text: string) => Promise<void>;
  isKeyboard: boolean;
  presses: number;
};

/** Moves the focus to an element by keyboard. */
async function reach(page: Page, what: Locator): Promise<void> {
  await what.waitFor();
  const isFocused = () => what.evaluate((element: any) => element === element.ownerDocument.activeElement);
  const next = (await what.getAttribute('role')) === 'menuitem' ? 'ArrowDown' : 'Tab';
  for (let step = 0; step < 150; step += 1) {
    if (await isFocused()) return;
    await page.keyboard.press(next);
  }
  assert.fail(`${String(what)} cannot be reached by keyboard`);
}

const pointer = (): Hand => ({
  press: (what) => what.click(),
  write: (what, text) => what.fill(text),
  isKeyboard: false,
  presses: 0,
});
const finger = (): Hand => ({ ...pointer(), press: (what) => what.tap() });
const keyboard = (page: Page): Hand => ({
  async press(what) {
    await reach(page, what);
    await page.keyboard.press((await what.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter');
  },
  async write(what, text) {
    await reach(page, what);
    await page.keyboard.insertText(text);
  },
  isKeyboard: true,
  presses: 0,
});

for (const [way, viewport, handOf] of [
  ['by mouse on a desktop', desktop, pointer],
  ['by touch on a phone', phone, finger],
  ['by keyboard on a desktop', desktop, keyboard],
  ['by keyboard on a phone', phone, keyboard],
] as const) {
  describe(`the journeys of the console ${way}`, { skip: withoutBrowser }, () => {
    const { chancery, as } = useConsole();
    let page: Page;
    let hand: Hand;

    const call = async (by: { token: string }, method: string, path: string, body?: unknown): Promise<any> => {
      const answer = await chancery().call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
      assert.ok(answer.status < 300, answer.text);
      return answer.body;
    };
    /** Opens the console for a person. */
    async function open(person: Registered, path = '/app'): Promise<void> {
      const refreshToken = cookieOf(await signIn(chancery(), person.email), 'refresh_token');
      page = await as({ ...person, refreshToken }, path, { viewport, hasTouch: viewport === phone });
      hand = handOf(page);
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
    }
    async function press(what: Locator): Promise<void> {
      await hand.press(what);
      hand.presses += 1;
    }
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    /** Opens a page by its name in the navigation, or in the menu of a phone. */
    async function go(name: string): Promise<void> {
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
      if (await link.isVisible()) return press(link);
      await hand.press(button('More'));
      return press(page.getByRole('menuitem', { name }));
    }
    const shown = (text: string | RegExp) => page.getByText(text).first().waitFor();
    /** A colleague of a person. */
    async function colleague(owner: Registered, firstName: string, lastName: string, role = 'member'): Promise<Registered> {
      const person = await registered(chancery());
      await call(person, 'PUT', `${authPath}/profile`, { firstName, lastName });
      return { ...person, token: await broughtIn(chancery(), owner, person, role) };
    }
    /** A request that was sent to its signer. */
    async function requested(by: Registered, signer: object): Promise<string> {
      const { id } = await askToSign(chancery(), by, { signers: [signer] });
      await eventually('the first mail', async () => (await call(by, 'GET', `${signatures}/${id}`)).status === 'pending' || undefined);
      return id;
    }
    const requestOf = async (person: Registered) => {
      const [{ id }] = await call(person, 'GET', `${signatures}/`);
      return call(person, 'GET', `${signatures}/${id}`);
    };
    const inTurn = (request: any) => request.signers.map(({ name, order }: any) => [name, order]);
    async function addSigners(person: Registered): Promise<void> {
      await press(page.getByRole('button', { name: /^Add Ada Lovelace/ }));
      await hand.write(page.getByLabel('Add a signer'), `Vera Visitor vera.${person.id}@example.org`);
      await press(page.getByRole('button', { name: /^Add Vera Visitor/ }));
    }
    const bothInTurn = [
      ['Ada Lovelace', 1],
      ['Vera Visitor', 2],
    ];

    test('a waiting task is read beside its document and approved in two', async () => {
      const ada = await registered(chancery());
      const ben = await colleague(ada, 'Ben', 'Bauer', 'admin');
      const { id: documentId } = await pdfDocument(chancery(), ben, { title: 'Supplier agreement' });
      const steps = [{ id: 's', name: 'Approve the supplier', type: 'approval', dependsOn: [], assignedTo: ada.id }];
      const workflow = await call(ben, 'POST', '/api/v1/workflows/', { name: 'Contract review', documentId, steps });
      await call(ben, 'POST', `/api/v1/workflows/${workflow.id}/start`);
      await open(ada);
      await press(page.getByRole('link', { name: 'Approve the supplier' }));
      await shown('The first page');
      await keep(page, `journey-approve-${viewport.width}`);
      await press(button('Approve'));
      await page
        .locator('[role=status][aria-live=polite]')
        .filter({ hasText: /^Approved\./ })
        .waitFor();
      const [task] = await call(ada, 'GET', `/api/v1/tasks/?workflowId=${workflow.id}`);
      assert.deepEqual([task.outcome, hand.presses], ['approved', 2]);
    });

    test('a file is uploaded and sent to two signers in six', async () => {
      const ada = await registered(chancery());
      await open(ada, '/app/documents');
      await shown('No documents yet');
      const chooser = page.waitForEvent('filechooser');
      await press(button('Upload').first());
      const buffer = Buffer.from(plainPdf(['The first page', 'The second page']));
      await (await chooser).setFiles({ name: 'Services agreement.pdf', mimeType: 'application/pdf', buffer });
      await press(page.getByRole('link', { name: 'Ask for signatures: Services agreement.pdf' }));
      await addSigners(ada);
      if (viewport === phone) await shown(/^To place fields, open this page on a larger screen/);
      else {
        await page.locator('canvas[data-drawn]').first().waitFor();
        await press(button('Signature'));
        await shown('2 signers, 1 field.');
      }
      await keep(page, `journey-ask-${viewport.width}`);
      await press(button('Send'));
      await shown(/^Sent to/);
      assert.ok(hand.presses <= 6, `${hand.presses}`);
      const request = await requestOf(ada);
      assert.deepEqual(inTurn(request), bothInTurn);
      const placed = request.fields.map(({ kind, page: on, signerId, x, y }: any) => [kind, on, signerId, Math.round(x), Math.round(y)]);
      assert.deepEqual(placed, viewport === phone ? [] : [['signature', 1, request.signers[0].id, 72, 648]]);
    });

    test('an agreement of the library is filled and sent to two signers in six', async () => {
      const ada = await registered(chancery());
      await open(ada);
      await go('Templates');
      await press(page.getByRole('link', { name: 'Non-disclosure agreement' }));
      await page.getByRole('textbox', { name: 'Date', exact: true }).waitFor();
      for (const [label, text] of [
        ['Date', '9 March 2026'],
        ['Purpose', 'Talks about a joint service'],
        ['Months', '24'],
        ['Survival years', '5'],
        ['Law', 'the Federal Republic of Germany'],
      ] as const)
        await hand.write(page.getByRole('textbox', { name: label, exact: true }), text);
      for (const [group, name] of [
        ['Disclosing', 'Northwind Legal GmbH'],
        ['Receiving', 'Acme Robotics GmbH'],
      ] as const) {
        const party = page.getByRole('group', { name: group });
        await hand.write(party.getByRole('textbox', { name: 'Name' }).first(), name);
        await hand.write(party.getByRole('textbox', { name: 'Address' }), 'Lindenstraße 12, Berlin');
        await hand.write(party.getByRole('textbox', { name: 'Name' }).last(), `Signatory of ${name}`);
      }
      await keep(page, `journey-template-${viewport.width}`);
      await press(button('Next: ask for signatures'));
      await addSigners(ada);
      await press(button('Send'));
      await shown(/^Sent to/);
      assert.equal(hand.presses, 6);
      const request = await requestOf(ada);
      assert.deepEqual(inTurn(request), bothInTurn);
      assert.deepEqual(
        request.fields.filter(({ kind }: any) => kind === 'signature').map(({ signerId }: any) => signerId),
        request.signers.map(({ id }: any) => id),
        'the template places a signature for each',
      );
    });

    test('the signer that a request waits for is reminded in three', async () => {
      const ada = await registered(chancery());
      const email = `vera.${ada.id}@example.org`;
      const id = await requested(ada, { email, name: 'Vera Visitor' });
      await chancery().pool.query("UPDATE signature_signer SET sent_at = now() - interval '2 days' WHERE request_id = $1", [id]);
      await open(ada);
      await go('Signatures');
      await press(page.getByRole('link', { name: 'Services agreement' }));
      await keep(page, `journey-remind-${viewport.width}`);
      await press(button('Remind'));
      await shown('Reminder sent to Vera Visitor.');
      assert.equal(hand.presses, 3);
      const isReminder = ({ subject }: { subject: string }) => subject.startsWith('Reminder');
      await eventually('the reminder', async () => (await mailsTo(chancery(), email)).some(isReminder) || undefined);
    });

    test('who read a contract is found, and the evidence downloaded, in four', async () => {
      const ada = await registered(chancery());
      const { id } = await pdfDocument(chancery(), ada, { title: 'Supplier agreement' });
      await chancery().call('GET', `/api/v1/smartdoc/documents/${id}/content`, { token: ada.token });
      await open(ada);
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      if (viewport === phone && !hand.isKeyboard) {
        await hand.press(button('More'));
        await hand.press(page.getByRole('menuitem', { name: /^Search/ }));
      } else await page.keyboard.press('Control+k');
      await page.keyboard.type('Supplier');
      const found = page.getByRole('option', { name: 'Supplier agreement' });
      await found.waitFor();
      if (hand.isKeyboard) {
        await page.keyboard.press('Enter');
        hand.presses += 1;
      } else await press(found);
      await press(page.getByRole('link', { name: 'History' }));
      await shown('read version 1');
      await press(button('Create the evidence pack'));
      const download = page.waitForEvent('download', { timeout: 120_000 });
      await button('Download').waitFor({ timeout: 120_000 });
      await press(button('Download'));
      assert.match((await download).suggestedFilename(), /\.zip$/);
      assert.equal(hand.presses, 4);
      await keep(page, `journey-history-${viewport.width}`);
    });

    test('a colleague is invited in three', async () => {
      const ada = await registered(chancery());
      await open(ada);
      await go('Team settings');
      await press(button('Invite people'));
      await page.locator('textarea:focus').waitFor();
      const emails = [1, 2].map((number) => `new.${number}.${ada.id}@example.org`);
      await page.keyboard.insertText(`Nora New <${emails[0]}>\n${emails[1]}`);
      await keep(page, `journey-invite-${viewport.width}`);
      await press(button('Send 2 invitations'));
      await shown('2 invitations sent.');
      assert.equal(hand.presses, 3);
      const invited = await call(ada, 'GET', '/api/v1/team/invitations');
      assert.deepEqual(
        invited.map(({ email }: any) => email),
        emails,
      );
      assert.equal((await mailsTo(chancery(), emails[0] ?? '')).length, 1);
    });

    test('a leaver is removed with a successor in four', async () => {
      const ada = await registered(chancery());
      const leo = await colleague(ada, 'Leo', 'Leaver');
      const sue = await colleague(ada, 'Sue', 'Successor');
      const task = await call(leo, 'POST', '/api/v1/tasks', { title: 'Read the lease', assignedTo: leo.id });
      await open(ada);
      await go('Team settings');
      await press(page.getByRole('link', { name: 'Leo Leaver' }));
      await press(button('Remove from the team'));
      const dialog = page.getByRole('dialog', { name: 'Remove Leo Leaver?' });
      await hand.write(dialog.getByRole('searchbox', { name: 'Successor' }), 'Sue');
      await dialog.getByRole('radio', { name: /Leo Leaver|Ada Lovelace .+@/ }).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      assert.ok(await dialog.getByRole('radio', { name: /Sue Successor/ }).isChecked());
      await keep(page, `journey-remove-${viewport.width}`);
      await press(dialog.getByRole('button', { name: 'Remove from the team' }));
      await shown('Leo Leaver was removed from the team.');
      assert.equal(hand.presses, 4);
      assert.equal((await call(ada, 'GET', `/api/v1/tasks/${task.id}`)).assignedTo, sue.id);
      assert.equal((await chancery().call('GET', `/api/v1/team/members/${leo.id}`, { token: ada.token })).status, 404);
    });

    test('a member who is asked to sign goes from the inbox to the signature, without a link from a mail', async () => {
      const ada = await registered(chancery());
      const ben = await colleague(ada, 'Ben', 'Bauer', 'admin');
      const id = await requested(ben, { email: ada.email, name: 'Ada Lovelace' });
      await open(ada, '/app?kind=signature');
      await press(page.getByRole('link', { name: 'Services agreement' }));
      await press(page.getByRole('link', { name: 'Sign', exact: true }));
      await page.waitForURL(/\/sign\/[\w-]{43,}/);
      await press(page.getByRole('button', { name: /^Open the document/ }));
      await hand.write(page.getByLabel(/name/i).first(), 'Ada Lovelace');
      await press(page.getByRole('checkbox').first());
      await keep(page, `journey-sign-${viewport.width}`);
      await press(page.getByRole('button', { name: 'Sign the document' }).first());
      await shown('You have signed');
      assert.equal((await call(ben, 'GET', `${signatures}/${id}`)).signers[0].status, 'signed');
    });
  });
}
