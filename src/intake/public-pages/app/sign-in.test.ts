import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { withoutBrowser } from '../../../../test/browser.ts';
import { type TestResponse, type Chancery, sharedChancery } from '../../../../test/harness.ts';
import { cookiesOf, pageClient } from '../../../../test/page-client.ts';
import { enrolled, goodPassword, registered, signIn } from '../../../../test/people.ts';
import { fits, useBrowser } from '../../../../test/visits.ts';
import { homePath, pathAfterSignIn, tasksPath } from './next.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});
const { get, post } = pageClient(() => chancery);
const page = '/app/sign-in';
const task = '/tasks/0190a000-0000-7000-8000-000000000000';
const at = (answer: TestResponse) => answer.headers.get('location');
const enter = (email: string, more: Record<string, string> = {}) => post(page, { email, password: goodPassword, next: task, ...more });

test('a sign-in only leads to pages of this service', () => {
  for (const path of [task, '/tasks', '/sign/token', '/tasks/x?locale=de']) assert.equal(pathAfterSignIn(path), path);
  const elsewhere = [
    '//evil.example/app/x',
    '/\\evil.example/app/x',
    '\\\\evil.example',
    '/\t/evil.example',
    'https://evil.example/app/x',
    'javascript:alert(1)',
    '/app/../..//evil.example',
    '/app/..//evil.example/app/x',
    '/%2F/evil.example',
    '/%5Cevil.example',
    '/docs',
    '/app/sign-in/../../api/v1/x',
    `/app/${'x'.repeat(600)}`,
    '',
    undefined,
    ['/tasks'],
  ];
  for (const given of elsewhere) assert.equal(pathAfterSignIn(given), homePath, String(given));
});

test('no value of `next` leads the browser to another site', async () => {
  const { email } = await registered(chancery);
  for (const next of ['//evil.example', '/\\evil.example', '/%5cevil.example', 'https://evil.example']) {
    const shown = await get(`${page}?${new URLSearchParams({ next }).toString()}`);
    assert.ok(!shown.text.includes('evil'), next);
    assert.equal(at(await enter(email, { next })), homePath, next);
  }
});

test('a page requires a sign-in and then opens; a sign-out ends the session', async () => {
  const { email } = await registered(chancery);
  const first = await get(tasksPath);
  assert.deepEqual([first.status, at(first)], [303, `${page}?next=%2Ftasks`]);
  const form = await get(at(first) ?? '');
  assert.deepEqual([form.status, form.headers.get('cache-control')], [200, 'no-store']);
  assert.doesNotMatch(form.headers.get('content-security-policy') ?? '', /unsafe/);
  const done = await post(page, { email, password: goodPassword, next: tasksPath });
  assert.deepEqual([done.status, at(done)], [303, tasksPath]);
  for (const cookie of done.headers.getSetCookie()) assert.match(cookie, /Path=\/; HttpOnly; SameSite=Strict/);
  const cookie = cookiesOf(done);
  const list = await get(tasksPath, { cookie });
  assert.equal(list.status, 200, list.text);
  assert.ok(list.text.includes(email) && list.text.includes('You have no open tasks'));
  assert.equal(at(await get(`${page}?next=${task}`, { cookie })), task, 'a signed-in person is redirected');

  assert.equal((await post('/app/sign-out', { next: tasksPath }, { cookie, origin: 'https://evil.example' })).status, 403);
  assert.equal((await get(tasksPath, { cookie })).status, 200);
  assert.match(at(await post('/app/sign-out', { next: tasksPath }, { cookie })) ?? '', /out=/);
  assert.equal((await get(tasksPath, { cookie })).status, 303);
});

test('a page renews a session by its refresh cookie, and shows the person of that cookie', async () => {
  const [first, second] = [await registered(chancery), await registered(chancery)];
  const [firstCookies, api] = [cookiesOf(await enter(first.email)), await signIn(chancery, second.email)];
  const refresh = /refresh_token=[^;]+/.exec(cookiesOf(api))?.[0] ?? '';
  const access = /page_access=[^;]+/.exec(firstCookies)?.[0] ?? '';
  const shown = await get(tasksPath, { cookie: `${access}; ${refresh}` });
  assert.equal(shown.status, 200, shown.text);
  assert.ok(shown.text.includes(second.email) && !shown.text.includes(first.email));
  assert.match(cookiesOf(shown), /page_access=.+refresh_token=|refresh_token=.+page_access=/);
  const alone = await get(tasksPath, { cookie: access });
  assert.equal(alone.status, 303, 'an access token without its session has no access');
});

