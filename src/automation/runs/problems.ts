import { defineProblems } from '../../platform/problems.ts';

export const runProblems = defineProblems({
  schedule_invalid: {
    status: 422,
    title: 'Invalid schedule',
    help: 'A schedule is `{kind: "at", at}`, `{kind: "every", everyMs}` of at least a minute, or `{kind: "cron", expr, tz}` with five fields and a named time zone. At least one run must be due in the future. `errors` lists each invalid member and the reason.',
  },
  job_incomplete: {
    status: 422,
    title: 'Job incomplete',
    help: 'A job needs an instruction and a schedule. Send the instruction as `payload: {kind: "agentTurn", message}` or as `message`. Send the schedule as `schedule`, or as `cron` with `timezone`.',
  },
  delivery_invalid: {
    status: 422,
    title: 'Invalid delivery',
    help: '`delivery` is `{mode: "none"}`, `{mode: "webhook", endpointId}` with an active endpoint of the team, or `{mode: "task", assignedTo}` with the owner or an administrator. Without `assignedTo` the task goes to the responsible person of the job. `errors` lists each invalid member and the reason.',
  },
  agent_not_running: {
    status: 409,
    title: 'Agent not running',
    help: 'The agent is disabled (`enabled`), or it is stopped, alone or together with all agents of the team. Ask an administrator to start it: `POST /ws/api/agents/{agentId}/start` or `POST /ws/api/agents/start`.',
  },
  agent_not_usable: {
    status: 422,
    title: 'Agent not available for the step',
    help: 'A step of type `agent` has the rights of the workflow’s creator, who must have access to the agent. Share the agent with them (`POST /ws/api/agents/{agentId}/shares`), or set another in `config.agentId`.',
  },
  no_model: {
    status: 409,
    title: 'No model configured',
    help: 'The operator of the service must configure a model: `AGENT_MODEL_URL`, `AGENT_MODELS` and `AGENT_MODEL_KEY`.',
  },
  model_not_enabled: {
    status: 409,
    title: 'Model not enabled for the team',
    help: 'Agents send data of the team to a model. An administrator must allow that with `PUT /ws/api/agents/settings`, and must allow it again after the address of the model has changed.',
  },
  model_not_found: {
    status: 422,
    title: 'Model not found',
    help: 'The operator of the service configures the models. `GET /ws/api/agents/settings` lists them.',
  },
  model_price_unknown: {
    status: 422,
    title: 'Model without a price',
    help: 'The agent has a cost limit (`limits.maxCostMicrosPerRun`, `limits.maxCostMicrosPerDay`), so each of its models needs a price. The operator sets prices in `AGENT_MODEL_PRICES`. Choose a model with a price, or remove the limit.',
  },
  own_request: {
    status: 403,
    title: 'Own request cannot be approved',
    help: 'The agent has `fourEyes`: the owner and the requester of the run cannot approve its calls. Reassign the task to another owner or administrator, or deny it.',
  },
  call_in_progress: {
    status: 409,
    title: 'Call may be in progress',
    help: 'A call to an external server can take 30 s. Check its result after that time, and then complete the task.',
  },
  run_in_progress: {
    status: 409,
    title: 'Run in progress',
    help: 'The job does not allow concurrent runs. Wait until its run ends, or set `overlap` to `queue` or `replace`.',
  },
  run_queue_full: {
    status: 409,
    title: 'Run queue full',
    help: 'The queue of a job has at most ten runs, and a team has at most 100 queued requests. Wait until some of them end.',
  },
});
