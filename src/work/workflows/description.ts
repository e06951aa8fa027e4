import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const steps = [
  { id: 'review', type: 'review', name: 'Review by counsel', assignees: [desk.priya.id], dueInDays: 2 },
  { id: 'approval', type: 'approval', name: 'Approval', assignees: [desk.marcus.id], config: { onReject: 'review' } },
  { id: 'signature', type: 'signature', name: 'Signature', assignees: [desk.olivia.id] },
];

const shownSteps = steps.map((step, at) => ({
  ...step,
  mode: 'all',
  dependsOn: at === 0 ? [] : [steps[at - 1]?.id],
  status: 'pending',
  taskIds: [],
}));
const [review = {}, ...later] = shownSteps;

const draft = {
  id: desk.workflow,
  name: 'NDA with Acme Robotics',
  type: 'custom',
  status: 'draft',
  documentId: desk.document,
  documentLinked: true,
  documents: [{ name: 'document', documentId: desk.document }],
  createdBy: desk.priya.id,
  createdByType: 'user',
  dueDate: desk.friday,
  createdAt: desk.monday,
  updatedAt: desk.monday,
  steps: shownSteps,
};

const active = {
  ...draft,
  status: 'active',
  startedAt: desk.tuesday,
  updatedAt: desk.tuesday,
  steps: [{ ...review, status: 'active', startedAt: desk.tuesday, taskIds: [desk.reviewTask] }, ...later],
};

const template = {
  name: 'nda-short',
  description: 'Review, approval and signature of a standard NDA',
  source: 'team',
  steps: steps.map(({ assignees: _people, ...step }) => step),
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.monday,
};

const comment = {
  id: desk.workflowComment,
  workflowId: desk.workflow,
  stepId: 'review',
  createdBy: desk.priya.id,
  createdByType: 'user',
  text: 'Their counsel answers by Thursday.',
  createdAt: desk.tuesday,
};

const history = [
  {
    id: desk.entry,
    at: desk.tuesday,
    type: 'workflow.commented',
    actorType: 'user',
    actorId: desk.priya.id,
    stepId: 'review',
    text: comment.text,
  },
  {
    id: desk.attempt,
    at: desk.tuesday,
    type: 'workflow.started',
    actorType: 'user',
    actorId: desk.priya.id,
    status: { from: 'draft', to: 'active' },
  },
];

/** Problems that concern steps and their assignees. */
const documentErrors = ['workflow_documents_invalid', 'matter_of_document'];
const people = [
  'assignee_is_viewer',
  'assignee_not_found',
  'group_not_found',
  'outside_barrier',
  'workflow_steps_invalid',
  'too_many_candidates',
];
const naming = ['document_access_denied', 'quota_exceeded'];

