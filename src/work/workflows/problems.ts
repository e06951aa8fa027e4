import { defineProblems } from '../../platform/problems.ts';

export const workflowProblems = defineProblems({
  invalid_transition: {
    status: 409,
    title: 'The workflow’s state does not allow this',
    help: 'Each operation leaves certain states only; `detail` names the state and what it allows. Read the workflow again.',
  },
  workflow_paused: {
    status: 409,
    title: 'The workflow is paused',
    help: 'While a workflow is paused its tasks stay, but cannot be completed. Resume it first.',
  },
  workflow_steps_invalid: {
    status: 422,
    title: 'The steps do not fit together',
    help: 'Step ids are unique, `dependsOn` names steps of the same workflow, and the steps form no circle; each `config` is what its type takes, and all together stay within the limits. `detail` names the step, `errors` each member.',
  },
  approval_already_requested: {
    status: 409,
    title: 'The decision was asked of somebody already',
    help: 'A review, approval or signature that begins again, because of a new version or a refusal, stays with the people it was asked of, as it was asked. Its task is passed on by its assignee or an administrator; to ask for something else, cancel the workflow and make another.',
  },
  refusal_needs_write: {
    status: 403,
    title: 'The workflow may not refuse versions of this document',
    help: '`onNewVersion: refuse` keeps everybody from uploading to the document while the workflow runs. It takes the right to change the document, of whoever put it into the workflow: ask its owner for write access, or use `restart`.',
  },
  assignee_required: {
    status: 422,
    title: 'A step would be given to nobody',
    help: 'A workflow that an API client made has no person to give its steps to. Name `assignees` in each step that is a task, or `assignedTo` in the workflow; a template takes them as `assignees: {stepId: [...]}`.',
  },
  no_eligible_assignee: {
    status: 422,
    title: 'Nobody of the role may take the decision',
    help: 'A decision that is given to a role (`role:admin`) goes to those of the role who may take it: not to who made the workflow or uploaded the version that is decided on, nor to whom a barrier keeps from the document. Name another role, or a person, in `assignees`.',
  },
  step_not_active: {
    status: 409,
    title: 'The step waits for no answer',
    help: 'An answer is taken once, while the step waits for it, and names the nonce of the run of the step that it answers. The step has ended, timed out or begun again since; where it waits again, its endpoint was asked anew.',
  },
  callback_signature_invalid: {
    status: 401,
    title: 'The answer is not proven',
    help: 'Answers are signed as Standard Webhooks sign, by the secret of the endpoint that was asked: `webhook-id` is the nonce of the question, `webhook-timestamp` the time within five minutes of now, and the signature is over both and the bytes of the body. `signAnswer` of the kit for receivers makes these headers.',
  },
  agent_in_use: {
    status: 409,
    title: 'A workflow under way needs the agent',
    help: 'The agent has a step of a workflow that is not over. Wait until the workflow has ended, cancel it, or give its steps with another agent in `config.agentId`; to stop the agent at once, `POST /ws/api/agents/{agentId}/stop`.',
  },
  document_under_decision: {
    status: 409,
    title: 'The document takes no new version while it is decided on',
    help: 'A step of a workflow under way says `onNewVersion: refuse`. Wait until the workflow has ended, or cancel it, then upload the version.',
  },
  document_not_readable: {
    status: 409,
    title: 'The document cannot be opened to others',
    help: 'A workflow opens its document to whoever is given a task. It is in the bin, or whoever put it there may not let others read it any more: they own it no more, and hold no share and no role that opens it. Put a document there that you may open to others, or ask its owner for a share.',
  },
  template_parameters_invalid: {
    status: 422,
    title: 'The parameters are not those of the template',
    help: 'A template says which parameters it takes, of which type, and which of them are needed: read it with `GET /api/v1/workflows/templates/{name}`. `errors` names each that is missing, unknown or of another type.',
  },
  agent_steps_unconfirmed: {
    status: 409,
    title: 'Instructions to an agent are not confirmed',
    help: 'A step of the template runs an agent with your rights, on instructions that another member wrote. `errors` has each instruction. Read them, then send `confirmedVersion` with the version of the template that `detail` names. A template that you, an owner or an administrator wrote last needs no confirmation.',
  },
  template_not_found: {
    status: 404,
    title: 'There is no such template',
    help: 'The name is not one of `GET /api/v1/workflows/templates/available`.',
  },
  template_limit: {
    status: 409,
    title: 'The team has as many templates as it may',
    help: 'A team keeps at most 200 templates of its own. Remove one that is not used any more.',
  },
  template_exists: {
    status: 409,
    title: 'A template of this name exists',
    help: 'Choose another name, or change the template that is there. Names of built-in templates cannot be taken.',
  },
});
