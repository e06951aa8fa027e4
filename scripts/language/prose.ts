/** The rules for sentences in comments, strings, docs and commit subjects. */
import { advisedTerms, type Area, type Finding, gatedTerms, type Term } from './rules.ts';

/** A text of a file. Its line breaks are those of the file, so that each sentence has its line. */
export interface Passage {
  file: string;
  line: number;
  text: string;
}

/** Starts a new block where the text has no empty line, such as at a list item. */
export const blockStart = '\u2029';

const maxWords = 25;
/** `what it holds` in place of a noun. A question may have it. */
const nounClause = /\b(what|whom) (is|are|was|were|has|have|had|it|they|he|she|people|a|an|the|somebody|nobody|one)\b[^?]*$/i;
const relative = /\b(that|which|who|whom|whose|where)\b/gi;
const maxRelatives = 2;

const sentenceEnd = /(?<=[.!?][”")]?)\s+(?=[A-Z“"`$({[])|\u2029|\n[ \t]*\n/g;
const breaksIn = (text: string): number => text.split('\n').length - 1;

interface Sentence {
  text: string;
  line: number;
  lastLine: number;
}

function sentencesOf({ text, line }: Passage): Sentence[] {
  const ends = [...text.matchAll(sentenceEnd)].map(({ index }) => index);
  return [0, ...ends].flatMap((start, at) => {
    const raw = text.slice(start, ends[at] ?? text.length);
    const trimmed = raw.replaceAll(blockStart, ' ').trim();
    if (trimmed === '') return [];
    const first = line + breaksIn(text.slice(0, start)) + breaksIn(/^[\s\u2029]*/.exec(raw)?.[0] ?? '');
    return [{ text: trimmed.replace(/\s+/g, ' '), line: first, lastLine: first + breaksIn(trimmed) }];
  });
}

const uses = (sentence: string, terms: readonly Term[]): string[] =>
  terms.flatMap(({ pattern, use }) => (sentence.match(pattern) ?? []).map((hit) => `“${hit}”: write ${use}`));

function broken(sentence: string, advice: boolean): [rule: string, message: string][] {
  const words = sentence.split(' ').filter((word) => /[\p{L}\d]/u.test(word)).length;
  const found = uses(sentence, gatedTerms).map((message): [string, string] => ['term', message]);
  if (words > maxWords) found.push([`sentence over ${maxWords} words`, `${words} words: “${sentence.slice(0, 60)}…”`]);
  if (nounClause.test(sentence) || (sentence.match(relative)?.length ?? 0) > maxRelatives)
    found.push(['relative clauses', `use a noun or split: “${sentence.slice(0, 80)}”`]);
  if (advice) found.push(...uses(sentence, advisedTerms).map((message): [string, string] => ['advice', message]));
  return found;
}

/** Every sentence of the passage that breaks a rule. `advice` adds the rules that never fail the check. */
export function proseFindings(area: Area, passage: Passage, advice = false): Finding[] {
  return sentencesOf(passage).flatMap(({ text, line, lastLine }) =>
    broken(text, advice).map(([rule, message]) => ({ area, rule, file: passage.file, line, lastLine, message })),
  );
}
