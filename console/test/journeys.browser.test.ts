import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../test/browser.ts';
import { mailsTo, type Registered, registered } from '../../test/people.ts';
import { plainPdf } from '../../test/plain-pdf.ts';
import { askToSign, outToSign, pdfDocument, presentPdf, signatures } from '../../test/signatures.ts';
import { keep } from '../../test/visits.ts';
import { eventually } from '../../test/webhook-receiver.ts';
import { useConsole } from './console.ts';
import { settingsPeople } from './settings-people.ts';
import { Hands, ways } from './ways.ts';

describe('the journeys of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();
  const { get, joined, newOwner, open } = settingsPeople(chancery, as);

  async function call(by: { token: string }, method: string, path: string, body?: unknown): Promise<any> {
    const answer = await chancery().call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  }
  const requestOf = async (person: Registered) => {
    const [listed] = await get(person, `${signatures}/`);
    return get(person, `${signatures}/${listed.id}`);
  };
  const sent = (page: Page) => page.getByText(/^Sent to/).first();
  const signersOf = (request: any) => request.signers.map(({ name, order }: any) => [name, order]);
  /** Adds Ada and Vera as signers. */
  const addSigners = async (page: Page, hands: Hands, person: Registered) => {
    await hands.press(page.getByRole('button', { name: /^Add Ada Lovelace/ }));
    await hands.type(page.getByLabel('Add a signer'), `Vera Visitor vera.${person.id}@example.org`);
    await hands.press(page.getByRole('button', { name: /^Add Vera Visitor/ }));
  };
  const bothInTurn = [
    ['Ada Lovelace', 1],
    ['Vera Visitor', 2],
  ];
  const addresses = (name: string) => [1, 2].map((number) => `${name}.${number}.${Date.now().toString(36)}@example.org`);

  /** The required values of the agreement, in the order of the form. */
  const values: [label: string, text: string][] = [
    ['Date', '9 March 2026'],
    ['Purpose', 'Talks about a joint service'],
    ['Months', '24'],
    ['Survival years', '5'],
    ['Law', 'the Federal Republic of Germany'],
  ];

  for (const way of ways) {
    /** The screens are the same with each pointer. */
    const picture = (page: Page, name: string) => (way.byKeys ? Promise.resolve() : keep(page, `${name}${way.isPhone ? '-phone' : ''}`));
    const atMost = (hands: Hands, clicks: number) => assert.ok(hands.clicks <= clicks, `${hands.clicks} clicks`);

    test(`a task is approved beside its document ${way.name}`, async () => {
      const ada = await newOwner();
      const ben = await chancery().user(ada.team, { firstName: 'Ben', role: 'admin' });
      const { id: documentId } = await pdfDocument(chancery(), ben, { title: 'Supplier agreement' });
      const steps = [{ id: 's', name: 'Approve the agreement', type: 'approval', assignedTo: ada.id, dependsOn: [] }];
      const { id } = await call(ben, 'POST', '/api/v1/workflows/', { name: 'Contract review', documentId, steps });
      await call(ben, 'POST', `/api/v1/workflows/${id}/start`);
      const page = await open(ada, '/app', way.options);
      const hands = new Hands(page, way);
      await hands.press(page.getByRole('link', { name: 'Approve the agreement' }));
      await page.getByText('The first page').first().waitFor();
      await picture(page, 'inbox-peek');
      await hands.press(page.getByRole('button', { name: 'Approve', exact: true }));
      await page.locator('[role=status]').filter({ hasText: 'Approved. None left.' }).waitFor();
      assert.equal((await get(ada, `/api/v1/tasks/?workflowId=${id}`))[0].outcome, 'approved');
      atMost(hands, 2);
    });

    test(`a file is sent to two signers with a signature field ${way.name}`, async () => {
      const person = await registered(chancery());
      const page = await as(person, '/app/documents', way.options);
      const hands = new Hands(page, way);
      const buffer = Buffer.from(plainPdf(['The first page', 'The second page']));
      const chooser = page.waitForEvent('filechooser');
      await hands.press(page.getByRole('button', { name: 'Upload' }));
      await (await chooser).setFiles({ name: 'Services agreement.pdf', mimeType: 'application/pdf', buffer });
      await hands.press(page.getByRole('link', { name: 'Ask for signatures: Services agreement.pdf' }));
      await addSigners(page, hands, person);
      await page.locator('canvas[data-drawn]').first().waitFor();
      await hands.press(page.getByRole('button', { name: 'Signature', exact: true }));
      await page.getByText('2 signers, 1 field.').waitFor();
      await picture(page, 'ask-placed');
      await hands.press(page.getByRole('button', { name: 'Send', exact: true }));
      await sent(page).waitFor();
      const request = await requestOf(person);
      assert.deepEqual(signersOf(request), bothInTurn);
      assert.deepEqual(
        request.fields.map(({ signerId, kind, page: number, x, y }: any) => [signerId, kind, number, x, y]),
        [[request.signers[0].id, 'signature', 1, 72, 648]],
      );
      atMost(hands, 6);
    });

    test(`an agreement of the library is filled and sent to two signers in turn ${way.name}`, async () => {
      const person = await registered(chancery());
      const page = await as(person, '/app', way.options);
      const hands = new Hands(page, way);
      await hands.open('Templates');
      await hands.press(page.getByRole('link', { name: 'Non-disclosure agreement' }));
      for (const [label, text] of values) await hands.type(page.getByRole('textbox', { name: label, exact: true }), text);
      for (const group of ['Disclosing', 'Receiving']) {
        const party = page.getByRole('group', { name: group });
        await hands.type(party.getByRole('textbox', { name: 'Name' }).first(), `${group} GmbH`);
        await hands.type(party.getByRole('textbox', { name: 'Address' }), 'Lindenstraße 12, Berlin');
        await hands.type(party.getByRole('textbox', { name: 'Name' }).last(), 'Signatory');
      }
      await picture(page, 'template-form');
      await hands.press(page.getByRole('button', { name: 'Next: ask for signatures' }));
      await addSigners(page, hands, person);
      await page.getByRole('img', { name: 'Signature for Vera Visitor, placed by the template' }).waitFor();
      await picture(page, 'template-fields');
      await hands.press(page.getByRole('button', { name: 'Send', exact: true }));
      await sent(page).waitFor();
      const request = await requestOf(person);
      assert.deepEqual(signersOf(request), bothInTurn);
      assert.deepEqual(
        request.fields.filter(({ kind }: any) => kind === 'signature').map(({ signerId }: any) => signerId),
        request.signers.map(({ id }: any) => id),
        'the template places a signature for each',
      );
      atMost(hands, 6);
    });

    test(`the signer that a request waits for gets a reminder ${way.name}`, async () => {
      const person = await newOwner();
      const email = `vera.${person.id}@example.org`;
      const { id } = await askToSign(chancery(), person as never, { signers: [{ email, name: 'Vera Visitor' }] });
      await outToSign(chancery(), id);
      const page = await open(person, '/app', way.options);
      const hands = new Hands(page, way);
      await hands.open('Signatures');
      const request = page.getByRole('link', { name: 'Services agreement' });
      await request.waitFor();
      await picture(page, 'signatures-list');
      await hands.press(request);
      await hands.press(page.getByRole('button', { name: 'Remind' }));
      await page.getByText('Reminder sent to Vera Visitor.').first().waitFor();
      await page.getByText('You can send a reminder from').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Remind' }).count(), 0, 'the service accepts one reminder a day');
      await picture(page, 'signatures-panel');
      await eventually('the reminder', async () =>
        (await mailsTo(chancery(), email)).some(({ subject }) => subject.startsWith('Reminder')) ? true : undefined,
      );
      atMost(hands, 3);
    });

    test(`the history of a contract is read and its evidence downloaded ${way.name}`, async () => {
      const ada = await registered(chancery());
      const { id } = await pdfDocument(chancery(), ada, { title: 'Supplier agreement' });
      await chancery().call('GET', `/api/v1/smartdoc/documents/${id}/content`, { token: ada.token });
      const page = await as(ada, '/app', way.options);
      const hands = new Hands(page, way);
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      if (way.isPhone) await hands.open('Search');
      else await page.keyboard.press('Control+k');
      await page.locator('input:focus').waitFor();
      await page.keyboard.insertText('Supplier');
      const found = page.getByRole('option', { name: 'Supplier agreement' });
      await found.waitFor();
      // A key opens the search on a desktop.
      hands.clicks = 0;
      if (way.byKeys) await page.keyboard.press('Enter');
      else await hands.press(found);
      await hands.press(page.getByRole('link', { name: 'History' }));
      await page.getByText('read version 1').first().waitFor();
      await hands.press(page.getByRole('button', { name: 'Create the evidence pack' }));
      const download = page.waitForEvent('download', { timeout: 120_000 });
      await page.getByRole('button', { name: 'Download' }).waitFor({ timeout: 120_000 });
      await hands.press(page.getByRole('button', { name: 'Download' }));
      assert.match((await download).suggestedFilename(), /\.zip$/);
      await picture(page, 'document-history');
      atMost(hands, 4);
    });

    test(`colleagues are onboarded ${way.name}`, async () => {
      const ada = await newOwner();
      const page = await as(ada, '/app', way.options);
      const hands = new Hands(page, way);
      await hands.open('Team settings');
      await hands.press(page.getByRole('button', { name: 'Invite people' }));
      const [first = '', second = ''] = addresses('new');
      await page.locator('textarea:focus').waitFor();
      await page.keyboard.insertText(`Nora New <${first}>\n${second}`);
      await page.getByRole('button', { name: 'Send 2 invitations' }).waitFor();
      await picture(page, 'settings-invite');
      await hands.press(page.getByRole('button', { name: 'Send 2 invitations' }));
      await page.getByText('2 invitations sent.').first().waitFor();
      atMost(hands, 3);
      assert.deepEqual(
        (await get(ada, '/api/v1/team/invitations')).map(({ email }: any) => email),
        [first, second],
      );
      assert.equal((await mailsTo(chancery(), first)).length, 1);
    });

    test(`a leaver is removed with a successor ${way.name}`, async () => {
      const ada = await newOwner();
      const leo = await joined(ada, 'Leo', 'Leaver');
      const sue = await joined(ada, 'Sue', 'Successor');
      const task = await call(leo, 'POST', '/api/v1/tasks', { title: 'Read the lease', assignedTo: leo.id });
      const page = await open(ada, '/app', way.options);
      const hands = new Hands(page, way);
      await hands.open('Team settings');
      await hands.press(page.getByRole('link', { name: 'Leo Leaver' }));
      await page.getByRole('button', { name: 'Remove from the team' }).waitFor();
      await picture(page, 'settings-member');
      await hands.press(page.getByRole('button', { name: 'Remove from the team' }));
      const dialog = page.getByRole('dialog', { name: 'Remove Leo Leaver?' });
      await dialog.getByText('You cannot undo this.').waitFor();
      await hands.type(dialog.getByRole('searchbox', { name: 'Successor' }), 'Sue');
      const successor = dialog.getByRole('radio', { name: /Sue Successor/ });
      await successor.waitFor();
      await dialog.getByRole('radio', { name: /Leo Leaver|Ada Lovelace .+@/ }).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      assert.ok(await successor.isChecked());
      await picture(page, 'settings-remove');
      await hands.press(dialog.getByRole('button', { name: 'Remove from the team' }));
      await page.getByText('Leo Leaver was removed from the team.').first().waitFor();
      await page.getByRole('link', { name: 'Leo Leaver' }).waitFor({ state: 'detached' });
      atMost(hands, 4);
      assert.equal((await chancery().call('GET', `/api/v1/team/members/${leo.id}`, { token: ada.token })).status, 404);
      assert.equal((await get(ada, `/api/v1/tasks/${task.id}`)).assignedTo, sue.id);
    });

    test(`a member signs with the session of the account ${way.name}`, async () => {
      const ada = await newOwner();
      const ben = await chancery().user(ada.team, { firstName: 'Ben', role: 'admin' });
      const { id } = await askToSign(chancery(), ben, { signers: [{ email: ada.email, name: 'Ada Lovelace' }] });
      await outToSign(chancery(), id);
      await presentPdf(chancery(), id);
      const page = await open(ada, '/app', way.options);
      const hands = new Hands(page, way);
      await hands.press(page.getByRole('link', { name: 'Services agreement' }));
      await picture(page, 'inbox-sign');
      await hands.press(page.getByRole('link', { name: 'Sign', exact: true }));
      await page.waitForURL(/\/sign\/[\w-]{43,}/);
      await hands.press(page.getByRole('button', { name: /^Open the document/ }));
      await hands.type(page.getByLabel(/name/i).first(), 'Ada Lovelace');
      await hands.press(page.getByRole('checkbox').first());
      await hands.press(page.getByRole('button', { name: 'Sign the document' }).first());
      await page.getByText('You have signed').first().waitFor();
      await picture(page, 'signed');
      await hands.press(page.getByRole('link', { name: 'Back to the inbox' }));
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      assert.equal((await get(ada, `${signatures}/${id}`)).signers[0].status, 'signed');
    });
  }
});
