import { attributes, type Html, html } from '../../../platform/http/html.ts';
import type { openAssets } from './assets.ts';
import { wordsFor } from './words/index.ts';

/** The files of the proof-of-work widget. */
export type ProofFiles = { widget: string; styles: string; workers: readonly string[]; language: string | undefined };

export function proofFiles(assets: Pick<ReturnType<typeof openAssets>, 'href'>, locale: string): ProofFiles {
  const { language } = wordsFor(locale);
  return {
    widget: assets.href('altcha.js'),
    styles: assets.href('altcha.css'),
    workers: [assets.href('sha.js'), assets.href('pbkdf2.js')],
    language: language === 'en' ? undefined : assets.href(`altcha-${language}.js`),
  };
}

/** The place of the widget in a form. `challenge` is its operation; `noScript` is the text for browsers without scripts. */
export function proofView(
  { widget, styles, workers, language }: ProofFiles,
  { challenge, noScript, isHidden = false }: { challenge: string; noScript: string; isHidden?: boolean },
): Html {
  const own = { 'data-proof': challenge, 'data-widget': widget, 'data-styles': styles, 'data-language': language };
  return html`<div class="proof" ${attributes({ ...own, 'data-workers': workers.join(' '), hidden: isHidden })}>
    <noscript><p class="notice">${noScript}</p></noscript>
  </div>`;
}
