/**
 * The program of docs/tutorials/vendor-desk.md: `BASE_URL=http://localhost:8080 node examples/vendor-desk/desk.ts`. Writes the evidence pack to the
 * current folder.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, openApi } from '@chancery/client';
import { refreshTokenOf, session } from '../nda-desk/credentials.ts';
import { startReceiver } from '../nda-desk/receiver.ts';

const baseUrl = process.env.BASE_URL ?? 'http://localhost:8080';
const desk = randomUUID().slice(0, 8);
const open = openApi(baseUrl);
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Returns the body of a successful response. Throws the body of an error response. */
function must<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} responded ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(200)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not happen`);
}

const addressOf = (name: string) => `${name}.${desk}@example.org`;
/** Returns the newest emails to a person, from the mailbox of development mode. */
const mailsTo = async (name: string) => must(await open.GET('/dev/mail.json', { params: { query: { to: addressOf(name) } } }));

type Colleague = { id: string; api: Api };

/** Registers a person, who gets a team of their own. */
async function register(name: string): Promise<Colleague> {
  const [email, password] = [addressOf(name), `Desk-${randomUUID()}`];
  must(await open.POST('/api/v1/security/auth/register', { body: { email, password, firstName: name, lastName: 'Desk' } }));
  const code = /\d{6}/.exec((await mailsTo(name))[0]?.subject ?? '')?.[0] ?? '';
  const confirmed = await open.POST('/api/v1/security/auth/verify-email', { body: { email, code } });
  const { accessToken, user } = must(confirmed);
  return { id: user.id, api: openApi(baseUrl, session(baseUrl, { accessToken, refreshToken: refreshTokenOf(confirmed.response) })) };
}

/** Registers a person and brings them into the team of the owner. */
async function join(owner: Api, name: string): Promise<Colleague> {
  const person = await register(name);
  must(await owner.POST('/api/v1/team/invitations', { body: { email: addressOf(name), role: 'member' } }));
  const token = /token=([\w-]+)/.exec((await mailsTo(name))[0]?.text ?? '')?.[1] ?? '';
  const accepted = await person.api.POST('/api/v1/team/invitations/accept', { body: { token } });
  const { accessToken } = must(accepted);
  return { ...person, api: openApi(baseUrl, session(baseUrl, { accessToken, refreshToken: refreshTokenOf(accepted.response) })) };
}

async function makeGroup(owner: Api, name: string, members: readonly Colleague[]): Promise<string> {
  const { id } = must(await owner.POST('/api/v1/groups/', { body: { name } }));
  for (const { id: userId } of members)
    must(await owner.POST('/api/v1/groups/{id}/members', { params: { path: { id } }, body: { userId } }));
  return id;
}

const annex = {
  name: 'Annex',
  source: [
    '#let data = json(bytes(sys.inputs.data))',
    '#set document(title: "Annex")',
    '#title[Order of #data.company]',
    'The yearly amount is #data.amount.',
  ].join('\n'),
  schema: {
    type: 'object',
    required: ['company', 'amount'],
    properties: { company: { type: 'string', maxLength: 200 }, amount: { type: 'string', maxLength: 40 } },
    examples: [{ company: 'Acme GmbH', amount: '60 000 EUR' }],
  },
};

const text = { type: 'text' as const, required: true };

/** The workflow: the approval by a policy, the signatures on both documents, and the record. */
const workflowTemplate = (registryId: string) => ({
  name: 'vendor',
  description: 'A vendor is approved and signs',
  parameters: ['party', 'contact', 'mail'].map((name) => ({ ...text, name })),
  steps: [
    { id: 'approval', type: 'approval', name: 'Approve {{party}}', config: { document: 'nda', approval: { policy: 'vendors' } } },
    {
      id: 'sign',
      type: 'signature',
      name: 'Sign',
      config: {
        documents: ['nda', 'annex'],
        signers: [
          { email: '{{mail}}', name: '{{contact}}', locale: 'de' },
          { email: addressOf('nora'), name: 'Nora Desk', locale: 'en' },
        ],
      },
    },
    {
      id: 'row',
      type: 'record',
      config: { registryId, update: 'name', fields: { name: { value: '{{party}}' }, decision: { from: 'approval' } } },
    },
  ],
});

const questions = [
  { ...text, id: 'company', label: 'Company', validation: { maxLength: 200 } },
  { ...text, id: 'seat', label: 'Address', validation: { maxLength: 500 } },
  { ...text, id: 'contact', label: 'Signatory', validation: { maxLength: 200 } },
  { id: 'mail', type: 'email' as const, label: 'Email', required: true },
  { id: 'start', type: 'date' as const, label: 'Start', required: true },
  { ...text, id: 'amount', label: 'Yearly amount', validation: { maxLength: 40 } },
];

/** The values of the NDA: constants, and answers of the form. */
const ndaValues = {
  date: { from: 'start' },
  purpose: { value: 'A supply contract' },
  law: { value: 'Ireland' },
  'term.months': { value: 24 },
  'term.survivalYears': { value: 2 },
  'disclosing.name': { value: 'Northwind Ltd.' },
  'disclosing.address': { value: '2 Harbour Lane, Cork' },
  'disclosing.signatory.name': { value: 'Nora Desk' },
  'receiving.name': { from: 'company' },
  'receiving.address': { from: 'seat' },
  'receiving.signatory.name': { from: 'contact' },
};

/** What each submission creates: two documents, and the workflow about them. */
const outputsOf = (ndaId: string, annexId: string) => [
  { id: 'nda', make: 'document' as const, templateId: ndaId, title: { text: 'NDA {{company}}' }, values: ndaValues },
  {
    id: 'annex',
    make: 'document' as const,
    templateId: annexId,
    title: { text: 'Annex {{company}}' },
    values: { company: { from: 'company' }, amount: { from: 'amount' } },
  },
  {
    id: 'flow',
    make: 'workflow' as const,
    template: 'vendor',
    documents: ['nda', 'annex'],
    parameters: { party: { from: 'company' }, contact: { from: 'contact' }, mail: { from: 'mail' } },
  },
];

/** Creates policy, templates, registry and workflow, and publishes the form. Returns their identifiers, and the link of the form. */
async function setUp(owner: Api, groups: { finance: string; legal: string }) {
  const need = [
    { count: 2, from: [`group:${groups.finance}`] },
    { count: 1, from: [`group:${groups.legal}`] },
  ];
  must(await owner.POST('/api/v1/approval-policies/', { body: { name: 'vendors', rules: [{ id: 'all', need }] } }));
  const nda = must(await owner.POST('/api/v1/document-templates/library/{slug}', { params: { path: { slug: 'nda' } } }));
  const { id: annexId } = must(await owner.POST('/api/v1/document-templates/', { body: annex }));
  const fields = [
    { id: 'name', type: 'text' as const, label: 'Name', required: true, unique: true },
    { id: 'decision', type: 'text' as const, label: 'Decision' },
  ];
  const registry = must(await owner.POST('/api/v1/registries/', { body: { name: 'Vendors', fields } }));
  must(await owner.POST('/api/v1/workflows/templates', { body: workflowTemplate(registry.id) }));
  // oxlint-disable-next-line unicorn/no-thenable -- the published name of the member
  const body = { type: 'form' as const, title: 'New vendor', fields: questions, config: { then: outputsOf(nda.id, annexId) } };
  const { id } = must(await owner.POST('/api/v1/interfaces/', { body }));
  const published = must(await owner.POST('/api/v1/interfaces/{id}/publish', { params: { path: { id } }, body: { revision: 1 } }));
  return { form: id, link: published.publicToken, registry: registry.id };
}

/** Fills in the form as a vendor, and returns the workflow that it started. */
async function submit(owner: Api, form: string, link: string): Promise<string> {
  const data = {
    company: 'Acme GmbH',
    seat: 'Hafenweg 3, Münster',
    contact: 'Vera Vendor',
    mail: addressOf('vera'),
    start: '2027-03-01',
    amount: '60 000 EUR',
  };
  const { submissionId } = must(
    await open.POST('/api/v1/interfaces/public/{token}/submit', { params: { path: { token: link } }, body: { data } }),
  );
  return until('the workflow of the submission', async () => {
    const path = { id: form, submissionId };
    const { outputs = [] } = must(await owner.GET('/api/v1/interfaces/{id}/submissions/{submissionId}', { params: { path } }));
    return outputs.find(({ id }) => id === 'flow')?.resultId;
  });
}

async function approve({ api }: Colleague): Promise<void> {
  const [task] = must(await api.GET('/api/v1/tasks/', { params: { query: { assignedTo: 'me', status: ['open'] } } }));
  if (!task) throw new Error('the person has no open task');
  must(await api.POST('/api/v1/tasks/{id}/complete', { params: { path: { id: task.id } }, body: { outcome: 'approved' } }));
}

/** Signs by the link in the email. A member signs with their own session. */
async function sign(api: Api, name: string, fullName: string): Promise<string> {
  const mail = await until(`the email to ${name}`, async () => (await mailsTo(name)).find((one) => one.text.includes('/sign/')));
  const path = { token: /sign\/([\w-]+)/.exec(mail.text)?.[1] ?? '' };
  must(await api.POST('/api/v1/signatures/public/{token}/open', { params: { path } }));
  must(await api.POST('/api/v1/signatures/public/{token}/sign', { params: { path }, body: { consent: true, name: fullName } }));
  return mail.subject;
}

async function evidence(owner: Api, workflowId: string): Promise<void> {
  const { id } = must(await owner.POST('/api/v1/evidence', { body: { workflowId } }));
  const path = { id };
  await until('the evidence pack', async () => {
    const { status } = must(await owner.GET('/api/v1/evidence/{id}', { params: { path } }));
    return status === 'ready' || undefined;
  });
  const file = must(await owner.GET('/api/v1/evidence/{id}/file', { params: { path }, parseAs: 'arrayBuffer' }));
  await writeFile('evidence.zip', new Uint8Array(file));
}

const nora = await register('nora');
const [finn, fay, lea] = [await join(nora.api, 'finn'), await join(nora.api, 'fay'), await join(nora.api, 'lea')];
const groups = { finance: await makeGroup(nora.api, 'Finance', [finn, fay]), legal: await makeGroup(nora.api, 'Legal', [lea]) };
const { form, link, registry } = await setUp(nora.api, groups);
say('published the form');
let secret = '';
const received: string[] = [];
const receiver = startReceiver(
  0,
  () => secret,
  ({ type }) => received.push(type),
);
await once(receiver, 'listening');
try {
  const address = receiver.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const url = `http://127.0.0.1:${address.port}/`;
  ({ secret } = must(await nora.api.POST('/api/v1/webhooks/', { body: { name: 'Vendor desk', url, events: ['workflow.completed'] } })));
  const workflow = await submit(nora.api, form, link);
  for (const person of [finn, fay, lea]) await approve(person);
  say('approved by finance and legal');
  say(await sign(open, 'vera', 'Vera Vendor'));
  say(await sign(nora.api, 'nora', 'Nora Desk'));
  await until('the event workflow.completed', () => received.includes('workflow.completed') || undefined);
  const [record] = must(await nora.api.GET('/api/v1/registries/{typeId}/records/', { params: { path: { typeId: registry } } }));
  say(JSON.stringify(record?.data));
  await evidence(nora.api, workflow);
  say('evidence.zip');
} finally {
  receiver.close();
}
