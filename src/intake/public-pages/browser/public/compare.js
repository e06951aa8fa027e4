import { find } from './dom.js';
import { dropping } from './uploads.js';
import { visit } from './visit.js';

/** Hashes the chosen file in the browser and sends only the SHA-256. The file stays on the device. */
export function startCompare() {
  const form = find(document, '[data-compare]', HTMLFormElement);
  const input = form && find(form, 'input[type=file]', HTMLInputElement);
  // Without a secure context the browser has no `crypto.subtle`, so the file is sent.
  if (!form || !input || !globalThis.crypto?.subtle) return;
  const kept = find(form, '[data-private]', HTMLElement);
  if (kept) kept.textContent = kept.dataset.private ?? '';
  const compare = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
    const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    await visit(form.action, { method: 'POST', body: new URLSearchParams({ sha256 }) }).catch(() => form.submit());
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void compare(input.files?.[0]);
  });
  const drop = find(form, '.drop', HTMLElement);
  if (drop) dropping(drop, (files) => void compare([...files][0]));
}
