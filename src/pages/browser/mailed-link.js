/**
 * What runs in the pages that mails lead to: it takes the token out of the address, asks the API, and shows one view of
 * the page at a time. It is a client like any other: what it may not do, the API refuses.
 *
 * @typedef {{ base: string, page: 'password' | 'invitation', operation: string, language: string, texts: Texts }} Settings
 * @typedef {{ busy: string, required: string, unequal: string, offline: string, broken: string, wait: string, minutes: string, seconds: string,
 *   rules: Record<string, string>, problems: Record<string, string>, roles: Record<string, string> }} Texts
 * @typedef {{ code?: string, detail?: string, errors?: { name: string, reason: string, rule: string }[] }} Problem
 * @typedef {{ ok: boolean, status: number, wait: number, body: any }} Answer
 */

/**
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
function one(root, selector, kind) {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** @type {Settings} */
const settings = JSON.parse(one(document, '#settings', HTMLScriptElement).text);
const { texts } = settings;
const service = document.title.split(' · ').at(-1) ?? '';

/** The token in the fragment, which is taken out of the address bar, and so out of the history and of what is copied from it. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/**
 * Asks the API. Cookies are neither sent nor kept: the page leaves no session in the browser that it was opened in.
 *
 * @param {string} path
 * @param {object} [body]
 * @param {string} [accessToken]
 * @returns {Promise<Answer>} `status` 0 when nothing answered; `wait` in seconds
 */
async function post(path, body = {}, accessToken = '') {
  try {
    const response = await fetch(`${settings.base}/api/v1${path}`, {
      method: 'POST',
      credentials: 'omit',
      cache: 'no-store',
      headers: { 'content-type': 'application/json', ...(accessToken && { authorization: `Bearer ${accessToken}` }) },
      body: JSON.stringify(body),
    });
    const wait = Number(response.headers.get('retry-after'));
    return { ok: response.ok, status: response.status, wait, body: response.status === 204 ? {} : await response.json() };
  } catch {
    return { ok: false, status: 0, wait: 0, body: {} };
  }
}

/**
 * Shows one view and hides the others. Its heading becomes the title, and takes the focus, so that a screen reader reads on from there.
 *
 * @param {string} name
 */
function open(name) {
  for (const view of document.querySelectorAll('[data-view]')) {
    if (view instanceof HTMLElement) view.hidden = view.dataset.view !== name;
  }
  const view = one(document, `[data-view="${name}"]`, HTMLElement);
  const heading = one(view, 'h1', HTMLElement);
  document.title = `${heading.textContent} · ${service}`;
  heading.focus();
  return view;
}

/**
 * @param {HTMLFormElement} form
 * @returns {HTMLInputElement[]} the fields whose values are sent
 */
const fieldsOf = (form) => [...form.querySelectorAll('input')].filter((input) => input.name !== '' && !input.readOnly);

/**
 * @param {HTMLInputElement} field
 * @param {string} text why it is refused; empty when it is not
 */
