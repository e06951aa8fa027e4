import { all, debounce, find, make } from './dom.js';
import { mark } from './errors.js';
import { hidden, upload } from './uploads.js';

/**
 * Lets the visitor draw a signature instead of typing it. The drawing is uploaded before the form is sent.
 *
 * @import { Context } from './form.js'
 */

/** @param {Context} context @returns {{ goUp: () => Promise<boolean> }} */
export function signatures(context) {
  const pads = all(context.form, '[data-signature]', HTMLElement).map((place) => pad(context, place));
  return {
    async goUp() {
      for (const one of pads) if (!(await one())) return false;
      return true;
    },
  };
}

/** @param {Context} context @param {HTMLElement} place @returns {() => Promise<boolean>} uploads the drawing; false if that failed */
function pad(context, place) {
  const { form, definition } = context;
  const { signature: words, file } = definition.words;
  const field = place.dataset.signature ?? '';
  const typed = find(place, '.typed', HTMLElement);
  const canvas = make('canvas', { class: 'pad', role: 'img', 'aria-label': words.pad });
  const clear = make('button', { type: 'button', class: 'button plain small' }, words.clear);
  const area = make('div', { hidden: true }, canvas, clear);
  const modes = [words.type, words.draw].map((label, at) => make('button', { type: 'button', 'aria-pressed': String(at === 0) }, label));
  place.prepend(make('div', { class: 'modes', role: 'group' }, ...modes));
  place.append(area);
  const drawing = draw(canvas, () => form.dispatchEvent(new Event('input')));
  const forget = () => {
    drawing.clear();
    for (const old of all(place, `[name="${CSS.escape(field)}.fileId"]`, HTMLInputElement)) (old.closest('ul') ?? old).remove();
  };
  clear.addEventListener('click', forget);
  modes.forEach((button, at) =>
    button.addEventListener('click', () => {
      modes.forEach((one, other) => (one.ariaPressed = String(other === at)));
      area.hidden = at === 0;
      if (typed) typed.hidden = at === 1;
      const name = typed && find(typed, 'input', HTMLInputElement);
      if (at === 1 && name) name.value = '';
      if (at === 0) forget();
      else drawing.fit();
    }),
  );
  return async () => {
    const image = await drawing.taken();
    if (!image) return true;
    const sent = await upload(context, image);
    if ('error' in sent) {
      mark(form, field, sent.error || file.failed.replace('{name}', words.drawn), definition.words);
      find(form, `#f-${CSS.escape(field)}-fault`, HTMLElement)?.scrollIntoView();
      return false;
    }
    for (const old of all(place, `[name="${CSS.escape(field)}.fileId"]`, HTMLInputElement)) old.remove();
    area.append(hidden(`${field}.fileId`, sent.fileId));
    drawing.keep();
    return true;
  };
}

/** Makes a canvas for drawing. @param {HTMLCanvasElement} canvas @param {() => void} changed */
export function draw(canvas, changed) {
  let [dirty, drawn] = [false, false];
  const pen = canvas.getContext('2d');
  const settled = debounce(changed, 200);
  const at = (/** @type {PointerEvent} */ event) => /** @type {const} */ ([event.offsetX, event.offsetY]);
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pen?.beginPath();
    pen?.moveTo(...at(event));
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    pen?.lineTo(...at(event));
    pen?.stroke();
    [dirty, drawn] = [true, true];
    settled();
  });
  return {
    /** Uses the resolution of the screen for fine lines. */
    fit() {
      if (!pen || canvas.width === Math.round(canvas.clientWidth * devicePixelRatio)) return;
      canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
      canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
      pen.scale(devicePixelRatio, devicePixelRatio);
      Object.assign(pen, { lineWidth: 2.2, lineCap: 'round', lineJoin: 'round', strokeStyle: '#1b1f3a' });
    },
    clear() {
      pen?.clearRect(0, 0, canvas.width, canvas.height);
      [dirty, drawn] = [false, false];
    },
    keep() {
      dirty = false;
    },
    /** Draws an earlier drawing in the middle. @param {ImageBitmap} image */
    restore(image) {
      const scale = Math.min(1 / devicePixelRatio, canvas.clientWidth / image.width, canvas.clientHeight / image.height);
      const [width, height] = [image.width * scale, image.height * scale];
      pen?.drawImage(image, (canvas.clientWidth - width) / 2, (canvas.clientHeight - height) / 2, width, height);
      [dirty, drawn] = [true, true];
    },
    /** @returns {Promise<Blob | null>} the drawing, if it changed since the last upload */
    taken: () => (dirty && drawn ? new Promise((resolve) => canvas.toBlob(resolve, 'image/png')) : Promise.resolve(null)),
  };
}
