import { defineProblems } from '../../platform/problems.ts';

export const runProblems = defineProblems({
  schedule_invalid: {
    status: 422,
    title: 'The schedule cannot be kept',
    help: 'A schedule is `{kind: "at", at}`, `{kind: "every", everyMs}` of at least a minute, or `{kind: "cron", expr, tz}` with five fields and a time zone by its name. It must be due at some time that is still to come. `errors` names the member and what is wrong with it.',
  },
  job_incomplete: {
    status: 422,
    title: 'The job does not say what to do, or when',
    help: 'A job takes `payload: {kind: "agentTurn", message}` and `schedule`, or `message` and `cron` with `timezone` in short: one form of each.',
  },
  delivery_invalid: {
    status: 422,
    title: 'Nobody can be told in this way',
    help: '`delivery` is `{mode: "none"}`, `{mode: "webhook", endpointId}` with an active endpoint of the team, or `{mode: "task", assignedTo}` with the owner or an administrator; without `assignedTo` it is whoever the job runs for. `errors` names the member and what is wrong with it.',
  },
  agent_not_running: {
    status: 409,
    title: 'The agent does not run',
    help: 'It was switched off (`enabled`), or it or all agents of the team were stopped. An administrator starts it again: `POST /ws/api/agents/{agentId}/start` or `POST /ws/api/agents/start`.',
  },
  agent_not_usable: {
    status: 422,
    title: 'A step is for an agent that cannot be used',
    help: 'A step of type `agent` has the rights of the person who made the workflow, and names an agent that they may use: give it to them (`POST /ws/api/agents/{agentId}/shares`), or name another in `config.agentId`.',
  },
  no_model: {
    status: 409,
    title: 'There is no model to ask',
    help: 'Agents ask a model that whoever runs the service sets up: `AGENT_MODEL_URL`, `AGENT_MODELS` and `AGENT_MODEL_KEY`.',
  },
  model_not_enabled: {
    status: 409,
    title: 'Content of the team may not go to the model',
    help: 'What an agent works with is sent to a model. An administrator of the team allows that with `PUT /ws/api/agents/settings`; when the address of the model changes they are asked again.',
  },
  model_not_found: {
    status: 422,
    title: 'There is no such model',
    help: 'Which models there are is set by whoever runs the service; `GET /ws/api/agents/settings` names them.',
  },
  model_price_unknown: {
    status: 422,
    title: 'The model has no price',
    help: 'What runs of the agent cost is limited (`limits.maxCostMicrosPerRun`, `limits.maxCostMicrosPerDay`), which takes a price of each model that it asks: whoever runs the service sets them by `AGENT_MODEL_PRICES`. Name a model that has one, or take the limit away.',
  },
  own_request: {
    status: 403,
    title: 'Nobody approves what is asked for themself',
    help: 'The agent is set to `fourEyes`: whoever its run is for, or has asked for it, does not approve its calls. Pass the task on to somebody else who runs the team, or deny it.',
  },
  call_in_progress: {
    status: 409,
    title: 'The call may still be under way',
    help: 'What was sent to a server elsewhere may take half a minute there. Look again once that time is over, and answer then what has happened.',
  },
  run_in_progress: {
    status: 409,
    title: 'A run of the job is under way',
    help: 'The job does not run twice at once. Wait until its run has ended, or let the job `queue` or `replace` by `overlap`.',
  },
  run_queue_full: {
    status: 409,
    title: 'Enough runs of the job wait already',
    help: 'Of a job whose runs queue, ten may wait. Wait until some of them have ended.',
  },
});
