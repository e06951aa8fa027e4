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
  const { proof = '', widget = '', styles = '', workers = '', language = '' } = place.dataset;
  const begin = async () => {
    const nonce = find(document, 'script[nonce]', HTMLScriptElement)?.nonce;
    document.head.append(make('link', { rel: 'stylesheet', href: styles, nonce }));
    await import(widget);
    if (language !== '') await import(language);
    const { $altcha } = /** @type {any} */ (globalThis);
    const [sha = '', pbkdf2 = ''] = workers.split(' ');
    $altcha.algorithms.set('SHA-256', () => new Worker(own(sha)));
    $altcha.algorithms.set('PBKDF2/SHA-256', () => new Worker(own(pbkdf2)));
    place.replaceChildren(
      make(/** @type {'div'} */ ('altcha-widget'), { challenge: proof, language: locale.split('-')[0], name: 'altcha', auto: 'onload' }),
    );
  };
  let begun = false;
  const once = () => {
    if (!begun) void begin();
    begun = true;
  };
  for (const name of ['focusin', 'pointerdown', 'submit']) form.addEventListener(name, once);
}
