import { type Static, Type } from 'typebox';
import { schedule, scheduleMembers } from './schedules/index.ts';
import { time } from '../../platform/schema-parts.ts';

const timeOf = (description: string) => Type.String({ format: 'date-time', description });
const overlap = Type.Enum(['skip', 'queue', 'replace'], {
  description: 'What becomes of a run that is due while one is under way: it is skipped, waits, or ends the other',
});
const message = Type.String({ minLength: 1, maxLength: 16_000, description: 'What the agent is told' });
const model = Type.String({ minLength: 1, maxLength: 200, description: 'Another model than that of the agent' });
const timeoutSeconds = Type.Integer({
  minimum: 10,
  maximum: 3_600,
  description: 'How long a run may work; as long as the agent may without it',
});
const payload = Type.Object(
  {
    kind: Type.Literal('agentTurn', { description: 'The agent is told something, and does what follows from it' }),
    message,
    model: Type.Optional(model),
    timeoutSeconds: Type.Optional(timeoutSeconds),
  },
  { title: 'AgentTurn' },
);
const modes = ['none', 'webhook', 'task'] as const;
const delivery = Type.Object(
  {
    mode: Type.Enum([...modes], { description: 'Nobody, an endpoint by an event that goes to it alone, or a person by a task' }),
    endpointId: Type.Optional(Type.String({ maxLength: 64, description: 'The endpoint, of `webhook`' })),
    assignedTo: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The person, of `task`: the owner or an administrator. Whoever the job runs for, where it is left out',
      }),
    ),
  },
  { title: 'AgentJobDelivery', description: 'Who is told what came of each run that ends as `ok` or `error`' },
);
export type JobDelivery = Static<typeof delivery>;
const policy = Type.Enum(['run_once', 'skip'], { description: 'One run for all times that were missed, or none' });
const graceSeconds = Type.Integer({ minimum: 0, maximum: 604_800, description: 'How late that one run may be; an hour without it' });
const misfires = 'What becomes of times at which no node looked for what is due';
const ended = ['ok', 'error', 'skipped', 'cancelled'] as const;

export const job = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    agentId: Type.String(),
    enabled: Type.Boolean({ description: 'False while it is paused, or has switched itself off' }),
    schedule,
    payload,
    misfire: Type.Object({ policy, graceSeconds }, { description: misfires }),
    overlap,
    deleteAfterRun: Type.Boolean({ description: 'It is deleted after a run that was `ok`' }),
    delivery,
    onBehalfOf: Type.String({
      description: 'The person whose rights its runs have: who set the schedule, the agent or what it is told last',
    }),
    state: Type.Object(
      {
        nextRunAt: Type.Optional(time),
        runningAt: Type.Optional(time),
        lastRunAt: Type.Optional(timeOf('When the last run that has ended was begun')),
        lastStatus: Type.Optional(Type.Enum([...ended], { description: 'How the last run has ended' })),
        lastError: Type.Optional(Type.String({ description: 'Why the last run ended so, by a code' })),
        lastDurationMs: Type.Optional(Type.Integer({ description: 'How long it took' })),
        consecutiveErrors: Type.Integer({ description: 'Failures in a row that are the job’s own; with the fifth it switches itself off' }),
        autoDisabled: Type.Optional(
          Type.Object(
            { reason: Type.Enum(['consecutive_errors', 'owner_inactive', 'schedule_invalid']), at: time },
            { description: 'Why it has switched itself off, and when' },
          ),
        ),
      },
      { title: 'AgentJobState' },
    ),
    createdBy: Type.String(),
    createdByType: Type.Literal('user', { description: 'Persons alone make jobs' }),
    createdAt: time,
    updatedAt: time,
  },
  { title: 'AgentJob' },
);
export type Job = Static<typeof job>;

const orNone = <T extends typeof description>(schema: T) => Type.Union([schema, Type.Null()]);
const description = Type.String({ maxLength: 2_000 });
const settable = {
  agentId: Type.Optional(Type.String({ maxLength: 64, description: 'The agent, or `main`' })),
  enabled: Type.Optional(Type.Boolean({ description: 'False is to pause it' })),
  ...scheduleMembers,
  payload: Type.Optional(payload),
  message: Type.Optional(Type.String({ minLength: 1, maxLength: 16_000, description: 'Short for a `payload` of nothing else' })),
  misfire: Type.Optional(
    Type.Object({ policy: Type.Optional(policy), graceSeconds: Type.Optional(graceSeconds) }, { description: misfires }),
  ),
  overlap: Type.Optional(overlap),
  delivery: Type.Optional(delivery),
  deleteAfterRun: Type.Optional(Type.Boolean({ description: 'Deletes the job after a run that was `ok`' })),
};
export const createBody = Type.Object({ name: Type.String({ maxLength: 1_000 }), description: Type.Optional(description), ...settable });
export type CreateJob = Static<typeof createBody>;
export const updateBody = Type.Object(
  { name: Type.Optional(Type.String({ maxLength: 1_000 })), description: Type.Optional(orNone(description)), ...settable },
  { minProperties: 1 },
);
export type UpdateJob = Static<typeof updateBody>;

