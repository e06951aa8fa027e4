// The script of the page where a person connects an app. The person signs in, sees the requested scopes, and allows or denies them.
// The session of this page ends when the person leaves.

import { alertIn, fill, onSubmit, one, open, post, read, refuse, settings, texts } from './forms.js';
/** @import { Answer } from './forms.js' */

/** The current action of each button. @type {WeakMap<HTMLElement, () => void>} */
const clicks = new WeakMap();
for (const button of document.querySelectorAll('button')) button.addEventListener('click', () => clicks.get(button)?.());

/** @param {HTMLElement} view @param {string} which */
const buttonIn = (view, which) => one(view, `[data-${which}]`, HTMLButtonElement);

/** @param {Answer} answer @param {HTMLFormElement} form */
async function afterFirst(answer, form) {
  if (!answer.ok) return refuse(form, answer);
  form.reset();
  if (answer.body.twoFactorRequired) return secondFactor(answer.body);
  await look(answer.body.accessToken);
}

/** Returns the passkey response to a challenge; undefined if the person cancels or has no passkey. @param {any} options */
async function passkeyFor(options) {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
  } catch {
    return undefined;
  }
}

const withPasskeys = 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/**
 * Adds a passkey sign-in to the button of a view.
 *
 * @param {HTMLElement} view
 * @param {string} operation
 * @param {object} members sent in addition
 */
function offerPasskey(view, operation, members) {
  const button = buttonIn(view, 'passkey');
  const form = one(view, 'form', HTMLFormElement);
  button.hidden = !withPasskeys;
  clicks.set(button, () => void ask());

  async function ask() {
    alertIn(form, '');
    const options = await post(`${operation}/options`, members);
    if (!options.ok) return refuse(form, options);
    const response = await passkeyFor(options.body);
    if (response === undefined) return alertIn(form, texts.problems.no_passkey ?? texts.broken);
    await afterFirst(await post(operation, { ...members, response }), form);
  }
}

function signIn() {
  const view = open('sign-in');
  onSubmit(view, async ({ email, password }, form) => afterFirst(await post('/security/auth/login', { email, password }), form));
  offerPasskey(view, '/security/auth/passkeys/login', {});
}

/** @param {{ challengeId: string, methods: string[] }} challenge */
function secondFactor({ challengeId, methods }) {
  const view = open('code');
  onSubmit(view, async ({ code }, form) => {
    const answer = await post('/security/auth/verify-totp', { challengeId, code });
    if (answer.ok || answer.body.code !== 'invalid_challenge') return afterFirst(answer, form);
    signIn();
    refuse(one(document, '[data-view="sign-in"] form', HTMLFormElement), answer);
  });
  offerPasskey(view, '/security/auth/verify-passkey', { challengeId });
  if (!methods.includes('passkey')) buttonIn(view, 'passkey').hidden = true;
}

/** Shows the requested scopes that the person can grant. @param {string} token */
async function look(token) {
  const { request, denied, scopes } = settings.consent;
  const shown = await post('/security/auth/connected-apps/preview', { request }, token);
  if (!shown.ok) {
    await post('/security/auth/logout', {}, token);
    fill('failure', shown.status === 0 ? texts.offline : (texts.problems[shown.body.code] ?? shown.body.detail ?? texts.broken));
    open('failed');
    return;
  }
  fill('team', shown.body.teamName);
  fill('email', shown.body.email);
  list('[data-scopes]', shown.body.scopes);
  list('[data-changing]', shown.body.changes);
  const changes = one(document, '[data-changes]', HTMLElement);
  changes.hidden = shown.body.changes.length === 0;
  const ticked = one(changes, 'input', HTMLInputElement);
  ticked.checked = false;
  const policy = shown.body.changes.length === 0 ? undefined : await offerPolicies(changes, ticked, token);
  const view = open('ask');
  onSubmit(view, async (_values, form) => {
    const answer = await post(
      '/security/auth/connected-apps',
      { request, changes: ticked.checked, approvalPolicy: (ticked.checked && policy?.value) || null },
      token,
    );
    if (!answer.ok) return refuse(form, answer);
    await leave(answer.body.redirectTo);
  });
  clicks.set(buttonIn(view, 'deny'), () => void leave(denied));

  /** @param {string} place @param {string[]} named */
  function list(place, named) {
    one(document, place, HTMLElement).replaceChildren(
      ...named.map((scope) => {
        const item = document.createElement('li');
        item.textContent = scopes[scope] ?? scope;
        return item;
      }),
    );
  }

  /** @param {string} address */
  async function leave(address) {
    await post('/security/auth/logout', {}, token);
    open('left');
    location.replace(address);
  }
}

/**
 * Offers the approval policies of the team while changes are allowed. Without a choice the person approves the changes.
 *
 * @param {HTMLElement} changes
 * @param {HTMLInputElement} ticked
 * @param {string} token
 */
async function offerPolicies(changes, ticked, token) {
  const found = await read('/approval-policies/?limit=500', token);
  /** @type {{ name: string }[]} */
  const policies = found.ok ? found.body : [];
  const select = one(changes, 'select', HTMLSelectElement);
  select.length = 1;
  for (const { name } of policies) select.add(new Option(name, name));
  const approvers = one(changes, '[data-approvers]', HTMLElement);
  const update = () => void (approvers.hidden = policies.length === 0 || !ticked.checked);
  ticked.addEventListener('change', update);
  update();
  return select;
}

clicks.set(buttonIn(one(document, '[data-view="sign-in"]', HTMLElement), 'deny'), () => location.replace(settings.consent.denied));
// A page from the back/forward cache was already answered, so reload it.
addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
signIn();
