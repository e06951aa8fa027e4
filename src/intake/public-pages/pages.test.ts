import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { pino } from 'pino';
import { isAccessible } from '../../../test/accessible.ts';
import { withoutBrowser } from '../../../test/browser.ts';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { staffPath } from '../../../test/staff.ts';
import { useBrowser } from '../../../test/visits.ts';
import { withStaffAdministration } from '../../commands/tools/staff.ts';
import { authPath, enrolled, goodPassword, mailsTo, registered, signIn } from '../../../test/people.ts';

const newPassword = 'Harbour-lantern-47';
let chancery: Chancery;

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { PASSWORD_MIN_LENGTH: '10' } });
});
after(() => chancery.stop());

/** Returns the path and fragment of the link in the newest mail. */
async function linkFor(email: string): Promise<string> {
  const [mail] = await mailsTo(chancery, email);
  const link = new URL(/https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '');
  return `${link.pathname}${link.hash}`;
}

async function resetLink(email: string): Promise<string> {
  assert.equal((await chancery.call('POST', `${authPath}/request-password-reset`, { body: { email } })).status, 200);
  return linkFor(email);
}

async function invite(email: string, role = 'viewer', name = 'Müller & Söhne <Recht>'): Promise<string> {
  const { owner } = await chancery.team(name);
  const made = await chancery.call('POST', '/api/v1/team/invitations', { token: owner.token, body: { email, role } });
  assert.equal(made.status, 201, made.text);
  return linkFor(email);
}

const mailedPages = ['/reset-password', '/staff/set-password', '/accept-invitation', '/restore-users'];

test('each page allows only its own style and script, and is not cached', async () => {
  for (const path of mailedPages) {
    const { status, headers, text } = await chancery.call('GET', path, { unchecked: true });
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^ ]+'; script-src 'sha256-[^ ]+'; base-uri 'none'; form-action 'none'; /);
    assert.match(policy, /frame-ancestors 'none'; connect-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|http/);
    assert.deepEqual([headers.get('cache-control'), headers.get('referrer-policy')], ['no-store', 'no-referrer']);
    for (const element of ['style', 'script type="module"']) {
      const own = new RegExp(`<${element}>([\\s\\S]*?)</`).exec(text)?.[1] ?? '';
      assert.ok(policy.includes(createHash('sha256').update(own).digest('base64')), `${element} is allowed by its hash`);
    }
    assert.doesNotMatch(text, /<(?!a\b)[^>]*\b(?:src|href)="/, 'the page loads no files');
  }
});

test('a page uses the preferred language of the browser, and otherwise English', async () => {
  const languageFor = async (wanted: string) => {
    const { headers, text } = await chancery.call('GET', '/reset-password', { headers: { 'accept-language': wanted }, unchecked: true });
    assert.equal(headers.get('vary'), 'accept-language, accept-encoding');
    assert.equal(/<html lang="(..)">/.exec(text)?.[1], headers.get('content-language'));
    return /<h1[^>]*>([^<]+)/.exec(text)?.[1];
  };
  assert.equal(await languageFor('de-AT,de;q=0.9,en;q=0.5'), 'Neues Passwort wählen');
  assert.equal(await languageFor('fr'), 'Choose a new password');
});

