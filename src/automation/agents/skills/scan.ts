import { normalText } from '../../../platform/text.ts';
import { type YieldingWork, yieldToEventLoop } from '../../../platform/yield.ts';
import { credentialsIn, lineOf } from '../secrets.ts';
import { type FindingCode, meaning, patterns, executableName } from './patterns.ts';

/** A finding of a scan, for review by a person: the position, the meaning and an excerpt. */
export type Finding = { code: FindingCode; path: string; message: string; line?: number; excerpt?: string };

/** A file to scan; `text` is undefined if it is not UTF-8 text. */
type Scanned = { path: string; text: string | undefined };

/** Maximum number of findings in a skill, and of one kind in one file. */
const most = { all: 200, ofKind: 10 };
/** Number of characters in one scan step, and the number of characters after the step that a match may include. */
const [step, reach] = [16_384, 1_024];

// Invisible characters and characters that change the text direction. Joiners and selectors have a use between non-Latin letters and emoji.
// The last two parts match joiners and selectors after an ASCII character, and control characters except tabs and line breaks.
const invisible = new RegExp(
  [
    '[\\u00ad\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff]|[\\u{e0000}-\\u{e007f}]|[\\u{e0100}-\\u{e01ef}]',
    '\\p{ASCII}(?:\\u200c|\\u200d|[\\ufe00-\\ufe0f])(?!\\u20e3)',
    '[^\\P{Cc}\\t\\n\\v\\f\\r]',
  ].join('|'),
  'gu',
);

/**
 * Scans a skill for known harmful patterns. Findings are only warnings: a finding can be harmless, and the scan misses unknown patterns. The work
 * counts against the capacity of `team`.
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

/** Scans a text in steps, and yields to the event loop between them. */
async function* placesIn(text: string, turns: YieldingWork): AsyncGenerator<TextFinding> {
  for (let from = 0, line = 1; from < text.length; from += step) {
    const piece = text.slice(from, from + step + reach);
    for (const place of inPiece(piece)) yield { ...place, line: line + place.line - 1 };
    line += lineOf(piece, Math.min(step, piece.length)) - 1;
    if (turns.over) await turns.next();
  }
}

/** Returns the matches that begin in the first `step` characters of a piece. Later matches belong to the next piece. */
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

/** Normalizes a text as a model may read it: NFKC, without invisible characters. Positions stay the same where possible. */
const plainly = (text: string): string =>
  /\P{ASCII}/u.test(text) ? normalText(text.replaceAll(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, ''), 'NFKC') : text;

function around(text: string, from: number, to: number): string {
  const start = Math.max(0, from - 20);
  return visible(text.slice(start, Math.min(to + 20, start + 160)));
}

/** Makes an excerpt printable: escapes invisible characters, and replaces line breaks with spaces. */
function visible(part: string): string {
  return part
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
    .trim()
    .slice(0, 200);
}
