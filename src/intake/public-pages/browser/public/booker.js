import { all, find } from './dom.js';
import { focusOn, visit } from './visit.js';

/** Changes the month and the day without loading the page, and uses the time zone of the visitor. */
export function startBooker() {
  const booker = find(document, '[data-booker]', HTMLElement);
  const zoneForm = booker && find(booker, '[data-zone]', HTMLFormElement);
  if (!booker || !zoneForm) return;
  const button = find(zoneForm, 'button', HTMLButtonElement);
  if (button) button.hidden = true;
  const select = find(zoneForm, 'select', HTMLSelectElement);
  select?.addEventListener('change', () => void follow(addressOf(zoneForm), '#zone'));
  for (const form of all(booker, 'form', HTMLFormElement)) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void follow(addressOf(form, event.submitter));
    });
  }
  for (const link of all(booker, 'a[href]', HTMLAnchorElement)) {
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      void follow(link.href, 'turn' in link.dataset ? `[data-turn=${link.dataset.turn}]` : '#times h2');
    });
  }
  ownZone(zoneForm);
}

/** Uses the time zone of the device, unless the visitor chose another one. @param {HTMLFormElement} form */
function ownZone(form) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (new URLSearchParams(location.search).has('zone') || !zone || zone === form.dataset.zone) return;
  const here = new URL(location.href);
  here.searchParams.set('zone', zone);
  void visit(here.href, { history: 'replace', focus: false }).catch(() => undefined);
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} [submitter] */
function addressOf(form, submitter = null) {
  const values = [...new FormData(form, submitter)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  return `${form.action}?${new URLSearchParams(values)}`;
}

/** @param {string} address @param {string} [then] the selector of the element that gets the focus */
async function follow(address, then) {
  find(document, '[data-booker]', HTMLElement)?.classList.add('busy');
  try {
    await visit(address, { focus: then === undefined });
    const target = then === undefined ? undefined : find(document, then, HTMLElement);
    if (!target) return then === undefined ? undefined : focusOn(document);
    if (target.tabIndex < 0) target.tabIndex = -1;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  } catch {
    location.assign(address);
  }
}
