type Rgb = [number, number, number];

const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i;

function parse(colour: string): Rgb | undefined {
  const [, red, green, blue] = hex.exec(colour) ?? [];
  return red && green && blue ? [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)] : undefined;
}

const written = (colour: Rgb) => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Returns the relative luminance (WCAG 2.2). */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours (WCAG 2.2), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a = 0, b = 0] = [one, other].map((colour) => luminance(parse(colour) ?? [0, 0, 0])).toSorted((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  return from.map((part, place) => part + ((to[place] ?? 0) - part) * share) as Rgb;
}

/** Returns the colour, or the nearest mix with black or white that is readable on the background. */
function readableOn(ground: string, colour: Rgb, least: number): string {
  const towards: Rgb = luminance(parse(ground) ?? [255, 255, 255]) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let share = 0; share < 1; share += 0.04) {
    const tried = written(mixed(colour, towards, share));
    if (contrast(tried, ground) >= least) return tried;
  }
  return written(towards);
}

/** The page backgrounds in light and dark mode. Each is the background with less contrast: page or surface. */
export const grounds = { light: '#f7f5f0', dark: '#21211e' };

/** The minimum contrast. It is above the 4.5 of WCAG, because some backgrounds are tinted. */
const leastContrast = 5.2;

export type Accent = { light: string; dark: string; onLight: string; onDark: string };

/** Derives the page colours of a team: readable as text and as button background, in light and dark mode. */
export function accentOf(colour: string): Accent | undefined {
  const rgb = parse(colour);
  if (!rgb) return undefined;
  const [light, dark] = [readableOn(grounds.light, rgb, leastContrast), readableOn(grounds.dark, rgb, leastContrast)];
  const on = (ground: string) => (contrast('#ffffff', ground) >= contrast('#111110', ground) ? '#ffffff' : '#111110');
  return { light, dark, onLight: on(light), onDark: on(dark) };
}
