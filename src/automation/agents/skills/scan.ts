import { normalText } from '../../../platform/text.ts';
import { type YieldingWork, yieldToEventLoop } from '../../../platform/yield.ts';
import { credentialsIn, lineOf } from '../secrets.ts';
import { type FindingCode, meaning, patterns, executableName } from './patterns.ts';

/** What a scan has found, for a person to look at: where, what it means, and the words themselves. */
export type Finding = { code: FindingCode; path: string; message: string; line?: number; excerpt?: string };

/** A file as it is looked at; a file that is no text has none. */
type Scanned = { path: string; text: string | undefined };

/** So many are named of a skill, and of one kind in one file. */
const most = { all: 200, ofKind: 10 };
/** Characters that are looked at at once, and how far what begins among them may go on. */
const [step, reach] = [16_384, 1_024];

// What no one sees, and what turns the direction of a text. Joiners and selectors have a use between letters and emoji that are not Latin.
// The last two parts are joiners and selectors behind a letter of ASCII, and control characters other than tabs and line breaks.
const invisible = new RegExp(
  [
    '[\\u00ad\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff]|[\\u{e0000}-\\u{e007f}]|[\\u{e0100}-\\u{e01ef}]',
    '\\p{ASCII}(?:\\u200c|\\u200d|[\\ufe00-\\ufe0f])(?!\\u20e3)',
    '[^\\P{Cc}\\t\\n\\v\\f\\r]',
  ].join('|'),
  'gu',
);

/**
 * Looks through a skill for what harmful ones are known to have. It warns and proves nothing: what it names may be harmless, and what
 * it does not know it does not name. `whose`: the team that it is done for.
 */
export async function scan(files: readonly Scanned[], team: string): Promise<Finding[]> {
  const turns = yieldToEventLoop(team);
  await turns.next();
  const found: Finding[] = [];
  const add = (path: string, code: FindingCode, at?: { line: number; excerpt: string }): void => {
    if (found.length < most.all) found.push({ code, path, message: meaning[code], ...at });
  };
  for (const { path, text } of files) {
    if (text === undefined || executableName.test(path) || text.startsWith('#!')) add(path, text === undefined ? 'not_text' : 'program');
    if (text === undefined) continue;
    const counted = new Map<FindingCode, number>();
    for await (const { code, ...at } of placesIn(text, turns)) {
      const before = counted.get(code) ?? 0;
      counted.set(code, before + 1);
      if (before < most.ofKind) add(path, code, at);
    }
  }
  return found;
}

type TextFinding = { code: FindingCode; line: number; excerpt: string };

/** What is found in a text, piece by piece, between which others are served. */
async function* placesIn(text: string, turns: YieldingWork): AsyncGenerator<TextFinding> {
  for (let from = 0, line = 1; from < text.length; from += step) {
    const piece = text.slice(from, from + step + reach);
    for (const place of inPiece(piece)) yield { ...place, line: line + place.line - 1 };
    line += lineOf(piece, Math.min(step, piece.length)) - 1;
    if (turns.over) await turns.next();
  }
}

/** What begins in the first part of a piece: what begins in the rest is met again with the next. */
function inPiece(piece: string): TextFinding[] {
  const plain = plainly(piece);
  const lower = plain.toLowerCase();
  const places: TextFinding[] = [];
  for (const { code, words, pattern } of patterns) {
    if (!words.some((word) => lower.includes(word))) continue;
    for (const match of plain.matchAll(pattern)) {
      if (match.index >= step || places.length > most.all) break;
      places.push({ code, line: lineOf(plain, match.index), excerpt: around(plain, match.index, match.index + match[0].length) });
    }
  }
  for (const { kind, from, to } of credentialsIn(piece))
    if (from < step) places.push({ code: 'credential', line: lineOf(piece, from), excerpt: `${kind}, ${to - from} characters` });
  for (const { index } of piece.matchAll(invisible)) {
    if (index >= step || places.length > 2 * most.all) break;
    places.push({ code: 'invisible_text', line: lineOf(piece, index), excerpt: around(piece, index, index + 1) });
  }
  return places.toSorted((one, other) => one.line - other.line);
}

/** A text as a model may read it: other widths of letters as the usual ones, and what is not seen left out. Each character keeps its place where it can. */
const plainly = (text: string): string =>
  /\P{ASCII}/u.test(text) ? normalText(text.replaceAll(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, ''), 'NFKC') : text;

function around(text: string, from: number, to: number): string {
  const start = Math.max(0, from - 20);
  return visible(text.slice(start, Math.min(to + 20, start + 160)));
}

/** A part of a text as it may be shown: what is not seen, or breaks a line, is written out. */
function visible(part: string): string {
  return part
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
    .trim()
    .slice(0, 200);
}
