/**
 * Measures a form with a million submissions: the first, a middle and the last page of its list, and its CSV export. Also measures
 * the memory of the service. `SUBMISSIONS` sets a smaller number. A small form runs through the same steps, so the difference shows the growth.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { measure } from './load.ts';
import { prepareWorld, type World } from './world.ts';
import type { Result } from './result.ts';

const few = 10_000;
const many = Number(process.env.SUBMISSIONS ?? 1_000_000);
const atOnce = 50_000;
const pageAimMs = 50;
/** Bound for the memory of the whole service. The export file alone has about 200 MiB. */
const memoryAimMiB = 400;
const interfaces = '/api/v1/interfaces/';

const caller = ({ oursUrl, token }: World) =>
  async function call(method: string, path: string, body?: object): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const answer = await fetch(`${oursUrl}${interfaces}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
type Call = ReturnType<typeof caller>;

/** Creates a form with this number of submissions, one second apart, without ANALYZE. */
async function formOf({ ours, team }: World, call: Call, count: number): Promise<string> {
  const field = (id: string, type: string) => ({ id, type, label: id });
  const fields = [field('name', 'text'), field('email', 'email'), field('what', 'textarea')];
  const { id } = (await (await call('POST', '', { title: `Of ${count}`, type: 'form', fields })).json()) as { id: string };
  await call('POST', `${id}/publish`, { revision: 1 });
  for (let from = 0; from < count; from += atOnce)
    await ours.query(
      `INSERT INTO submission (team_id, id, interface_id, version, channel, status, data, created_at, updated_at)
       SELECT $1, gen_random_uuid(), $2, 1, 'public', 'received',
         jsonb_build_object('name', 'Person ' || n, 'email', 'p' || n || '@example.org', 'what', repeat('Something happened. ', 5)),
         now() - ($5::int - n) * interval '1 second', now()
       FROM generate_series($3::int, $4::int) n`,
      [team, id, from + 1, Math.min(from + atOnce, count), count],
    );
  return id;
}

/** Peak memory of the service in MiB since the last reset of the peak. Undefined without /proc. */
const memory = (pid: number) => ({
  begin: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
  most: () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
});

/** Returns the URL of the last page. Its cursor is the end of the previous page and does not depend on filters. */
async function lastPage(call: Call, list: string): Promise<string> {
  const to = new Date(Date.now() - (many - 350) * 1_000).toISOString();
  for (let cursor = ''; ;) {
    const link = (await call('GET', `${list}?limit=100&to=${to}${cursor}`)).headers.get('link') ?? '';
    const next = /[?&](cursor=[^&>]+)/.exec(link)?.[1];
    if (next === undefined) return `${list}?limit=100${cursor}`;
    cursor = `&${next}`;
  }
}

/** Requests and downloads an export. Returns its number of lines and the duration. */
async function exportOf(call: Call, form: string): Promise<{ lines: number; writtenMs: number; fetchedMs: number }> {
  const begun = performance.now();
  const { id } = (await (await call('POST', `${form}/submissions/exports`, { format: 'csv' })).json()) as { id: string };
  for (;;) {
    const { status, submissions } = (await (await call('GET', `${form}/submissions/exports/${id}`)).json()) as {
      status: string;
      submissions?: number;
    };
    if (status === 'failed') throw new Error('the export failed');
    if (status === 'done') {
      const writtenMs = performance.now() - begun;
      let lines = 0;
      for await (const part of (await call('GET', `${form}/submissions/exports/${id}/file`)).body ?? [])
        for (const byte of part as Uint8Array) if (byte === 10) lines += 1;
      if (submissions === undefined || lines !== submissions + 1) throw new Error(`${lines} lines of ${submissions} submissions`);
      return { lines, writtenMs, fetchedMs: performance.now() - begun - writtenMs };
    }
    await sleep(50);
  }
}

export async function benchSubmissions(
  { seconds, only }: { seconds: number; only: readonly string[] },
  show: (result: Result) => void,
): Promise<void> {
  if (only.length > 0 && !only.includes('million')) return;
  const world = await prepareWorld();
  try {
    const call = caller(world);
    const [small, large] = [await formOf(world, call, few), await formOf(world, call, many)];
    const service = memory(world.pid);
    const list = `${large}/submissions`;
    const ask = (path: string) => () => ({ method: 'GET', path: `${interfaces}${path}`, token: world.token }) as const;
    const read = async (path: string) => {
      await measure(world.oursUrl, ask(path), 0.5, 1);
      return measure(world.oursUrl, ask(path), Math.min(seconds, 2), 1);
    };
    // The first pass loads and compiles code, so it is not measured.
    await exportOf(call, small);
    await read(`${small}/submissions?limit=100`);
    service.begin();
    await exportOf(call, small);
    const ofFew = service.most();
    service.begin();
    const first = await read(`${list}?limit=100`);
    const end = await lastPage(call, list);
    if (!end.includes('cursor') || (await call('GET', end)).headers.has('link')) throw new Error('this is not the last page');
    const last = await read(end);
    const { lines, writtenMs, fetchedMs } = await exportOf(call, large);
    const ofMany = service.most();
    const figures = {
      'first page ms': first.p50,
      'last page ms': last.p50,
      'export s': writtenMs / 1_000,
      'fetched s': fetchedMs / 1_000,
      'MiB at most': ofMany,
      [`MiB with ${few}`]: ofFew,
    };
    const met = lines === many + 1 && first.p50 <= pageAimMs && last.p50 <= pageAimMs && ofMany <= memoryAimMiB;
    const aim = `pages ≤ ${pageAimMs} ms, ≤ ${memoryAimMiB} MiB`;
    show({ scenario: `a form of ${many} submissions, listed and exported`, figures, aim, met });
  } finally {
    await world.stop();
  }
}
