import { randomBytes } from 'node:crypto';
import { type Api, openApi } from '@chancery/client';
import { haveAgentWork } from './agent.ts';
import { answerIntake, bookFirst, bookingForm, intakeForm, pdfOf } from './forms.ts';
import { apiAs, must, type Play, refreshCookie, sha256, StepFailed, until } from './api.ts';
import { makeAgreement } from './agreement.ts';
import { uploadContract } from './contract.ts';
import { mailedCode, type Person, register } from './person.ts';
import type { Delivered, Receiver } from './receiver-process.ts';
import { signAll, signatureTemplate } from './signing.ts';

type Say = (text: string) => void;

/**
 * Runs the example through the public API and the generated client:
 * - a person registers, uploads a contract and creates an agreement from a template;
 * - a workflow has the agreement reviewed, approved, signed by two people in turn, and sealed;
 * - the receiver verifies signed webhooks;
 * - a visitor submits a form and books an appointment;
 * - an agent reads a document and requests approval for a tool call;
 * - the audit journal records each action.
 * Prints each step. Returns false after a failed step.
 */
export async function runMainScenario(baseUrl: string, receiver: Receiver, say: Say): Promise<boolean> {
  const person: Person = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: `ada.${randomBytes(3).toString('hex')}@example.org`,
    password: `Demo-${randomBytes(6).toString('base64url')}-1`,
  };
  let step = '';
  const play = async <T>(name: string, doing: () => Promise<{ say: string; value: T }>): Promise<T> => {
    step = name;
    const done = await doing();
    say(`  ✓ ${name.padEnd(22)} ${done.say}`);
    return done.value;
  };
  try {
    const accessToken = await signIn(openApi(baseUrl), person, play);
    const api = apiAs(baseUrl, accessToken);
    const open = openApi(baseUrl);
    await work({ api, open }, receiver, play);
    await visit(open, api, play);
    await haveAgentWork(api, play);
    await checkJournal(api, play);
    return true;
  } catch (error) {
    say(`  ✗ ${step.padEnd(22)} ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function signIn(open: Api, person: Person, play: Play): Promise<string> {
  const { email, password } = person;
  await play('register', async () => {
    const took = await register(open, person);
    return { say: `${email}, with a proof of work solved in ${took} ms`, value: undefined };
  });
  const code = await play('mail', async () => {
    const { subject, code: found } = await mailedCode(open, email);
    return { say: `“${subject}”`, value: found };
  });
  await play('verify', async () => {
    const { user } = must(await open.POST('/api/v1/security/auth/verify-email', { body: { email, code } }));
    return { say: `team ${user.teamId}`, value: undefined };
  });
  const refreshToken = await play('login', async () => {
    const answer = await open.POST('/api/v1/security/auth/login', { body: { email, password } });
    const signedIn = must(answer);
    if (!('user' in signedIn)) throw new StepFailed('the sign-in requires a second factor');
    return { say: `${signedIn.user.firstName} ${signedIn.user.lastName}`, value: refreshCookie(answer) };
  });
  return play('refresh', async () => {
    const { accessToken } = must(await open.POST('/api/v1/security/auth/refresh', { body: { refreshToken } }));
    return { say: 'new access and refresh token', value: accessToken };
  });
}

/** Returns signers with new addresses, so that no mails of earlier demos match. */
function signers(): Record<'ourName' | 'ourEmail' | 'theirName' | 'theirEmail', string> {
  const tag = randomBytes(3).toString('hex');
  return {
    ourName: 'Olivia Berg',
    ourEmail: `olivia.${tag}@northwind.example`,
    theirName: 'Łukasz Nowak',
    theirEmail: `lukasz.${tag}@acme.example`,
  };
}

async function work({ api, open }: { api: Api; open: Api }, receiver: Receiver, play: Play): Promise<void> {
  const { received } = receiver;
  const endpoint = await play('webhook', async () => {
    const events = ['task.*', 'workflow.*', 'document.*', 'signature.*'];
    const made = must(await api.POST('/api/v1/webhooks/', { body: { name: 'Demo receiver', url: receiver.url, events } }));
    receiver.expect(made.secret);
    return { say: `${made.url} receives ${events.join(', ')}`, value: made.id };
  });
  const folder = await play('folder', async () => {
    const { id, name } = must(await api.POST('/api/v1/smartdoc/folders/', { body: { name: 'Contracts' } }));
    return { say: `${name} (${id})`, value: id };
  });
  await play('upload', () => upload(api, folder));
  const document = await makeAgreement(api, folder, play);
  const name = await signatureTemplate(api, play);
  const id = await play('workflow', async () => {
    const parameters = signers();
    const params = { path: { name } };
    const made = must(await api.POST('/api/v1/workflows/templates/{name}', { params, body: { documentId: document, parameters } }));
    return { say: `${made.type}, ${made.status}; ${parameters.ourName} and ${parameters.theirName} sign`, value: made.id };
  });
  const path = { id };
  await play('start', async () => {
    const { status, steps } = must(await api.POST('/api/v1/workflows/{id}/start', { params: { path } }));
    return { say: `${status}; “${steps[0]?.name}” is active`, value: undefined };
  });
  await play('task.created', async () => {
    const event = await until(() => received.find(({ type }) => type === 'task.created'), 'task.created did not reach the receiver');
    if (!event.verified) throw new StepFailed('the receiver could not verify x-service-signature');
    return { say: `${event.id} received, x-service-signature verified over the raw body`, value: undefined };
  });
  await completeTasks(api, id, play);
  await signAll({ api, open }, id, play);
  await completeTasks(api, id, play);
  await play('workflow state', async () => {
    const { status, steps } = must(await api.GET('/api/v1/workflows/{id}', { params: { path } }));
    if (status !== 'completed') throw new StepFailed(`the workflow is ${status}`);
    return { say: `${status}; ${steps.map((step) => `${step.id} ${step.outcome}`).join(', ')}`, value: undefined };
  });
  await checkDeliveries(api, endpoint, received, play);
}

/** Acts as a visitor without an account: submits a form, downloads its PDF, and books an appointment. */
async function visit(open: Api, api: Api, play: Play): Promise<void> {
  const form = await play('form', async () => {
    const made = await intakeForm(api);
    return { say: made.url, value: made };
  });
  await play('form answered', async () => {
    const { session } = await answerIntake(open, form.token);
    const pdf = await until(() => pdfOf(open, form.token, session), 'the PDF of the submission was not created');
    if (!pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new StepFailed('the download is not a PDF');
    return { say: `by a visitor, who downloaded a PDF of ${pdf.length} bytes`, value: undefined };
  });
  await play('time booked', async () => {
    const { token, url } = await bookingForm(api);
    return { say: `${await bookFirst(open, token)} at ${url}`, value: undefined };
  });
}

async function upload(api: Api, folderId: string): Promise<{ say: string; value: string }> {
  const { bytes, id, currentVersion } = await uploadContract(api, folderId);
  if (currentVersion?.sha256 !== sha256(bytes)) throw new StepFailed('the stored hash differs from the hash of the file');
  const path = '/api/v1/smartdoc/documents/{id}/content';
  const back = Buffer.from(must(await api.GET(path, { params: { path: { id } }, parseAs: 'arrayBuffer' })));
  if (!back.equals(bytes)) throw new StepFailed('the download differs from the uploaded file');
  const { fileName, size, sha256: hash } = currentVersion;
  return { say: `${fileName}, ${size} bytes, SHA-256 ${hash.slice(0, 12)}…`, value: id };
}

/** Completes the open tasks of a workflow until the person has none. */
async function completeTasks(api: Api, workflowId: string, play: Play): Promise<void> {
  for (;;) {
    const [task] = must(await api.GET('/api/v1/tasks/', { params: { query: { workflowId, status: ['open'] } } }));
    if (!task) return;
    await play('task completed', async () => {
      // The task lists its possible outcomes.
      const body = { outcome: task.outcomes[0] ?? '', comment: 'Done in the demo' };
      const ended = must(await api.POST('/api/v1/tasks/{id}/complete', { params: { path: { id: task.id } }, body }));
      return { say: `“${ended.title}”: ${ended.outcome}`, value: undefined };
    });
  }
}

async function checkDeliveries(api: Api, id: string, received: readonly Delivered[], play: Play): Promise<void> {
  await play('deliveries', async () => {
    const deliveries = await until(async () => {
      const list = must(await api.GET('/api/v1/webhooks/{id}/deliveries', { params: { path: { id } } }));
      return list.some(({ eventType }) => eventType === 'workflow.completed') && list.every(({ status }) => status === 'delivered')
        ? list
        : undefined;
    }, 'not all deliveries have the status delivered');
    const lost = deliveries.find(({ eventId }) => !received.some((one) => one.id === eventId && one.verified));
    if (lost) throw new StepFailed(`${lost.eventType} has the status delivered, but the receiver did not verify it`);
    return { say: `${deliveries.length} delivered, each verified by the receiver`, value: undefined };
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
  'document_template.created',
  'document_template.used',
  'workflow_template.created',
  'workflow.created',
  'workflow.started',
  'task.created',
  'task.completed',
  'signature.requested',
  'signature.signer_asked',
  'signature.viewed',
  'signature.signed',
  'signature.completed',
  'signature.sealed_fetched',
  'workflow.completed',
  'interface.published',
  'submission.received',
  'booking.created',
  'agent.created',
  'agent.job.created',
  'agent.run.requested',
  'agent.tool.called',
  'agent.run.finished',
];

async function checkJournal(api: Api, play: Play): Promise<void> {
  await play('audit journal', async () => {
    const { events } = must(await api.GET('/api/v1/security/audit', { params: { query: { limit: 200 } } }));
    const types = new Set(events.map(({ type }) => type));
    const missing = expected.filter((type) => !types.has(type));
    if (missing.length > 0) throw new StepFailed(`no entry for ${missing.join(', ')}`);
    return { say: `${events.length} entries: ${[...types].toReversed().join(', ')}`, value: undefined };
  });
}
