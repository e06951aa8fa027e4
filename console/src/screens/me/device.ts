const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const;
const systems = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** Returns the browser and system of a `User-Agent` header, such as `Firefox, Windows`; the name of a program otherwise. */
export function deviceOf(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined || userAgent === '') return undefined;
  const nameIn = (names: readonly (readonly [string, RegExp])[]) => names.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  return browser === undefined ? userAgent.split(/[\s/]/)[0] : [browser, system].filter(Boolean).join(', ');
}
