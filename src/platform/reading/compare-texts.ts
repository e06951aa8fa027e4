import { diffLines, diffWords } from 'diff';
import type { Change, Compared, Comparing } from './messages.ts';

/** Compares two texts in a separate process. Returns the differences, or that the texts differ too much. */
export function work(argument: string, input: Buffer): string {
  const [before = '', after = ''] = JSON.parse(input.toString()) as string[];
  return JSON.stringify(compared(before, after, JSON.parse(argument) as Comparing));
}

function compared(before: string, after: string, options: Comparing): Compared {
  /**
   * Splits texts into words by the rules of each language, so that a different line break is not a change. The limits allow about 3 000 different
   * words or 1 000 lines.
   */
  const words = { intlSegmenter: new Intl.Segmenter(undefined, { granularity: 'word' }), maxEditLength: 6_000, timeout: 6_000 };
  const parts =
    diffWords(before, after, words) ?? diffLines(before, after, { maxEditLength: 2_000, timeout: 2_000, ignoreWhitespace: true });
  if (parts === undefined) return { none: 'different' };
  const changes: Change[] = [];
  let count = 0;
  let same = '';
  let open: Change | undefined;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      if (open) open.after = firstOf(value, options.around);
      open = undefined;
      same = value;
      continue;
    }
    if (!open) {
      count += 1;
      open = { before: lastOf(same, options.around), after: '' };
      if (changes.length < options.maxChanges) changes.push(open);
    }
    const member = added ? 'added' : 'removed';
    open[member] = (open[member] ?? '') + value;
  }
  return { count, changes: changes.map((change) => bounded(change, options.maxCharacters)) };
}

function bounded(change: Change, most: number): Change {
  const { removed, added, before: earlier, after: later } = change;
  const cut = [removed, added].some((side) => side !== undefined && side.length > most);
  return {
    ...(removed === undefined ? {} : { removed: whole(removed.slice(0, most)) }),
    ...(added === undefined ? {} : { added: whole(added.slice(0, most)) }),
    before: earlier,
    after: later,
    ...(cut ? { cut } : {}),
  };
}

/** The first characters of a text. A longer text ends after a whole word. */
function firstOf(value: string, around: number): string {
  const piece = whole(value.slice(0, around));
  return value.length > around ? piece.replace(/\s\S*$/, '') : piece;
}

/** The last characters of a text. A longer text begins with a whole word. */
function lastOf(value: string, around: number): string {
  const piece = whole(value.slice(-around));
  return value.length > around ? piece.replace(/^\S*\s/, '') : piece;
}

/** Removes an unpaired surrogate at the start and the end of a text. */
function whole(piece: string): string {
  return piece.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}
