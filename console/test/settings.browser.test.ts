import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withoutBrowser } from '../../test/browser.ts';
import { mailsTo, type Registered, signIn } from '../../test/people.ts';
import { desktop, fits, keep } from '../../test/visits.ts';
import { narrow, useConsole } from './console.ts';
import { settingsPeople } from './settings-people.ts';

const membersPath = '/api/v1/team/members';
const invitationsPath = '/api/v1/team/invitations';

describe('the members of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();

  const { get, joined, newOwner, open } = settingsPeople(chancery, as);
  const addresses = (name: string) => [1, 2].map((number) => `${name}.${number}.${Date.now().toString(36)}@example.org`);
  const invited = async (owner: Registered) => (await get(owner, invitationsPath)).map(({ email }: { email: string }) => email);

  test('the list of members is filtered in its address, and fits each screen', async () => {
    const ada = await newOwner();
    await joined(ada, 'Vic', 'Viewer', 'viewer');
    await joined(ada, 'Max', 'Member');
    const page = await open(ada, '/app/settings/members?role=viewer', { viewport: desktop });
    await page.getByRole('link', { name: 'Vic Viewer' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Max Member' }).count(), 0);
    await page.getByRole('combobox', { name: 'Role' }).selectOption('');
    await page.getByRole('link', { name: 'Max Member' }).waitFor();
    await page.getByRole('searchbox', { name: 'Find a member' }).fill('nobody');
    await page.getByText('No member found').waitFor();
    await page.getByRole('link', { name: 'Show all members' }).click();
    await page.getByRole('link', { name: 'Max Member' }).waitFor();
    assert.equal(await page.getByRole('searchbox', { name: 'Find a member' }).inputValue(), '');
    await fits(page, 'settings-members');
    await narrow(page, 'settings-members');
  });

  test('a member gets another role, is suspended and reactivated', async () => {
    const ada = await newOwner();
    const max = await joined(ada, 'Max', 'Member');
    const page = await open(ada, `/app/settings/members/${max.id}`);
    const role = page.getByRole('region', { name: 'Role' });
    await role.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
    await role.getByRole('button', { name: 'Change the role' }).click();
    await page.getByText('Saved.').first().waitFor();
    assert.equal((await get(ada, `${membersPath}/${max.id}`)).role, 'viewer');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Max Member is suspended.').first().waitFor();
    assert.equal((await signIn(chancery(), max.email)).status, 403);
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByText('Max Member can sign in again.').first().waitFor();
    assert.equal((await signIn(chancery(), max.email)).status, 200);
    await fits(page, 'settings-member');
    await narrow(page, 'settings-member');
  });

  test('the owner passes the team on, and is an administrator afterwards', async () => {
    const ada = await newOwner();
    const max = await joined(ada, 'Max', 'Member');
    const page = await open(ada, `/app/settings/members/${max.id}`, { viewport: desktop });
    await page.getByRole('button', { name: 'Pass the team on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pass the team on' }).click();
    await page.getByText('Max Member is the owner now.').first().waitFor();
    await page.getByText('The owner stays until they pass the team on.').waitFor();
    assert.equal((await get(max, '/api/v1/team')).ownerId, max.id);
    await page.getByRole('link', { name: 'Team settings' }).click();
    await page.getByRole('link', { name: 'Team', exact: true }).click();
    await page.getByRole('region', { name: 'Sign-in and guests' }).getByText('Only the owner can change this.').waitFor();
  });

  test('a stale role is compared before it is overwritten', async () => {
    const ada = await newOwner();
    const max = await joined(ada, 'Max', 'Member');
    const page = await open(ada, `/app/settings/members/${max.id}`);
    const role = page.getByRole('region', { name: 'Role' });
    await role.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
    const changed = await chancery().call('PATCH', `${membersPath}/${max.id}`, { token: ada.token, body: { role: 'admin' } });
    assert.equal(changed.status, 200, changed.text);
    await role.getByRole('button', { name: 'Change the role' }).click();
    const conflict = page.getByRole('alert', { name: 'Changed by someone else' });
    await conflict.getByRole('cell', { name: 'Administrator' }).waitFor();
    await conflict.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Saved.').first().waitFor();
    assert.equal((await get(ada, `${membersPath}/${max.id}`)).role, 'viewer');
  });

  test('an invitation that fails says why beside its address, and open ones are sent again or withdrawn', async () => {
    const ada = await newOwner();
    const max = await joined(ada, 'Max', 'Member');
    const [email = ''] = addresses('late');
    const page = await open(ada, '/app/settings/invitations');
    await page.getByText('No open invitations').waitFor();
    await page.getByRole('button', { name: 'Invite people' }).click();
    await page.getByRole('textbox', { name: 'Email addresses' }).fill(`${email}, ${max.email}, nonsense`);
    await page.getByRole('button', { name: 'Send 2 invitations' }).click();
    await page.getByText('No email address: “nonsense”').waitFor();
    await page.getByRole('textbox', { name: 'Email addresses' }).fill(`${email}, ${max.email}`);
    await page.getByText('Preview the email').click();
    await page.getByText('Ada Lovelace invites you to join the team').waitFor();
    await keep(page, 'settings-invite-preview');
    await page.getByRole('button', { name: 'Send 2 invitations' }).click();
    const alert = page.getByRole('dialog').getByRole('alert');
    await alert.getByText(max.email).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Email addresses' }).inputValue(), max.email);
    await keep(page, 'settings-invite-failed');
    await page.keyboard.press('Escape');
    await page.getByRole('listitem').filter({ hasText: email }).waitFor();
    await chancery().pool.query(
      "UPDATE invitation SET sent_at = now() - interval '4 days', expires_at = now() - interval '1 day' WHERE email = $1",
      [email],
    );
    await page.reload();
    const row = page.getByRole('listitem').filter({ hasText: email });
    await row.getByText('Expired').waitFor();
    await fits(page, 'settings-invitations');
    await narrow(page, 'settings-invitations');
    await row.getByRole('button', { name: `Send again: ${email}` }).click();
    await page.getByText(`Sent again to ${email}.`).first().waitFor();
    await row.getByText('Expired').waitFor({ state: 'detached' });
    assert.equal((await mailsTo(chancery(), email)).length, 2);
    await row.getByRole('button', { name: `Withdraw: ${email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    assert.deepEqual(await invited(ada), []);
  });

  test('a member without the right sees names and roles, and who can change them', async () => {
    const ada = await newOwner();
    const max = await joined(ada, 'Max', 'Member');
    const page = await open(max, '/app/settings/members');
    await page.getByText('Only an owner or administrator of your team can change this.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Invite people' }).count(), 0);
    assert.equal(await page.getByText(ada.email).count(), 0);
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    assert.equal(await page.getByRole('button', { name: 'Suspend' }).count(), 0);
    await keep(page, 'settings-members-without-right');
  });
});