export const description: DomainText = {
  operations: {
    listWorkflows: {
      text: 'Lists the workflows that the caller may see. These are workflows that they created, are assigned or have a task in, and those in progress on their documents. Owner, administrators and API clients see all of the team. Filters combine. `waitingFor=me` selects the workflows that continue when the caller completes a task. Without `limit` the response holds up to 10 000 workflows and 4 MiB, and `Link` leads to the rest.',
      problems: ['person_required'],
      answer: [active],
    },
    createWorkflow: {
      text: 'Creates a draft workflow on a document with its steps. No notification or task is sent before it starts. Without any `dependsOn` the steps run in the given order; with it they form a graph. A `documentId` of this service must name a document that the caller may share with the people of the steps. Any other text is stored as the identifier of another system. `documents` names up to 20 documents; the steps that name none are about the first. A workflow has at most 200 steps and 500 tasks. Repeating the request without an `Idempotency-Key` creates a second workflow.',
      records: ['workflow.created'],
      problems: ['matter_not_found', 'matter_closed', ...documentErrors, ...naming, ...people],
      body: { documentId: desk.document, name: draft.name, dueDate: '2026-03-13', steps },
      answer: draft,
    },
    listActiveWorkflows: {
      text: 'Lists the workflows in progress that the caller may see, without paused ones. It equals `listWorkflows` with the status `active`, with the same filters, order and pages.',
      problems: ['person_required'],
      answer: [active],
    },
    listOverdueWorkflows: {
      text: 'Lists the workflows past their `dueDate` that the caller may see, drafts included. Ended and paused workflows are omitted. A due date without a time ends with that day in the team’s time zone.',
      problems: ['person_required'],
      answer: [{ ...active, dueDate: desk.monday }],
    },
    listDocumentWorkflows: {
      text: 'Lists the workflows about one document that the caller may see, including ended ones. Name the document by its identifier in this service, or by that of another system as given at the creation. Without a visible workflow the list is empty.',
      problems: ['person_required'],
      never: ['not_found'],
      answer: [active],
    },
    completeWorkflowStep: {
      text: 'Completes a step that waits for a webhook endpoint (`config.waitForAnswer`) with one of its outcomes, and continues the workflow. It needs no bearer token. The request is signed as in Standard Webhooks, with the secret of the requested endpoint or its previous secret during the overlap. `webhook-id` is the nonce of `workflow.step.callback_requested`, and `webhook-timestamp` is within five minutes of now. A step accepts one answer; later ones return 409 `step_not_active`.',
      records: ['workflow.step.completed', 'workflow.completed'],
      problems: ['callback_signature_invalid', 'step_not_active', 'workflow_paused', 'outcome_invalid'],
      body: { outcome: 'entered' },
    },
    listWorkflowTemplates: {
      text: 'Lists the workflow templates: first the eight built-in ones, then the team’s own by name. Guests and API clients that are confined to folders get the built-in ones only.',
      answer: [template],
    },
    createWorkflowTemplate: {
      text: 'Creates a template of the team. Its name must differ from all its other templates and the built-in ones. Its steps may use `parameters` as `{{name}}`; the values are given when a workflow is created. The steps are checked like those of a workflow, with a value for each parameter. Their people are checked when a workflow is created from it. A team has at most 200 templates. Repeating the request returns 409 `template_exists`; with an `Idempotency-Key` it returns the same response.',
      records: ['workflow_template.created'],
      problems: ['quota_exceeded', 'template_limit', 'template_exists', 'workflow_steps_invalid', 'too_many_candidates'],
      body: { name: template.name, description: template.description, steps: template.steps },
      answer: template,
    },
    getWorkflowTemplate: {
      text: 'Shows a built-in or team template by its name, with the steps that its workflows get.',
      problems: ['template_not_found'],
      never: ['not_found'],
      answer: template,
    },
    listWorkflowTemplateVersions: {
      text: 'Lists the last 100 versions of a team template, the newest first. `templateVersion` of a workflow names the version that it was created from. Built-in templates have no versions.',
      problems: ['template_not_found'],
      never: ['not_found'],
      answer: [
        {
          version: 1,
          description: template.description,
          steps: template.steps,
          createdBy: desk.olivia.id,
          createdByType: 'user',
          createdAt: desk.monday,
        },
      ],
    },
    updateWorkflowTemplate: {
      text: 'Changes the description or the steps of a team template; its name stays. Workflows created from it keep their copy of the steps. A change by an administrator, or by the member who published a form with the template, takes effect in the form at once. If the form does not fit the change, the response is 409 with the forms and reasons; `force=true` changes the template nevertheless. The creator of the template, owner and administrators may change it. Built-in templates return 404.',
      records: ['workflow_template.updated'],
      problems: ['template_not_found', 'template_in_use', 'workflow_steps_invalid', 'too_many_candidates'],
      never: ['not_found'],
      body: { description: 'Review, approval and signature of an NDA up to two years' },
      answer: { ...template, description: 'Review, approval and signature of an NDA up to two years', updatedAt: desk.tuesday },
    },
    deleteWorkflowTemplate: {
      text: 'Deletes a team template. Workflows created from it continue, because they have a copy of its steps. The creator of the template, owner and administrators may delete it. Returns 409 with the published forms that name it; with `force=true` their owners get an email instead. Repeating the request returns 404 `template_not_found`.',
      records: ['workflow_template.deleted'],
      problems: ['template_not_found', 'template_in_use'],
      never: ['not_found'],
    },
    createWorkflowFromTemplate: {
      text: 'Creates a draft workflow with a copy of a template’s steps. `assignees` names the people of each step by the step’s key. Other steps go to `assignedTo`, or to the creator of the workflow without it. `parameters` gives the values that the template asks for. If a step runs an agent on instructions of another member, `confirmedVersion` confirms that the caller has read them. The rules of `createWorkflow` for the document and the limits apply.',
      records: ['workflow.created'],
      problems: [
        'matter_closed',
        'template_not_found',
        'template_parameters_invalid',
        'agent_steps_unconfirmed',
        ...documentErrors,
        ...naming,
        ...people,
      ],
      never: ['not_found'],
      body: {
        documentId: desk.document,
        name: draft.name,
        assignees: { review: [desk.priya.id], approval: [desk.marcus.id], signature: [desk.olivia.id] },
      },
      answer: { ...draft, type: template.name },
    },
    getWorkflow: {
      text: 'Shows a workflow with each of its steps: their state, people, tasks and outcomes. A workflow that the caller may not see returns 404, as if it did not exist. So does one about a document behind a barrier that excludes the caller.',
      answer: active,
    },
    updateWorkflow: {
      text: 'Changes the given members. A draft accepts all of them. An active workflow accepts its name, `assignedTo`, due date, and steps that have not begun; an ended one only its name. `steps` replaces all steps: begun steps must be included and stay as they are, except the `config` of failed ones, which a retry then uses. A step that becomes ready starts at once. A restarted decision keeps its assignees. The creator of the workflow, owner and administrators may change it. With `If-Match` exactly one of several concurrent changes succeeds.',
      records: ['workflow.updated'],
      problems: [
        'refusal_needs_write',
        'invalid_transition',
        'approval_already_requested',
        'assignee_required',
        ...documentErrors,
        ...naming,
        ...people,
      ],
      body: { name: 'NDA with Acme Robotics, pilot project', dueDate: '2026-03-20' },
      answer: { ...active, name: 'NDA with Acme Robotics, pilot project', dueDate: '2026-03-20T22:59:59.999Z', updatedAt: desk.wednesday },
    },
    deleteWorkflow: {
      text: 'Deletes a draft or ended workflow; cancel an active one first. Tasks that people completed for it stay, and the journal keeps its entries. A workflow on a document under a legal hold stays. The creator of the workflow, owner and administrators may delete it. Repeating the request returns 404.',
      records: ['workflow.deleted'],
      problems: ['invalid_transition', 'legal_hold_active'],
      answer: { message: 'The workflow was deleted.' },
    },
    listWorkflowAccess: {
      text: 'Lists the users who may see a workflow, with the reason and start of each access. These are its creator, the assignees of it and its tasks, the owners of its documents, and owner and administrators of the team. Every caller who may see the workflow may read the list.',
      answer: {
        grants: [
          { userId: desk.priya.id, access: 'write', reason: 'maker', since: desk.monday },
          { userId: desk.marcus.id, access: 'read', reason: 'task', since: desk.tuesday },
          { userId: desk.olivia.id, access: 'read', reason: 'document', since: desk.tuesday },
        ],
      },
    },
    readWorkflowHistory: {
      text: 'Lists the actions in a workflow with actor and time, the newest first. They cover its status, steps, tasks, reassignments, comments, and decisions with their document version. The entries are those of the journal on the workflow and its newest 2 000 tasks; they cannot be changed or deleted. Every caller who may see the workflow can read it. Comments on single tasks are not included. Without `limit` the response holds 500 entries, and `Link` leads to the rest.',
      answer: history,
    },
    readWorkflowDiagram: {
      text: 'Draws a workflow as SVG, for callers who may see it. Steps are ordered from left to right with name, type and state; a colour and a symbol show the state. Arrows lead from each step to its dependents, without implied dependencies. The image has no scripts and loads nothing. `<img>` cannot send a token, so a page fetches the image and shows the result. A layout that takes longer than two seconds is replaced by plain columns. With `If-None-Match` an unchanged image is not sent again.',
    },
    listWorkflowComments: {
      text: 'Lists the comments on a workflow and its steps, oldest first. Every caller who may see the workflow can list them. Without `limit` the response holds up to 10 000 comments and 4 MiB, and `Link` leads to the rest.',
      answer: [comment],
    },
    createWorkflowComment: {
      text: 'Adds a comment of up to 4 000 characters to a workflow, or with `stepId` to one of its steps. Every caller who may see the workflow can read it, in the history too. Comments cannot be changed, and are deleted only with the workflow. The journal records the author and time, without the text. Viewers cannot comment. A repetition without an `Idempotency-Key` adds a second comment.',
      records: ['workflow.commented'],
      body: { text: comment.text, stepId: 'review' },
      answer: comment,
    },
    startWorkflow: {
      text: 'Starts a draft. The first steps begin in the same transaction, and the response has their tasks. The right to share the document with the people of the steps is checked again. An API client must have named an assignee for each task. Of two concurrent starts one returns 409 `invalid_transition`, and so does repeating the request without an `Idempotency-Key`.',
      records: ['workflow.started', 'workflow.step.activated', 'task.created'],
      problems: [
        'matter_closed',
        'refusal_needs_write',
        'invalid_transition',
        'document_not_readable',
        'quota_exceeded',
        'assignee_is_viewer',
        'agent_not_usable',
        'workflow_steps_invalid',
        'assignee_required',
        'no_eligible_assignee',
        'outside_barrier',
      ],
      answer: active,
    },
    pauseWorkflow: {
      text: 'Pauses an active workflow. Its tasks stay but cannot be completed. Waits and due dates stop, and it is not overdue. The workflow shows the `reason`. Its creator, owner and administrators may pause it.',
      records: ['workflow.paused'],
      problems: ['invalid_transition'],
      body: { reason: 'Acme Robotics is restructuring.' },
      answer: { message: 'The workflow is paused.' },
    },
    resumeWorkflow: {
      text: 'Resumes a paused workflow. Its waits and due dates move by the length of the pause. A due date that was set during the pause stays as it is.',
      records: ['workflow.resumed'],
      problems: ['invalid_transition', 'quota_exceeded'],
      answer: { message: 'The workflow was resumed.' },
    },
    cancelWorkflow: {
      text: 'Cancels a draft, active or paused workflow permanently. Its open tasks are cancelled and give no more access to the document. The owner of a document may cancel active workflows on it. The creator of the workflow, owner and administrators may always cancel it. Repeating the request returns 409 `invalid_transition`.',
      records: ['workflow.cancelled'],
      problems: ['invalid_transition'],
      body: { reason: 'The pilot project was called off.' },
      answer: { message: 'The workflow was cancelled.' },
    },
  },
  members: {
    steps: 'The steps. Without any `dependsOn`, in this order',
    mode: '`all`: every assignee must complete it; `any`: one assignee is enough',
    dependsOn: 'The keys of the steps that it depends on',
    dueInDays: 'The days from the start of the step until its tasks are due',
    config:
      'The settings of the step type: `onReject`, `outcomes`, `onNewVersion`, a wait. Every type accepts `when`, the condition under which it begins. See the guide to workflows',
    assignees:
      'The assignees, with one task each. `role:` with `owner`, `admin`, `member` or `viewer` selects the members with that role when the step begins',
    'WorkflowStep.id': 'A key that is unique within the workflow',
    'WorkflowStep.type':
      'The step type: `review`, `approval`, `signature`, `task`, `form`, `acknowledgement`, `notification`, `webhook`, `wait`, `agent`, or a custom name',
    'WorkflowStepInput.id': 'A key that is unique within the workflow',
    'WorkflowStepInput.type':
      'The step type: `review`, `approval`, `signature`, `task`, `form`, `acknowledgement`, `notification`, `webhook`, `wait`, `agent`, or a custom name',
    'WorkflowTemplateStepInput.type':
      'The step type: `review`, `approval`, `signature`, `task`, `form`, `acknowledgement`, `notification`, `webhook`, `wait`, `agent`, or a custom name',
    'WorkflowStepInput.assignedTo': 'The assignee, if it is one user',
    'WorkflowStep.taskIds': 'The tasks of the step',
    'WorkflowStep.outcome': 'The outcome of the step',
    'Workflow.type': '`custom`, or the name of the template that it was created from',
    'Workflow.documentLinked': 'Whether `documentId` names a document of this service',
    'Workflow.assignedTo': 'The assignee of steps without one',
    'CreateWorkflowRequest.assignedTo': 'The assignee of steps without one; by default the creator',
    'CreateWorkflowFromTemplateRequest.assignedTo': 'The assignee of steps without one; by default the creator',
    'UpdateWorkflowRequest.assignedTo': 'The assignee of steps without one; `null` for the creator',
    'Workflow.reason': 'The reason of the pause or cancellation',
    'Workflow.pausedAt': 'The start of the pause',
    'WorkflowAccess.grants': 'The users who may see it, with one entry for each reason',
    'WorkflowTemplate.source': '`builtin`, or `team` for a template of the team',
    'listWorkflows.status': 'Only workflows in this state. Repeat it to select several states',
    '?type': 'Only workflows from the template of this name, or `custom`',
    'getWorkflowTemplate.name': 'The name of a template',
    'updateWorkflowTemplate.name': 'The name of a team template',
    'listWorkflowTemplateVersions.name': 'The name of a team template',
    'deleteWorkflowTemplate.name': 'The name of a team template',
    'createWorkflowFromTemplate.name': 'The name of a template',
  },
};
