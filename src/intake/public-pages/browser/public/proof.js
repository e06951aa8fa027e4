import { find, make } from './dom.js';

/** An address of the service's own, as browsers want it where they ask for trusted ones. @param {string} address @returns {string} */
function own(address) {
  if (new URL(address, location.href).origin !== location.origin) throw new Error('not of this service');
  const { trustedTypes } = /** @type {any} */ (globalThis);
  policy ??= trustedTypes?.createPolicy('chancery-proof', { createScriptURL: (/** @type {string} */ text) => text });
  return policy?.createScriptURL(address) ?? address;
}

/** @type {any} */
let policy;

/**
 * The proof of work, by the public widget: loaded when somebody begins to answer, since most who open a form only look at it.
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
    // Its footer is the one part that the widget writes as markup, which pages let nobody do.
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
 * A proof for what goes up before the form is sent, and another is begun in its place; nothing where none is asked for.
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
