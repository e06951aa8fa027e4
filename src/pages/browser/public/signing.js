import { find, make } from './dom.js';
import { draw } from './signature.js';

/**
 * On the signing page a signature may be drawn instead of typed, and a typed one is shown as it will look. Without this script it is typed.
 */
export function startSigning() {
  const place = find(document, '[data-sign]', HTMLElement);
  const form = place?.closest('form');
  const name = place && find(place, '#name', HTMLInputElement);
  const settings = find(document, '#signing-words', HTMLElement)?.textContent;
  if (!place || !form || !name || !settings || place.dataset.sign === 'on') return;
  place.dataset.sign = 'on';
  /** @type {Record<'type' | 'draw' | 'pad' | 'clear', string>} */
  const words = JSON.parse(settings);
  const specimen = make('p', { class: 'specimen', 'aria-hidden': 'true' });
  const canvas = make('canvas', { class: 'pad', role: 'img', 'aria-label': words.pad });
  const clear = make('button', { type: 'button', class: 'button plain small' }, words.clear);
  const area = make('div', { hidden: true }, canvas, clear);
  const modes = [words.type, words.draw].map((label, at) => make('button', { type: 'button', 'aria-pressed': String(at === 0) }, label));
  place.append(make('div', { class: 'modes', role: 'group' }, ...modes), specimen, area);
  const show = () => (specimen.textContent = name.value);
  name.addEventListener('input', show);
  show();
  const drawing = draw(canvas, () => undefined);
  clear.addEventListener('click', () => drawing.clear());
  modes.forEach((button, at) =>
    button.addEventListener('click', () => {
      modes.forEach((one, other) => (one.ariaPressed = String(other === at)));
      area.hidden = at === 0;
      specimen.hidden = at === 1;
      if (at === 0) drawing.clear();
      else drawing.fit();
    }),
  );
  const kept = make('input', { type: 'hidden', name: 'drawing' });
  form.append(kept);
  let ready = false;
  form.addEventListener('submit', (event) => {
    if (ready || area.hidden) return;
    event.preventDefault();
    void bounded(canvas, drawing).then((data) => {
      kept.value = data;
      ready = true;
      form.requestSubmit();
    });
  });
}

/**
 * What was drawn, as a PNG of a size that is taken: 1000 × 400 pixels at most.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {{ taken: () => Promise<Blob | null> }} drawing
 */
async function bounded(canvas, drawing) {
  const image = await drawing.taken();
  if (!image) return '';
  const scale = Math.min(1, 1_000 / canvas.width, 400 / canvas.height);
  const small = make('canvas', { width: String(Math.floor(canvas.width * scale)), height: String(Math.floor(canvas.height * scale)) });
  small.getContext('2d')?.drawImage(canvas, 0, 0, small.width, small.height);
  return small.toDataURL('image/png');
}
