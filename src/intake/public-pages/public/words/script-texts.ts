import type { PublicTexts } from './en.ts';

const scriptTexts = [
  ...(['step', 'busy', 'problem', 'problems', 'problemsIntro', 'offline', 'left', 'over', 'restored', 'startOver'] as const),
  ...(['file', 'signature', 'address', 'record'] as const),
];

/** The texts of the page script. */
export type ScriptTexts = Pick<PublicTexts, (typeof scriptTexts)[number]>;

export function scriptTextsOf(words: PublicTexts): ScriptTexts {
  return Object.fromEntries(scriptTexts.map((name) => [name, words[name]])) as ScriptTexts;
}
