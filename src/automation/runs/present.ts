import type { JobRow } from './queries.ts';
import type { RunRow } from './run-queries.ts';
import type { CallRow, StepRow } from './loop/index.ts';
import type { Job, Run, Transcript } from './schemas.ts';

/** An optional member, absent if the value is null. */
const given = <Name extends string, T>(name: Name, value: T | null): { [N in Name]?: T } =>
  value === null ? {} : ({ [name]: value } as { [N in Name]: T });

/** A job as responses show it. */
export function presentJob(row: JobRow): Job {
  return {
    id: row.id,
    name: row.name,
    ...given('description', row.description),
    agentId: row.agent_id,
    enabled: row.enabled,
    schedule: row.schedule,
    payload: { kind: 'agentTurn', message: row.message, ...given('model', row.model), ...given('timeoutSeconds', row.timeout_seconds) },
    misfire: { policy: row.misfire_policy, graceSeconds: row.misfire_grace_seconds },
    overlap: row.overlap,
    deleteAfterRun: row.delete_after_run,
    delivery: { mode: row.delivery, ...given('endpointId', row.delivery_endpoint), ...given('assignedTo', row.delivery_to) },
    onBehalfOf: row.on_behalf_of,
    state: {
      ...given('nextRunAt', row.wake_at),
      ...given('runningAt', row.running_at),
      ...given('lastRunAt', row.last_run_at),
      ...given('lastStatus', row.last_status),
      ...given('lastError', row.last_reason),
      ...given('lastDurationMs', row.last_duration_ms),
      consecutiveErrors: row.consecutive_errors,
      ...(row.disabled_reason === null || row.disabled_at === null
        ? {}
        : { autoDisabled: { reason: row.disabled_reason, at: row.disabled_at } }),
    },
    createdBy: row.created_by,
    createdByType: 'user',
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A run as responses show it. `whole` adds the last text of the agent. */
export function presentRun(row: RunRow, delivery: Run['delivery'], { whole }: { whole: boolean }): Run {
  const { status, reason, started_at: from, finished_at: to } = row;
  return {
    id: row.id,
    ...given('jobId', row.job_id),
    agentId: row.agent_id,
    trigger: row.trigger,
    status,
    ...given(status === 'error' ? 'error' : 'reason', reason),
    ...given('dueAt', row.due_at),
    ...given('missed', row.missed),
    onBehalfOf: row.on_behalf_of,
    ...given('requestedBy', row.requested_by),
    ...given('workflowId', row.workflow_id),
    ...given('stepId', row.step_id),
    attempts: row.attempts,
    interruptions: row.interruptions,
    createdAt: row.created_at,
    ...given('startedAt', from),
    ...given('finishedAt', to),
    ...(from === null || to === null ? {} : { durationMs: Math.max(0, Date.parse(to) - Date.parse(from)) }),
    ...(row.steps === 0
      ? {}
      : {
          steps: row.steps,
          usage: {
            inputTokens: row.input_tokens,
            outputTokens: row.output_tokens,
            ...given('costMicros', row.cost_micros),
            ...given('priceTable', row.price_table),
          },
        }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(row.simulated ? { simulated: true as const } : {}),
    ...(whole ? given('summary', row.summary) : {}),
  };
}

/** The transcript of a run, step by step. */
export function presentTranscript(row: RunRow, steps: readonly StepRow[], calls: readonly CallRow[]): Transcript {
  const ofStep = Map.groupBy(calls, ({ step }) => step);
  return {
    runId: row.id,
    ...given('input', row.message),
    steps: steps.slice(1).map(({ step, model, content, created_at: at }) => ({
      step,
      ...given('model', model),
      text: 'text' in content ? content.text : '',
      at,
      calls: (ofStep.get(step) ?? []).map((call) => ({
        callId: call.id,
        tool: call.tool,
        arguments: call.arguments as Record<string, unknown>,
        status: call.status,
        ...given('result', call.result),
        ...given('total', call.total),
        ...given('finishedAt', call.finished_at),
        ...given('taskId', call.task_id),
        ...given('roundId', call.approval_round_id),
        ...(call.decided_by === null || call.status === 'refused' ? {} : { approvedBy: call.decided_by }),
      })),
    })),
  };
}
