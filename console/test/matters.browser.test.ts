import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../test/browser.ts';
import { authPath, broughtIn, cookieOf, type Registered, registered, signIn } from '../../test/people.ts';
import { desktop, fits, keep, phone } from '../../test/visits.ts';
import { narrow, useConsole } from './console.ts';

describe('the matters of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();

  const read = async (person: { token: string }, path: string) =>
    (await chancery().call('GET', `/api/v1${path}`, { token: person.token })).body;
  const send = async (person: { token: string }, method: string, path: string, body: object = {}) => {
    const answer = await chancery().call(method, `/api/v1${path}`, { token: person.token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  /** A person with a name of their own. */
  async function named(firstName: string, lastName: string): Promise<Registered> {
    const person = await registered(chancery());
    const { status } = await chancery().call('PUT', `${authPath}/profile`, { token: person.token, body: { firstName, lastName } });
    assert.equal(status, 200);
    return person;
  }
  /** The owner of a team with a member. */
  async function firm() {
    const owner = await named('Ada', 'Acme');
    const member = await named('Ben', 'Bauer');
    return { owner, member: { ...member, token: await broughtIn(chancery(), owner, member) } };
  }
  const open = async (person: Registered, path: string, options = {}): Promise<Page> =>
    as({ ...person, refreshToken: cookieOf(await signIn(chancery(), person.email), 'refresh_token') }, path, options);
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  test('an administrator opens a matter with a new client, adds a person, raises a barrier and closes it', async () => {
    const { owner, member } = await firm();
    const page = await as(owner, '/app', { viewport: desktop });
    await page.getByRole('link', { name: 'Matters' }).click();
    await page.getByRole('heading', { name: 'No open matters' }).waitFor();
    await page.getByRole('link', { name: 'New matter' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme ./. Contoso');
    await page.getByRole('combobox', { name: 'Client' }).fill('Acme Robotics');
    await page.getByRole('option', { name: 'New client “Acme Robotics”' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create the matter' }).click();
    await page.getByRole('heading', { name: 'Acme ./. Contoso', level: 1 }).waitFor();
    await region(page, 'Details').getByText('Acme Robotics').waitFor();
    const [matter] = await read(owner, '/matters/');
    assert.equal((await read(owner, `/matter-clients/${matter.clientId}`)).name, 'Acme Robotics');

    await region(page, 'People').getByRole('combobox', { name: 'Add people' }).fill('Ben');
    await page.getByRole('option', { name: 'Ben Bauer' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await region(page, 'People').getByRole('button', { name: 'Remove: Ben Bauer' }).waitFor();
    assert.equal((await chancery().call('GET', `/api/v1/matters/${matter.id}`, { token: member.token })).status, 200);

    await page.getByRole('button', { name: 'Raise a barrier…' }).click();
    await page.getByRole('dialog').getByText('does not exist for anyone outside').waitFor();
    await keep(page, 'matter-raise');
    await page.getByRole('button', { name: 'Raise the barrier' }).click();
    await page.getByText('Behind a barrier').first().waitFor();
    assert.equal((await chancery().call('GET', `/api/v1/matters/${matter.id}`, { token: member.token })).status, 404);
    await page.getByRole('list', { name: 'Outside, although they have a share or a role' }).getByText('Ben Bauer').waitFor();

    await page.getByRole('button', { name: 'Change who is inside…' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Add a person or a group' }).fill('Ben');
    await page.getByRole('option', { name: 'Ben Bauer' }).click();
    await page.getByRole('button', { name: 'Save who is inside' }).click();
    await page.getByText('Nobody with a share or a role is outside.').waitFor();
    assert.equal((await chancery().call('GET', `/api/v1/matters/${matter.id}`, { token: member.token })).status, 200);

    await page.getByRole('button', { name: 'Close the matter…' }).click();
    await page.getByRole('dialog').getByLabel('Keep until').fill('2099-12-31');
    await page.getByRole('dialog').getByRole('button', { name: 'Close the matter' }).click();
    await page.getByText('Its content is read-only.').waitFor();
    assert.deepEqual(
      [(await read(owner, `/matters/${matter.id}`)).status, (await read(owner, `/matters/${matter.id}`)).retainUntil],
      ['closed', '2099-12-31'],
    );
    await page.getByRole('button', { name: 'Open again' }).click();
    await page.getByRole('button', { name: 'Close the matter…' }).waitFor();
    assert.equal((await read(owner, `/matters/${matter.id}`)).status, 'open');
  });

  test('the keyboard alone creates a matter, and finds it again', async () => {
    const owner = await named('Ada', 'Acme');
    const page = await as(owner, '/app', { viewport: desktop });
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    for (const key of ['g', 'a']) await page.keyboard.press(key);
    await page.getByRole('heading', { name: 'No open matters' }).waitFor();
    await tabTo(page, 'New matter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create the matter' }).waitFor();
    await tabTo(page, 'name');
    await page.keyboard.type('Estate of Vera Vogel');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Estate of Vera Vogel', level: 1 }).waitFor();
    for (const key of ['g', 'a']) await page.keyboard.press(key);
    await page.getByRole('link', { name: 'Estate of Vera Vogel' }).waitFor();
    for (const key of ['j', 'Enter']) await page.keyboard.press(key);
    await region(page, 'Content').getByRole('button', { name: 'New folder' }).waitFor();
    await tabTo(page, 'New folder');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Name of the folder').waitFor();
    await page.keyboard.type('Pleadings');
    await page.keyboard.press('Enter');
    await page.waitForURL(/documents\?folder=/);
    const [matter] = await read(owner, '/matters/');
    assert.deepEqual(
      (await read(owner, `/matters/${matter.id}/contents`)).map(({ name }: { name: string }) => name),
      ['Pleadings'],
    );
  });

  test('closing a matter with open work lists the work, and ends it for a reason', async () => {
    const owner = await named('Ada', 'Acme');
    const matter = await send(owner, 'POST', '/matters/', { name: 'Merger' });
    await send(owner, 'POST', '/tasks/', { title: 'Call the court', matterId: matter.id });
    const page = await as(owner, `/app/matters/${matter.id}`, { viewport: phone });
    await page.getByText('Call the court').waitFor();
    await page.getByRole('button', { name: 'Close the matter…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close the matter' }).click();
    await page.getByRole('dialog').getByText('Call the court').waitFor();
    assert.equal((await read(owner, `/matters/${matter.id}`)).status, 'open');
    await keep(page, 'matter-open-work');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('The parties settled');
    await page.getByRole('button', { name: 'End the work and close' }).click();
    await page.getByText('Its content is read-only.').waitFor();
    assert.equal((await read(owner, '/tasks/'))[0].status, 'cancelled');
  });

  test('a folder that more people would see moves into a matter after a confirmation', async () => {
    const { owner, member } = await firm();
    const matter = await send(owner, 'POST', '/matters/', { name: 'Lease' });
    await send(owner, 'POST', `/matters/${matter.id}/access`, { userId: member.id, access: 'read' });
    await send(owner, 'POST', '/smartdoc/folders/', { name: 'Private notes' });
    const page = await as(owner, `/app/matters/${matter.id}`, { viewport: desktop });
    await page.getByRole('button', { name: 'Move a folder here…' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Folder' }).click();
    await page.getByRole('option', { name: 'Private notes' }).click();
    await page.getByRole('button', { name: 'Move the folder' }).click();
    await page.getByRole('checkbox', { name: 'They may see it.' }).click();
    await page.getByRole('button', { name: 'Move the folder' }).click();
    await region(page, 'Content').getByText('Private notes').waitFor();
  });

  test('a deadline for a colleague is added, changed and deleted', async () => {
    const { owner, member } = await firm();
    const matter = await send(owner, 'POST', '/matters/', { name: 'Lease' });
    await send(owner, 'POST', `/matters/${matter.id}/access`, { userId: member.id, access: 'write' });
    const page = await as(owner, `/app/matters/${matter.id}`, { viewport: desktop });
    await page.getByRole('button', { name: 'Add a deadline' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Deadline' }).fill('Statement of defence');
    await dialog.getByLabel('Day').first().fill('2099-04-01');
    await dialog.getByRole('combobox', { name: 'For' }).fill('Ben');
    await page.getByRole('option', { name: 'Ben Bauer' }).click();
    await dialog.getByRole('button', { name: 'Add the deadline' }).click();
    await region(page, 'Deadlines').getByText('task 5 working days before').waitFor();
    const [made] = await read(owner, `/matters/${matter.id}/deadlines`);
    assert.deepEqual([made.title, made.dueDate.slice(0, 10), made.assigneeId], ['Statement of defence', '2099-04-01', member.id]);
    await page.getByRole('button', { name: 'Change: Statement of defence' }).click();
    await dialog.getByRole('textbox', { name: 'Origin' }).fill('Order of 2 March');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await region(page, 'Deadlines').getByText('Order of 2 March').waitFor();
    const [changed] = await read(owner, `/matters/${matter.id}/deadlines`);
    assert.deepEqual([changed.dueDate, changed.assigneeId], [made.dueDate, member.id]);
    await page.getByRole('button', { name: 'Delete: Statement of defence' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deadline deleted.').first().waitFor();
    assert.deepEqual(await read(owner, `/matters/${matter.id}/deadlines`), []);
  });

  test('another administrator’s change is compared before it is overwritten', async () => {
    const owner = await named('Ada', 'Acme');
    const matter = await send(owner, 'POST', '/matters/', { name: 'Lease' });
    const page = await as(owner, `/app/matters/${matter.id}`, { viewport: desktop });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Practice').fill('Tenancy');
    const { headers } = await chancery().call('GET', `/api/v1/matters/${matter.id}`, { token: owner.token });
    const body = { practice: 'Property' };
    await chancery().call('PATCH', `/api/v1/matters/${matter.id}`, {
      token: owner.token,
      body,
      headers: { 'if-match': headers.get('etag') ?? '' },
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Changed by someone else' }).waitFor();
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Saved.').first().waitFor();
    assert.equal((await read(owner, `/matters/${matter.id}`)).practice, 'Tenancy');
  });

  test('the list, the form and the page fit and are accessible', async () => {
    const { owner, member } = await firm();
    const client = await send(owner, 'POST', '/matter-clients/', { name: 'Acme Robotics GmbH & Co. KG', reference: 'K-1042' });
    const matter = await send(owner, 'POST', '/matters/', {
      name: 'Acme Robotics ./. Contoso',
      clientId: client.id,
      practice: 'Litigation',
    });
    await send(owner, 'POST', '/matters/', { name: 'Formation of Vogel Holding' });
    await send(owner, 'POST', `/matters/${matter.id}/access`, { userId: member.id, access: 'write' });
    await send(owner, 'POST', '/smartdoc/folders/', { name: 'Pleadings', matterId: matter.id });
    await send(owner, 'POST', `/matters/${matter.id}/deadlines`, {
      title: 'Statement of defence',
      dueDate: '2099-04-01',
      source: 'Order of 2 March',
    });
    await send(owner, 'PUT', `/matters/${matter.id}/barrier`, { userIds: [owner.id] });
    const page = await as(owner, '/app/matters', { viewport: desktop });
    await page.getByText('Acme Robotics GmbH').first().waitFor();
    await fits(page, 'matters');
    await narrow(page, 'matters');
    await page.goto('/app/matters/new');
    await page.getByRole('button', { name: 'Create the matter' }).waitFor();
    await fits(page, 'matter-new');
    await page.goto(`/app/matters/${matter.id}`);
    await page.getByRole('list', { name: 'Outside, although they have a share or a role' }).getByText('Ben Bauer').waitFor();
    await fits(page, 'matter');
    await narrow(page, 'matter');
    const german = await open(owner, `/app/matters/${matter.id}`, { viewport: { width: 1_440, height: 900 }, locale: 'de' });
    await german.getByText('Pleadings').waitFor();
    await keep(german, 'matter-german');
  });
});

/** Presses Tab until the button, link or field with a text or name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const found = `(() => { const one = document.activeElement; return one.textContent.trim() === ${JSON.stringify(name)} || one.getAttribute('name') === ${JSON.stringify(name)}; })()`;
  for (let step = 0; step < 60; step += 1) {
    if (await page.evaluate<boolean>(found)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${name} cannot be reached with the keyboard`);
}