const usage = Type.Object(
  {
    inputTokens: Type.Integer({ description: 'Sent to the model' }),
    outputTokens: Type.Integer({ description: 'Answered by it' }),
    costMicros: Type.Optional(Type.Integer({ description: 'What that cost, in millionths, where the models have prices' })),
    priceTable: Type.Optional(
      Type.String({ description: 'By which prices that was reckoned last: the same where whoever runs the service has not changed them' }),
    ),
  },
  { title: 'AgentRunUsage' },
);

export const run = Type.Object(
  {
    id: Type.String(),
    jobId: Type.Optional(Type.String({ description: 'Left out where somebody has asked for the run itself' })),
    agentId: Type.String(),
    trigger: Type.Enum(['schedule', 'misfire', 'manual', 'request', 'workflow'], {
      description:
        'Its job was due on time, is made up for later, or was asked to run; the run itself was asked for, or a step of a workflow has begun',
    }),
    status: Type.Enum(['queued', 'running', 'awaiting_approval', 'needs_attention', ...ended]),
    error: Type.Optional(Type.String({ description: 'Why it failed, by a code' })),
    reason: Type.Optional(Type.String({ description: 'Why it was skipped or cancelled, by a code' })),
    dueAt: Type.Optional(time),
    missed: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ description: 'How many' }),
          first: timeOf('The first of them'),
          last: timeOf('The last of them'),
          isLowerBound: Type.Optional(Type.Literal(true, { description: 'There were more than were counted' })),
        },
        { description: 'Times that passed while nothing ran, and that it stands for; of many a thousand are counted' },
      ),
    ),
    onBehalfOf: Type.String({ description: 'The person whose rights it has' }),
    requestedBy: Type.Optional(Type.String({ description: 'Who asked for it' })),
    workflowId: Type.Optional(Type.String({ description: 'The workflow whose step it does' })),
    stepId: Type.Optional(Type.String({ description: 'That step' })),
    attempts: Type.Integer({ description: 'How often it was begun' }),
    interruptions: Type.Array(time, { description: 'When it was taken up again after its node had died' }),
    createdAt: time,
    startedAt: Type.Optional(time),
    finishedAt: Type.Optional(timeOf('When it has ended')),
    durationMs: Type.Optional(Type.Integer({ description: 'From its beginning to its end, over all attempts' })),
    steps: Type.Optional(Type.Integer({ description: 'Answers of the model' })),
    usage: Type.Optional(usage),
    delivery: Type.Optional(
      Type.Object(
        {
          mode: Type.Enum(['webhook', 'task']),
          status: Type.Optional(
            Type.Enum(['pending', 'delivered', 'failed'], {
              description: 'Left out where the log of deliveries does not have it any more, which keeps them for 30 days',
            }),
          ),
          error: Type.Optional(Type.String({ description: 'Why it failed, by a code' })),
          taskId: Type.Optional(Type.String({ description: 'The task that was made' })),
          endpointId: Type.Optional(Type.String({ description: 'The endpoint' })),
          deliveryId: Type.Optional(Type.String({ description: 'The delivery, in the log of that endpoint' })),
        },
        { title: 'AgentRunDelivery', description: 'Whether whoever its job names was told, once it has ended as `ok` or `error`' },
      ),
    ),
    simulated: Type.Optional(Type.Literal(true, { description: 'No model was asked: the answers were canned ones' })),
    summary: Type.Optional(Type.String({ description: 'What the agent said last. Lists leave it out' })),
  },
  { title: 'AgentRun' },
);
export type Run = Static<typeof run>;