function mark(field, text) {
  field.ariaInvalid = text === '' ? null : 'true';
  one(document, `#${field.id}-error`, HTMLElement).textContent = text;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function alertIn(form, text) {
  one(form, '.alert', HTMLElement).textContent = text;
}

/**
 * What can be told without the service: a field left empty, and two passwords that differ.
 *
 * @param {HTMLFormElement} form
 */
function complete(form) {
  const fields = fieldsOf(form);
  for (const field of fields) {
    const first = field.dataset.repeats === undefined ? undefined : fields.find(({ name }) => name === field.dataset.repeats);
    const unequal = first !== undefined && first.value !== field.value;
    mark(field, field.value === '' ? texts.required : unequal ? texts.unequal : '');
  }
  return focusFirstFault(form);
}

/** @param {HTMLFormElement} form @returns {boolean} true when there is no fault */
function focusFirstFault(form) {
  const wrong = fieldsOf(form).find((field) => field.ariaInvalid === 'true');
  wrong?.focus();
  return wrong === undefined;
}

/** @param {Answer} answer */
function waitText({ wait }) {
  if (!wait) return '';
  const [count, unit] = wait > 90 ? [Math.ceil(wait / 60), texts.minutes] : [wait, texts.seconds];
  return texts.wait.replace('{time}', `${count} ${unit}`);
}

/**
 * Shows why the service refused: at the fields it names, or above them.
 *
 * @param {HTMLFormElement} form
 * @param {Answer} answer
 */
function refuse(form, answer) {
  /** @type {Problem} */
  const { code = '', detail, errors = [] } = answer.body;
  const fields = fieldsOf(form);
  let named = false;
  for (const { name, reason, rule } of errors) {
    const field = fields.find((each) => each.name === name);
    if (field) mark(field, texts.rules[rule] ?? reason);
    named ||= field !== undefined;
  }
  const text = texts.problems[code] ?? detail ?? texts.broken;
  if (named) focusFirstFault(form);
  else alertIn(form, answer.status === 0 ? texts.offline : `${text} ${waitText(answer)}`.trim());
}

/**
 * What a form's values, by name, are for at present.
 *
 * @typedef {(values: Record<string, string>, form: HTMLFormElement) => Promise<void>} Send
 * @type {WeakMap<HTMLFormElement, Send>}
 */
const senders = new WeakMap();

/** @param {HTMLElement} view @param {Send} send */
function onSubmit(view, send) {
  senders.set(one(view, 'form', HTMLFormElement), send);
}

/** Sends a form's values, once at a time. @param {HTMLFormElement} form */
async function submit(form) {
  const button = one(form, 'button', HTMLButtonElement);
  if (button.ariaDisabled === 'true') return;
  alertIn(form, '');
  if (!complete(form)) return;
  const label = button.textContent;
  button.ariaDisabled = 'true';
  button.textContent = texts.busy;
  const values = fieldsOf(form).map(({ name, value }) => [name, value]);
  await senders.get(form)?.(Object.fromEntries(values), form);
  button.ariaDisabled = null;
  button.textContent = label;
}

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(form);
  });
  const passwords = form.querySelectorAll('input[type=password]');
  for (const box of form.querySelectorAll('input')) {
    if (box.type !== 'checkbox') continue;
    box.addEventListener('change', () => passwords.forEach((field) => field.setAttribute('type', box.checked ? 'text' : 'password')));
  }
}

/** @param {Answer} answer */
const linkIsDead = ({ body }) => body.code === 'invalid_or_expired_token' || body.code === 'invalid_invitation';

/** A new password, by link. @param {string} token */
function setPassword(token) {
  onSubmit(open('form'), async ({ password }, form) => {
    const answer = await post(settings.operation, { token, password });
    if (answer.ok || linkIsDead(answer)) {
      form.reset();
      open(answer.ok ? 'done' : 'dead');
    } else refuse(form, answer);
  });
}

/** @param {string} name @param {string} text */
function fill(name, text) {
  for (const place of document.querySelectorAll(`[data-fill="${name}"]`)) {
    if (place instanceof HTMLInputElement) place.value = text;
    else place.textContent = text;
  }
}

/** What is offered, and then one of two ways: registering, or signing in with the account that the address has. @param {string} token */
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
  fill('until', new Intl.DateTimeFormat(settings.language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(expiresAt)));
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

/** The session that accepting opened is ended: this page has no use for it, and nothing to end it with later. @param {HTMLFormElement} form @param {string} accessToken */
async function joined(form, accessToken) {
  await post('/security/auth/logout', {}, accessToken);
  form.reset();
  open('done');
}

function start() {
  const token = takeToken();
  if (token === '') return void open('dead');
  if (settings.page === 'password') return setPassword(token);
  return answerInvitation(token);
}

// Another link opened in this tab changes the fragment alone, and loads nothing.
addEventListener('hashchange', () => location.hash !== '' && void start());
void start();
