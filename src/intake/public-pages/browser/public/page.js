import { startBooker } from './booker.js';
import { startCompare } from './compare.js';
import { all, find } from './dom.js';
import { startForm } from './form.js';
import { startOutcome } from './outcome.js';
import { startSignIn } from './sign-in.js';
import { startSigning } from './signing.js';
import { isFramed, isSamePage, onPage, visit } from './visit.js';

/**
 * What runs in the pages that the public opens. The pages work without it: it makes them quicker, and says at once what the server
 * would say later.
 */
onPage(() => {
  const form = find(document, '#form', HTMLFormElement);
  if (form) startForm(form);
  startBooker();
  startOutcome();
  startCompare();
  startSigning();
  startSignIn();
  menus();
});

addEventListener('popstate', () => {
  if (!isSamePage()) void visit(location.href, { history: 'none' }).catch(() => location.reload());
});

/** A menu closes when something else is pressed, or Escape. */
function menus() {
  for (const menu of all(document, 'details.languages', HTMLDetailsElement)) {
    menu.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape') return;
      menu.open = false;
      find(menu, 'summary', HTMLElement)?.focus();
    });
    menu.addEventListener('focusout', ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) menu.open = false;
    });
  }
}

document.addEventListener('click', ({ target }) => {
  for (const menu of all(document, 'details.languages[open]', HTMLDetailsElement))
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
});

if (isFramed) {
  document.documentElement.dataset.framed = '';
  // The height, and nothing else, is told to whoever shows the frame, once they have said who they are (embed.js).
  /** @type {string | undefined} */
  let host;
  const sendHeight = () => {
    if (host !== undefined) parent.postMessage({ type: 'chancery:height', height: document.body.getBoundingClientRect().height }, host);
  };
  addEventListener('message', ({ origin, source, data }) => {
    if (source !== parent || data?.type !== 'chancery:hello') return;
    host = origin;
    sendHeight();
  });
  new ResizeObserver(sendHeight).observe(document.body);
}
