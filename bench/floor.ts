/** The floor: minimal code for each scenario. It connects as a superuser, so PostgreSQL checks no policies. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createHash, randomUUIDv7 } from 'node:crypto';
import process from 'node:process';
import { hash, verify } from '@node-rs/argon2';
import { generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';

const { BENCH_TOKEN = '', BENCH_TEAM = '', BENCH_USER = '', DATABASE_URL, PORT } = process.env;
const verified = new Map([[BENCH_TOKEN, { team: BENCH_TEAM, user: BENCH_USER }]]);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 16, options: '-c TimeZone=UTC' });

const readFolder = {
  name: 'read',
  text: `SELECT f.id, f.name, f.parent_id, f.user_id, f.description, f.color, f.metadata, f.created_at, f.updated_at,
    (SELECT count(*)::int FROM folder c WHERE c.team_id = $1 AND c.parent_id = f.id AND c.deleted_at IS NULL) AS children,
    (SELECT count(*)::int FROM document d WHERE d.team_id = $1 AND d.folder_id = f.id AND d.deleted_at IS NULL) AS documents,
    (SELECT count(*)::int FROM access_grant s WHERE s.team_id = $1 AND s.resource_type = 'folder' AND s.resource_id = f.id) AS shares
    FROM folder f WHERE f.team_id = $1 AND f.id = $2 AND f.deleted_at IS NULL`,
};
/** The rows of a list of folders: one table, and counts by grouped joins. */
const listFolders = {
  name: 'list',
  text: `SELECT f.id, f.name, f.parent_id AS "parentId", f.user_id AS "userId", coalesce(c.n, 0) AS "childrenCount",
      coalesce(d.n, 0) AS "documentsCount", coalesce(s.n, 0) AS "shareCount", f.description, f.color, f.created_by AS "createdBy",
      f.created_by_type AS "createdByType", f.metadata, f.created_at AS "createdAt", f.updated_at AS "updatedAt"
    FROM folder f
    LEFT JOIN (SELECT parent_id AS id, count(*)::int AS n FROM folder WHERE team_id = $1 AND deleted_at IS NULL GROUP BY parent_id) c USING (id)
    LEFT JOIN (SELECT folder_id AS id, count(*)::int AS n FROM document WHERE team_id = $1 AND deleted_at IS NULL GROUP BY folder_id) d USING (id)
    LEFT JOIN (
      SELECT resource_id AS id, count(*)::int AS n FROM access_grant WHERE team_id = $1 AND resource_type = 'folder' GROUP BY resource_id
    ) s USING (id)
    WHERE f.team_id = $1 AND f.deleted_at IS NULL ORDER BY f.id LIMIT 10000`,
};
const insertFolder = { name: 'folder', text: 'INSERT INTO folder (team_id, id, user_id, name, name_key) VALUES ($1, $2, $3, $4, $5)' };
const insertEntry = {
  name: 'entry',
  text: "INSERT INTO audit_entry (team_id, id, type, actor_type, actor_id, target_type, target_id, at, data) VALUES ($1, $2, $3, 'user', $4, 'folder', $5, now(), $6)",
};
const insertEvent = { name: 'event', text: 'INSERT INTO event (team_id, id, type, body, created_at) VALUES ($1, $2, $3, $4, now())' };
const startOne = {
  name: 'start',
  text: "UPDATE workflow SET status = 'active', started_at = now(), version = version + 1 WHERE team_id = $1 AND id = $2 AND status = 'draft'",
};
const stepOne = {
  name: 'step',
  text: "UPDATE workflow_step SET status = 'active', started_at = now() WHERE team_id = $1 AND workflow_id = $2 AND id = 'a'",
};
const taskOne = {
  name: 'task',
  text: "INSERT INTO task (team_id, id, title, assigned_to, created_by, owner_id, workflow_id, step_id, document_id) VALUES ($1, $2, 'Bench: a', $3, $3, $3, $4, 'a', 'DMS-1')",
};

const completeTask = {
  name: 'complete',
  text: `UPDATE task SET status = 'completed', outcome = 'completed', completed_by = $3, completed_at = now(), updated_at = now(), version = version + 1
    WHERE team_id = $1 AND id = $2 AND status = 'open' RETURNING workflow_id`,
};
const endStep = {
  name: 'end',
  text: "UPDATE workflow_step SET status = 'completed', completed_at = now() WHERE team_id = $1 AND workflow_id = $2 AND id = 'a'",
};
const nextStep = { ...stepOne, name: 'next', text: stepOne.text.replace("id = 'a'", "id = 'b'") };
const nextTask = { ...taskOne, name: 'next task', text: taskOne.text.replace('Bench: a', 'Bench: b').replace("'a'", "'b'") };

