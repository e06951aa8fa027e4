import { insertMember, insertSessions } from '../test/memberships.ts';
import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { unlimited, prepareWorld, type World } from './world.ts';

/** A load that fills the memory or the disk. */
type Attack = {
  name: string;
  /** Sends the load. Resolves to figures such as the number of responses of each status. */
  run(): Promise<Record<string, number>>;
};

export type MemoryResult = { scenario: string; figures: Record<string, number>; aim: string; met: boolean };

const aimMiB = 600;
const MiB = 1024 * 1024;
const documents = '/api/v1/smartdoc/documents/';

type Team = { token: string };

/** A team with one person. */
async function teamOf(world: World): Promise<Team> {
  const [team, user, session] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  await world.ours.query("INSERT INTO team (team_id, name) VALUES ($1, 'Heavy')", [team]);
  await insertMember(world.ours, { team, id: user, email: `${user}@example.org`, role: 'owner' });
  await insertSessions(world.ours, team, user, [session]);
  return { token: await world.issue({ team, user, session, role: 'owner' }) };
}

const teamsOf = (world: World, count: number): Promise<Team[]> => Promise.all(Array.from({ length: count }, () => teamOf(world)));

/** Counts responses by status. */
function tally(): { statuses: Record<string, number>; count(status: number | string): void } {
  const statuses: Record<string, number> = {};
  return { statuses, count: (status) => (statuses[`of${status}`] = (statuses[`of${status}`] ?? 0) + 1) };
}

/**
 * Imports files of the largest size with ten unique fields into registries of several teams at once. Retries after 429 and 503.
 * Ends with the last import.
 */
