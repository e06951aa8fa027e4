import { defineProblems } from '../../platform/problems.ts';

export const workflowProblems = defineProblems({
  invalid_transition: {
    status: 409,
    title: 'Invalid workflow status',
    help: 'The current status does not allow this operation. `detail` names the status and the allowed operations. Read the workflow again.',
  },
  workflow_paused: {
    status: 409,
    title: 'The workflow is paused',
    help: 'The tasks of a paused workflow cannot be completed. Resume the workflow first.',
  },
  workflow_steps_invalid: {
    status: 422,
    title: 'Invalid workflow steps',
    help: 'Step identifiers must be unique, `dependsOn` must name steps of the same workflow, and steps must not form a cycle. Each `config` must match the type of its step and the limits. `detail` names the step, and `errors` lists each invalid member.',
  },
  workflow_documents_invalid: {
    status: 422,
    title: 'Invalid workflow documents',
    help: 'Each entry of `documents` needs a different document and a different name. If you send `documentId` too, it must be the first document. `errors` lists each invalid member.',
  },
  approval_already_requested: {
    status: 409,
    title: 'The decision is already requested',
    help: 'A review, approval or signature keeps its assignees and its request when it restarts. Its assignee or an administrator can reassign its task. To request something else, cancel the workflow and create another.',
  },
  refusal_needs_write: {
    status: 403,
    title: 'Write access required',
    help: '`onNewVersion: refuse` blocks uploads to the document while the workflow runs. The user who added the document to the workflow needs write access to it. Ask its owner for write access, or use `restart`.',
  },
  assignee_required: {
    status: 422,
    title: 'A step has no assignee',
    help: 'A workflow that an API client created has no default assignee. Name `assignees` in each step that is a task, or `assignedTo` in the workflow. A template accepts `assignees: {stepId: [...]}`.',
  },
  no_eligible_assignee: {
    status: 422,
    title: 'No eligible assignee',
    help: 'A decision of a role (`role:admin`) goes to eligible members of that role. Excluded are the creator of the workflow, the uploader of the version, and members excluded by a barrier. Name another role, or a user, in `assignees`.',
  },
  step_not_active: {
    status: 409,
    title: 'The step does not wait for a callback',
    help: 'A step accepts one callback, with the nonce of its current request. The step has ended, timed out or restarted. If it waits again, the endpoint received a new request.',
  },
  callback_signature_invalid: {
    status: 401,
    title: 'Invalid callback signature',
    help: 'Sign the callback as in Standard Webhooks, with the secret of the endpoint that got the request. `webhook-id` must be the nonce of the request, and `webhook-timestamp` must be within five minutes of now. The signature covers both headers and the bytes of the body. `signAnswer` of `@chancery/webhooks` creates these headers.',
  },
  agent_in_use: {
    status: 409,
    title: 'The agent has an active workflow',
    help: 'A workflow in progress has a step for this agent. Wait until the workflow has ended, cancel it, or set another agent in `config.agentId`. To stop the agent at once, use `POST /ws/api/agents/{agentId}/stop`.',
  },
  document_under_decision: {
    status: 409,
    title: 'The document accepts no new version',
    help: 'A step of a workflow in progress has `onNewVersion: refuse`. Wait until the workflow has ended, or cancel it, then upload the version.',
  },
  document_not_readable: {
    status: 409,
    title: 'The document cannot be shared',
    help: 'A workflow gives the assignees of its tasks access to its document. The document is in the bin, or the user who added it may no longer share it. Use a document that you may share, or ask its owner for a share.',
  },
  template_parameters_invalid: {
    status: 422,
    title: 'Invalid template parameters',
    help: '`GET /api/v1/workflows/templates/{name}` lists the parameters of the template, their types, and whether they are required. `errors` names each missing, unknown or mistyped parameter.',
  },
  agent_steps_unconfirmed: {
    status: 409,
    title: 'Instructions to an agent are not confirmed',
    help: 'A step of the template runs an agent with your rights, on instructions that another member wrote. `errors` has each instruction. Read them, then send `confirmedVersion` with the version that `detail` names. A template needs no confirmation if you, the owner or an administrator made its last change.',
  },
  template_not_found: {
    status: 404,
    title: 'Template not found',
    help: 'The name is not in `GET /api/v1/workflows/templates/available`. Check the name.',
  },
  template_limit: {
    status: 409,
    title: 'Too many templates',
    help: 'A team has at most 200 templates of its own. Delete a template that is no longer used.',
  },
  template_in_use: {
    status: 409,
    title: 'Template in use by a form',
    help: 'A published form names the template that you want to delete, or does not fit the changed template. `forms` lists the forms that you can see, with the `reasons`. Publish them without the template or with other answers first. Or repeat the request with `force=true`: then their owners get an email, and the outputs of later submissions fail.',
  },
  template_exists: {
    status: 409,
    title: 'Template name in use',
    help: 'Choose another name, or change the existing template. Names of built-in templates are reserved.',
  },
});