test('a sign-in is only accepted from a page of this service', async () => {
  const { email } = await registered(chancery);
  for (const headers of [{ origin: 'https://evil.example' }, { origin: undefined }, { origin: 'null', 'sec-fetch-site': 'cross-site' }]) {
    const refused = await post(page, { email, password: goodPassword }, headers);
    assert.deepEqual([refused.status, refused.headers.getSetCookie()], [403, []]);
  }
});

test('the page shows missing and wrong input in its language', async () => {
  const { email } = await registered(chancery);
  const missing = await post(page, { email: '', password: '', locale: 'en' });
  assert.equal(missing.status, 422);
  for (const text of ['Enter your e-mail address', 'Enter your password']) assert.ok(missing.text.includes(text));
  const wrong = await post(page, { email, password: 'another one', locale: 'de', next: task });
  assert.deepEqual([wrong.status, wrong.headers.getSetCookie()], [401, []]);
  assert.ok(wrong.text.includes('Passwort ist falsch') && wrong.text.includes(email) && wrong.text.includes(task));
  assert.ok(!wrong.text.includes('another one'));
});

test('an account with a second factor requires its code, also without a script', async () => {
  const person = await enrolled(chancery);
  const challenged = await enter(person.email);
  assert.deepEqual([challenged.status, challenged.headers.getSetCookie()], [200, []]);
  const challengeId = /name="challengeId" value="([^"]+)"/.exec(challenged.text)?.[1] ?? '';
  const methods = /name="methods" value="([^"]*)"/.exec(challenged.text)?.[1] ?? '';
  const code = (given: string) => post(page, { _do: 'code', challengeId, methods, code: given, next: task, locale: 'en' });
  assert.match((await code('')).text, /Enter the code/);
  const wrong = await code(person.code() === '111111' ? '222222' : '111111');
  assert.equal(wrong.status, 401);
  assert.match(wrong.text, /The code is wrong/);
  const done = await code(person.code());
  assert.deepEqual([done.status, at(done)], [303, task]);
  const over = await code(person.code(1));
  assert.ok(over.text.includes('Sign in again') && over.text.includes('name="password"'));
});

test('a browser that comes from another site repeats the request from a page of this service, with its cookies', async () => {
  const first = await get(task, { 'sec-fetch-site': 'cross-site' });
  assert.equal(first.status, 200);
  assert.match(first.text, new RegExp(`http-equiv="refresh" content="0; url=${task}"`));
  assert.equal((await get(task, { 'sec-fetch-site': 'same-origin' })).status, 303);
});

test('the sign-in of an organisation starts at a link on the page', async () => {
  const shown = await post(page, { _do: 'sso', email: 'grace@team.example', next: task });
  const href = /href="([^"]+sso\/start[^"]+)"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const { searchParams } = new URL(href, chancery.url);
  assert.deepEqual(
    [searchParams.get('email'), new URL(searchParams.get('returnTo') ?? '', chancery.url).pathname],
    ['grace@team.example', page],
  );
  assert.equal(shown.headers.get('referrer-policy'), 'same-origin');
  assert.equal((await post(page, { _do: 'sso', email: '' })).status, 422);
});

describe('in a browser', { skip: withoutBrowser }, () => {
  const visit = useBrowser(() => chancery.url.replace('127.0.0.1', 'localhost'));

  test('a person signs in without a script, on a page that fits and is accessible', async () => {
    const { email } = await registered(chancery);
    const opened = await visit(tasksPath, { javaScriptEnabled: false });
    await opened.getByLabel('E-mail address').fill(email);
    await opened.getByLabel('Password').fill(goodPassword);
    await opened.getByRole('button', { name: 'Sign in', exact: true }).click();
    await opened.getByRole('heading', { name: 'Your open tasks' }).waitFor();
    const shown = await visit(`${page}?next=${task}`);
    await fits(shown, 'sign-in');
  });

  test('a person from a link on another site stays signed in', async () => {
    const { email } = await registered(chancery);
    const opened = await visit(tasksPath);
    await opened.getByLabel('E-mail address').fill(email);
    await opened.getByLabel('Password').fill(goodPassword);
    await opened.keyboard.press('Enter');
    await opened.getByRole('heading', { name: 'Your open tasks' }).waitFor();
    await opened.route('http://mail.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${opened.url()}">the mail</a>` }),
    );
    await opened.goto('http://mail.example/');
    await opened.getByRole('link').click();
    await opened.getByRole('heading', { name: 'Your open tasks' }).waitFor();
  });
});
