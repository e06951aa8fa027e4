/**
 * Shared code of pages with forms that call the API. It shows one view of the page at a time. The script of the page follows it in the same module.
 *
 * @typedef {{ base: string, page: 'password' | 'invitation' | 'restore' | 'consent', operation: string, language: string, texts: Texts,
 * consent: { request: string, denied: string, scopes: Record<string, string> } }} Settings
 * @typedef {{ busy: string, required: string, unequal: string, offline: string, broken: string, wait: string, minutes: string, seconds: string,
 * rules: Record<string, string>, problems: Record<string, string>, roles: Record<string, string> }} Texts
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
export function one(root, selector, kind) {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** @type {Settings} */
export const settings = JSON.parse(one(document, '#settings', HTMLScriptElement).text);
export const { texts } = settings;
const service = document.title.split(' · ').at(-1) ?? '';

/**
 * Calls an operation of the API without cookies, so that the page leaves no session in the browser.
 *
 * @param {string} path
 * @param {object} [body]
 * @param {string} [accessToken]
 * @returns {Promise<Answer>} `status` is 0 without a response; `wait` is in seconds
 */
export const post = (path, body = {}, accessToken = '') => call(path, accessToken, { method: 'POST', body: JSON.stringify(body) });

/** Reads a resource of the API. @param {string} path @param {string} accessToken */
export const read = (path, accessToken) => call(path, accessToken, {});

/** @param {string} path @param {string} accessToken @param {RequestInit} request @returns {Promise<Answer>} */
async function call(path, accessToken, request) {
  try {
    const headers = {
      ...(request.body && { 'content-type': 'application/json' }),
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
    };
    const response = await fetch(`${settings.base}/api/v1${path}`, { ...request, credentials: 'omit', cache: 'no-store', headers });
    const wait = Number(response.headers.get('retry-after'));
    return { ok: response.ok, status: response.status, wait, body: response.status === 204 ? {} : await response.json() };
  } catch {
    return { ok: false, status: 0, wait: 0, body: {} };
  }
}

/**
 * Shows one view and hides the others. Its heading becomes the title and gets the focus, so that a screen reader continues there.
 *
 * @param {string} name
 */
export function open(name) {
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
 * @returns {HTMLInputElement[]} the fields to send
 */
const fieldsOf = (form) => [...form.querySelectorAll('input')].filter((input) => input.name !== '' && !input.readOnly);

/**
 * @param {HTMLInputElement} field
 * @param {string} text the error, or an empty text for none
 */
function mark(field, text) {
  field.ariaInvalid = text === '' ? null : 'true';
  one(document, `#${field.id}-error`, HTMLElement).textContent = text;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
export function alertIn(form, text) {
  one(form, '.alert', HTMLElement).textContent = text;
}

/**
 * Checks for empty fields and two different passwords before the form is sent.
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
  return focusFirstError(form);
}

/** @param {HTMLFormElement} form @returns {boolean} true when there is no error */
function focusFirstError(form) {
  const wrong = fieldsOf(form).find((field) => field.ariaInvalid === 'true');
  wrong?.focus();
  return wrong === undefined;
}

/** @param {Answer} answer */
export function waitText({ wait }) {
  if (!wait) return '';
  const [count, unit] = wait > 90 ? [Math.ceil(wait / 60), texts.minutes] : [wait, texts.seconds];
  return texts.wait.replace('{time}', `${count} ${unit}`);
}

/**
 * Shows the errors of a response: at the fields, or above the form.
 *
 * @param {HTMLFormElement} form
 * @param {Answer} answer
 */
export function refuse(form, answer) {
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
  if (named) focusFirstError(form);
  else alertIn(form, answer.status === 0 ? texts.offline : `${text} ${waitText(answer)}`.trim());
}

/**
 * The submit handlers of forms.
 *
 * @typedef {(values: Record<string, string>, form: HTMLFormElement) => Promise<void>} Send
 * @type {WeakMap<HTMLFormElement, Send>}
 */
const senders = new WeakMap();

/** @param {HTMLElement} view @param {Send} send */
export function onSubmit(view, send) {
  senders.set(one(view, 'form', HTMLFormElement), send);
}

/** Sends the values of a form, unless it is already being sent. @param {HTMLFormElement} form */
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

/** @param {string} name @param {string} text */
export function fill(name, text) {
  for (const place of document.querySelectorAll(`[data-fill="${name}"]`)) {
    if (place instanceof HTMLInputElement) place.value = text;
    else place.textContent = text;
  }
}