describe('in a browser', { skip: withoutBrowser }, () => {
  const visit = useBrowser(() => chancery.url);
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

  test('a person sets a new password by the mailed link: sessions end, and the new password signs in', async () => {
    const person = await registered(chancery);
    const page = await visit(await resetLink(person.email));
    await heading(page, 'Choose a new password');
    assert.equal(new URL(page.url()).hash, '', 'the token is removed from the address bar');
    assert.equal(await page.evaluate('history.length'), 2, 'the token is removed from the history');

    await page.getByLabel('New password', { exact: true }).fill('password123');
    await page.getByLabel('Repeat the new password').fill('password124');
    await page.getByRole('button').click();
    assert.equal(await page.getByLabel('Repeat the new password').getAttribute('aria-invalid'), 'true');
    await page.getByText('The two passwords are different.').waitFor();

    await page.getByLabel('Repeat the new password').fill('password123');
    await page.getByRole('button').click();
    await page.getByText('This password is too common').waitFor();
    const first = page.getByLabel('New password', { exact: true });
    assert.equal(await page.evaluate('document.activeElement.id'), 'password', 'the rejected field has the focus');

    for (const [value, refusal] of [
      ['short', 'The password needs at least 10 characters.'],
      [person.email, 'The password must not be your name'],
    ] as const) {
      await first.fill(value);
      await page.getByLabel('Repeat the new password').fill(value);
      await page.getByRole('button').click();
      await page.getByText(refusal).waitFor();
    }

    await first.fill(newPassword);
    await page.getByLabel('Repeat the new password').fill(newPassword);
    await page.getByRole('button').click();
    await heading(page, 'Your password was changed');
    assert.equal(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href'), '/app/login');
    assert.equal((await chancery.call('GET', `${authPath}/profile`, { token: person.token })).status, 401);
    assert.equal((await signIn(chancery, person.email)).status, 401);
    assert.equal((await signIn(chancery, person.email, newPassword)).status, 200);
  });

  test('a used link, a wrong link and one without a token show an error', async () => {
    const person = await registered(chancery);
    const link = await resetLink(person.email);
    const token = new URLSearchParams(link.split('#')[1]).get('token');
    const body = { token, password: newPassword };
    assert.equal((await chancery.call('POST', `${authPath}/reset-password`, { body })).status, 200);
    const page = await visit(link);
    await page.getByLabel('New password', { exact: true }).fill('Another-lantern-48');
    await page.getByLabel('Repeat the new password').fill('Another-lantern-48');
    await page.getByRole('button').click();
    await heading(page, 'This link has expired');
    await heading(await visit('/reset-password'), 'This link has expired');
    await heading(await visit('/accept-invitation#token=nonsense'), 'This invitation has expired');
  });

  test('another link that is opened in the same tab is accepted too', async () => {
    const person = await registered(chancery);
    const page = await visit('/reset-password#token=');
    await heading(page, 'This link has expired');
    await page.goto(await resetLink(person.email));
    await heading(page, 'Choose a new password');
    await page.getByLabel('New password', { exact: true }).fill(newPassword);
    await page.getByLabel('Repeat the new password').fill(newPassword);
    await page.getByRole('button').click();
    await heading(page, 'Your password was changed');
    assert.equal((await signIn(chancery, person.email, newPassword)).status, 200);
  });

  test('a member of staff sets a password by the link of an operator', async () => {
    const email = 'operator@example.org';
    const made = await withStaffAdministration(chancery.config, pino({ level: 'silent' }), (staff) => staff.create({ email, name: 'Op' }));
    const link = new URL(made?.link ?? '');
    const page = await visit(`${link.pathname}${link.hash}`);
    await heading(page, 'Choose your staff password');
    await page.getByLabel('New password', { exact: true }).fill(newPassword);
    await page.getByLabel('Repeat the new password').fill(newPassword);
    await page.getByRole('button').click();
    await page.getByText('Sign in as staff').waitFor();
    assert.equal((await chancery.call('POST', `${staffPath}/login`, { body: { email, password: newPassword } })).status, 200);
  });

  test('a new person joins the inviting team by keyboard alone', async () => {
    const email = `grace.${Date.now().toString(36)}@example.org`;
    const page = await visit(await invite(email));
    // Another person who uses this browser stays signed in.
    await page.context().addCookies([{ name: 'refresh_token', value: 'theirs', url: chancery.url }]);
    await heading(page, 'Join the team');
    // Texts of other people are inserted as text.
    await page.getByText('Müller & Söhne <Recht>').first().waitFor();
    await page.getByText('Viewer', { exact: true }).first().waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.name || document.activeElement.tagName');
    const typed: Record<string, string> = { firstName: 'Grace', lastName: 'Hopper', password: newPassword };
    assert.equal(await focused(), 'H1', 'screen readers start at the heading');
    const order: string[] = [];
    for (let step = 0; step < 6; step += 1) {
      await page.keyboard.press('Tab');
      order.push(await focused());
      await page.keyboard.type(typed[order.at(-1) ?? ''] ?? '');
    }
    assert.deepEqual(order, ['email', 'firstName', 'lastName', 'password', 'INPUT', 'BUTTON']);
    await page.keyboard.press('Enter');
    await heading(page, 'Welcome to the team');
    assert.equal(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href'), '/app/login');
    const signed = await signIn(chancery, email, newPassword);
    assert.equal(signed.status, 200);
    const profile = await chancery.call('GET', `${authPath}/profile`, { token: signed.body.accessToken });
    assert.deepEqual([profile.body.firstName, profile.body.role], ['Grace', 'viewer']);
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`);
    assert.deepEqual(cookies, ['refresh_token=theirs'], 'no session is left in the browser, and no other session ends');
    const sessions = await chancery.call('GET', `${authPath}/sessions`, { token: signed.body.accessToken });
    assert.equal(sessions.body.length, 1, 'no session is left on the server');
  });

  test('a person with an account joins with the password, after a wrong password', async () => {
    const person = await registered(chancery);
    const page = await visit(await invite(person.email, 'member'));
    await heading(page, 'Join with your account');
    await page.locator('#sign-in-password').fill('not-the-password');
    await page.getByRole('button').click();
    await page.getByRole('alert').filter({ hasText: 'The password is wrong.' }).waitFor();
    await page.locator('#sign-in-password').fill(goodPassword);
    await page.getByRole('button').click();
    await heading(page, 'Welcome to the team');
    assert.equal(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href'), '/app/login');
    const signed = await signIn(chancery, person.email);
    assert.equal(signed.body.user.id, person.id);
    assert.notEqual(signed.body.user.teamId, person.team);
  });

  test('a person with a second factor needs its code, and a wrong code is rejected', async () => {
    const person = await enrolled(chancery);
    const page = await visit(await invite(person.email, 'member'));
    await heading(page, 'Join with your account');
    await page.locator('#sign-in-password').fill(goodPassword);
    await page.keyboard.press('Enter');
    await heading(page, 'Enter the code');
    await page.getByLabel('Code of your authenticator app').fill('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor();
    await fits(page, 'code');
    await page.getByLabel('Code of your authenticator app').fill(person.backupCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await heading(page, 'Welcome to the team');
    await fits(page, 'joined');
  });

  test('a person who cannot join gets the reason, and no session is left', async () => {
    const person = await registered(chancery);
    await chancery.pool.query(
      `WITH t AS (INSERT INTO team (team_id, name) SELECT gen_random_uuid(), 'T' FROM generate_series(1, 50) RETURNING team_id)
       INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role) SELECT team_id, $1, '', '', 'A', 'L', 'member' FROM t`,
      [person.id],
    );
    const page = await visit(await invite(person.email, 'member'));
    await page.locator('#sign-in-password').fill(goodPassword);
    await page.getByRole('button').click();
    await page.getByRole('alert').filter({ hasText: 'which is the limit' }).waitFor();
    assert.equal((await chancery.call('GET', `${authPath}/sessions`, { token: person.token })).body.length, 1);
  });

  test('if the server is not reachable, the page shows an error and keeps the input', async () => {
    const person = await registered(chancery);
    const page = await visit(await resetLink(person.email));
    await page.context().setOffline(true);
    await page.getByLabel('New password', { exact: true }).fill(newPassword);
    await page.getByLabel('Repeat the new password').fill(newPassword);
    await page.getByRole('button').click();
    await page.getByRole('alert').filter({ hasText: 'is not reachable' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button').click();
    await heading(page, 'Your password was changed');
  });

  test('the password is hidden until the person chooses to show it', async () => {
    const person = await registered(chancery);
    const page = await visit(await resetLink(person.email));
    const field = page.getByLabel('New password', { exact: true });
    assert.deepEqual([await field.getAttribute('type'), await field.getAttribute('autocomplete')], ['password', 'new-password']);
    await page.getByLabel('Show the password').check();
    assert.equal(await field.getAttribute('type'), 'text');
    await page.getByLabel('Show the password').uncheck();
    assert.equal(await field.getAttribute('type'), 'password');
  });

  for (const version of ['1', '2']) {
    test(`the public widget solves the challenge of version ${version}, and the registration is accepted once`, async () => {
      const strict = await chancery.node('api', { ALTCHA: 'on' });
      const page = await visit(`${strict.address}/dev/altcha?v=${version}`);
      await page.getByLabel(/not a robot/i).press('Space');
      await page.getByText('Verified', { exact: true }).waitFor();
      const email = await page.getByLabel('E-mail address').inputValue();
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByText(/^201 /).waitFor();
      await fits(page, `altcha-${version}`);
      assert.match((await mailsTo(chancery, email))[0]?.subject ?? '', /\d{6}/);
      await page.getByRole('button', { name: 'Register' }).click();
      await page.getByText(/altcha_already_used/).waitFor();
    });
  }

  /** SCREENSHOTS=<folder> saves each view as an image. */
  const folder = process.env.SCREENSHOTS;
  const looks = ([360, 1_024] as const).flatMap((width) => (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })));

  async function fits(page: Page, name: string): Promise<void> {
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const scroll = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      assert.equal(scroll, 0, `${name} does not scroll sideways at ${width} pixels`);
      const small = await page.evaluate(`[...document.querySelectorAll('button, input')]
        .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 24)
        .map((each) => each.outerHTML)`);
      assert.deepEqual(small, [], 'controls are at least 24 pixels high (WCAG 2.5.8)');
      if (width === looks[0]?.width) await isAccessible(page, `${name} ${colorScheme}`, colorScheme === 'light' ? 'all' : 'looks');
      if (folder === undefined) continue;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }

  for (const locale of ['en', 'de']) {
    test(`every view fits a phone and a desktop, light and dark, in the language ${locale}`, async () => {
      const person = await registered(chancery);
      const reset = await visit(await resetLink(person.email), { locale });
      await reset.locator('[data-view=form]').waitFor();
      await fits(reset, `reset-${locale}`);
      await reset.locator('#password').fill('aaaaaaaaaa');
      await reset.locator('#repeat').fill('aaaaaaaaaa');
      await reset.getByRole('button').click();
      await reset.locator('#password[aria-invalid=true]').waitFor();
      await fits(reset, `reset-refused-${locale}`);
      await fits(await visit('/staff/set-password#token=x', { locale }), `staff-${locale}`);
      const long = `${'very-'.repeat(7)}long.${Date.now()}@example.org`;
      const invited = await visit(await invite(long, 'admin', 'Rechtsanwaltsgesellschaftsverwaltung '.repeat(3)), { locale });
      await invited.locator('[data-view=register]').waitFor();
      await fits(invited, `invitation-${locale}`);
      const known = await visit(await invite(person.email), { locale });
      await known.locator('[data-view=sign-in]').waitFor();
      await known.locator('#sign-in-password').fill('wrong');
      await known.getByRole('button').click();
      await known.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
      await fits(known, `invitation-account-${locale}`);
      await fits(await visit('/accept-invitation', { locale }), `dead-${locale}`);
    });
  }

  test('the pages for developers fit a phone and a desktop too', async () => {
    await invite('somebody@example.org');
    const mailbox = await visit('/dev/mail?to=somebody@example.org');
    await mailbox.getByRole('heading', { name: 'Müller & Söhne <Recht>' }).waitFor();
    await fits(mailbox, 'mailbox');
    await fits(await visit('/problems/'), 'problems');
    await fits(await visit('/problems/invalid_invitation'), 'problem');
  });
});
