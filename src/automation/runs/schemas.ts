import { type Static, Type } from 'typebox';
import { schedule, scheduleMembers } from './schedules/index.ts';
import { time } from '../../platform/schema-parts.ts';

const timeOf = (description: string) => Type.String({ format: 'date-time', description });
const overlap = Type.Enum(['skip', 'queue', 'replace'], {
  description: 'The handling of a due run while another one is running: skip it, queue it, or replace the other',
});
const message = Type.String({ minLength: 1, maxLength: 16_000, description: 'The instruction for the agent' });
const model = Type.String({ minLength: 1, maxLength: 200, description: 'A model other than the agent’s' });
const timeoutSeconds = Type.Integer({
  minimum: 10,
  maximum: 3_600,
  description: 'The maximum working time of a run; by default that of the agent',
});
const payload = Type.Object(
  {
    kind: Type.Literal('agentTurn', { description: 'An instruction that the agent executes' }),
    message,
    model: Type.Optional(model),
    timeoutSeconds: Type.Optional(timeoutSeconds),
  },
  { title: 'AgentTurn' },
);
const modes = ['none', 'webhook', 'task'] as const;
const delivery = Type.Object(
  {
    mode: Type.Enum([...modes], { description: 'No delivery, an event for one endpoint, or a task for a person' }),
    endpointId: Type.Optional(Type.String({ maxLength: 64, description: 'The endpoint, for `webhook`' })),
    assignedTo: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The person for `task`: the owner or an administrator; by default the responsible person of the job',
      }),
    ),
  },
  { title: 'AgentJobDelivery', description: 'The delivery of the result of each run that ends as `ok` or `error`' },
);
export type JobDelivery = Static<typeof delivery>;
const policy = Type.Enum(['run_once', 'skip'], { description: 'One run for all missed times, or none' });
const graceSeconds = Type.Integer({
  minimum: 0,
  maximum: 604_800,
  description: 'The maximum delay of that run, in seconds; an hour by default',
});
const misfires = 'The handling of missed times, when no node was running';
const ended = ['ok', 'error', 'skipped', 'cancelled'] as const;

export const job = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    agentId: Type.String(),
    enabled: Type.Boolean({ description: 'False while it is paused or disabled by failures' }),
    schedule,
    payload,
    misfire: Type.Object({ policy, graceSeconds }, { description: misfires }),
    overlap,
    deleteAfterRun: Type.Boolean({ description: 'Whether it is deleted after an `ok` run' }),
    delivery,
    onBehalfOf: Type.String({
      description: 'The responsible person, whose rights its runs have: the last one to set the schedule, the agent or the instruction',
    }),
    state: Type.Object(
      {
        nextRunAt: Type.Optional(time),
        runningAt: Type.Optional(time),
        lastRunAt: Type.Optional(timeOf('The start of the last run that ended')),
        lastStatus: Type.Optional(Type.Enum([...ended], { description: 'The result of the last run' })),
        lastError: Type.Optional(Type.String({ description: 'The code of that result' })),
        lastDurationMs: Type.Optional(Type.Integer({ description: 'The duration of the last run' })),
        consecutiveErrors: Type.Integer({ description: 'Consecutive failures of the job itself; the fifth disables it' }),
        autoDisabled: Type.Optional(
          Type.Object(
            { reason: Type.Enum(['consecutive_errors', 'owner_inactive', 'schedule_invalid']), at: time },
            { description: 'The reason and time of an automatic disabling' },
          ),
        ),
      },
      { title: 'AgentJobState' },
    ),
    createdBy: Type.String(),
    createdByType: Type.Literal('user', { description: 'Always `user`: only a person can create jobs' }),
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
  enabled: Type.Optional(Type.Boolean({ description: 'False to pause it' })),
  ...scheduleMembers,
  payload: Type.Optional(payload),
  message: Type.Optional(Type.String({ minLength: 1, maxLength: 16_000, description: 'Short form of a `payload` with only a message' })),
  misfire: Type.Optional(
    Type.Object({ policy: Type.Optional(policy), graceSeconds: Type.Optional(graceSeconds) }, { description: misfires }),
  ),
  overlap: Type.Optional(overlap),
  delivery: Type.Optional(delivery),
  deleteAfterRun: Type.Optional(Type.Boolean({ description: 'Whether to delete the job after an `ok` run' })),
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
    inputTokens: Type.Integer({ description: 'Tokens of the input' }),
    outputTokens: Type.Integer({ description: 'Tokens of the output' }),
    costMicros: Type.Optional(Type.Integer({ description: 'The cost in millionths, if the models have prices' })),
    priceTable: Type.Optional(Type.String({ description: 'The version of the last used prices; equal values mean equal prices' })),
  },
  { title: 'AgentRunUsage' },
);

