import { insertMember, insertSessions } from '../test/memberships.ts';
import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { SMTPServer } from 'smtp-server';
import { Pool } from 'undici';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { endpointSecrets } from '../src/automation/webhooks/endpoints/secrets.ts';
import { newSecret } from '../src/automation/webhooks/sending/signature.ts';
import { prepareWorld, type World } from './world.ts';

/** A heavy load by one team. The benchmark measures the response times of another team with a light load. */
type Attack = {
  name: string;
  /** Runs until `over` returns true, and resolves at its end. */
  run(over: () => boolean): Promise<void>;
};

export type NeighbourResult = { scenario: string; figures: Record<string, number>; aim: string; met: boolean };

const medianAim = 1.5;
const p99Aim = 3;
const memoryAimMiB = 600;
const documents = '/api/v1/smartdoc/documents/';

/** A team with an owner and a member, and a token of each. */
async function teamOf(world: World): Promise<{ team: string; owner: string; ownerToken: string; memberToken: string; member: string }> {
  const [team, owner, member] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  await world.ours.query("INSERT INTO team (team_id, name) VALUES ($1, 'Many')", [team]);
  const tokens: string[] = [];
  for (const [user, role] of [
    [owner, 'owner'],
    [member, 'member'],
  ] as const) {
    const session = randomUUIDv7();
    await insertMember(world.ours, { team, id: user, email: `${user}@example.org`, role });
    await insertSessions(world.ours, team, user, [session]);
    tokens.push(await world.issue({ team, user, session, role }));
  }
  return { team, owner, member, ownerToken: tokens[0] ?? '', memberToken: tokens[1] ?? '' };
}

type Crowd = Awaited<ReturnType<typeof teamOf>>;

/** Creates 64 nested folders with 10 000 documents in the last. The owner has no other readers. */
async function hideTree(world: World, { team, owner }: Crowd): Promise<void> {
  const ids = Array.from({ length: 64 }, () => randomUUIDv7());
  for (const [level, id] of ids.entries())
    await world.ours.query('INSERT INTO folder (team_id, id, parent_id, user_id, name, name_key) VALUES ($1, $2, $3, $4, $5, $5)', [
      team,
      id,
      ids[level - 1] ?? null,
      owner,
      `level ${level}`,
    ]);
  await world.ours.query(
    "INSERT INTO document (team_id, id, folder_id, user_id, title) SELECT $1, gen_random_uuid(), $2, $3, 'Hidden ' || n FROM generate_series(1, 10000) n",
    [team, ids.at(-1), owner],
  );
}

/** 400 workflows of some 256 KiB, and 500 000 tasks. */
async function fillLists(world: World, { team, owner }: Crowd): Promise<void> {
  await world.ours.query(
    "INSERT INTO workflow (team_id, id, name, document_id, created_by, owner_id, size) SELECT $1, gen_random_uuid(), 'Large ' || n, 'DMS-1', $2, $2, 262144 FROM generate_series(1, 400) n",
    [team, owner],
  );
  await world.ours.query(
    `INSERT INTO workflow_step (team_id, workflow_id, id, position, type, mode, depends_on, config)
     SELECT w.team_id, w.id, 's' || n, n, 'task', 'all', '{}', jsonb_build_object('note', repeat(md5(n::text), 36)) FROM workflow w, generate_series(1, 200) n WHERE w.team_id = $1`,
    [team],
  );
  await world.ours.query(
    "INSERT INTO task (team_id, id, title, created_by, owner_id) SELECT $1, gen_random_uuid(), 'Task ' || n, $2, $2 FROM generate_series(1, 500000) n",
    [team, owner],
  );
}

/** Repeats concurrent list requests from a separate thread, because this thread measures the neighbour. */
function lists(world: World, path: string, token: string, atOnce: number): Attack['run'] {
  return async (over) => {
    const thread = new Worker(new URL('list-attack.ts', import.meta.url), { workerData: { url: world.oursUrl, path, token, atOnce } });
    while (!over()) await sleep(20);
    await thread.terminate();
  };
}

