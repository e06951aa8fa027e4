import { all, fill, find, make } from './dom.js';
import { draw } from './signature.js';

/** The script of the signing page. The signer can draw the signature, or sees the typed one as it will look. Without the script it is typed. */
export function startSigning() {
  const place = find(document, '[data-sign]', HTMLElement);
  const form = place?.closest('form');
  const name = place && find(place, '#name', HTMLInputElement);
  const settings = find(document, '#signing-words', HTMLElement)?.textContent;
  if (!place || !form || !name || !settings || place.dataset.sign === 'on') return;
  place.dataset.sign = 'on';
  keepBar(form);
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
  // Restores the drawing after an error elsewhere, because otherwise the typed name would be the signature.
  const before = place.dataset.drawn;
  if (before) {
    modes[1]?.click();
    void fetchDrawing(before).then((image) => image && drawing.restore(image));
  }
  const kept = make('input', { type: 'hidden', name: 'drawing' });
  form.append(kept);
  let ready = false;
  form.addEventListener('submit', (event) => {
    if (ready || area.hidden) return;
    event.preventDefault();
    void bounded(canvas, drawing).then((data) => {
      // If the signer chose drawing and drew nothing, the server must report it instead of using the typed name.
      kept.value = data || 'nothing';
      ready = true;
      // A form cannot be submitted again during its submit event.
      setTimeout(() => form.requestSubmit());
    });
  });
}

/** Updates the progress bar on phones: completed steps, and the next step. @param {HTMLFormElement} form */
function keepBar(form) {
  const bar = find(document, '[data-sign-bar]', HTMLElement);
  const [text, meter, ready] = bar
    ? [find(bar, 'span', HTMLElement), find(bar, 'progress', HTMLProgressElement), find(bar, 'button', HTMLButtonElement)]
    : [];
  if (!bar || !text || !meter || !ready) return;
  const links = all(bar, 'a', HTMLAnchorElement);
  /** @param {HTMLAnchorElement} link */
  const isDone = (link) => {
    const field = find(form, link.hash, HTMLInputElement);
    return field?.type === 'checkbox' ? field.checked : field?.value.trim() !== '';
  };
  const show = () => {
    const open = links.filter((link) => !isDone(link));
    for (const link of links) link.hidden = link !== open[0];
    ready.hidden = open.length > 0;
    meter.value = links.length - open.length;
    text.textContent = fill(bar.dataset.signBar ?? '', { done: meter.value, steps: links.length });
    meter.ariaLabel = text.textContent;
  };
  for (const name of ['input', 'change']) form.addEventListener(name, show);
  show();
}

/** @param {string} data a PNG as a data URL @returns {Promise<ImageBitmap | undefined>} */
async function fetchDrawing(data) {
  try {
    const bytes = Uint8Array.from(atob(data.slice(data.indexOf(',') + 1)), (one) => one.charCodeAt(0));
    return await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  } catch {
    return undefined;
  }
}

/**
 * Returns the drawing without the empty area around it, as a PNG of at most 1000 × 400 pixels.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {{ taken: () => Promise<Blob | null> }} drawing
 */
async function bounded(canvas, drawing) {
  const image = await drawing.taken();
  const ink = image && inkOf(canvas);
  if (!ink) return '';
  const scale = Math.min(1, 1_000 / ink.width, 400 / ink.height);
  const [width, height] = [ink.width, ink.height].map((side) => Math.max(1, Math.floor(side * scale)));
  const small = make('canvas', { width: String(width), height: String(height) });
  small.getContext('2d')?.drawImage(canvas, ink.x, ink.y, ink.width, ink.height, 0, 0, width ?? 1, height ?? 1);
  return small.toDataURL('image/png');
}

/** Returns the bounding box of the drawing. @param {HTMLCanvasElement} canvas */
function inkOf(canvas) {
  const { width, height } = canvas;
  const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (!data[(y * width + x) * 4 + 3]) continue;
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
  return right < 0 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
