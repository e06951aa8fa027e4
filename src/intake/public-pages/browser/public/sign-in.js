import { find } from './dom.js';
import { prove } from './proof.js';

/**
 * The script of the sign-in page: passkeys, and the result of a provider in the fragment.
 * A page that only redirects opens the address of its link.
 */
export function startSignIn() {
  const onward = find(document, 'a[data-go-to]', HTMLAnchorElement);
  if (onward) location.replace(`${onward.href}${location.hash}`);
  const form = find(document, 'form[data-sign-in]', HTMLFormElement);
  const settings = find(document, '#sign-in-words', HTMLElement)?.textContent;
  if (!form || !settings || form.dataset.started === 'on') return;
  form.dataset.started = 'on';
  /** @type {{ failed: string, problems: Record<string, string> }} */
  const words = JSON.parse(settings);
  const alert = find(form, '[role=alert]', HTMLElement);
  /** @param {string | undefined} code */
  const refuse = (code) => {
    if (!alert) return;
    alert.hidden = false;
    alert.textContent = words.problems[code ?? ''] ?? words.failed;
  };
  if ('reset' in form.dataset) prove(form, document.documentElement.lang);
  readFragment(form, refuse);
  const button = find(form, '[data-passkey]', HTMLButtonElement);
  if (!button || !('PublicKeyCredential' in globalThis) || !('parseRequestOptionsFromJSON' in PublicKeyCredential)) return;
  button.hidden = false;
  button.addEventListener('click', () => void usePasskey(form).then((code) => code !== undefined && refuse(code)));
}

/** @param {HTMLFormElement} form @param {(code: string) => void} refuse */
function readFragment(form, refuse) {
  const answer = new URLSearchParams(location.hash.slice(1));
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  const [error, challenge] = [answer.get('error'), answer.get('challengeId')];
  if (error !== null) return refuse(error);
  if (challenge === null) return;
  const sent = { _do: 'challenge', challengeId: challenge, methods: answer.get('methods') ?? '' };
  for (const [name, value] of Object.entries(sent)) {
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name, value });
    form.append(field);
  }
  form.submit();
}

/** Signs in with a passkey, and opens the next page. @param {HTMLFormElement} form @returns {Promise<string | undefined>} the cause of a failure */
async function usePasskey(form) {
  const { signIn = '', operation = '', challenge, next = '' } = form.dataset;
  const members = challenge === undefined ? {} : { challengeId: challenge };
  const options = await post(`${signIn}/${operation}/options`, members);
  if (!options.ok) return options.body.code ?? 'failed';
  const response = await passkeyFor(options.body);
  if (response === undefined) return 'no_passkey';
  const answer = await post(`${signIn}/${operation}`, { ...members, response });
  if (!answer.ok) return answer.status === 429 ? 'failed' : (answer.body.code ?? 'failed');
  location.replace(next);
  return undefined;
}

/** @param {any} options @returns {Promise<object | undefined>} undefined if the person cancels or has no passkey */
async function passkeyFor(options) {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} address @param {object} body @returns {Promise<{ ok: boolean, status: number, body: any }>} */
async function post(address, body) {
  try {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(address, { ...sent, credentials: 'same-origin', cache: 'no-store' });
    return { ok: response.ok, status: response.status, body: await response.json() };
  } catch {
    return { ok: false, status: 0, body: {} };
  }
}
