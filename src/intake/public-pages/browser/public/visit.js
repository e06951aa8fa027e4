import { find } from './dom.js';

/**
 * Replaces the page with another one without loading it. The server sends the same page as without a script.
 *
 * @typedef {{ method?: 'GET' | 'POST', body?: FormData | URLSearchParams, progress?: (share: number) => void }} Sending
 */

/** The submission session, in memory only. It is needed in a frame on another site, where the browser stores no cookies. */
let session = '';

export const hasSession = () => session !== '';

export const isFramed = window.parent !== window;

/**
 * @param {string} address
 * @param {Sending & { type: XMLHttpRequestResponseType }} sending
 * @returns {Promise<XMLHttpRequest>} the response with any status; rejects if there is none
 */
export function ask(address, { method = 'GET', body, progress, type }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    request.responseType = type;
    request.timeout = 120_000;
    request.setRequestHeader('x-page', 'part');
    if (session !== '') request.setRequestHeader('x-submission-session', session);
    request.upload.addEventListener('progress', ({ loaded, total }) => progress?.(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => {
      session = request.getResponseHeader('x-submission-session') ?? session;
      resolve(request);
    });
    for (const failure of ['error', 'timeout', 'abort']) request.addEventListener(failure, () => reject(new Error(failure)));
    request.send(body);
  });
}

/**
 * Requests a page, shows it instead of the current one, and returns it. Rejects if the response is not a page.
 *
 * @param {string} address
 * @param {Sending & { history?: 'push' | 'replace' | 'none', focus?: boolean }} [sending]
 */
export async function visit(address, { history: kind = 'push', focus = true, ...sending } = {}) {
  const answer = await ask(address, { ...sending, type: 'document' });
  const page = answer.responseXML;
  if (!(page instanceof Document) || !page.querySelector('main')) throw new Error('the response is not a page');
  const place = answer.getResponseHeader('content-location') ?? answer.responseURL;
  show(page);
  if (kind !== 'none' && sending.method !== 'POST') history[`${kind}State`](null, '', place);
  else if (answer.getResponseHeader('content-location')) history.pushState(null, '', place);
  shown = here();
  if (focus) focusOn(document);
  return page;
}

const here = () => location.pathname + location.search;
/** The address of the current page without its fragment. */
let shown = here();

/** Whether only the fragment changed, for example by a link to a field. */
export const isSamePage = () => here() === shown;

/** @param {Document} page */
function show(page) {
  document.title = page.title;
  const { lang, dir } = page.documentElement;
  Object.assign(document.documentElement, { lang, dir });
  document.body.className = page.body.className;
  document.body.replaceChildren(...[...page.body.children].map((child) => document.adoptNode(child)));
  for (const listen of listeners) listen();
}

/** Moves the focus to the element that the page marks, or to its title. @param {ParentNode} root */
export function focusOn(root) {
  const target = find(root, '[autofocus]', HTMLElement) ?? find(root, 'h1', HTMLElement);
  if (target === undefined) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus();
  if (target.matches('h1, #summary')) scrollTo({ top: 0 });
}

/** @type {(() => void)[]} */
const listeners = [];

/** Calls now, and again after each replacement of the page. @param {() => void} listen */
export function onPage(listen) {
  listeners.push(listen);
  listen();
}
