import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, openApi, sha256, StepFailed } from './api.ts';
import { auth, mailedCode, type Person, register } from './person.ts';
import type { Delivered, Receiver } from './receiver-process.ts';

const contract = new URL('../../demo/contract.pdf', import.meta.url);

type Say = (text: string) => void;

/**
 * The main job, start to end, through the public API alone: a person registers, uploads a contract, starts a workflow on
 * it and completes its tasks; signed webhooks reach the receiver; the journal names every act. Returns false when a step
 * failed, which it has named by then.
 */
export async function playMainJob(baseUrl: string, receiver: Receiver, say: Say): Promise<boolean> {
  const api = openApi(baseUrl);
  const person: Person = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: `ada.${randomBytes(3).toString('hex')}@example.org`,
    password: `Demo-${randomBytes(6).toString('base64url')}-1`,
  };
  const { received } = receiver;
  let step = '';
  const play = async <T>(name: string, doing: () => Promise<{ say: string; value: T }>): Promise<T> => {
    step = name;
    const done = await doing();
    say(`  ✓ ${name.padEnd(22)} ${done.say}`);
    return done.value;
  };
  try {
    await signIn(api, person, play);
    await work(api, receiver, received, play);
    return true;
  } catch (error) {
    say(`  ✗ ${step.padEnd(22)} ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

type Play = <T>(name: string, work: () => Promise<{ say: string; value: T }>) => Promise<T>;

async function signIn(api: Api, person: Person, play: Play): Promise<void> {
  await play('register', async () => {
    const took = await register(api, person);
    return { say: `${person.email}, with a proof of work solved in ${took} ms`, value: undefined };
  });
  const code = await play('mail', async () => {
    const { subject, code: found } = await mailedCode(api, person.email);
    return { say: `“${subject}”`, value: found };
  });
  await play('verify', async () => {
    const { user } = await api.send('POST', `${auth}/verify-email`, { body: { email: person.email, code } });
    return { say: `team ${user.teamId}`, value: undefined };
  });
  await play('login', async () => {
    const { accessToken, user } = await api.send('POST', `${auth}/login`, { body: { email: person.email, password: person.password } });
    api.authorize(accessToken);
    return { say: `${user.firstName} ${user.lastName}`, value: undefined };
  });
  await play('refresh', async () => {
    const { accessToken } = await api.send('POST', `${auth}/refresh`, { body: { refreshToken: api.refreshCookie() } });
    api.authorize(accessToken);
    return { say: 'new access and refresh token', value: undefined };
  });
}

async function work(api: Api, receiver: Receiver, received: readonly Delivered[], play: Play): Promise<void> {
  const endpoint = await play('webhook', async () => {
    const made = await api.send('POST', '/api/v1/webhooks/', {
      body: { name: 'Demo receiver', url: receiver.url, events: ['task.*', 'workflow.*', 'document.*'] },
      expect: 201,
    });
    receiver.expect(made.secret);
    return { say: `${made.url} hears task.*, workflow.*, document.*`, value: made.id as string };
  });
  const folder = await play('folder', async () => {
    const { id, name } = await api.send('POST', '/api/v1/smartdoc/folders/', { body: { name: 'Contracts' }, expect: 201 });
    return { say: `${name} (${id})`, value: id as string };
  });
  const document = await play('upload', async () => {
    const bytes = await readFile(contract);
    const form = new FormData();
    form.set('title', 'Master services agreement');
    form.set('folderId', folder);
    form.set('file', new Blob([bytes], { type: 'application/pdf' }), 'master-services-agreement.pdf');
    const made = await api.send('POST', '/api/v1/smartdoc/documents/', { body: form, expect: 201 });
    if (made.currentVersion.sha256 !== sha256(bytes)) throw new StepFailed('the service keeps another hash than the file has');
    const back: Buffer = await api.send('GET', `/api/v1/smartdoc/documents/${made.id}/content`, { bytes: 'bytes' });
    if (!back.equals(bytes)) throw new StepFailed('the download is not the file that was uploaded');
    return {
      say: `${made.currentVersion.fileName}, ${made.currentVersion.size} bytes, SHA-256 ${made.currentVersion.sha256.slice(0, 12)}…`,
      value: made.id as string,
    };
  });
  const workflow = await play('workflow', async () => {
    const made = await api.send('POST', '/api/v1/workflows/templates/contract-review-and-signature', {
      body: { documentId: document },
      expect: 201,
    });
    return { say: `${made.type}, ${made.steps.length} steps, ${made.status}`, value: made.id as string };
  });
  await play('start', async () => {
    const { status, steps } = await api.send('POST', `/api/v1/workflows/${workflow}/start`);
    return { say: `${status}; “${steps[0].name}” has begun`, value: undefined };
  });
  await play('task.created', async () => {
    const event = await until(() => received.find(({ type }) => type === 'task.created'), 'task.created did not reach the receiver');
    if (!event.verified) throw new StepFailed('the receiver could not verify x-service-signature');
    return { say: `${event.id} received, x-service-signature verified over the raw body`, value: undefined };
  });
  await completeTasks(api, workflow, play);
  await play('workflow state', async () => {
    const { status, steps } = await api.send('GET', `/api/v1/workflows/${workflow}`);
    if (status !== 'completed') throw new StepFailed(`the workflow is ${status}`);
    return {
      say: `${status}; ${steps.map((step: { id: string; outcome: string }) => `${step.id} ${step.outcome}`).join(', ')}`,
      value: undefined,
    };
  });
  await checkDeliveries(api, endpoint, received, play);
  await checkJournal(api, play);
}

async function completeTasks(api: Api, workflow: string, play: Play): Promise<void> {
  for (;;) {
    const [task] = await api.send('GET', `/api/v1/tasks/?workflowId=${workflow}&status=open`);
    if (!task) return;
    await play('task completed', async () => {
      // A task says how it may end; a signature on paper is recorded by an operation of its own.
      const [operation, outcome] = task.type === 'signature' ? ['signature', 'signed_elsewhere'] : ['complete', task.outcomes[0]];
      const ended = await api.send('POST', `/api/v1/tasks/${task.id}/${operation}`, { body: { outcome, comment: 'Done in the demo' } });
      return { say: `“${ended.title}”: ${ended.outcome}`, value: undefined };
    });
  }
}

async function checkDeliveries(api: Api, endpoint: string, received: readonly Delivered[], play: Play): Promise<void> {
  await play('deliveries', async () => {
    const deliveries = await until(async () => {
      const list: { status: string; eventType: string; eventId: string }[] = await api.send(
        'GET',
        `/api/v1/webhooks/${endpoint}/deliveries`,
      );
      return list.some(({ eventType }) => eventType === 'workflow.completed') && list.every(({ status }) => status === 'delivered')
        ? list
        : undefined;
    }, 'not every delivery is listed as delivered');
    const lost = deliveries.find(({ eventId }) => !received.some(({ id, verified }) => id === eventId && verified));
    if (lost) throw new StepFailed(`${lost.eventType} is listed as delivered and did not verify at the receiver`);
    return { say: `${deliveries.length} listed as delivered, each verified by the receiver`, value: undefined };
  });
}

const expected = [
  'user.registered',
  'user.email_verified',
  'login.succeeded',
  'webhook.endpoint.created',
  'folder.created',
  'document.created',
  'document.version_added',
  'document.content_read',
  'workflow.created',
  'workflow.started',
  'task.created',
  'task.completed',
  'workflow.completed',
];

async function checkJournal(api: Api, play: Play): Promise<void> {
  await play('audit journal', async () => {
    const { events } = await api.send('GET', '/api/v1/security/audit?limit=200');
    const types = new Set(events.map(({ type }: { type: string }) => type));
    const missing = expected.filter((type) => !types.has(type));
    if (missing.length > 0) throw new StepFailed(`no entry for ${missing.join(', ')}`);
    return { say: `${events.length} entries: ${[...types].toReversed().join(', ')}`, value: undefined };
  });
}

async function until<T>(look: () => T | undefined | Promise<T | undefined>, otherwise: string): Promise<T> {
  for (let waited = 0; waited < 200; waited += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(50);
  }
  throw new StepFailed(otherwise);
}