async function imports(world: World, { teams: count, files }: { teams: number; files: number }): Promise<Attack['run']> {
  const teams = await teamsOf(world, count);
  const fields = Array.from({ length: 12 }, (_, n) => ({ id: `f${n}`, type: 'text', label: `F ${n}`, unique: n < 10 }));
  const post = (token: string, path: string, type: string, body: string | Buffer) =>
    request(`${world.oursUrl}/api/v1/registries/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body,
      // The service reads files one after the other, so the last one waits long.
      headersTimeout: 0,
    });
  const registries = await Promise.all(
    teams.map(async ({ token }) => {
      const answer = await post(token, '', 'application/json', JSON.stringify({ name: 'Large', fields }));
      return { token, id: ((await answer.body.json()) as { id: string }).id };
    }),
  );
  const head = fields.map(({ id }) => id).join(',');
  const rowOf = (file: number, row: number) => fields.map((_, column) => `v${file}r${row}c${column}xxxxxx`).join(',');
  return async () => {
    const { statuses, count: seen } = tally();
    const from = performance.now();
    await Promise.all(
      Array.from({ length: files }, async (_, file) => {
        const { token, id } = registries[file % registries.length] ?? { token: '', id: '' };
        const rows = Array.from({ length: 49_000 }, (__, row) => rowOf(file, row));
        const csv = Buffer.from([head, ...rows].join('\n')).subarray(0, 10 * MiB - 1);
        for (;;) {
          const answer = await post(token, `${id}/records/import`, 'text/csv', csv);
          await answer.body.dump();
          seen(answer.statusCode);
          if (answer.statusCode !== 429 && answer.statusCode !== 503) return;
          await sleep(1_000 * Number(answer.headers['retry-after'] ?? 1));
        }
      }),
    );
    for (let left = 1; left > 0; await sleep(500))
      left = (await world.ours.query("SELECT count(*)::int AS n FROM registry_import WHERE status = 'waiting'")).rows[0].n;
    const { rows } = await world.ours.query("SELECT count(*)::int AS n FROM registry_import WHERE status <> 'done' AND total > 0");
    return { ...statuses, notDone: rows[0].n, seconds: (performance.now() - from) / 1_000 };
  };
}

/** Sends bodies of 1 MiB with as many JSON values as possible, from many teams at once. */
async function bodies(
  world: World,
  { teams: count, atOnce, seconds }: Record<'teams' | 'atOnce' | 'seconds', number>,
): Promise<Attack['run']> {
  const teams = await teamsOf(world, count);
  const body = `{"name":"x","steps":[${Array.from({ length: Math.floor(MiB / 3) - 20 }, () => '{}').join(',')}]}`;
  return async () => {
    const { statuses, count: seen } = tally();
    const end = performance.now() + seconds * 1_000;
    const send = async ({ token }: Team): Promise<void> => {
      while (performance.now() < end) {
        const answer = await fetch(`${world.oursUrl}/api/v1/workflows/`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body,
        });
        await answer.text();
        seen(answer.status);
      }
    };
    await Promise.all(teams.flatMap((team) => Array.from({ length: atOnce }, () => send(team))));
    return statuses;
  };
}

/** Bytes of incomplete files. */
async function halfWritten(folder: string): Promise<number> {
  const names = await readdir(join(folder, 'incoming')).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, 'incoming', name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Uploads that send half of a large file and then slow down. Several teams open as many as a person may have in flight. */
async function halfUploads(
  world: World,
  folder: string,
  of: Record<'teams' | 'atOnce' | 'sent' | 'seconds', number>,
): Promise<Attack['run']> {
  const teams = await teamsOf(world, of.teams);
  const port = Number(new URL(world.oursUrl).port);
  const piece = Buffer.alloc(MiB / 4, 'x');
  return async () => {
    const { statuses, count: seen } = tally();
    const end = performance.now() + of.seconds * 1_000;
    let [highest, measuring] = [0, true];
    const measured = (async () => {
      for (; measuring; await sleep(100)) highest = Math.max(highest, await halfWritten(folder));
    })();
    const upload = async ({ token }: Team): Promise<void> => {
      const socket = connect(port, '127.0.0.1');
      let closed = false;
      socket.on('error', () => undefined).on('close', () => (closed = true));
      socket.on('data', (data) => seen(String(data).slice(9, 12)));
      socket.write(
        `POST ${documents} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${of.sent * 2}\r\n\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`,
      );
      for (let sent = 0; sent < of.sent && !closed && performance.now() < end; sent += piece.length)
        if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => undefined), sleep(1_000)]);
      while (!closed && performance.now() < end) {
        socket.write(piece.subarray(0, 10_000));
        await sleep(1_000);
      }
      socket.destroy();
    };
    await Promise.all(teams.flatMap((team) => Array.from({ length: of.atOnce }, () => upload(team))));
    for (let tries = 0; tries < 50 && (await halfWritten(folder)) > 0; tries += 1) await sleep(100);
    measuring = false;
    await measured;
    return { ...statuses, diskMiB: highest / MiB, leftMiB: (await halfWritten(folder)) / MiB };
  };
}

/** Peak memory of a process in MiB since the last reset of the peak, from /proc. */
const highestOf = async (pid: number): Promise<number> =>
  Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

/** Runs the loads with a name that contains one of `only`, or all loads. Calls `show` with each result. */
export async function benchMemory(
  { seconds, only }: { seconds: number; only: readonly string[] },
  show: (result: MemoryResult) => void,
): Promise<void> {
  const wanted = (name: string) => only.length === 0 || only.some((part) => name.includes(part));
  const names = ['memory-bodies', 'memory-half-uploads', 'memory-imports'];
  if (!names.some(wanted)) return;
  const folder = await mkdtemp(join(tmpdir(), 'chancery-memory-'));
  const world = await prepareWorld({ ...unlimited, CONNECTIONS_PER_ADDRESS: '0', STORAGE_URL: `file:${folder}` });
  const attacks: [string, () => Promise<Attack['run']>][] = [
    ['memory-bodies', () => bodies(world, { teams: 20, atOnce: 10, seconds: seconds * 4 })],
    ['memory-half-uploads', () => halfUploads(world, folder, { teams: 2, atOnce: 90, sent: 40 * MiB, seconds: seconds * 5 })],
    ['memory-imports', () => imports(world, { teams: 8, files: 10 })],
  ];
  try {
    for (const [name, prepare] of attacks) {
      if (!wanted(name)) continue;
      const run = await prepare();
      await writeFile(`/proc/${world.pid}/clear_refs`, '5');
      const before = await highestOf(world.pid);
      const figures = await run();
      const highestMiB = await highestOf(world.pid);
      show({ scenario: name, figures: { beforeMiB: before, highestMiB, ...figures }, aim: `< ${aimMiB} MiB`, met: highestMiB < aimMiB });
    }
  } finally {
    await world.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
