import { find } from './dom.js';
import { ask, isFramed } from './visit.js';
import { forget } from './autosave.js';

/** What comes after sending: answers are forgotten on the device, and the PDF is offered as soon as there is one. */
export function startOutcome() {
  const sent = find(document, '[data-sent]', HTMLElement);
  if (!sent) return;
  forget(sent.dataset.sent ?? '');
  const { redirect } = sent.dataset;
  // Only what was just sent leads on: who opens this page again stays.
  if (redirect && performance.now() - sentAt < 30_000 && sentAt > 0) location.assign(redirect);
  void follow(sent.dataset.sent ?? '', 0);
  downloads(sent);
}

let sentAt = 0;

/** A form is being sent. */
export function isSending() {
  sentAt = performance.now();
}

/** How long is waited before the PDF is asked after again, in seconds; it takes a few. */
const waits = [1, 1, 2, 2, 3, 3, 5, 5, 10, 10, 20, 30, 60];

/** @param {string} path @param {number} turn */
async function follow(path, turn) {
  const place = find(document, '[data-status]', HTMLElement);
  const wait = waits[turn];
  if (!place || wait === undefined) return;
  await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  try {
    const { responseXML } = await ask(`${path}/done`, { type: 'document' });
    const now = responseXML && find(responseXML, '.pdf', HTMLElement);
    if (now && !now.dataset.status && place.isConnected) {
      place.replaceWith(document.adoptNode(now));
      const sent = find(document, '[data-sent]', HTMLElement);
      return sent && downloads(sent);
    }
  } catch {
    // Asked again.
  }
  void follow(path, turn + 1);
}

/** In a frame the browser sends no cookie along with a link: the file is fetched, and handed over. @param {HTMLElement} sent */
function downloads(sent) {
  const link = find(sent, 'a[download]', HTMLAnchorElement);
  if (!link || !isFramed) return;
  link.addEventListener('click', async (event) => {
    if (link.href.startsWith('blob:')) return;
    event.preventDefault();
    const { response, status } = await ask(link.href, { type: 'blob' });
    if (status !== 200) return;
    link.href = URL.createObjectURL(response);
    link.download = 'document.pdf';
    link.click();
  });
}