export const run = Type.Object(
  {
    id: Type.String(),
    jobId: Type.Optional(Type.String({ description: 'Absent for a run that a user or a workflow requested' })),
    agentId: Type.String(),
    trigger: Type.Enum(['schedule', 'misfire', 'manual', 'request', 'workflow'], {
      description: '`schedule` and `misfire` for due and missed times of a job, `manual` and `request` for requests, `workflow` for a step',
    }),
    status: Type.Enum(['queued', 'running', 'awaiting_approval', 'needs_attention', ...ended]),
    error: Type.Optional(Type.String({ description: 'The code of the failure' })),
    reason: Type.Optional(Type.String({ description: 'The code of the reason for skipping or cancelling' })),
    dueAt: Type.Optional(time),
    missed: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ description: 'The number of missed times' }),
          first: timeOf('The first of them'),
          last: timeOf('The last of them'),
          isLowerBound: Type.Optional(Type.Literal(true, { description: 'Whether there were more than counted' })),
        },
        { description: 'The missed times that this run replaces; at most a thousand are counted' },
      ),
    ),
    onBehalfOf: Type.String({ description: 'The person whose rights the run has' }),
    requestedBy: Type.Optional(Type.String({ description: 'The requester' })),
    workflowId: Type.Optional(Type.String({ description: 'The workflow of the step' })),
    stepId: Type.Optional(Type.String({ description: 'The step of the run' })),
    attempts: Type.Integer({ description: 'The number of starts' }),
    interruptions: Type.Array(time, { description: 'The times of restarts after a node failure' }),
    createdAt: time,
    startedAt: Type.Optional(time),
    finishedAt: Type.Optional(timeOf('The time of the end')),
    durationMs: Type.Optional(Type.Integer({ description: 'The duration from first start to end' })),
    steps: Type.Optional(Type.Integer({ description: 'The number of model responses' })),
    usage: Type.Optional(usage),
    delivery: Type.Optional(
      Type.Object(
        {
          mode: Type.Enum(['webhook', 'task']),
          status: Type.Optional(
            Type.Enum(['pending', 'delivered', 'failed'], {
              description: 'Absent after 30 days, when the delivery log no longer has it',
            }),
          ),
          error: Type.Optional(Type.String({ description: 'The code of the failure' })),
          taskId: Type.Optional(Type.String({ description: 'The created task' })),
          endpointId: Type.Optional(Type.String({ description: 'The endpoint' })),
          deliveryId: Type.Optional(Type.String({ description: 'The identifier of the delivery in the log of that endpoint' })),
        },
        { title: 'AgentRunDelivery', description: 'The delivery of a run that ended as `ok` or `error`' },
      ),
    ),
    simulated: Type.Optional(Type.Literal(true, { description: 'Whether the simulated model returned canned responses' })),
    summary: Type.Optional(Type.String({ description: 'The last text of the agent; lists leave it out' })),
  },
  { title: 'AgentRun' },
);
export type Run = Static<typeof run>;

