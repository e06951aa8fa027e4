// The script of pages that mails link to. It reads the token from the address, and calls the API.

import { fill, onSubmit, one, open, post, refuse, settings, texts, waitText } from './forms.js';
/** @import { Answer } from './forms.js' */

/** Returns the token in the fragment, and removes it from the address bar, so that it is not in the history or in copied addresses. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** @param {Answer} answer */
const linkIsDead = ({ body }) => ['invalid_or_expired_token', 'invalid_invitation', 'invalid_restore_link'].includes(body.code);

/** Sets a new password by link. @param {string} token */
function setPassword(token) {
  onSubmit(open('form'), async ({ password }, form) => {
    const answer = await post(settings.operation, { token, password });
    if (answer.ok || linkIsDead(answer)) {
      form.reset();
      open(answer.ok ? 'done' : 'dead');
    } else refuse(form, answer);
  });
}

/** Restores users by link, after a click, because mail programs open links. @param {string} token */
function restoreUsers(token) {
  onSubmit(open('form'), async (_values, form) => {
    const answer = await post(settings.operation, { token });
    if (answer.ok || linkIsDead(answer)) open(answer.ok ? 'done' : 'dead');
    else refuse(form, answer);
  });
}

/** Shows an invitation. The person registers, or signs in if the address has an account. @param {string} token */
async function answerInvitation(token) {
  const preview = await post('/team/invitations/preview', { token });
  if (linkIsDead(preview)) return void open('dead');
  if (!preview.ok) {
    fill('failure', preview.status === 0 ? texts.offline : `${preview.body.detail ?? texts.broken} ${waitText(preview)}`);
    return void open('failed');
  }
  const { teamName, email, role, expiresAt, hasAccount } = preview.body;
  fill('team', teamName);
  fill('email', email);
  fill('role', texts.roles[role] ?? role);
  const time = { year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' };
  fill('until', new Intl.DateTimeFormat(settings.language, /** @type {Intl.DateTimeFormatOptions} */ (time)).format(new Date(expiresAt)));
  if (hasAccount) return signInAndJoin(token, email);
  onSubmit(open('register'), async (person, form) => {
    const answer = await post('/team/invitations/accept', { token, ...person });
    if (answer.ok) return joined(form, answer.body.accessToken);
    if (answer.body.code === 'account_exists') return signInAndJoin(token, email);
    if (linkIsDead(answer)) return void open('dead');
    refuse(form, answer);
  });
}

/** @param {string} token @param {string} email */
function signInAndJoin(token, email) {
  const view = open('sign-in');
  const passwordForm = one(view, 'form', HTMLFormElement);
  onSubmit(view, async ({ password }, form) => {
    const answer = await post('/security/auth/login', { email, password });
    if (!answer.ok) return refuse(form, answer);
    if (answer.body.twoFactorRequired) return secondFactor(answer.body.challengeId);
    await join(form, answer.body.accessToken);
  });

  /** @param {string} challengeId */
  function secondFactor(challengeId) {
    onSubmit(open('code'), async ({ code }, form) => {
      const answer = await post('/security/auth/verify-totp', { challengeId, code });
      form.reset();
      if (answer.ok) return join(form, answer.body.accessToken);
      if (answer.body.code !== 'invalid_challenge') return refuse(form, answer);
      open('sign-in');
      refuse(passwordForm, answer);
    });
  }

  /** @param {HTMLFormElement} form @param {string} accessToken */
  async function join(form, accessToken) {
    const answer = await post('/team/invitations/accept', { token }, accessToken);
    if (answer.ok) return joined(passwordForm, answer.body.accessToken);
    await post('/security/auth/logout', {}, accessToken);
    if (linkIsDead(answer)) return void open('dead');
    if (form !== passwordForm) open('sign-in');
    refuse(passwordForm, answer);
  }
}

/** Ends the session that accepting opened, because this page does not need it. @param {HTMLFormElement} form @param {string} accessToken */
async function joined(form, accessToken) {
  await post('/security/auth/logout', {}, accessToken);
  form.reset();
  open('done');
}

function start() {
  const token = takeToken();
  if (token === '') return void open('dead');
  if (settings.page === 'password') return setPassword(token);
  if (settings.page === 'restore') return restoreUsers(token);
  return answerInvitation(token);
}

// Another link that is opened in this tab changes only the fragment, and does not load the page.
addEventListener('hashchange', () => location.hash !== '' && void start());
void start();
