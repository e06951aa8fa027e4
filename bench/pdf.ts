/** Measures PDFs of two pages, like the PDFs of submissions: the throughput of a core, and the effect on concurrent requests. */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { createTypesetter, type Typesetter } from '../src/platform/typesetting/typesetter.ts';
import { type AnswersDocument, answersManuscript } from '../src/intake/issued-documents/answers-document.ts';
import { type Ask, measure } from './load.ts';
import { cpuSeconds, quantile } from './webhook-world.ts';
import { prepareWorld } from './world.ts';
import type { Result } from './result.ts';

const verification = { code: '7K2QD-XW9MR-A41TC-8ZJ0P', url: 'https://chancery.example/verify/7K2QD-XW9MR-A41TC-8ZJ0P' };

/** Two pages in four scripts. Each document differs, so that no result is cached. */
function submission(n: number): AnswersDocument {
  const names = ['Zoë Åkerström-Nguyễn', 'Анна Каренина', '山田太郎', 'محمد بن عبد الله'];
  const line = (at: number) => ({ kind: 'text', label: `Question ${at}`, text: `${names[at % 4]}, answer ${n * 100 + at}` }) as const;
  const long = {
    kind: 'text',
    label: 'In your own words',
    text: 'The company imports and sells instruments made by hand. '.repeat(12),
  } as const;
  const rows = Array.from({ length: 8 }, (_, at) => [`${at + 1}`, names[(n + at) % 4] ?? '', `${n * 7 + at}`]);
  return {
    locale: 'en',
    timeZone: 'Europe/Berlin',
    team: 'Harbour & Lane',
    title: `New client intake ${n}`,
    submittedAt: new Date(1_790_000_000_000 + n * 1_000),
    reference: `019aabcd-1111-7000-8000-${String(n).padStart(12, '0')}`,
    sections: [
      { title: 'About you', answers: Array.from({ length: 14 }, (_, at) => line(at)) },
      {
        title: 'The company',
        answers: [long, { kind: 'table', label: 'Shareholders', columns: ['No.', 'Name', 'Shares'], rows }, ...[20, 21, 22, 23].map(line)],
      },
    ],
  };
}

/** The typesetting processes of a process, from /proc. Empty on systems without /proc. */
export function typesettersOf(parent: number): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').match(/typesetting\/worker\.ts|\/worker-[0-9a-f]+\.mjs/))
      .filter((pid) => new RegExp(`\\) \\w ${parent} `).test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
      .map(Number);
  } catch {
    return [];
  }
}

let made = 0;
/** Creates documents for some seconds, `atOnce` at a time. Returns their number. */
async function make(typesetter: Typesetter, seconds: number, atOnce: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let done = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      const { pages } = await typesetter.typeset(answersManuscript(submission((made += 1)), verification));
      if (pages !== 2) throw new Error(`the document has ${pages} pages`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return done;
}

async function perCore(seconds: number, rounds: number): Promise<Result> {
  const typesetter = createTypesetter({
    log: { warn: (entry: unknown) => process.stderr.write(`${JSON.stringify(entry)}\n`) },
    workers: 1,
  });
  try {
    await make(typesetter, 1, 2);
    const runs: { byCpu: number; byClock: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const pid = typesettersOf(process.pid)[0];
      const [cpu, from] = [cpuSeconds(pid), performance.now()];
      const done = await make(typesetter, seconds, 2);
      // The CPU time is unknown if the worker was replaced. The elapsed time then gives a lower bound of the throughput.
      const used = typesettersOf(process.pid)[0] === pid ? cpuSeconds(pid) - cpu : Number.NaN;
      const byClock = done / ((performance.now() - from) / 1_000);
      runs.push({ byCpu: used > 0 ? done / used : byClock, byClock });
    }
    const figures = {
      perCore: quantile(
        runs.map(({ byCpu }) => byCpu),
        0.5,
      ),
      perSecond: quantile(
        runs.map(({ byClock }) => byClock),
        0.5,
      ),
    };
    return { scenario: 'pdf: documents of two pages, one worker (/s)', figures, aim: '≥ 50 a core', met: figures.perCore >= 50 };
  } finally {
    await typesetter.close();
  }
}

/** Measures folder reads with and without concurrent document creation. */
async function beside(seconds: number, rounds: number): Promise<Result> {
  const world = await prepareWorld();
  const typesetter = createTypesetter({ log: { warn: () => undefined } });
  try {
    let next = 0;
    const ask: Ask = () => ({
      method: 'GET',
      path: `/api/v1/smartdoc/folders/${world.folders[(next += 1) % world.folders.length]}`,
      token: world.token,
    });
    const read = () => measure(world.oursUrl, ask, seconds);
    await read();
    await make(typesetter, 1, 4);
    const runs: { alone: number; busy: number; pdfs: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const alone = await read();
      const [busy, pdfs] = await Promise.all([read(), make(typesetter, seconds, 4)]);
      runs.push({ alone: alone.p99, busy: busy.p99, pdfs: pdfs / seconds });
    }
    const of = (figure: (run: (typeof runs)[number]) => number) => quantile(runs.map(figure), 0.5);
    const figures = {
      alone: of((run) => run.alone),
      beside: of((run) => run.busy),
      times: of((run) => run.busy / run.alone),
      pdfsPerSecond: of((run) => run.pdfs),
    };
    return { scenario: 'pdf: p99 of reads, alone and beside (ms)', figures, aim: '≤ 2 ×', met: figures.times <= 2 };
  } finally {
    await typesetter.close();
    await world.stop();
  }
}

export async function benchPdf(
  { seconds, rounds, only }: { seconds: number; rounds: number; only: readonly string[] },
  show: (result: Result) => void,
): Promise<void> {
  if (only.length > 0 && !only.some((part) => 'pdf'.includes(part))) return;
  show(await perCore(seconds, rounds));
  show(await beside(seconds, rounds));
}