export const requested = Type.Object(
  {
    runId: Type.String(),
    status: Type.Enum(['queued', 'running', 'awaiting_approval', 'needs_attention', ...ended], { description: 'The status of the run' }),
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
    input: Type.Optional(Type.String({ description: 'The instruction of the run' })),
    steps: Type.Array(
      Type.Object({
        step: Type.Integer({ description: 'The step number, starting at 1' }),
        model: Type.Optional(Type.String({ description: 'The used model' })),
        text: Type.String({ description: 'The text of the model. It is not a statement of the service: show it as plain text' }),
        at: time,
        calls: Type.Array(
          Type.Object({
            callId: Type.String({ description: 'The call' }),
            tool: Type.String({ description: 'The called tool' }),
            arguments: Type.Object({}, { additionalProperties: true, description: 'The input from the model' }),
            status: Type.Enum(['ready', 'awaiting_approval', 'unknown', 'done', 'refused'], {
              description: '`unknown`: the call was sent without a known outcome, and a person was asked to check',
            }),
            result: Type.Optional(Type.String({ description: 'The result, up to 64 Ki characters' })),
            total: Type.Optional(Type.Integer({ description: 'The length of the complete result, in characters' })),
            finishedAt: Type.Optional(timeOf('The time of the end')),
            taskId: Type.Optional(Type.String({ description: 'The last task for its approval, or to check its outcome' })),
            roundId: Type.Optional(Type.String({ description: 'The last approval round about it' })),
            approvedBy: Type.Optional(Type.String({ description: 'The approver, or the last one of a round' })),
          }),
          { description: 'The tool calls, in the order of the model' },
        ),
      }),
    ),
  },
  { title: 'AgentTranscript' },
);
export type Transcript = Static<typeof transcript>;

const modelNames = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 50, uniqueItems: true });
const costOfTeam = 'The maximum cost of all runs of the team per day (UTC), in millionths of the price currency';
export const settings = Type.Object(
  {
    provider: Type.Optional(
      Type.Object(
        {
          host: Type.String({ description: 'The address' }),
          protocol: Type.Enum(['openai', 'anthropic', 'simulated'], { description: 'The protocol of the model' }),
          region: Type.Optional(Type.String({ description: 'The region of the provider, as configured by the operator' })),
          models: Type.Array(Type.String(), { description: 'The first is the default' }),
          simulated: Type.Boolean({ description: 'Whether the model is simulated and returns canned responses' }),
        },
        { description: 'The configured model; absent if there is none' },
      ),
    ),
    enabled: Type.Boolean({ description: 'Whether data of the team can go to the model' }),
    models: Type.Array(Type.String(), { description: 'The allowed models' }),
    maxCostMicrosPerDay: Type.Optional(Type.Integer({ description: costOfTeam })),
    enabledBy: Type.Optional(Type.String({ description: 'The actor that allowed it' })),
    enabledAt: Type.Optional(timeOf('The time of the permission')),
  },
  { title: 'AgentSettings' },
);
export type AgentSettings = Static<typeof settings>;
export const settingsBody = Type.Object({
  enabled: Type.Boolean({ description: 'Whether data of the team can go to the model' }),
  models: Type.Optional({ ...modelNames, description: 'The allowed models; all by default' }),
  maxCostMicrosPerDay: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }), Type.Null()], {
      description: `${costOfTeam}; models without a price are not used then. Null or no value means no limit`,
    }),
  ),
});
export type ChangeSettings = Static<typeof settingsBody>;

export const deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });
export const status = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether due jobs start: a node checks for them, and the agents are not stopped' }),
    jobs: Type.Integer({ description: 'The number of active jobs' }),
    running: Type.Integer(),
    queued: Type.Integer({ description: 'The number of runs that wait for a slot of the team' }),
    nextWakeAt: Type.Optional(time),
    lagMs: Type.Integer({ description: 'The longest delay of a due or queued run' }),
    nodes: Type.Integer({ description: 'The number of nodes that checked for jobs in the last 15 seconds' }),
  },
  { title: 'AgentSchedulerStatus' },
);
export type RunStatus = Static<typeof status>;
export const upcoming = Type.Object(
  { jobId: Type.String(), times: Type.Array(time, { description: 'The start times, also while it is paused' }) },
  { title: 'AgentJobTimes' },
);