async function body(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function json(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}

/** Runs statements one after another in one transaction. */
async function inTransaction(statements: { name: string; text: string; values: unknown[] }[]): Promise<void> {
  const client = await pool.connect();
  await client.query('BEGIN');
  for (const statement of statements) await client.query(statement);
  await client.query('COMMIT');
  client.release();
}

/** Completes the task of the first step and starts the second step. */
async function complete(response: ServerResponse, team: string, user: string, id: string): Promise<void> {
  const client = await pool.connect();
  await client.query('BEGIN');
  const { rows } = await client.query({ ...completeTask, values: [team, id, user] });
  const [{ workflow_id: workflow }] = rows as [{ workflow_id: string }];
  const task = randomUUIDv7();
  for (const statement of [
    { ...endStep, values: [team, workflow] },
    { ...nextStep, values: [team, workflow] },
    { ...nextTask, values: [team, task, user, workflow] },
    ...act(team, user, 'task.completed', id, { outcome: 'completed' }),
    ...act(team, user, 'workflow.step.completed', workflow, { stepId: 'a' }),
    ...act(team, user, 'workflow.step.activated', workflow, { stepId: 'b' }),
    ...act(team, user, 'task.created', task, { title: 'Bench: b' }),
  ])
    await client.query(statement);
  await client.query('COMMIT');
  client.release();
  json(response, 200, JSON.stringify({ id, status: 'completed' }));
}

const taskColumns = `id, title, description, type, status, outcomes, assigned_to AS "assignedTo", delegated_from AS "delegatedFrom",
  on_behalf_of AS "onBehalfOf", created_by AS "createdBy", created_by_type AS "createdByType", workflow_id AS "workflowId", step_id AS "stepId",
  document_id AS "documentId", document_version AS "documentVersion", document_sha256 AS "documentSha256", due_at AS "dueDate", outcome, comment,
  completed_by AS "completedBy", completed_by_type AS "completedByType", completed_at AS "completedAt", created_at AS "createdAt",
  updated_at AS "updatedAt"`;
const dueTime = "(CASE WHEN due_at IS NULL THEN 'infinity' ELSE due_at END)";
/** The lists of tasks: one table, and one index for each. */
const listTasks = {
  own: `SELECT ${taskColumns} FROM task WHERE team_id = $1 AND assigned_to = $2 AND status = 'open' ORDER BY id LIMIT 100`,
  due: `SELECT ${taskColumns} FROM task WHERE team_id = $1 AND status = 'open' ORDER BY ${dueTime}, id LIMIT 100`,
  changed: `SELECT ${taskColumns} FROM task WHERE team_id = $1 ORDER BY updated_at DESC, id DESC LIMIT 100`,
};

/** The inbox: all that waits for a person in one statement, without rules of access. */
const inbox = {
  name: 'inbox',
  text: `WITH item AS MATERIALIZED (
      SELECT 'task' AS kind, id, title, due_at, created_at FROM task WHERE team_id = $1 AND assigned_to = $2 AND status = 'open'
      UNION ALL SELECT 'booking', b.id, i.title, b.ends_waiting, b.created_at
        FROM booking b JOIN interface i ON i.team_id = $1 AND i.id = b.calendar_id WHERE b.team_id = $1 AND b.status = 'pending'
      UNION ALL SELECT 'record', r.id, t.name, NULL, r.created_at
        FROM registry t JOIN registry_record r ON r.team_id = $1 AND r.registry_id = t.id AND r.state = 'pending' WHERE t.team_id = $1
      UNION ALL SELECT 'signature', r.id, r.title, r.expires_at, r.created_at
        FROM signature_signer s JOIN signature_request r ON r.team_id = $1 AND r.id = s.request_id AND r.status = 'pending'
        WHERE s.team_id = $1 AND s.account_id = $2 AND s.status IN ('pending', 'viewed')
      UNION ALL SELECT 'delivery', d.id, d.event_type, NULL, d.created_at
        FROM webhook_endpoint e JOIN webhook_delivery d ON d.team_id = $1 AND d.endpoint_id = e.id AND d.undelivered = 'failed' WHERE e.team_id = $1
    ) SELECT (SELECT json_object_agg(kind, n) FROM (SELECT kind, count(*) AS n FROM item GROUP BY kind) c) AS counts,
      (SELECT json_agg(i) FROM (SELECT * FROM item ORDER BY coalesce(due_at, 'infinity'), id LIMIT 50) i) AS items`,
};

const searchColumns = `d.id, d.title, d.description, d.folder_id AS "folderId", d.user_id AS "userId", d.status, d.created_by AS "createdBy",
  d.created_by_type AS "createdByType", d.labels, d.metadata, d.created_at AS "createdAt", d.updated_at AS "updatedAt"`;
/** The 20 best or newest hits, by one index of words and one of parts of titles (bench/search.ts makes both). */
const searchText = (rank: string) => `SELECT ${searchColumns}, ts_headline('english', d.title, q.q, 'HighlightAll=true') AS shown,
    ts_headline('english', d.text, q.q, 'MaxFragments=2, MinWords=8, MaxWords=24') AS passage
  FROM (
    SELECT d.*, ${rank} AS rank FROM document d
    WHERE d.team_id = $1 AND d.deleted_at IS NULL AND (d.words @@ websearch_to_tsquery('english', $2) OR d.title ILIKE '%' || $2 || '%')
    ORDER BY ${rank === '0' ? '' : 'rank DESC,'} d.id DESC LIMIT 20
  ) d CROSS JOIN websearch_to_tsquery('english', $2) AS q(q) ORDER BY d.rank DESC, d.id DESC`;
const searches = { ranked: searchText("ts_rank(d.words, websearch_to_tsquery('english', $2), 1)"), newest: searchText('0') };

async function search(response: ServerResponse, team: string, path: string, isRanked: boolean): Promise<void> {
  const order = isRanked ? 'ranked' : 'newest';
  const values = [team, new URL(path, 'http://floor').searchParams.get('q')];
  const { rows } = await pool.query({ name: `search ${order}`, text: searches[order], values });
  json(response, 200, JSON.stringify(rows));
}

async function tasks(response: ServerResponse, team: string, user: string, query: URLSearchParams): Promise<void> {
  const list = query.has('assignedTo') ? 'own' : query.get('sort') === 'dueDate' ? 'due' : 'changed';
  const { rows } = await pool.query({ name: `tasks ${list}`, text: listTasks[list], values: list === 'own' ? [team, user] : [team] });
  json(response, 200, JSON.stringify(rows));
}

/** The audit entry and the event of one action. */
function act(team: string, user: string, type: string, target: string, data: object) {
  const event = {
    id: `evt_${randomUUIDv7().replaceAll('-', '')}`,
    type,
    teamId: team,
    timestamp: new Date().toISOString(),
    data: { id: target, teamId: team, data },
  };
  return [
    { ...insertEntry, values: [team, randomUUIDv7(), type, user, target, JSON.stringify(data)] },
    { ...insertEvent, values: [team, event.id, type, Buffer.from(JSON.stringify(event))] },
  ];
}

const passwordHash = await hash('CorrectHorse9Battery', { memoryCost: 19_456, timeCost: 2, parallelism: 1, algorithm: 2 });
const { privateKey } = await generateKeyPair('ES256');
const rotateOne = {
  name: 'refresh',
  text: 'UPDATE sign_in SET refresh_counter = refresh_counter + 1, last_used_at = now() WHERE id = $1 AND refresh_counter = $2',
};

/** Only argon2id, with the parameters of the service. */
async function login(response: ServerResponse, { password }: { password: string }): Promise<void> {
  json(response, (await verify(passwordHash, password)) ? 200 : 401, '{}');
}

async function refresh(response: ServerResponse, user: string, given: { session: string; counter: number }): Promise<void> {
  const { rowCount } = await pool.query({ ...rotateOne, values: [given.session, given.counter] });
  const accessToken = await new SignJWT({ sid: given.session })
    .setProtectedHeader({ alg: 'ES256' })
    .setSubject(user)
    .setIssuedAt()
    .setExpirationTime('15m')
    .sign(privateKey);
  json(response, rowCount === 1 ? 200 : 401, JSON.stringify({ accessToken, refreshToken: `${given.session}.${given.counter + 1}` }));
}

const findForm = {
  name: 'form',
  text: `SELECT v.interface_id, v.number, v.definition FROM interface_link l JOIN interface_version v ON v.team_id = l.team_id AND v.interface_id = l.interface_id
    WHERE l.hash = $1 ORDER BY v.number DESC LIMIT 1`,
};
const insertSubmission = {
  name: 'submission',
  text: `INSERT INTO submission (team_id, id, interface_id, version, channel, status, data, locale, created_at, updated_at)
    VALUES ($1, $2, $3, $4, 'public', 'received', $5, 'en', now(), now())`,
};
const countOne = { name: 'count', text: 'UPDATE interface_count SET taken = taken + 1 WHERE team_id = $1 AND interface_id = $2' };
const countDay = {
  name: 'day',
  text: `INSERT INTO interface_day AS d (team_id, interface_id, day, channel, received) VALUES ($1, $2, current_date, 'public', 1)
    ON CONFLICT (team_id, interface_id, day, channel) DO UPDATE SET received = d.received + 1`,
};

/** Stores the answers without validation. */
async function submit(response: ServerResponse, team: string, token: string, { data }: { data: object }): Promise<void> {
  const { rows } = await pool.query({ ...findForm, values: [createHash('sha256').update(token).digest()] });
  const [{ interface_id: form, number }] = rows as [{ interface_id: string; number: number }];
  const id = randomUUIDv7();
  await inTransaction([
    { ...insertSubmission, values: [team, id, form, number, JSON.stringify(data)] },
    ...act(team, form, 'submission.received', id, { interfaceId: form, fields: Object.keys(data) }),
    { ...countDay, values: [team, form] },
    { ...countOne, values: [team, form] },
  ]);
  json(response, 200, JSON.stringify({ success: true, submissionId: id, hasSession: false, message: 'Thank you.' }));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const who = verified.get(request.headers.authorization?.slice(7) ?? '');
  if (!who) return void response.writeHead(401).end();
  const { team, user } = who;
  const path = request.url ?? '';
  if (request.method === 'GET' && path.includes('/tasks/')) return tasks(response, team, user, new URL(path, 'http://floor').searchParams);
  if (path.endsWith('/inbox')) {
    const { rows } = await pool.query({ ...inbox, values: [team, user] });
    return json(response, 200, JSON.stringify(rows[0]));
  }
  if (path.includes('/documents/search?')) return search(response, team, path, request.headers['x-order'] === 'ranked');
  if (request.method === 'GET' && path.length > 30) {
    const { rows } = await pool.query({ ...readFolder, values: [team, path.slice(path.lastIndexOf('/') + 1)] });
    return json(response, rows.length === 0 ? 404 : 200, JSON.stringify(rows[0]));
  }
  if (request.method === 'GET') {
    const { rows } = await pool.query({ ...listFolders, values: [team] });
    return json(response, 200, JSON.stringify(rows));
  }
  const text = await body(request);
  if (path.endsWith('/start')) {
    const id = path.split('/').at(-2) ?? '';
    const task = randomUUIDv7();
    await inTransaction([
      { ...startOne, values: [team, id] },
      { ...stepOne, values: [team, id] },
      { ...taskOne, values: [team, task, user, id] },
      ...act(team, user, 'workflow.started', id, { name: 'Bench' }),
      ...act(team, user, 'workflow.step.activated', id, { stepId: 'a' }),
      ...act(team, user, 'task.created', task, { title: 'Bench: a' }),
    ]);
    return json(response, 200, JSON.stringify({ id, status: 'active', taskId: task }));
  }
  if (path.endsWith('/complete')) return complete(response, team, user, path.split('/').at(-2) ?? '');
  if (path.endsWith('/submit')) return submit(response, team, path.split('/').at(-2) ?? '', JSON.parse(text) as { data: object });
  if (path.endsWith('/login')) return login(response, JSON.parse(text) as { password: string });
  if (path.endsWith('/refresh')) return refresh(response, user, JSON.parse(text) as { session: string; counter: number });
  const { name } = JSON.parse(text) as { name: string };
  const id = randomUUIDv7();
  await inTransaction([
    { ...insertFolder, values: [team, id, user, name, name.toLowerCase()] },
    ...act(team, user, 'folder.created', id, { name }),
  ]);
  json(response, 201, JSON.stringify({ id, name }));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    response.writeHead(500).end();
  });
}).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void pool.end();
});
