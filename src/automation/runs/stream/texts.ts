import type { Database } from '../../../platform/database/database.ts';
import type { Listener } from '../../../platform/database/listen.ts';
import { masked } from '../loop/results.ts';
import { followedChannel, type Part, textChannel } from './publish.ts';

/** How often what a model says is passed on while it says it, and how much of one answer. */
const everyMs = 250;
const maxShown = 64 * 1024;
/** One notification holds 8 000 bytes, and a character of JSON may take six of them. */
const maxOfPart = 1_000;
/** Who follows says so every 15 seconds. */
const followedMs = 40_000;
const maxFollowed = 10_000;

/** What models say while they say it, of the runs that a node has in hand. */
export type Texts = {
  /** Takes what a model has said so far in a step, each time that it has said more, until `end`. */
  begin(run: string, step: number): { hear: (soFar: string) => void; end: () => void };
  close(): void;
};

type Writing = { run: string; step: number; soFar: string; sent: string };

/**
 * Passes on what models say in runs that somebody follows, to whichever node they follow it on. It is a hint beside the step that is
 * written in the end: a part may be lost, and none is sent where nobody follows.
 */
export async function openTexts({ database, listener }: { database: Database; listener: Pick<Listener, 'on'> }): Promise<Texts> {
  const followed = new Map<string, number>();
  const writing = new Set<Writing>();
  let timer: NodeJS.Timeout | undefined;

  await listener.on(followedChannel, (payload) => {
    const [run = '', isNew] = payload.split(' ');
    // The latest are last; whoever is forgotten is told of again in a moment.
    followed.delete(run);
    followed.set(run, Date.now() + followedMs);
    const [oldest] = followed.keys();
    if (followed.size > maxFollowed && oldest !== undefined) followed.delete(oldest);
    // Whoever has just come gets what was said from its beginning, and so does everybody else who follows.
    if (isNew) for (const one of writing) if (one.run === run) one.sent = '';
  });

  function pass(one: Writing): void {
    if ((followed.get(one.run) ?? 0) < Date.now()) return;
    const shown = shownSoFar(one.soFar);
    if (shown === one.sent) return;
    const from = commonLength(shown, one.sent);
    one.sent = shown;
    for (let at = from; at === from || at < shown.length; at += maxOfPart) {
      const part: Part = { step: one.step, at, text: shown.slice(at, at + maxOfPart) };
      database.notify(textChannel, JSON.stringify({ run: one.run, ...part }));
    }
  }

  return {
    begin(run, step) {
      const one: Writing = { run, step, soFar: '', sent: '' };
      writing.add(one);
      timer ??= setInterval(() => writing.forEach(pass), everyMs);
      return {
        hear: (soFar) => void (one.soFar = soFar),
        end() {
          writing.delete(one);
          if (writing.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    close: () => clearInterval(timer),
  };
}

/** What may be shown of a text that still grows: without its last word, of which nobody knows yet whether it becomes a credential. */
export function shownSoFar(soFar: string): string {
  let end = Math.min(soFar.length, maxShown);
  // Not by a pattern, which would look at each beginning of a long word that something follows.
  while (end > 0 && /[\x21-\x7e]/.test(soFar[end - 1] ?? '')) end -= 1;
  return masked(soFar.slice(0, end)).replaceAll('\0', '\uFFFD');
}

function commonLength(one: string, other: string): number {
  if (one.startsWith(other)) return other.length;
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