export const requested = Type.Object(
  {
    runId: Type.String(),
    status: Type.Enum(['queued', 'running', 'awaiting_approval', 'needs_attention', ...ended], { description: 'How the run stands' }),
  },
  { title: 'AgentRunRequested' },
);
export type Requested = Static<typeof requested>;
export const requestBody = Type.Object({
  message,
  model: Type.Optional(model),
  timeoutSeconds: Type.Optional(timeoutSeconds),
});
export type RequestRun = Static<typeof requestBody>;

export const transcript = Type.Object(
  {
    runId: Type.String({ description: 'The run' }),
    input: Type.Optional(Type.String({ description: 'What the agent was told' })),
    steps: Type.Array(
      Type.Object({
        step: Type.Integer({ description: 'Counted from 1' }),
        model: Type.Optional(Type.String({ description: 'Which model was asked' })),
        text: Type.String({ description: 'What the model said. It is no statement of the service: show it as plain text' }),
        at: time,
        calls: Type.Array(
          Type.Object({
            callId: Type.String({ description: 'The call' }),
            tool: Type.String({ description: 'What was called' }),
            arguments: Type.Object({}, { additionalProperties: true, description: 'What the model wrote as its input' }),
            status: Type.Enum(['ready', 'awaiting_approval', 'unknown', 'done', 'refused'], {
              description: '`unknown`: it was sent, nobody knows what came of it, and a person is asked',
            }),
            result: Type.Optional(Type.String({ description: 'What came of it: its first 64 Ki characters' })),
            total: Type.Optional(Type.Integer({ description: 'How long all of it is, in characters' })),
            finishedAt: Type.Optional(timeOf('When it was over')),
            taskId: Type.Optional(
              Type.String({ description: 'The task by which a person was asked last whether it may be carried out, or whether it was' }),
            ),
            approvedBy: Type.Optional(Type.String({ description: 'Who has approved it' })),
          }),
          { description: 'The tools that the model called, in its order' },
        ),
      }),
    ),
  },
  { title: 'AgentTranscript' },
);
export type Transcript = Static<typeof transcript>;

const modelNames = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 50, uniqueItems: true });
const costOfTeam = 'What all runs of the team of one day (UTC) may cost together, in millionths of the currency of the prices';
export const settings = Type.Object(
  {
    provider: Type.Optional(
      Type.Object(
        {
          host: Type.String({ description: 'Where it is' }),
          protocol: Type.Enum(['openai', 'anthropic', 'simulated'], { description: 'How it is spoken with' }),
          region: Type.Optional(Type.String({ description: 'Where it works, as whoever runs the service says' })),
          models: Type.Array(Type.String(), { description: 'The first is asked where nothing else is said' }),
          simulated: Type.Boolean({ description: 'No model is asked: answers are canned ones' }),
        },
        { description: 'The model that whoever runs the service has set up; left out where there is none' },
      ),
    ),
    enabled: Type.Boolean({ description: 'Whether content of the team may go there. Nothing does before' }),
    models: Type.Array(Type.String(), { description: 'The models that may be asked' }),
    maxCostMicrosPerDay: Type.Optional(Type.Integer({ description: costOfTeam })),
    enabledBy: Type.Optional(Type.String({ description: 'Who allowed it' })),
    enabledAt: Type.Optional(timeOf('When it was allowed')),
  },
  { title: 'AgentSettings' },
);
export type AgentSettings = Static<typeof settings>;
export const settingsBody = Type.Object({
  enabled: Type.Boolean({ description: 'Whether content of the team may go to the model' }),
  models: Type.Optional({ ...modelNames, description: 'The models that may be asked; all of them without it' }),
  maxCostMicrosPerDay: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }), Type.Null()], {
      description: `${costOfTeam}; a model without a price is not asked then. Not limited where it is null, or left out`,
    }),
  ),
});
export type ChangeSettings = Static<typeof settingsBody>;

export const deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });
export const status = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether jobs that are due are begun: some node looks for them, and agents are not stopped' }),
    jobs: Type.Integer({ description: 'Jobs that are not paused' }),
    running: Type.Integer(),
    queued: Type.Integer({ description: 'Runs that wait for one of the team’s places' }),
    nextWakeAt: Type.Optional(time),
    lagMs: Type.Integer({ description: 'How long what is due or waits has waited at most' }),
    nodes: Type.Integer({ description: 'Nodes that have looked for jobs in the last 15 seconds' }),
  },
  { title: 'AgentSchedulerStatus' },
);
export type Status = Static<typeof status>;
export const upcoming = Type.Object(
  { jobId: Type.String(), times: Type.Array(time, { description: 'When it begins, also while it is paused' }) },
  { title: 'AgentJobTimes' },
);
