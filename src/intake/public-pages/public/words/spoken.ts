import type { Words } from './en.ts';

const spoken = [
  ...(['step', 'busy', 'problem', 'problems', 'problemsLead', 'offline', 'left', 'over', 'restored', 'startOver'] as const),
  ...(['file', 'signature', 'address', 'record'] as const),
];

/** The words that the page's script says. */
export type Spoken = Pick<Words, (typeof spoken)[number]>;

export function spokenOf(words: Words): Spoken {
  return Object.fromEntries(spoken.map((name) => [name, words[name]])) as Spoken;
}