/** Repeatedly starts 20 workflows at once. Each has the maximum number of webhook steps, and the team has 50 endpoints. */
async function fanOut(world: World, { team, owner, ownerToken }: Crowd): Promise<Attack['run']> {
  const secrets = endpointSecrets(await loadMasterKey({ configured: world.masterKey, dataDir: '', generate: 'never' }));
  for (let n = 0; n < 50; n += 1) {
    const id = randomUUIDv7();
    await world.ours.query(
      "INSERT INTO webhook_endpoint (team_id, id, name, url, events, created_by, secret, created_at, updated_at) VALUES ($1, $2, 'E', $3, '{*}', $4, $5, now(), now())",
      [team, id, `http://127.0.0.1:9/${n}`, owner, secrets.seal(id, newSecret())],
    );
  }
  const ids = Array.from({ length: 4_000 }, () => randomUUIDv7());
  await world.ours.query(
    "INSERT INTO workflow (team_id, id, name, document_id, created_by, owner_id) SELECT $1, id, 'Fan', 'DMS-1', $2, $2 FROM unnest($3::uuid[]) AS w(id)",
    [team, owner, ids],
  );
  await world.ours.query(
    `INSERT INTO workflow_step (team_id, workflow_id, id, position, type, mode, depends_on)
     SELECT $1, w.id, 's' || n, n, 'webhook', 'all', '{}' FROM unnest($2::uuid[]) AS w(id), generate_series(1, 20) n`,
    [team, ids],
  );
  let next = 0;
  return async (over) => {
    const pool = new Pool(world.oursUrl, { connections: 20, pipelining: 1 });
    const worker = async (): Promise<void> => {
      while (!over() && next < ids.length) {
        const answer = await pool.request({
          method: 'POST',
          path: `/api/v1/workflows/${ids[next++]}/start`,
          headers: { authorization: `Bearer ${ownerToken}` },
        });
        await answer.body.dump({ limit: 100_000_000 });
        if (answer.statusCode === 429) await sleep(1_000);
      }
    };
    await Promise.all(Array.from({ length: 20 }, worker));
    await pool.close();
  };
}

function mails(world: World, { team }: Crowd): Attack['run'] {
  return async (over) => {
    await world.ours.query(
      `WITH mail AS (
         INSERT INTO mail_message (id, team_id, recipient, subject, text_body, html_body, budgeted)
         SELECT gen_random_uuid(), $1, 'p' || n || '@example.org', 'Hello', 'Hello', '', true FROM generate_series(1, 1000) n RETURNING id
       ) INSERT INTO job (team_id, id, name, data, state, due_at) SELECT $1, id, 'team-mail', jsonb_build_object('mail', id), 'ready', now() FROM mail`,
      [team],
    );
    await world.ours.query("SELECT pg_notify('job_due', 'team-mail')");
    while (!over()) await sleep(50);
  };
}

