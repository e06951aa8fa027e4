import { find } from './dom.js';

/**
 * Pages that take the place of the one that is shown, without loading it anew: what comes is what the service would have shown
 * without a script.
 *
 * @typedef {{ method?: 'GET' | 'POST', body?: FormData | URLSearchParams, progress?: (share: number) => void }} Sending
 */

/** The session of who answers, where the browser keeps no cookies: in a frame of another site. In memory alone. */
let session = '';

export const hasSession = () => session !== '';

export const isFramed = window.parent !== window;

/**
 * @param {string} address
 * @param {Sending & { type: XMLHttpRequestResponseType }} sending
 * @returns {Promise<XMLHttpRequest>} what was answered, whatever it is; rejected when nothing was
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
 * Asks for a page, shows it in place of this one, and gives it back. Rejected when there was no page.
 *
 * @param {string} address
 * @param {Sending & { history?: 'push' | 'replace' | 'none', focus?: boolean }} [sending]
 */
export async function visit(address, { history: kind = 'push', focus = true, ...sending } = {}) {
  const answer = await ask(address, { ...sending, type: 'document' });
  const page = answer.responseXML;
  if (!(page instanceof Document) || !page.querySelector('main')) throw new Error('no page came');
  const place = answer.getResponseHeader('content-location') ?? answer.responseURL;
  show(page);
  if (kind !== 'none' && sending.method !== 'POST') history[`${kind}State`](null, '', place);
  else if (answer.getResponseHeader('content-location')) history.pushState(null, '', place);
  shown = here();
  if (focus) focusOn(document);
  return page;
}

const here = () => location.pathname + location.search;
/** The address of the page that is shown, without its fragment. */
let shown = here();

/** Whether the browser went to another place of the same page, such as by a link to a field. */
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

/** What reading goes on from: what the page names, or its title. @param {ParentNode} root */
export function focusOn(root) {
  const target = find(root, '[autofocus]', HTMLElement) ?? find(root, 'h1', HTMLElement);
  if (target === undefined) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus();
  if (target.matches('h1, #summary')) scrollTo({ top: 0 });
}

/** @type {(() => void)[]} */
const listeners = [];

/** Calls now, and whenever another page has taken the place of this. @param {() => void} listen */
export function onPage(listen) {
  listeners.push(listen);
  listen();
}
