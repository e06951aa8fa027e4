import { type Content, type Html, html } from '../../../platform/http/html.ts';

/** The outline of a wax seal: a disc with a wavy edge. */
const sealPath = (() => {
  const [waves, steps] = [14, 14 * 8];
  const points = Array.from({ length: steps }, (_, step) => {
    const turn = (step / steps) * 2 * Math.PI;
    const radius = 18.4 + 1.5 * Math.cos(turn * waves);
    return `${(20 + radius * Math.sin(turn)).toFixed(2)} ${(20 - radius * Math.cos(turn)).toFixed(2)}`;
  });
  return `M${points.join('L')}Z`;
})();

/** The style of a seal: `off` for inactive or unknown, `bad` for an error. */
export type Tone = 'off' | 'bad';

export function seal(inside: Content, tone?: Tone): Html {
  return html`<svg class="seal${tone === undefined ? '' : ` ${tone}`}" viewBox="0 0 40 40" aria-hidden="true" focusable="false">
    <path fill="currentColor" d="${sealPath}" />
    ${inside}
  </svg>`;
}

/** A seal with the first letter of a name. */
export function initial(name: string): Html {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return seal(html`<text x="20" y="20" text-anchor="middle" dominant-baseline="central">${first?.segment.toLocaleUpperCase()}</text>`);
}

export const tick = html`<path class="tick" d="M13 20.6l5 5 9.4-10.4" />`;
export const cross = html`<path class="tick" d="M14.4 14.4l11.2 11.2M25.6 14.4L14.4 25.6" />`;
export const dash = html`<path class="tick" d="M13.5 20h13" />`;
export const clock = html`<path class="tick" d="M20 12.5V20l4.8 3.2" />`;

const arrows = { back: 'M12.5 4.5L7 10l5.5 5.5', on: 'M7.5 4.5L13 10l-5.5 5.5' };

export function arrow(direction: 'back' | 'on'): Html {
  return html`<svg class="mark turns" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" d="${arrows[direction]}" />
  </svg>`;
}
