import process from 'node:process';
import { text } from 'node:stream/consumers';
import { diffLines, diffWords } from 'diff';
import type { Change, Compared, Comparing } from './messages.ts';

/** The process that compares two texts, which come by standard input: what differs, or that they differ too much for that to be said. */
const asked = JSON.parse(process.argv[2] ?? '') as Comparing;
const [before = '', after = ''] = JSON.parse(await text(process.stdin)) as string[];

/** Words as each language has them: a line that was broken elsewhere is the same. Some 3 000 words may be other ones, or 1 000 lines. */
const words = { intlSegmenter: new Intl.Segmenter(undefined, { granularity: 'word' }), maxEditLength: 6_000, timeout: 6_000 };
const parts = diffWords(before, after, words) ?? diffLines(before, after, { maxEditLength: 2_000, timeout: 2_000, ignoreWhitespace: true });

const changes: Change[] = [];
let count = 0;
let same = '';
let open: Change | undefined;
for (const { value, added, removed } of parts ?? []) {
  if (!added && !removed) {
    if (open) open.after = firstOf(value);
    open = undefined;
    same = value;
    continue;
  }
  if (!open) {
    count += 1;
    open = { before: lastOf(same), after: '' };
    if (changes.length < asked.mostChanges) changes.push(open);
  }
  const member = added ? 'added' : 'removed';
  open[member] = (open[member] ?? '') + value;
}
const compared: Compared = parts === undefined ? { none: 'different' } : { count, changes: changes.map(bounded) };
process.stdout.write(JSON.stringify(compared));

function bounded(change: Change): Change {
  const { removed, added, before: earlier, after: later } = change;
  const cut = [removed, added].some((side) => side !== undefined && side.length > asked.mostCharacters);
  return {
    ...(removed === undefined ? {} : { removed: whole(removed.slice(0, asked.mostCharacters)) }),
    ...(added === undefined ? {} : { added: whole(added.slice(0, asked.mostCharacters)) }),
    before: earlier,
    after: later,
    ...(cut ? { cut } : {}),
  };
}

function firstOf(value: string): string {
  return whole(value.slice(0, asked.around));
}

function lastOf(value: string): string {
  return whole(value.slice(-asked.around));
}

/** A piece of a text without the half of a character at either end. */
function whole(piece: string): string {
  return piece.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}
