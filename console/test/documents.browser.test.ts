import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { isAccessible } from '../../test/accessible.ts';
import { withoutBrowser } from '../../test/browser.ts';
import { broughtIn, registered } from '../../test/people.ts';
import { plainPdf } from '../../test/plain-pdf.ts';
import { desktop, keep, phone } from '../../test/visits.ts';
import { eventually } from '../../test/webhook-receiver.ts';
import { narrow, useConsole } from './console.ts';

const pdf = (name: string, ...pages: string[]) => ({ name, mimeType: 'application/pdf', buffer: plainPdf(pages) });
const drawn = (page: Page, number = 1) => page.locator(`[data-page="${number}"] canvas[data-drawn]`).waitFor();

describe('the documents of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();

  const call = async (person: { token: string }, method: string, path: string, body?: unknown) => {
    const answer = await chancery().call(method, path, { token: person.token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const upload = async (person: { token: string }, title: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ title, ...fields })) form.set(name, value);
    form.set('file', new Blob([new Uint8Array(plainPdf(['Dear Ada Lovelace']))], { type: 'application/pdf' }), 'letter.pdf');
    return call(person, 'POST', '/api/v1/smartdoc/documents/', form);
  };
  const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

  test('files are uploaded, read, replaced by a new version and compared', async () => {
    const ada = await registered(chancery());
    const page = await as(ada, '/app/documents', { viewport: desktop });
    await page.getByText('No documents yet').waitFor();
    await page.locator('input[type="file"]').setInputFiles([pdf('Lease.pdf', 'The rent is 900 euros.'), pdf('Annex.pdf', 'Keys')]);
    await row(page, 'Lease').waitFor();
    await row(page, 'Annex').waitFor();
    await page.getByText('Uploads finished').waitFor();
    await keep(page, 'documents-uploaded');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await row(page, 'Lease').getByRole('link').focus();
    await page.keyboard.press('Enter');
    await drawn(page);
    await page.getByText('The rent is 900 euros.').waitFor();
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.locator('input[type="file"]').setInputFiles(pdf('Lease.pdf', 'The rent is 950 euros.'));
    await page.getByRole('link', { name: 'Version 2' }).waitFor();
    await eventually('the text of both versions', async () => {
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.locator('del, [role="alert"]').first().waitFor();
      if ((await page.locator('del').count()) > 0) return true;
      await page.reload();
      await page.getByRole('button', { name: 'Compare' }).waitFor();
      return false;
    });
    assert.match((await page.locator('del').first().textContent()) ?? '', /900/);
    assert.match((await page.locator('ins').first().textContent()) ?? '', /950/);
    await keep(page, 'document-compare');
    await page.getByRole('link', { name: 'Version 1', exact: true }).click();
    await page.getByText('You are reading version 1').waitFor();
    await drawn(page);
  });

  test('a failed upload says why, and its second attempt creates one document', async () => {
    const ada = await registered(chancery());
    const page = await as(ada, '/app/documents');
    await page.getByText('No documents yet').waitFor();
    await page.route('**/api/v1/smartdoc/documents/', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await page.locator('input[type="file"]').setInputFiles(pdf('Lease.pdf', 'The rent'));
    await page.getByText('Not uploaded').waitFor();
    await page.unroute('**/api/v1/smartdoc/documents/');
    await page.getByRole('button', { name: 'Upload Lease.pdf again' }).click();
    await row(page, 'Lease').waitFor();
    assert.equal((await call(ada, 'GET', '/api/v1/smartdoc/documents/')).length, 1);
  });

  /** Counts the clicks of a journey. */
  const counter = () => {
    const clicks = { count: 0 };
    const click = async (target: Locator) => {
      await target.click();
      clicks.count += 1;
    };
    return { clicks, click };
  };

  test('the browser verifies an entry of the history, which fits 320 pixels', async () => {
    const ada = await registered(chancery());
    const { id } = await upload(ada, 'Supplier agreement');
    const page = await as(ada, `/app/documents/${id}?tab=history`, { viewport: desktop });
    const entry = page.getByRole('listitem').filter({ hasText: 'created the document' });
    await eventually('the entry is in the tree', async () => {
      await entry.getByRole('button', { name: 'Verify' }).click();
      await entry.getByText(/Verified|In the journal/).waitFor();
      if ((await entry.getByText('Verified').count()) > 0) return true;
      await page.reload();
      return false;
    });
    await keep(page, 'document-history');
    await isAccessible(page, 'the history');
    await narrow(page, 'document-history');
  });

  test('a folder is created, a document moved into it, and the filters are in the address', async () => {
    const ada = await registered(chancery());
    await upload(ada, 'Lease');
    await upload(ada, 'Offer');
    const page = await as(ada, '/app/documents', { viewport: desktop });
    await row(page, 'Lease').waitFor();
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name of the folder').fill('Tenancies');
    await page.getByRole('button', { name: 'Create folder' }).click();
    await page.getByRole('heading', { name: 'Tenancies' }).waitFor();
    const empty = page.getByRole('heading', { name: 'This folder has no documents' }).locator('..');
    await empty.waitFor();
    await keep(page, 'documents-empty-folder');
    const chooser = page.waitForEvent('filechooser');
    await empty.getByRole('button', { name: 'Upload' }).click();
    await (await chooser).setFiles(pdf('Annex.pdf', 'Keys'));
    await row(page, 'Annex').waitFor();
    await page.getByRole('link', { name: 'All documents' }).first().click();
    await page.getByRole('button', { name: 'Actions of Lease' }).click();
    await page.getByRole('menuitem', { name: 'Move…' }).click();
    await page.getByLabel('Folder', { exact: true }).selectOption('Tenancies');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Moved.').first().waitFor();
    await page.getByRole('link', { name: 'Tenancies' }).click();
    await row(page, 'Lease').waitFor();
    assert.equal(await row(page, 'Offer').count(), 0);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No document matches').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('q'), 'nothing like it');
    await page.reload();
    await page.getByText('No document matches').waitFor();
  });

  test('a document goes to the bin, and an undo restores it', async () => {
    const ada = await registered(chancery());
    await upload(ada, 'Lease');
    const page = await as(ada, '/app/documents', { viewport: phone });
    await page.getByRole('button', { name: 'Actions of Lease' }).click();
    await page.getByRole('menuitem', { name: 'Move to the bin' }).click();
    await page.getByText('No documents yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Lease').waitFor();
    await page.getByRole('button', { name: 'Actions of Lease' }).click();
    await page.getByRole('menuitem', { name: 'Move to the bin' }).click();
    await page.getByText('No documents yet').waitFor();
    await page.goto('/app/documents/bin');
    await page.getByRole('button', { name: 'Restore Lease' }).click();
    await page.getByText('The bin is empty').waitFor();
  });

  test('a folder is put under a legal hold in three clicks and its documents show it', async () => {
    const ada = await registered(chancery());
    const folder = await call(ada, 'POST', '/api/v1/smartdoc/folders/', { name: 'Litigation' });
    await upload(ada, 'Letter of claim', { folderId: folder.id });
    const page = await as(ada, `/app/documents?folder=${folder.id}`, { viewport: desktop });
    await row(page, 'Letter of claim').waitFor();
    const { clicks, click } = counter();
    await click(page.getByRole('button', { name: 'Actions of the folder Litigation' }));
    await click(page.getByRole('menuitem', { name: 'Legal hold…' }));
    await page.getByLabel('Reason').fill('Claim of 12 March');
    await click(page.getByRole('button', { name: 'Place the hold' }));
    await row(page, 'Letter of claim').getByText('Legal hold').waitFor({ state: 'attached' });
    assert.ok(clicks.count <= 3);
    await page.getByRole('link', { name: 'Litigation Legal hold' }).waitFor();
    const signs = page.getByText('Legal hold', { exact: true });
    assert.equal(await signs.count(), 3, 'in the tree, above the list and in the row');
    await keep(page, 'documents-hold');
    await page.getByRole('button', { name: 'Actions of Letter of claim' }).click();
    await page.getByRole('menuitem', { name: 'Legal hold…' }).click();
    await page.getByRole('dialog').getByText('Claim of 12 March').waitFor();
    await keep(page, 'documents-holds');
    await page.getByRole('dialog').getByRole('button', { name: 'Lift the hold' }).click();
    const dialog = page.getByRole('dialog', { name: 'Lift the hold' });
    await dialog.getByLabel('Why is it lifted?').fill('The claim was withdrawn');
    await dialog.getByRole('button', { name: 'Lift the hold' }).click();
    await row(page, 'Letter of claim').getByText('Legal hold').waitFor({ state: 'detached' });
    await signs.first().waitFor({ state: 'detached' });
  });

  test('several documents are labelled, moved and put into the bin at once, by keyboard alone', async () => {
    const ada = await registered(chancery());
    const folder = await call(ada, 'POST', '/api/v1/smartdoc/folders/', { name: 'Tenancies' });
    const { id } = await upload(ada, 'Lease');
    await call(ada, 'POST', '/api/v1/smartdoc/documents/label', { items: [{ id, labels: ['Berlin', 'Signed'] }] });
    await upload(ada, 'Annex');
    await upload(ada, 'Offer');
    const page = await as(ada, '/app/documents', { viewport: desktop });
    await row(page, 'Lease').waitFor();
    const pick = async (...titles: string[]) => {
      for (const title of titles) {
        await row(page, title).getByRole('link').focus();
        await page.keyboard.press('x');
      }
      await page.getByText(`${titles.length} selected`).waitFor();
    };
    const choose = async (name: string) => {
      await page.getByRole('toolbar').getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
    };
    await pick('Lease', 'Annex');
    await keep(page, 'documents-several');
    await choose('Labels…');
    await page.keyboard.type('Tenancy');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').first().waitFor();
    const labels = async () => (await call(ada, 'GET', '/api/v1/smartdoc/documents/?sort=title')).map((one: any) => one.labels?.toSorted());
    assert.deepEqual(await labels(), [['Tenancy'], ['Berlin', 'Signed', 'Tenancy'], undefined]);
    await pick('Lease', 'Annex');
    await choose('Move…');
    await page.getByLabel('Folder', { exact: true }).selectOption('Tenancies');
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).press('Enter');
    await page.getByText('Moved.').first().waitFor();
    await page.goto(`/app/documents?folder=${folder.id}`);
    await row(page, 'Lease').waitFor();
    await pick('Lease', 'Annex');
    await choose('Move to the bin');
    await page.getByText('2 documents are in the bin.').first().waitFor();
    await page.getByText('This folder has no documents').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await row(page, 'Annex').waitFor();
  });

  test('the history names who got which access', async () => {
    const ada = await registered(chancery());
    const ben = await chancery().user(ada.team, { firstName: 'Ben', role: 'member' });
    const { id } = await upload(ada, 'Lease');
    await call(ada, 'POST', `/api/v1/smartdoc/documents/${id}/access`, { userId: ben.id, access: 'write' });
    const page = await as(ada, `/app/documents/${id}?tab=history`, { viewport: phone });
    const entry = page.getByRole('listitem').filter({ hasText: 'gave access' });
    await entry.getByText('Can read and change').waitFor();
    await entry.getByText(/^Ben /).waitFor();
    await keep(page, 'document-history-share');
  });

  test('an owner learns that a reading by role is recorded, before the file is read', async () => {
    const [ada, ben] = [await registered(chancery()), await registered(chancery())];
    const member = { token: await broughtIn(chancery(), ada, ben) };
    const { id } = await upload(member, 'Notes of Ben');
    const readings = async () => (await call(member, 'GET', `/api/v1/smartdoc/documents/${id}/access`)).privilegedAccess.length;
    const page = await as(ada, `/app/documents/${id}`, { viewport: desktop });
    await page.getByText('Not shared with you').waitFor();
    assert.equal(await readings(), 0);
    await keep(page, 'document-by-role');
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await drawn(page);
    assert.equal(await readings(), 1);
  });

  test('a folder is shared with a group, and the share is ended', async () => {
    const ada = await registered(chancery());
    const folder = await call(ada, 'POST', '/api/v1/smartdoc/folders/', { name: 'Tenancies' });
    await call(ada, 'POST', '/api/v1/groups/', { name: 'Real estate' });
    const page = await as(ada, `/app/documents?folder=${folder.id}`, { viewport: phone });
    await page.getByRole('button', { name: 'Actions of the folder Tenancies' }).click();
    await page.getByRole('menuitem', { name: 'Share…' }).click();
    await page.keyboard.type('real');
    await page.getByRole('option', { name: 'Real estate' }).click();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const shared = page.getByRole('list', { name: 'Shared with' });
    await shared.getByText('Real estate').waitFor();
    await isAccessible(page, 'the shares of a folder');
    await keep(page, 'folder-shares');
    await shared.getByRole('button', { name: 'End' }).click();
    await shared.waitFor({ state: 'detached' });
  });

  for (const [locale, colorScheme] of [
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)
    test(`all screens are accessible and fit 320 pixels (${locale}, ${colorScheme})`, async () => {
      const ada = await registered(chancery());
      const folder = await call(ada, 'POST', '/api/v1/smartdoc/folders/', { name: 'Tenancies' });
      await call(ada, 'POST', '/api/v1/smartdoc/folders/', { name: 'Berlin', parentId: folder.id });
      await upload(ada, 'Lease of the warehouse in Spandau with an option to buy', { folderId: folder.id });
      const { id } = await upload(ada, 'Services agreement');
      const wide = { width: 1_440, height: 900 };
      const page = await as(ada, '/app/documents', { viewport: wide, locale, colorScheme });
      await row(page, 'Services agreement').waitFor();
      await keep(page, `documents-${locale}`);
      await isAccessible(page, `documents ${locale}`);
      await narrow(page, `documents-${locale}`);
      await page.setViewportSize(wide);
      await page.goto(`/app/documents?peek=${id}`);
      await page.getByRole('complementary').getByRole('link').first().waitFor();
      await keep(page, `documents-peek-${locale}`);
      for (const tab of ['read', 'versions', 'workflow', 'signatures', 'dates', 'access', 'history']) {
        await page.setViewportSize(wide);
        await page.goto(`/app/documents/${id}?tab=${tab}`);
        if (tab === 'read') await drawn(page);
        else await page.locator('#content').locator('table, form, ol > li, h2').first().waitFor();
        await keep(page, `document-${tab}-${locale}`);
        await isAccessible(page, `${tab} ${locale}`);
        await narrow(page, `document-${tab}-${locale}`);
      }
    });
});
