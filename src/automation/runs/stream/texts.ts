import type { Database } from '../../../platform/database/database.ts';
import type { Listener } from '../../../platform/database/listen.ts';
import { masked } from '../loop/results.ts';
import { followedChannel, type Part, textChannel } from './publish.ts';

/** The interval at which growing text is published, and the maximum characters of one response. */
const everyMs = 250;
const maxShown = 64 * 1024;
/** The maximum number of characters of a part: a notification has at most 8 000 bytes, and a character can take six bytes in JSON. */
const maxOfPart = 1_000;
/** How long a run counts as followed after an announcement. Followers announce themselves every 15 seconds. */
const followedMs = 40_000;
const maxFollowed = 10_000;

/** Publishes the growing text of models, for the in-flight runs of a node. */
export type Texts = {
  /** Starts a step. Call `hear` with the text so far each time that it grows, until `end`. */
  begin(run: string, step: number): { hear: (soFar: string) => void; end: () => void };
  close(): void;
};

type Writing = { run: string; step: number; soFar: string; sent: string };

/**
 * Publishes the text of models in runs with followers, to the nodes of these followers. The text is a preview of the stored step: a part can be lost,
 * and without followers no part is sent.
 */
export async function openTexts({ database, listener }: { database: Database; listener: Pick<Listener, 'on'> }): Promise<Texts> {
  const followed = new Map<string, number>();
  const writing = new Set<Writing>();
  let timer: NodeJS.Timeout | undefined;

  await listener.on(followedChannel, (payload) => {
    const [run = '', isNew] = payload.split(' ');
    // The latest runs are last. A removed run is announced again within 15 seconds.
    followed.delete(run);
    followed.set(run, Date.now() + followedMs);
    const [oldest] = followed.keys();
    if (followed.size > maxFollowed && oldest !== undefined) followed.delete(oldest);
    // A new follower gets the text from its start, and so do all others.
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

/** Returns the part of a growing text that can be shown: without its last word, which may become a credential. */
export function shownSoFar(soFar: string): string {
  let end = Math.min(soFar.length, maxShown);
  // A regular expression would scan a long word again from each of its characters.
  while (end > 0 && /[\x21-\x7e]/.test(soFar[end - 1] ?? '')) end -= 1;
  return masked(soFar.slice(0, end)).replaceAll('\0', '\uFFFD');
}

function commonLength(one: string, other: string): number {
  if (one.startsWith(other)) return other.length;
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
