import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import type { Chancery, User } from './harness.ts';
import { letJobsBeDue } from './jobs.ts';
import { eventually } from './webhook-receiver.ts';

export const formsPath = '/api/v1/interfaces';

export type OutputsForm = { id: string; publicToken: string };

/** The fields of the forms in tests of outputs. */
export const outputFields = [
  { id: 'company', type: 'text', label: 'Company', required: true, validation: { maxLength: 80 } },
  { id: 'kind', type: 'radio', label: 'Kind', required: true, options: [{ id: 'mutual' }, { id: 'oneway' }] },
  { id: 'note', type: 'text', label: 'Note' },
];

/** Returns calls for tests of outputs of forms. `by` returns the member who makes them. */
export function askingOutputs(chancery: () => Chancery, by: () => User) {
  const call = (method: string, at: string, body?: unknown, { token }: User = by()) =>
    chancery().call(method, at, { token, ...(body === undefined ? {} : { body }) });
  async function ok(...args: Parameters<typeof call>): Promise<any> {
    const answer = await call(...args);
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  }
  const create = (then: object[], members: object = {}, { fields = outputFields, user = by() }: { fields?: object[]; user?: User } = {}) =>
    call('POST', `${formsPath}/`, { title: 'Intake', type: 'form', fields, config: { then, ...members } }, user);
  const publish = (id: string, members: object = {}, user = by()) =>
    call('POST', `${formsPath}/${id}/publish`, { revision: 1, ...members }, user);
  async function published(...args: Parameters<typeof create>): Promise<OutputsForm> {
    const made = await create(...args);
    assert.equal(made.status, 201, made.text);
    const answer = await publish(made.body.id, {}, args[2]?.user);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }
  async function submitted({ publicToken }: OutputsForm, data: object = {}, members: object = {}): Promise<string> {
    const answer = await chancery().call('POST', `${formsPath}/public/${publicToken}/submit`, {
      body: { data: { company: 'Acme {{kind}}', kind: 'mutual', ...data }, ...members },
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.submissionId;
  }
  const read = (form: { id: string }, submission: string) => ok('GET', `${formsPath}/${form.id}/submissions/${submission}`);
  /** Waits until each output has a status other than `waiting`, or `until` holds. */
  const settled = (
    form: { id: string },
    submission: string,
    until = (outputs: any[]) => outputs.every(({ status }) => status !== 'waiting'),
  ): Promise<any> =>
    eventually('the outputs have results', async () => {
      await letJobsBeDue(chancery().pool, 'waiting', 'submission-outputs');
      const found = await read(form, submission);
      // The status is stored with the result, but may have been read before it.
      return until(found.outputs) ? read(form, submission) : undefined;
    });
  /** Creates a template of a workflow with the steps, and returns its name. */
  async function templateOf(...steps: object[]): Promise<string> {
    const name = `desk-${randomUUIDv7()}`;
    await ok('POST', '/api/v1/workflows/templates', { name, description: 'A desk', steps });
    return name;
  }
  /** Publishes a form with the documents that starts the template, submits answers and returns the workflow. */
  async function started(
    template: string,
    answers: object = {},
    { documents = [], fields = outputFields }: { documents?: { id: string }[]; fields?: object[] } = {},
  ): Promise<any> {
    const flow = { ...workflowOutput(template), ...(documents.length > 0 ? { documents: documents.map(({ id }) => id) } : {}) };
    const form = await published([...documents, flow], {}, { fields });
    const made = (await settled(form, await submitted(form, answers))).outputs.at(-1);
    assert.equal(made.status, 'done', made.detail);
    return ok('GET', `/api/v1/workflows/${made.resultId}`);
  }
  return { call, ok, create, publish, published, submitted, read, settled, templateOf, started };
}

/** The output of a form that starts a workflow. */
export const workflowOutput = (template: string) => ({ id: 'flow', make: 'workflow', template });

/** Returns the status of each step of a workflow by its id. */
export const stepStatuses = ({ steps }: any) => Object.fromEntries(steps.map(({ id, status }: any) => [id, status]));

/** Returns the status and the pointers of the errors of a response. */
export const errorsOf = ({ status, body }: { status: number; body: any }) => [
  status,
  ...(body.errors ?? []).map((one: any) => one.pointer),
];
