import { find, make } from './dom.js';

/**
 * Checks that an address is on this service, and makes it a trusted script URL if the browser requires that. @param {string} address @returns
 * {string}
 */
function own(address) {
  if (new URL(address, location.href).origin !== location.origin) throw new Error('the address is not on this service');
  const { trustedTypes } = /** @type {any} */ (globalThis);
  policy ??= trustedTypes?.createPolicy('chancery-proof', { createScriptURL: (/** @type {string} */ text) => text });
  return policy?.createScriptURL(address) ?? address;
}

/** @type {any} */
let policy;

/**
 * Adds the proof of work with the public widget. It loads when the visitor begins to answer, because many visitors only look at a form.
 *
 * @param {HTMLFormElement} form
 * @param {string} locale
 */
export function prove(form, locale) {
  const place = find(form, '[data-proof]', HTMLElement);
  if (!place) return;
  const { proof = '', widget: code = '', styles = '', workers = '', language = '' } = place.dataset;
  const begin = async () => {
    const widget = /** @type {any} */ (
      make(/** @type {'div'} */ ('altcha-widget'), {
        challenge: proof,
        language: locale.split('-')[0],
        name: 'altcha',
        auto: 'onload',
      })
    );
    const nonce = find(document, 'script[nonce]', HTMLScriptElement)?.nonce;
    document.head.append(make('link', { rel: 'stylesheet', href: styles, nonce }));
    await import(code);
    if (language !== '') await import(language);
    const { $altcha } = /** @type {any} */ (globalThis);
    // Its footer is the only part that the widget writes as markup, which the Trusted Types policy blocks.
    $altcha.defaults.set({ hideFooter: true });
    const [sha = '', pbkdf2 = ''] = workers.split(' ');
    $altcha.algorithms.set('SHA-256', () => new Worker(own(sha)));
    $altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker(own(pbkdf2)));
    place.replaceChildren(widget);
    return widget;
  };
  /** @type {Promise<Widget> | undefined} */
  let begun;
  const once = () => (begun ??= begin());
  widgets.set(form, once);
  for (const name of ['focusin', 'pointerdown', 'submit']) form.addEventListener(name, () => void once().catch(() => undefined));
}

/** @typedef {HTMLElement & { reset(): void, verify(): Promise<unknown> }} Widget */

/** @type {WeakMap<HTMLFormElement, () => Promise<Widget>>} */
const widgets = new WeakMap();

/**
 * Returns a proof for a request before the form is sent, and starts another one; undefined if the form requires none.
 *
 * @param {HTMLFormElement} form
 * @returns {Promise<string | undefined>}
 */
export async function takeProof(form) {
  const widget = await widgets.get(form)?.();
  if (!widget) return undefined;
  const made = () => find(widget, 'input[name=altcha]', HTMLInputElement)?.value ?? '';
  const until = performance.now() + 60_000;
  while (made() === '' && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 100));
  const proof = made();
  widget.reset();
  void widget.verify();
  return proof;
}
