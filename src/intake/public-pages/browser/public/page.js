import { startBooker } from './booker.js';
import { startCompare } from './compare.js';
import { all, find } from './dom.js';
import { startForm } from './form.js';
import { startOutcome } from './outcome.js';
import { startSignIn } from './sign-in.js';
import { startSigning } from './signing.js';
import { isFramed, isSamePage, onPage, visit } from './visit.js';

/** The script of public pages. The pages work without it. It makes them faster, and shows errors earlier. */
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

/** Closes a menu on Escape and on a click elsewhere. */
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
  // The height, and no other data, is sent to the embedding page after its greeting (embed.js).
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
