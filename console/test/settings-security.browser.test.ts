import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../test/browser.ts';
import { scimCall } from '../../test/directories.ts';
import { type DnsServer, startDnsServer } from '../../test/dns-server.ts';
import { authPath, broughtIn, cookieOf, goodPassword, type Registered, registered, signIn } from '../../test/people.ts';
import { newProviderKey } from '../../test/saml-provider.ts';
import { desktop, fits, keep, phone } from '../../test/visits.ts';
import { narrow, useConsole } from './console.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the security settings of the console', { skip: withoutBrowser }, () => {
  /** The TXT records of the DNS, by name. */
  const texts = new Map<string, string[]>();
  const settings: Record<string, string> = {};
  let dns: DnsServer;
  before(async () => {
    dns = await startDnsServer();
    dns.answer = ({ name }) => ({ addresses: [], texts: texts.get(name) ?? [] });
    settings.SSO_DNS_SERVERS = dns.address;
  });
  after(() => dns.close());
  const { chancery, as } = useConsole(settings);

  const ask = (person: { token: string }, method: string, path: string, body?: object) =>
    chancery().call(method, `/api/v1${path}`, { token: person.token, ...(body ? { body } : {}) });
  const send = async (person: { token: string }, method: string, path: string, body?: object) => {
    const answer = await ask(person, method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  /** A person with a name of their own. */
  async function named(firstName: string, lastName: string): Promise<Registered> {
    const person = await registered(chancery());
    await send(person, 'PUT', authPath.slice('/api/v1'.length) + '/profile', { firstName, lastName });
    return person;
  }
  /** The owner of a team with an administrator and a member. */
  async function firm() {
    const owner = await named('Ada', 'Acme');
    const [admin, member] = [await named('Ben', 'Bauer'), await named('Cara', 'Conti')];
    return {
      owner,
      admin: { ...admin, token: await broughtIn(chancery(), owner, admin, 'admin') },
      member: { ...member, token: await broughtIn(chancery(), owner, member) },
    };
  }
  /** Opens a path in a new session of a person, in the team of the token. */
  const open = async (person: Registered, path: string, options = {}): Promise<Page> =>
    as({ ...person, refreshToken: cookieOf(await signIn(chancery(), person.email), 'refresh_token') }, path, options);
  /** Makes the sign-in of a person old, so that a sensitive operation asks for a confirmation. */
  const signedInLongAgo = (person: Registered) =>
    chancery().pool.query(
      `UPDATE sign_in SET auth_time = auth_time - interval '16 minutes', own_proof_at = own_proof_at - interval '16 minutes'
       WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
      [person.email],
    );

  describe('barriers', () => {
    test('an administrator raises a barrier on a folder, changes it and lifts it', async () => {
      const { owner, admin, member } = await firm();
      const folder = await send(owner, 'POST', '/smartdoc/folders/', { name: 'Complaint' });
      await send(owner, 'POST', `/smartdoc/folders/${folder.id}/shares`, { userId: member.id, access: 'read' });
      const seenBy = async (person: { token: string }) => (await ask(person, 'GET', `/smartdoc/folders/${folder.id}`)).status;
      const page = await as(owner, '/app/settings/barriers', { viewport: desktop });
      await page.getByRole('heading', { name: 'No barriers' }).waitFor();
      await page.getByRole('button', { name: 'Raise a barrier…' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Folder' }).click();
      await page.getByRole('option', { name: 'Complaint' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('There is no barrier.').waitFor();
      await page.getByRole('button', { name: 'Raise a barrier…' }).click();
      await page.getByRole('button', { name: 'Raise the barrier' }).click();
      const outside = page.getByRole('list', { name: 'Outside, although they have a share or a role' });
      await outside.getByText('Ben Bauer').waitFor();
      await outside.getByText('Cara Conti').waitFor();
      assert.deepEqual([await seenBy(admin), await seenBy(member)], [404, 404]);
      await page.getByRole('button', { name: 'Change who is inside…' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Add a person or a group' }).fill('Cara');
      await page.getByRole('option', { name: 'Cara Conti' }).click();
      await page.getByRole('button', { name: 'Save who is inside' }).click();
      await page.getByRole('list', { name: 'Inside' }).getByText('Cara Conti').waitFor();
      await outside.getByText('Cara Conti').waitFor({ state: 'detached' });
      assert.deepEqual([await seenBy(admin), await seenBy(member)], [404, 200]);
      await page.getByRole('button', { name: 'Lift the barrier…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Lift the barrier' }).click();
      await page.getByText('There is no barrier.').waitFor();
      assert.equal(await seenBy(admin), 200);
    });

    test('an administrator outside sees only the name, and reads after a second person approved', async () => {
      const { owner, admin } = await firm();
      const folder = await send(owner, 'POST', '/smartdoc/folders/', { name: 'Complaint' });
      await send(owner, 'POST', '/smartdoc/folders/', { name: 'Names of witnesses', parentId: folder.id });
      await send(owner, 'PUT', `/smartdoc/folders/${folder.id}/barrier`, { userIds: [owner.id] });
      const page = await open(admin, '/app/settings/barriers', { viewport: phone });
      await page.getByRole('link', { name: 'Complaint' }).click();
      await page.getByText('You are outside.').waitFor();
      assert.equal(await page.getByText('Names of witnesses').count(), 0);
      assert.equal(await page.getByRole('list', { name: 'Inside' }).count(), 0);
      await page.getByRole('textbox', { name: 'Reason' }).fill('A court requested the file');
      await page.getByRole('button', { name: 'Ask for emergency access' }).click();
      await page.getByText('You cannot approve your own request.').waitFor();
      await keep(page, 'barrier-outside');
      const second = await as(owner, `/app/settings/barriers/${folder.id}`, { viewport: desktop });
      await second.getByText('A court requested the file').waitFor();
      await second.getByRole('button', { name: 'Approve: Ben Bauer' }).click();
      await second.getByRole('dialog').getByText('for 24 hours').waitFor();
      await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
      await second.getByText('Can read', { exact: true }).waitFor();
      assert.equal((await ask(admin, 'GET', `/smartdoc/folders/${folder.id}`)).status, 200);
      await page.reload();
      await region(page, 'Complaint').getByText('Emergency access', { exact: true }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Lift the barrier…' }).count(), 0, 'emergency access is for reading only');
    });

    test('a list drops the documents behind a new barrier after an excluded member opens one', async () => {
      const { owner, member } = await firm();
      const { id: folderId } = await send(owner, 'POST', '/smartdoc/folders/', { name: 'Takeover' });
      await send(owner, 'POST', `/smartdoc/folders/${folderId}/shares`, { team: true, access: 'read' });
      await send(owner, 'POST', '/smartdoc/documents/', { title: 'Letter of intent', folderId });
      const page = await open(member, '/app/documents', { viewport: desktop });
      const row = page.getByRole('row').filter({ hasText: 'Letter of intent' });
      await row.waitFor();
      await send(owner, 'PUT', `/smartdoc/folders/${folderId}/barrier`, { userIds: [owner.id] });
      await row.getByRole('link').click();
      await row.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Takeover' }).waitFor({ state: 'detached' });
    });

    test('the owner of a folder manages its barrier from its menu, without a role in the team', async () => {
      const { member } = await firm();
      const folder = await send(member, 'POST', '/smartdoc/folders/', { name: 'My notes' });
      const page = await open(member, `/app/documents?folder=${folder.id}`, { viewport: desktop });
      await page.getByRole('button', { name: 'Actions of the folder My notes' }).click();
      await page.getByRole('menuitem', { name: 'Information barrier' }).click();
      await page.getByRole('button', { name: 'Raise a barrier…' }).click();
      await page.getByRole('button', { name: 'Raise the barrier' }).click();
      await page.getByRole('button', { name: 'Lift the barrier…' }).waitFor();
      assert.equal(await page.getByRole('navigation', { name: 'Team settings' }).count(), 0);
      assert.equal((await send(member, 'GET', `/smartdoc/folders/${folder.id}`)).barrier, true);
    });

    test('the keyboard alone raises a barrier', async () => {
      const { owner, admin } = await firm();
      const folder = await send(owner, 'POST', '/smartdoc/folders/', { name: 'Complaint' });
      const page = await as(owner, `/app/settings/barriers/${folder.id}`, { viewport: desktop });
      await page.getByText('There is no barrier.').waitFor();
      await tabTo(page, 'Raise a barrier…');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText('Ada Acme').waitFor();
      await tabTo(page, 'Raise the barrier');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Lift the barrier…' }).waitFor();
      assert.equal((await ask(admin, 'GET', `/smartdoc/folders/${folder.id}`)).status, 404);
    });

    test('the register and a barrier fit and are accessible', async () => {
      const { owner, admin, member } = await firm();
      const folder = await send(owner, 'POST', '/smartdoc/folders/', { name: 'Complaint' });
      await send(owner, 'POST', `/smartdoc/folders/${folder.id}/shares`, { userId: member.id, access: 'read' });
      await send(owner, 'PUT', `/smartdoc/folders/${folder.id}/barrier`, { userIds: [owner.id] });
      const matter = await send(admin, 'POST', '/matters/', { name: 'Acme ./. Contoso' });
      await send(admin, 'PUT', `/matters/${matter.id}/barrier`, { userIds: [admin.id] });
      await send(admin, 'POST', `/barriers/${folder.id}/emergency-access`, { reason: 'A court requested the file' });
      const page = await as(owner, '/app/settings/barriers', { viewport: desktop });
      await page.getByText('Ben Bauer').waitFor();
      await fits(page, 'barriers');
      await narrow(page, 'barriers');
      await page.goto(`/app/settings/barriers/${folder.id}`);
      await page.getByText('A court requested the file').waitFor();
      await page.getByText('Cara Conti').waitFor();
      await fits(page, 'barrier');
      await narrow(page, 'barrier');
      const german = await open(owner, `/app/settings/barriers/${folder.id}`, { viewport: { width: 1_440, height: 900 }, locale: 'de' });
      await german.getByText('Cara Conti').waitFor();
      await keep(german, 'barrier-german');
    });
  });

  describe('single sign-on', () => {
    const connect = (person: { token: string }, members: object = {}) =>
      send(person, 'POST', '/team/sso', {
        issuer: 'https://login.acme.example',
        clientId: 'chancery',
        clientSecret: 'the-first-secret',
        domains: ['acme.example'],
        ...members,
      });

    test('an owner connects a provider after a confirmation, verifies the domain and makes it required', async () => {
      const owner = await named('Ada', 'Acme');
      const page = await as(owner, '/app/settings/sso', { viewport: desktop });
      await page.getByRole('heading', { name: 'No provider connected' }).waitFor();
      await page.getByRole('link', { name: 'Connect a provider' }).click();
      await page.getByRole('textbox', { name: 'Issuer' }).fill('https://login.acme.example');
      await page.getByRole('textbox', { name: 'Client ID' }).fill('chancery');
      await page.getByLabel('Client secret').first().fill('the-secret-of-the-client');
      await page.getByRole('textbox', { name: 'Domains' }).fill('acme.example');
      await signedInLongAgo(owner);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByLabel('Password').first().fill(goodPassword);
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
      await region(page, 'At the provider').getByText('/sso/callback/').waitFor();
      assert.equal((await page.content()).includes('the-secret-of-the-client'), false, 'the secret is never shown');
      const [connection] = await send(owner, 'GET', '/team/sso');
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('No record found yet.').waitFor();
      const [{ record }] = connection.domains;
      await region(page, 'Domains').getByText(record.value).waitFor();
      texts.set(record.name, [record.value]);
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText('1 domain verified.').first().waitFor();
      await page.getByRole('checkbox', { name: 'Required for members of the verified domains' }).click();
      await region(page, 'Settings').getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').first().waitFor();
      await region(page, 'login.acme.example').getByText('Required', { exact: true }).waitFor();
      const [saved] = await send(owner, 'GET', '/team/sso');
      assert.deepEqual([saved.enforce, saved.domains[0].verified, saved.clientId], [true, true, 'chancery']);
    });

    test('a SAML provider is connected by single values, and its domains change', async () => {
      const owner = await named('Ada', 'Acme');
      const page = await as(owner, '/app/settings/sso/new', { viewport: phone });
      await page.getByText('SAML 2.0').click();
      await page.getByText('Single values').click();
      await page.getByRole('textbox', { name: 'Entity ID of the provider' }).fill('https://idp.acme.example/metadata');
      await page.getByRole('textbox', { name: 'Sign-in address (HTTP-Redirect)' }).fill('https://idp.acme.example/sso');
      const { certificate } = await newProviderKey();
      await page.getByRole('textbox', { name: 'Certificate (PEM)' }).fill(certificate);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await region(page, 'At the provider').getByText('Entity ID').waitFor();
      await page.getByText('No domains yet.').waitFor();
      await page.getByRole('textbox', { name: 'Add a domain' }).fill('acme.example');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'Remove: acme.example' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('No domains yet.').waitFor();
      await page.getByRole('button', { name: 'Delete the connection…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the connection' }).click();
      await page.getByRole('heading', { name: 'No provider connected' }).waitFor();
      assert.deepEqual(await send(owner, 'GET', '/team/sso'), []);
    });

    test('a member without an identity cannot be unlinked, and the keyboard alone saves the settings', async () => {
      const { owner, member } = await firm();
      const { id } = await connect(owner);
      const page = await as(owner, `/app/settings/sso/${id}`, { viewport: desktop });
      await page.getByRole('combobox', { name: 'Member' }).fill('Cara');
      await page.getByRole('option', { name: 'Cara Conti' }).click();
      await page.getByText('This member has no identity at this provider.').waitFor();
      await page.getByRole('heading', { name: 'Team settings' }).click();
      await tabTo(page, 'jit');
      await page.keyboard.press('Space');
      await tabTo(page, 'Save');
      await page.keyboard.press('Enter');
      await page.getByText('Saved.').first().waitFor();
      assert.equal((await send(owner, 'GET', `/team/sso/${id}`)).jit, false);
      assert.ok(member.id);
    });

    test('the pages of a provider fit and are accessible', async () => {
      const owner = await named('Ada', 'Acme');
      const { id } = await connect(owner, { domains: ['acme.example', 'a-rather-long-name-of-a-domain.acme.example'] });
      const page = await as(owner, '/app/settings/sso', { viewport: desktop });
      await page.getByRole('link', { name: 'login.acme.example' }).waitFor();
      await fits(page, 'sso');
      await page.goto('/app/settings/sso/new');
      await page.getByRole('textbox', { name: 'Issuer' }).waitFor();
      await fits(page, 'sso-new');
      await narrow(page, 'sso-new');
      await page.goto(`/app/settings/sso/${id}`);
      await page.getByRole('button', { name: 'Check now' }).waitFor();
      await fits(page, 'sso-connection');
      await narrow(page, 'sso-connection');
      const german = await open(owner, `/app/settings/sso/${id}`, { viewport: { width: 1_440, height: 900 }, locale: 'de' });
      await german.getByRole('button', { name: 'Jetzt prüfen' }).waitFor();
      await keep(german, 'sso-german');
    });
  });

  describe('directories', () => {
    const made = (person: { token: string }, name = 'Entra ID') => send(person, 'POST', '/team/directories', { name, kind: 'entra' });
    const tokenOf = async (person: { token: string }, id: string): Promise<string> =>
      (await send(person, 'POST', `/team/directories/${id}/tokens`, {})).token;

    test('an owner connects a directory after a confirmation, and replaces its token, which is shown once', async () => {
      const owner = await named('Ada', 'Acme');
      const page = await as(owner, '/app/settings/directories', { viewport: desktop });
      await page.getByRole('heading', { name: 'No directory connected' }).waitFor();
      await page.getByRole('link', { name: 'Connect a directory' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Entra ID of Acme');
      await signedInLongAgo(owner);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByLabel('Password').first().fill(goodPassword);
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
      await region(page, 'In the directory').getByText('/scim/v2').waitFor();
      await page.getByText('No token. The directory cannot connect.').waitFor();
      await page.getByRole('button', { name: 'Create a token' }).click();
      const shown = page.getByRole('group', { name: 'New token' }).locator('code');
      await shown.waitFor();
      const token = await shown.innerText();
      assert.equal((await scimCall(chancery(), token, 'GET', '/Users')).status, 200);
      await keep(page, 'directory-token');
      await page.getByRole('button', { name: 'I stored the token' }).click();
      assert.equal((await page.content()).includes(token), false);
      await page.reload();
      await page.getByRole('button', { name: 'Create a token' }).click();
      await shown.waitFor();
      await page.getByRole('button', { name: 'I stored the token' }).click();
      const remove = page.getByRole('button', { name: /^Delete: / });
      assert.equal(await remove.count(), 2);
      assert.equal(await page.getByRole('button', { name: 'Create a token' }).count(), 0, 'a directory has at most two tokens');
      await remove.first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Token deleted.').first().waitFor();
      assert.equal((await scimCall(chancery(), token, 'GET', '/Users')).status, 401);
    });

    test('the requests of a directory show its problems, and a user is linked with a member', async () => {
      const { owner, member } = await firm();
      const { id } = await made(owner);
      const token = await tokenOf(owner, id);
      const refused = await scimCall(chancery(), token, 'POST', '/Users', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: member.email,
        name: { givenName: 'Cara', familyName: 'Conti' },
        active: true,
      });
      assert.equal(refused.status, 409, refused.text);
      assert.equal((await scimCall(chancery(), token, 'GET', '/Groups')).status, 200);
      const page = await as(owner, `/app/settings/directories/${id}`, { viewport: desktop });
      const log = page.getByRole('list', { name: 'Last requests' });
      await log.getByText('GET /Groups').waitFor();
      await page.getByRole('checkbox', { name: 'Only problems' }).click();
      await log.getByText('GET /Groups').waitFor({ state: 'detached' });
      await log.getByText('POST /Users').waitFor();
      await page.getByRole('button', { name: `Link: ${member.email}` }).click();
      await page.getByRole('dialog').getByRole('combobox').fill('Cara');
      await page.getByRole('option', { name: 'Cara Conti' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Link', exact: true }).click();
      await page.getByText('User linked.').first().waitFor();
      const [user] = await send(owner, 'GET', `/team/directories/${id}/users`);
      assert.deepEqual([user.status, user.userId], ['linked', member.id]);
    });

    test('the keyboard alone saves the settings of a directory, and a phone deletes it', async () => {
      const owner = await named('Ada', 'Acme');
      const { id } = await made(owner);
      const page = await as(owner, `/app/settings/directories/${id}`, { viewport: desktop });
      await region(page, 'Settings').getByRole('textbox', { name: 'Name' }).waitFor();
      await tabTo(page, 'isActive');
      await page.keyboard.press('Space');
      await tabTo(page, 'Save');
      await page.keyboard.press('Enter');
      await page.getByText('Saved.').first().waitFor();
      assert.equal((await send(owner, 'GET', `/team/directories/${id}`)).isActive, false);
      await page.setViewportSize(phone);
      await page.getByRole('button', { name: 'Delete the directory…' }).click();
      await page.getByRole('dialog').getByRole('checkbox', { name: 'Keep its users as members' }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the directory' }).click();
      await page.getByRole('heading', { name: 'No directory connected' }).waitFor();
      assert.deepEqual(await send(owner, 'GET', '/team/directories'), []);
    });

    test('the pages of a directory fit and are accessible', async () => {
      const { owner, member } = await firm();
      const { id } = await made(owner);
      const token = await tokenOf(owner, id);
      await scimCall(chancery(), token, 'POST', '/Users', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: member.email,
        active: true,
      });
      await scimCall(chancery(), token, 'GET', '/Users?count=1');
      const page = await as(owner, '/app/settings/directories', { viewport: desktop });
      await page.getByRole('link', { name: 'Entra ID' }).waitFor();
      await fits(page, 'directories');
      await page.goto('/app/settings/directories/new');
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
      await fits(page, 'directory-new');
      await page.goto(`/app/settings/directories/${id}`);
      await page.getByText('GET /Users').waitFor();
      await page.getByText('by Ada Acme').waitFor();
      await fits(page, 'directory');
      await narrow(page, 'directory');
      const german = await open(owner, `/app/settings/directories/${id}`, { viewport: { width: 1_440, height: 900 }, locale: 'de' });
      await german.getByText('GET /Users').waitFor();
      await keep(german, 'directory-german');
    });
  });

  describe('retention', () => {
    /** A folder with a document from long ago. */
    async function folderWithOldDocument(owner: Registered): Promise<string> {
      const { id } = await send(owner, 'POST', '/smartdoc/folders/', { name: 'Supplier contracts' });
      const old = await send(owner, 'POST', '/smartdoc/documents/', { title: 'Contract of 2009', folderId: id });
      await chancery().pool.query("UPDATE document SET created_at = now() - interval '15 years' WHERE id = $1", [old.id]);
      await send(owner, 'POST', '/smartdoc/documents/', { title: 'Contract of this year', folderId: id });
      return id;
    }

    test('an owner previews the deletions of a rule, sets it and removes it', async () => {
      const owner = await named('Ada', 'Acme');
      const id = await folderWithOldDocument(owner);
      const page = await as(owner, '/app/settings/retention', { viewport: desktop });
      await page.getByRole('heading', { name: 'No rules' }).waitFor();
      await page.getByRole('button', { name: 'Set a rule…' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'Folder' }).click();
      await page.getByRole('option', { name: 'Supplier contracts' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('This folder has no rule of its own.').waitFor();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('1 of these documents is due').waitFor();
      await page.getByRole('link', { name: 'Contract of 2009' }).waitFor();
      await keep(page, 'retention-preview');
      await page.getByRole('textbox', { name: 'After' }).fill('20');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('None of these documents is due.').waitFor();
      assert.equal((await ask(owner, 'GET', `/smartdoc/folders/${id}/retention`)).status, 404, 'a preview sets no rule');
      await page.getByRole('button', { name: 'Set the rule' }).click();
      await region(page, 'Supplier contracts').getByText('Delete 20 years after creation').waitFor();
      const set = await send(owner, 'GET', `/smartdoc/folders/${id}/retention`);
      assert.deepEqual([set.action, set.after], ['delete', 'P20Y']);
      await page.getByRole('link', { name: 'Retention' }).click();
      await page.getByText('Applies from').waitFor();
      await page.getByRole('link', { name: 'Supplier contracts' }).click();
      await page.getByRole('button', { name: 'Remove the rule…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove the rule' }).click();
      await page.getByText('This folder has no rule of its own.').waitFor();
      assert.equal((await ask(owner, 'GET', `/smartdoc/folders/${id}/retention`)).status, 404);
    });

    test('a large deletion waits for the confirmation of an administrator on a phone', async () => {
      const owner = await named('Ada', 'Acme');
      const id = await folderWithOldDocument(owner);
      await send(owner, 'PUT', `/smartdoc/folders/${id}/retention`, { action: 'delete', after: 'P10Y', from: 'created' });
      await chancery().pool.query('UPDATE retention_rule SET waiting = 12 WHERE folder_id = $1', [id]);
      const page = await as(owner, '/app/settings/retention', { viewport: phone });
      await page.getByRole('link', { name: 'Supplier contracts' }).click();
      await page.getByText('12 documents wait for your confirmation').waitFor();
      await page.getByRole('button', { name: 'Confirm the deletion…' }).click();
      await page.getByRole('dialog').getByText('12 documents are due').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the documents' }).click();
      await page.getByText('Deletion confirmed.').first().waitFor();
      assert.equal((await send(owner, 'GET', `/smartdoc/folders/${id}/retention`)).confirmedBy, owner.id);
    });

    test('the keyboard alone sets a rule', async () => {
      const owner = await named('Ada', 'Acme');
      const id = await folderWithOldDocument(owner);
      const page = await as(owner, `/app/settings/retention/${id}`, { viewport: desktop });
      await page.getByRole('textbox', { name: 'After' }).waitFor();
      await tabTo(page, 'count');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('6');
      await tabTo(page, 'Set the rule');
      await page.keyboard.press('Enter');
      await page.getByText('Rule set.').first().waitFor();
      assert.equal((await send(owner, 'GET', `/smartdoc/folders/${id}/retention`)).after, 'P6Y');
    });

    test('the rules fit and are accessible', async () => {
      const owner = await named('Ada', 'Acme');
      const id = await folderWithOldDocument(owner);
      await send(owner, 'PUT', `/smartdoc/folders/${id}/retention`, { action: 'delete', after: 'P10Y', from: 'created' });
      await chancery().pool.query('UPDATE retention_rule SET waiting = 12 WHERE folder_id = $1', [id]);
      const page = await as(owner, '/app/settings/retention', { viewport: desktop });
      await page.getByRole('link', { name: 'Supplier contracts' }).waitFor();
      await fits(page, 'retention');
      await narrow(page, 'retention');
      await page.goto(`/app/settings/retention/${id}`);
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('link', { name: 'Contract of 2009' }).waitFor();
      await fits(page, 'retention-rule');
      await narrow(page, 'retention-rule');
      const german = await open(owner, `/app/settings/retention/${id}`, { viewport: { width: 1_440, height: 900 }, locale: 'de' });
      await german.getByRole('button', { name: 'Vorschau' }).click();
      await german.getByRole('link', { name: 'Contract of 2009' }).waitFor();
      await keep(german, 'retention-german');
    });
  });
});

/** Presses Tab until the button, link or field with a text or name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const found = `(() => { const one = document.activeElement; return one.textContent.trim() === ${JSON.stringify(name)} || one.getAttribute('name') === ${JSON.stringify(name)}; })()`;
  for (let step = 0; step < 80; step += 1) {
    if (await page.evaluate<boolean>(found)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${name} cannot be reached with the keyboard`);
}
