import { find } from './dom.js';
import { ask, isFramed } from './visit.js';
import { forget } from './autosave.js';

/** After sending: deletes the stored answers on the device, and offers the PDF when it is ready. */
export function startOutcome() {
  const sent = find(document, '[data-sent]', HTMLElement);
  if (!sent) return;
  forget(sent.dataset.sent ?? '');
  const { redirect } = sent.dataset;
  // Redirect only directly after sending, and not when the page is opened again.
  if (redirect && performance.now() - sentAt < 30_000 && sentAt > 0) location.assign(redirect);
  void follow(sent.dataset.sent ?? '', 0);
  downloads(sent);
}

let sentAt = 0;

/** Records that the form is being sent. */
export function isSending() {
  sentAt = performance.now();
}

/** The waits between checks for the PDF, in seconds. */
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
    // Try again after the next wait.
  }
  void follow(path, turn + 1);
}

/** In a frame the browser sends no cookies with a link, so the script fetches the file. @param {HTMLElement} sent */
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
