/**
 * The program of docs/tutorials/first-workflow.md: `BASE_URL=http://localhost:8080 node examples/nda-desk/desk.ts`. Writes the journal
 * and its verification keys to the current folder.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, asForm, openApi } from '@chancery/client';
import { clientCredentials, refreshTokenOf, session } from './credentials.ts';
import { startReceiver } from './receiver.ts';
import { totp } from './totp.ts';

const baseUrl = process.env.BASE_URL ?? 'http://localhost:8080';
const password = `Desk-${randomUUID()}`;
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Returns the body of a successful response. Throws the body of an error response. */
function must<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} responded ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not happen`);
}

/** Registers a person, enables the second factor, and signs in. Returns a client with this session. */
async function signIn(): Promise<Api> {
  const open = openApi(baseUrl);
  const email = `desk.${randomUUID().slice(0, 8)}@example.org`;
  must(await open.POST('/api/v1/security/auth/register', { body: { email, password, firstName: 'Nora', lastName: 'Desk' } }));
  // The mailbox of development mode. In production the person reads the code in the email.
  const mails = must(await open.GET('/dev/mail.json', { params: { query: { to: email } } }));
  const code = /\d{6}/.exec(mails[0]?.subject ?? '')?.[0] ?? '';
  const { accessToken } = must(await open.POST('/api/v1/security/auth/verify-email', { body: { email, code } }));
  const headers = { authorization: `Bearer ${accessToken}` };
  const setup = must(await open.POST('/api/v1/security/auth/2fa/enable-init', { headers }));
  const confirm = { setupId: setup.setupId, code: totp(setup.totpUri) };
  must(await open.POST('/api/v1/security/auth/2fa/enable-confirm', { headers, body: confirm }));

  const challenge = must(await open.POST('/api/v1/security/auth/login', { body: { email, password } }));
  if (!('challengeId' in challenge)) throw new Error('the sign-in did not require the second factor');
  const answer = await open.POST('/api/v1/security/auth/verify-totp', {
    // A code is valid once, and the setup used the current code. This is the next code of the app.
    body: { challengeId: challenge.challengeId, code: totp(setup.totpUri, Date.now() + 30_000) },
  });
  const { accessToken: signedIn, user } = must(answer);
  say(`signed in as ${user.firstName} ${user.lastName}, with a second factor`);
  return openApi(baseUrl, session(baseUrl, { accessToken: signedIn, refreshToken: refreshTokenOf(answer.response) }));
}

/** Creates an API client, which is the account of a program. */
async function makeClient(person: Api): Promise<Api> {
  const scopes = ['documents', 'workflows', 'tasks', 'webhooks'].flatMap((area) => [`${area}:read`, `${area}:write`]);
  const { clientId, clientSecret } = must(
    await person.POST('/api/v1/security/clients/', { body: { name: 'NDA desk', scopes: [...scopes, 'audit:read'] } }),
  );
  say('created an API client');
  return openApi(baseUrl, clientCredentials(baseUrl, clientId, clientSecret));
}

/** Uploads an NDA. The `Idempotency-Key` makes retries safe: the repeated request creates no second document. */
async function upload(desk: Api, title: string): Promise<string> {
  const file = new File([await readFile(new URL('../../demo/contract.pdf', import.meta.url))], 'nda.pdf', { type: 'application/pdf' });
  const key = randomUUID();
  const send = () =>
    desk.POST('/api/v1/smartdoc/documents/', {
      params: { header: { 'Idempotency-Key': key } },
      body: { title, file },
      bodySerializer: asForm,
    });
  const [first, again] = [must(await send()), must(await send())];
  if (first.id !== again.id) throw new Error('a repeated upload created a second document');
  return first.id;
}

/** Runs a workflow in which a person approves and files the document. */
async function approve(desk: Api, person: Api, documentId: string): Promise<void> {
  const { id: me } = must(await person.GET('/api/v1/security/auth/profile'));
  const steps = [
    { id: 'approval', type: 'approval', name: 'Approve the NDA', assignedTo: me },
    { id: 'filing', type: 'task', name: 'File the countersigned copy', assignedTo: me },
  ];
  const made = must(await desk.POST('/api/v1/workflows/', { body: { name: 'NDA', documentId, steps } }));
  const path = { id: made.id };
  must(await desk.POST('/api/v1/workflows/{id}/start', { params: { path } }));
  for (const outcome of ['approved', 'completed']) {
    const [task] = must(await person.GET('/api/v1/tasks/', { params: { query: { workflowId: made.id, status: ['open'] } } }));
    if (!task) throw new Error('the person has no open task');
    const { documentVersion } = task;
    // The reviewed version. If the document has a newer one, the response is 409 `document_changed`.
    const body = { outcome, ...(documentVersion === undefined ? {} : { documentVersion }) };
    const done = must(await person.POST('/api/v1/tasks/{id}/complete', { params: { path: { id: task.id } }, body }));
    say(`${done.title}: ${done.outcome}`);
  }
  const { status } = must(await desk.GET('/api/v1/workflows/{id}', { params: { path } }));
  if (status !== 'completed') throw new Error(`the workflow is ${status}`);
}

/** Counts all documents page by page. The `Link` header has the URL of the next page. */
async function countDocuments(desk: Api): Promise<number> {
  let [count, cursor] = [0, ''];
  do {
    const page = await desk.GET('/api/v1/smartdoc/documents/', { params: { query: { limit: 1, ...(cursor && { cursor }) } } });
    count += must(page).length;
    const [, next] = /<([^>]+)>; rel="next"/.exec(page.response.headers.get('link') ?? '') ?? [];
    cursor = next === undefined ? '' : (new URL(next).searchParams.get('cursor') ?? '');
  } while (cursor !== '');
  return count;
}

/** Exports the journal with its proofs, and its verification keys, as soon as the last action is in the tree. */
async function exportJournal(desk: Api): Promise<void> {
  const journal = await until('the journal has everything', async () => {
    const lines = must(await desk.GET('/api/v1/security/audit/export', { parseAs: 'text' }));
    return lines.includes('"type":"workflow.completed"') ? lines : undefined;
  });
  await writeFile('journal.ndjson', journal);
  await writeFile('journal-keys.json', JSON.stringify(must(await desk.GET('/.well-known/witness-jwks.json'))));
  say('exported the journal: npm run --silent chancery -- audit verify --file journal.ndjson --key journal-keys.json');
}

const person = await signIn();
const desk = await makeClient(person);
let secret = '';
const receivedTypes: string[] = [];
const receiver = startReceiver(
  0,
  () => secret,
  ({ type }) => receivedTypes.push(type),
);
await once(receiver, 'listening');
try {
  const address = receiver.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const url = `http://127.0.0.1:${address.port}/`;
  const endpoint = must(await desk.POST('/api/v1/webhooks/', { body: { name: 'NDA desk', url, events: ['task.*', 'workflow.*'] } }));
  ({ secret } = endpoint);
  const documentId = await upload(desk, 'NDA with Acme');
  await upload(desk, 'NDA with Umbrella');
  await approve(desk, person, documentId);
  await until('the event workflow.completed', () => receivedTypes.includes('workflow.completed') || undefined);
  say(`${receivedTypes.length} events verified`);

  const path = { id: endpoint.id };
  // Both secrets are valid during the overlap, so the rotation loses no event.
  const rotated = must(await desk.POST('/api/v1/webhooks/{id}/rotate-secret', { params: { path }, body: { overlapHours: 1 } }));
  must(await desk.POST('/api/v1/webhooks/{id}/test', { params: { path } }));
  await until('an event is verified with the old secret', () => receivedTypes.includes('webhook.test') || undefined);
  ({ secret } = rotated);
  must(await desk.POST('/api/v1/webhooks/{id}/test', { params: { path } }));
  await until(
    'an event is verified with the new secret',
    () => receivedTypes.filter((type) => type === 'webhook.test').length === 2 || undefined,
  );
  say('rotated the secret of the endpoint');

  say(`${await countDocuments(desk)} documents, page by page`);
  await exportJournal(desk);
} finally {
  receiver.close();
}
