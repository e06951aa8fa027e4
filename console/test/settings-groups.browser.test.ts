import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withoutBrowser } from '../../test/browser.ts';
import { pdfDocument } from '../../test/signatures.ts';
import { desktop, fits, keep, phone } from '../../test/visits.ts';
import { narrow, useConsole } from './console.ts';
import { settingsPeople } from './settings-people.ts';

const groupsPath = '/api/v1/groups/';

describe('the groups and guests of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();
  const { get, joined, newOwner, open } = settingsPeople(chancery, as);

  test('a group is created with several members, renamed, emptied and deleted', async () => {
    const ada = await newOwner();
    await joined(ada, 'Ben', 'Bauer');
    await joined(ada, 'Cleo', 'Clerk');
    const page = await open(ada, '/app/settings/groups', { viewport: desktop });
    await page.getByText('No groups yet').waitFor();
    await page.getByRole('button', { name: 'Create a group' }).click();
    await page.locator('input[name="name"]:focus').waitFor();
    await page.keyboard.insertText('Litigation');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Litigation', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Add members' }).click();
    for (const name of ['Ben Bauer', 'Cleo Clerk']) await page.getByRole('checkbox', { name }).check();
    await keep(page, 'settings-group-add');
    await page.getByRole('button', { name: 'Add 2 members' }).click();
    await page.getByText('2 members added.').first().waitFor();
    await page.getByRole('link', { name: 'Cleo Clerk' }).waitFor();
    await fits(page, 'settings-group');
    await narrow(page, 'settings-group');
    const [group] = await get(ada, groupsPath);
    assert.equal(group.membersCount, 2);

    await page.getByRole('button', { name: 'Remove: Ben Bauer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('link', { name: 'Ben Bauer' }).waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Disputes');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Disputes', level: 1 }).waitFor();
    await chancery().call('POST', '/api/v1/tasks', { token: ada.token, body: { title: 'Read the claim', groupId: group.id } });
    await page.reload();
    await page.getByRole('button', { name: 'Delete the group' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete “Disputes”?' });
    await dialog.getByText('1 open task then has no assignee.').waitFor();
    await keep(page, 'settings-group-delete');
    await dialog.getByRole('button', { name: 'Delete the group' }).click();
    await page.getByText('No groups yet').waitFor();
    assert.deepEqual(await get(ada, groupsPath), []);
  });

  test('a guest is invited to a folder, and gets a later end', async () => {
    const ada = await newOwner();
    const folder = await chancery().call('POST', '/api/v1/smartdoc/folders', { token: ada.token, body: { name: 'Lease' } });
    assert.equal(folder.status, 201, folder.text);
    const page = await open(ada, '/app/settings/guests', { viewport: phone });
    await page.getByText('No guests').waitFor();
    await page.getByRole('button', { name: 'Invite a guest' }).click();
    await page.locator('textarea:focus').waitFor();
    const email = `guest.${Date.now().toString(36)}@client.example`;
    await page.keyboard.insertText(email);
    await page.getByRole('combobox', { name: 'May open' }).click();
    await page.getByRole('option', { name: 'Folder: Lease' }).click();
    await page.keyboard.press('Tab');
    await keep(page, 'settings-guest-invite');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('1 invitation sent.').first().waitFor();
    const [invitation] = await get(ada, '/api/v1/team/invitations');
    assert.deepEqual(invitation.access, [{ type: 'folder', id: folder.body.id, relation: 'viewer' }]);
    assert.equal(invitation.sponsorId, ada.id);
  });

  test('a sponsor without more rights extends the access of their guest, and sees when it ends', async () => {
    const ada = await newOwner();
    const ben = await joined(ada, 'Ben', 'Bauer');
    const soon = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const gail = await joined(ada, 'Gail', 'Guest', 'guest', { endsAt: soon, sponsorId: ben.id });
    const page = await open(ben, '/app/settings/guests', { viewport: desktop });
    await page.getByRole('link', { name: 'Gail Guest' }).click();
    const form = page.getByRole('region', { name: 'Access of a guest' });
    const day = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
    await form.getByLabel('Access until').fill(day);
    await form.getByRole('button', { name: 'Change the end' }).click();
    await page.getByText('Saved.').first().waitFor();
    assert.equal((await get(ada, `/api/v1/team/members/${gail.id}`)).endsAt.slice(0, 10), day);
    await fits(page, 'settings-guests');
    await narrow(page, 'settings-guests');
  });

  test('a guest sees that a member of the team owns a shared document, without the name', async () => {
    const ada = await newOwner();
    const gail = await joined(ada, 'Gail', 'Guest', 'guest', { endsAt: new Date(Date.now() + 7 * 86_400_000).toISOString() });
    const { id } = await pdfDocument(chancery(), ada);
    const shared = await chancery().call('POST', `/api/v1/smartdoc/documents/${id}/access`, {
      token: ada.token,
      body: { userId: gail.id, access: 'read' },
    });
    assert.equal(shared.status, 201, shared.text);
    const page = await open(gail, '/app/documents', { viewport: desktop });
    await page.getByRole('cell', { name: 'A member of the team' }).waitFor();
    await keep(page, 'documents-guest');
  });
});
