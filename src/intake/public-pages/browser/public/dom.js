/**
 * What the parts of the script share: finding, making, saying.
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
 * An element with attributes and what stands in it. Text is text, whatever it holds.
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

/** A text with what its braces name put in. @param {string} text @param {Record<string, string | number>} values */
export function fill(text, values) {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Says something to those who do not see the page. @param {string} text */
export function say(text) {
  const place =
    find(document, '#said', HTMLElement) ?? document.body.appendChild(make('p', { id: 'said', class: 'apart', role: 'status' }));
  place.textContent = '';
  // A text is read out when it changes: an equal one is said again.
  setTimeout(() => (place.textContent = text), 50);
}

/** Calls once when nothing has asked again for a while. @param {() => void} call @param {number} ms */
export function calmly(call, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, ms);
  };
}
