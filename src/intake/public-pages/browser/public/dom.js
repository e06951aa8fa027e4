/**
 * Shared helpers to find, create and announce elements.
 *
 * @typedef {Record<string, string | boolean | undefined>} Attributes
 */

/**
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T | undefined}
 */
export function find(root, selector, kind) {
  const found = root.querySelector(selector);
  return found instanceof kind ? found : undefined;
}

/**
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T[]}
 */
export function all(root, selector, kind) {
  return /** @type {T[]} */ ([...root.querySelectorAll(selector)].filter((one) => one instanceof kind));
}

/**
 * Creates an element with attributes and content. Texts are inserted as text and never as markup.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...content);
  return made;
}

/** Replaces the names in braces with values. @param {string} text @param {Record<string, string | number>} values */
export function fill(text, values) {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Announces a text to screen readers. @param {string} text */
export function say(text) {
  const place =
    find(document, '#said', HTMLElement) ?? document.body.appendChild(make('p', { id: 'said', class: 'apart', role: 'status' }));
  place.textContent = '';
  // Screen readers announce only changes, so the text is cleared first and set with a delay.
  setTimeout(() => (place.textContent = text), 50);
}

/** Returns a debounced function. @param {() => void} call @param {number} ms */
export function debounce(call, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, ms);
  };
}