/** Uploads that send one byte per second and reconnect after each close. */
function drippingUploads(world: World, token: string, atOnce: number): Attack['run'] {
  const port = Number(new URL(world.oursUrl).port);
  const head = `POST ${documents} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
  return async (over) => {
    const drip = async (): Promise<void> => {
      while (!over()) {
        const socket: Socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined).resume();
        socket.write(head);
        while (!over() && !socket.destroyed) {
          socket.write('x');
          await sleep(1_000);
        }
        socket.destroy();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, drip));
  };
}

/** Repeats 2 000 submissions of one form, 200 at once. The form accepts few. A rate-limited visitor waits for 1 s. */
async function submissions(world: World, token: string): Promise<Attack['run']> {
  const prefix = '/api/v1/interfaces';
  const pool = new Pool(world.oursUrl, { connections: 200, pipelining: 1 });
  const post = async (path: string, body: object, headers: Record<string, string> = {}): Promise<{ status: number; body: any }> => {
    const sent = { 'content-type': 'application/json', ...headers };
    const answer = await pool.request({ method: 'POST', path: `${prefix}${path}`, headers: sent, body: JSON.stringify(body) });
    return { status: answer.statusCode, body: await answer.body.json() };
  };
  const by = { authorization: `Bearer ${token}` };
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const made = await post('/', { title: 'Crowded', type: 'form', fields, config: { maxPerMinute: 600 } }, by);
  const { body: form } = await post(`/${made.body.id}/publish`, { revision: 1 }, by);
  if (form.publicToken === undefined) throw new Error('the form of the crowd is not there');
  return async (over) => {
    while (!over()) {
      let left = 2_000;
      const worker = async (): Promise<void> => {
        while (!over() && left-- > 0) {
          const { status } = await post(`/public/${form.publicToken}/submit`, { data: { name: 'Ada' } });
          if (status === 429) await sleep(1_000);
        }
      };
      await Promise.all(Array.from({ length: 200 }, worker));
    }
  };
}

type Times = { p50: number; p99: number };

/** The light load: reads a profile and a folder and creates a folder, in sequence with short pauses. */
async function neighbour(world: World, seconds: number): Promise<Times> {
  const pool = new Pool(world.oursUrl, { connections: 2, pipelining: 1 });
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  const headers = { authorization: `Bearer ${world.token}` };
  const ask = async (method: 'GET' | 'POST', path: string, body?: string): Promise<void> => {
    const from = performance.now();
    const answer = await pool.request({
      method,
      path,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
    await answer.body.dump({ limit: 1_000_000 });
    if (answer.statusCode >= 300) throw new Error(`the neighbour was answered ${answer.statusCode} to ${method} ${path}`);
    times.push(performance.now() - from);
  };
  for (let n = 0; performance.now() < end; n += 1) {
    await ask('GET', '/api/v1/security/auth/profile');
    await ask('GET', `/api/v1/smartdoc/folders/${world.folders[n % world.folders.length]}`);
    await ask('POST', '/api/v1/smartdoc/folders/', JSON.stringify({ name: `Neighbour ${randomUUIDv7()}` }));
    await sleep(10);
  }
  await pool.close();
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length / 2)] ?? 0, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/** Resident memory of a process in MiB, from /proc. */
const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

async function measure(world: World, { name, run }: Attack, seconds: number, rounds: number): Promise<NeighbourResult> {
  const [alone, beside]: [Times[], Times[]] = [[], []];
  let highest = 0;
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await neighbour(world, seconds));
    let over = false;
    const attack = run(() => over);
    const timer = setInterval(() => (highest = Math.max(highest, residentMiB(world.pid))), 50);
    // Skips the first moments, in which the load opens its connections.
    await sleep(500);
    beside.push(await neighbour(world, seconds));
    over = true;
    await attack;
    clearInterval(timer);
  }
  const middle = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
  const of = (runs: readonly Times[]) => ({ p50: middle(runs.map((one) => one.p50)), p99: middle(runs.map((one) => one.p99)) });
  const [quiet, busy] = [of(alone), of(beside)];
  const figures = {
    aloneP50: quiet.p50,
    besideP50: busy.p50,
    timesP50: busy.p50 / quiet.p50,
    aloneP99: quiet.p99,
    besideP99: busy.p99,
    timesP99: busy.p99 / quiet.p99,
    highestMiB: highest,
  };
  const met = figures.timesP50 <= medianAim && figures.timesP99 <= p99Aim && highest < memoryAimMiB;
  return { scenario: name, figures, aim: `p50 ≤ ${medianAim} ×, p99 ≤ ${p99Aim} ×, < ${memoryAimMiB} MiB`, met };
}

/** Runs the attacks with a name that contains one of `only`, or all attacks. Calls `show` with each result. */
export async function benchNeighbours(
  { seconds, rounds, only }: { seconds: number; rounds: number; only: readonly string[] },
  show: (result: NeighbourResult) => void,
): Promise<void> {
  const names = ['hidden-tree', 'largest-workflows', 'largest-tasks', 'fan-out', 'mails', 'slow-uploads', 'submissions'].map(
    (name) => `neighbours-${name}`,
  );
  const wanted = (name: string) => only.length === 0 || only.some((part) => name.includes(part));
  if (!names.some(wanted)) return;
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
  });
  await once(smtp.listen(0, '127.0.0.1'), 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  const world = await prepareWorld({ RATE_LIMIT_PER_MINUTE: '0', FORM_SUBMITS_PER_ADDRESS: '0', SMTP_URL: `smtp://127.0.0.1:${port}` });
  try {
    const crowd = await teamOf(world);
    await hideTree(world, crowd);
    await fillLists(world, crowd);
    await world.ours.query('VACUUM ANALYZE');
    const attacks: Attack[] = [
      { name: 'neighbours-hidden-tree', run: lists(world, documents, crowd.memberToken, 12) },
      { name: 'neighbours-largest-workflows', run: lists(world, '/api/v1/workflows/', crowd.ownerToken, 10) },
      { name: 'neighbours-largest-tasks', run: lists(world, '/api/v1/tasks/', crowd.ownerToken, 10) },
      { name: 'neighbours-slow-uploads', run: drippingUploads(world, crowd.ownerToken, 200) },
      { name: 'neighbours-mails', run: mails(world, crowd) },
      { name: 'neighbours-fan-out', run: await fanOut(world, crowd) },
      { name: 'neighbours-submissions', run: await submissions(world, crowd.ownerToken) },
    ];
    for (const attack of attacks) if (wanted(attack.name)) show(await measure(world, attack, seconds, rounds));
  } finally {
    await world.stop();
    smtp.close();
  }
}
