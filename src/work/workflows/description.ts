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

/** What steps and whoever they are given to are refused for. */
const people = ['assignee_is_viewer', 'assignee_not_found', 'outside_barrier', 'workflow_steps_invalid'];
const naming = ['document_access_denied', 'quota_exceeded'];

export const description: DomainText = {
  operations: {
    listWorkflows: {
      text: 'Lists the workflows that the caller may see: those they made, that are given to them or have a task of theirs, those under way on a document of theirs, and for owner, administrators and API clients all of the team. The filters narrow it together. Without `limit` the answer holds up to 10 000 workflows and 4 MiB, and `Link` leads to the rest.',
      problems: ['person_required'],
      answer: [active],
    },
    createWorkflow: {
      text: 'Makes a workflow on a document as a draft, with the steps it is to go through; nobody is told and no task is given before it starts. Without any `dependsOn` the steps run in the order given, with it they form a graph. A `documentId` of this service must name a document that the caller may let others read as far as the steps open it; any other text is kept as the identifier of another system. At most 200 steps and 500 tasks. A repetition without an `Idempotency-Key` makes a second workflow.',
      records: ['workflow.created'],
      problems: [...naming, ...people],
      body: { documentId: desk.document, name: draft.name, dueDate: '2026-03-13', steps },
      answer: draft,
    },
    listActiveWorkflows: {
      text: 'Lists the workflows under way that the caller may see, paused ones not among them: `listWorkflows` with the state `active`, under the address that the published contract has for it. It takes the same filters, order and pages.',
      problems: ['person_required'],
      answer: [active],
    },
    listOverdueWorkflows: {
      text: 'Lists the workflows that the caller may see which are past their `dueDate` and neither ended nor paused, drafts among them. A due date that is a date ends with that day in the team’s time zone.',
      problems: ['person_required'],
      answer: [{ ...active, dueDate: desk.monday }],
    },
    listDocumentWorkflows: {
      text: 'Lists the workflows about one document that the caller may see, ended ones too. The document is named by its identifier here, or by the one that it has in another system, as it was given when the workflow was made. Where there is none, or none that the caller may see, the list is empty.',
      problems: ['person_required'],
      never: ['not_found'],
      answer: [active],
    },
    completeWorkflowStep: {
      text: 'Takes the answer of a webhook endpoint to a step that waits for it (`config.waitForAnswer`), with one of the outcomes that the step has, and lets the workflow go on. There is no bearer token: the request is signed as Standard Webhooks sign, by the secret of the endpoint that was asked or the one before while it overlaps. `webhook-id` is the nonce that came with `workflow.step.callback_requested`, `webhook-timestamp` a time within five minutes of now. A step takes one answer; later ones are 409 `step_not_active`.',
      records: ['workflow.step.completed', 'workflow.completed'],
      problems: ['callback_signature_invalid', 'step_not_active', 'workflow_paused', 'outcome_invalid'],
      body: { outcome: 'entered' },
    },
    listWorkflowTemplates: {
      text: 'Lists the templates that a workflow can be made from: eight built-in ones first, then the team’s own by name. Everybody in the team reads them.',
      answer: [template],
    },
    createWorkflowTemplate: {
      text: 'Adds a template of the team’s own, under a name that no other of its templates has, nor a built-in one. Its steps may name `parameters` as `{{name}}`, which are given when a workflow is made. They are checked as those of a workflow are, with a value for each parameter, but for the people in them, who are looked at when a workflow is made from it. A team has 200 templates at most. A repetition is 409 `template_exists`, or with an `Idempotency-Key` the same answer again.',
      records: ['workflow_template.created'],
      problems: ['quota_exceeded', 'template_limit', 'template_exists', 'workflow_steps_invalid'],
      body: { name: template.name, description: template.description, steps: template.steps },
      answer: template,
    },
    getWorkflowTemplate: {
      text: 'Shows one template by its name, whether built in or of the team’s own, with the steps that a workflow made from it gets.',
      problems: ['template_not_found'],
      never: ['not_found'],
      answer: template,
    },
    listWorkflowTemplateVersions: {
      text: 'Lists what a template of the team’s own said, version by version and the newest first: its last 100. A workflow that was made from it says which one that was (`templateVersion`). A built-in template has no versions.',
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
      text: 'Changes the description or the steps of a template of the team’s own; its name stays. Workflows that were made from it keep the copy of the steps they got. It is for who added the template, and for owner and administrators; built-in templates are 404 here.',
      records: ['workflow_template.updated'],
      problems: ['template_not_found', 'workflow_steps_invalid'],
      never: ['not_found'],
      body: { description: 'Review, approval and signature of an NDA up to two years' },
      answer: { ...template, description: 'Review, approval and signature of an NDA up to two years', updatedAt: desk.tuesday },
    },
    deleteWorkflowTemplate: {
      text: 'Removes a template of the team’s own. Workflows that were made from it go on unchanged, since they have a copy of its steps. It is for who added the template, and for owner and administrators. A repetition is 404 `template_not_found`.',
      records: ['workflow_template.deleted'],
      problems: ['template_not_found'],
      never: ['not_found'],
    },
    createWorkflowFromTemplate: {
      text: 'Makes a workflow as a draft with a copy of a template’s steps. `assignees` names the people of each step by the step’s key. Other steps go to `assignedTo`, or to the creator of the workflow without it. `parameters` gives the values that the template asks for. If a step runs an agent on instructions of another member, `confirmedVersion` confirms that the caller has read them. What holds for the document and the limits of `createWorkflow` holds here too.',
      records: ['workflow.created'],
      problems: ['template_not_found', 'template_parameters_invalid', 'agent_steps_unconfirmed', ...naming, ...people],
      never: ['not_found'],
      body: {
        documentId: desk.document,
        name: draft.name,
        assignees: { review: [desk.priya.id], approval: [desk.marcus.id], signature: [desk.olivia.id] },
      },
      answer: { ...draft, type: template.name },
    },
    getWorkflow: {
      text: 'Shows a workflow with each of its steps: their state, people, tasks and outcomes. A workflow that the caller may not see is 404, as if it did not exist. So is one about a document behind a barrier that excludes the caller.',
      answer: active,
    },
    updateWorkflow: {
      text: 'Changes the members that are given. A draft takes all of them; while a workflow is under way its name, `assignedTo`, due date, and the steps that have not begun; afterwards its name alone. `steps` gives all steps: those that have begun stay as they are and must be among them, and one that is ready by the change begins with it. A decision that begins again stays with whom it was asked of. It is for who made the workflow, and for owner and administrators. Of several changes made on one reading, `If-Match` lets exactly one pass.',
      records: ['workflow.updated'],
      problems: ['refusal_needs_write', 'invalid_transition', 'approval_already_requested', 'assignee_required', ...naming, ...people],
      body: { name: 'NDA with Acme Robotics, pilot project', dueDate: '2026-03-20' },
      answer: { ...active, name: 'NDA with Acme Robotics, pilot project', dueDate: '2026-03-20T22:59:59.999Z', updatedAt: desk.wednesday },
    },
    deleteWorkflow: {
      text: 'Deletes a workflow that is a draft or has ended; one that is under way is cancelled first. The tasks that people did for it stay, as what they did, and the journal keeps what happened. One about a document that a legal hold stands on stays. It is for who made the workflow, and for owner and administrators. A repetition is 404.',
      records: ['workflow.deleted'],
      problems: ['invalid_transition', 'legal_hold_active'],
      answer: { message: 'The workflow was deleted.' },
    },
    listWorkflowAccess: {
      text: 'Lists who sees a workflow, for which reason and since when: who made it, who it or one of its tasks is given to, the owner of its document, and those who run the team. Whoever sees the workflow may ask.',
      answer: {
        grants: [
          { userId: desk.priya.id, access: 'write', reason: 'maker', since: desk.monday },
          { userId: desk.marcus.id, access: 'read', reason: 'task', since: desk.tuesday },
          { userId: desk.olivia.id, access: 'read', reason: 'document', since: desk.tuesday },
        ],
      },
    },
    readWorkflowHistory: {
      text: 'Tells who did what in a workflow and when, the newest first: its states, its steps, its tasks and whom they passed to, decisions with the version they were taken on, and what was said on it. It is what the journal has of the workflow and of its newest 2 000 tasks, for whoever sees the workflow; entries are not changed and not deleted. What people wrote on single tasks stays with those. Without `limit` an answer holds 500 entries, and `Link` leads to the rest.',
      answer: history,
    },
    readWorkflowDiagram: {
      text: 'Draws a workflow as SVG for whoever sees it: its steps from left to right with their names, types and states, each state by a colour and a mark, and an arrow from each step to those that wait for it. A dependency that follows from others is not drawn. The picture runs and loads nothing; shown by `<img>` or opened by itself it needs the token of a request, so that pages fetch it and show what they got. A graph whose layout takes longer than two seconds is drawn in plain columns. It is tagged, and `If-None-Match` spares sending it again.',
    },
    listWorkflowComments: {
      text: 'Lists what was said on a workflow and its steps, oldest first, to whoever sees the workflow. Without `limit` the answer holds up to 10 000 comments and 4 MiB, and `Link` leads to the rest.',
      answer: [comment],
    },
    createWorkflowComment: {
      text: 'Adds a comment of up to 4 000 characters to a workflow, or with `stepId` to one of its steps, which whoever sees the workflow reads from then on, in its history too. Comments are not changed and not deleted, unless the workflow is. The journal says who commented and when, and not what. It is for those who are more than viewers. A repetition without an `Idempotency-Key` says it twice.',
      records: ['workflow.commented'],
      body: { text: comment.text, stepId: 'review' },
      answer: comment,
    },
    startWorkflow: {
      text: 'Starts a draft: the first steps begin in the same transaction, and their tasks are in the answer. Whether the document may be opened to the people of the steps is asked again, and an API client must have named somebody for each task. Of two starts that race one is 409 `invalid_transition`, and so is a repetition without an `Idempotency-Key`.',
      records: ['workflow.started', 'workflow.step.activated', 'task.created'],
      problems: [
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
      text: 'Halts a workflow that is under way. Its tasks stay and cannot be completed meanwhile, its waits and due dates stand still, and it is not overdue. `reason` is shown with it. It is for who made the workflow, and for owner and administrators.',
      records: ['workflow.paused'],
      problems: ['invalid_transition'],
      body: { reason: 'Acme Robotics is restructuring.' },
      answer: { message: 'The workflow is paused.' },
    },
    resumeWorkflow: {
      text: 'Lets a paused workflow go on. Its waits and due dates move by as long as it was paused; a due date that was set meanwhile stays as it was set.',
      records: ['workflow.resumed'],
      problems: ['invalid_transition', 'quota_exceeded'],
      answer: { message: 'The workflow goes on.' },
    },
    cancelWorkflow: {
      text: 'Ends a workflow for good, from a draft, under way or paused. Its open tasks are cancelled with it, and the document opens to nobody by them any more. The owner of a document may cancel what is under way on it; otherwise it is for who made the workflow, and for owner and administrators. A repetition is 409 `invalid_transition`.',
      records: ['workflow.cancelled'],
      problems: ['invalid_transition'],
      body: { reason: 'The pilot project was called off.' },
      answer: { message: 'The workflow was cancelled.' },
    },
  },
  members: {
    steps: 'What it goes through. Without any `dependsOn`, in this order',
    mode: '`all` of its people are to be done, or `any` one of them is enough',
    dependsOn: 'The steps that come before it, by their keys',
    dueInDays: 'Within how many days of its beginning its tasks are due',
    config:
      'What the type of step takes: `onReject`, `outcomes`, `onNewVersion`, a wait; of any type `when`, the condition under which it begins. See the guide to workflows',
    assignees:
      'Who it is given to: one task each. `role:` with `owner`, `admin`, `member` or `viewer` stands for the people of that role when the step begins',
    'WorkflowStep.id': 'A key that is its own within the workflow',
    'WorkflowStep.type':
      'What it asks for: `review`, `approval`, `signature`, `task`, `form`, `acknowledgement`, `notification`, `webhook`, `wait`, `agent`, or a name of one’s own',
    'WorkflowStepInput.id': 'A key that is its own within the workflow',
    'WorkflowStepInput.type':
      'What it asks for: `review`, `approval`, `signature`, `task`, `form`, `acknowledgement`, `notification`, `webhook`, `wait`, `agent`, or a name of one’s own',
    'WorkflowTemplateStepInput.type':
      'What it asks for: `review`, `approval`, `signature`, `task`, `form`, `acknowledgement`, `notification`, `webhook`, `wait`, `agent`, or a name of one’s own',
    'WorkflowStepInput.assignedTo': 'Who it is given to, where that is one person',
    'WorkflowStep.taskIds': 'The tasks that it has given',
    'WorkflowStep.outcome': 'How it ended',
    'Workflow.type': '`custom`, or the name of the template that it was made from',
    'Workflow.documentLinked': 'Whether `documentId` names a document of this service',
    'Workflow.assignedTo': 'Who gets the steps that name nobody',
    'CreateWorkflowRequest.assignedTo': 'Who gets the steps that name nobody; whoever makes it otherwise',
    'CreateWorkflowFromTemplateRequest.assignedTo': 'Who gets the steps that name nobody; whoever makes it otherwise',
    'UpdateWorkflowRequest.assignedTo': 'Who gets the steps that name nobody; `null` for whoever made it',
    'Workflow.reason': 'Why it was paused or cancelled',
    'Workflow.pausedAt': 'Since when it is paused',
    'WorkflowAccess.grants': 'Who sees it, one for each reason',
    'WorkflowTemplate.source': '`builtin`, or `team` for one of the team’s own',
    'listWorkflows.status': 'Only workflows in this state; named several times, in any of them',
    '?type': 'Only those made from the template of this name, or `custom`',
    'getWorkflowTemplate.name': 'The name of a template',
    'updateWorkflowTemplate.name': 'The name of a template of the team’s own',
    'listWorkflowTemplateVersions.name': 'The name of a template of the team’s own',
    'deleteWorkflowTemplate.name': 'The name of a template of the team’s own',
    'createWorkflowFromTemplate.name': 'The name of a template',
  },
};
