import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const settings = {
  name: 'Reviews that wait',
  description: 'Each working day, before the desk opens',
  agentId: desk.agent,
  schedule: { kind: 'cron', expr: '30 7 * * 1-5', tz: 'Europe/Berlin', staggerMs: 0 },
  payload: { kind: 'agentTurn', message: 'List the reviews that have waited for more than three days.' },
  misfire: { policy: 'run_once', graceSeconds: 3_600 },
  overlap: 'skip',
  deleteAfterRun: false,
  delivery: { mode: 'none' },
};
const job = {
  id: desk.agentJob,
  ...settings,
  enabled: true,
  onBehalfOf: desk.olivia.id,
  state: { nextRunAt: '2026-03-10T06:30:00.000Z', consecutiveErrors: 0 },
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.monday,
};
const { nextRunAt: _, ...waiting } = job.state;
const paused = { ...job, enabled: false, state: waiting, updatedAt: desk.tuesday };
const run = {
  id: desk.agentRun,
  jobId: desk.agentJob,
  agentId: desk.agent,
  trigger: 'schedule',
  status: 'error',
  error: 'model_not_enabled',
  dueAt: '2026-03-10T06:30:00.000Z',
  onBehalfOf: desk.olivia.id,
  attempts: 1,
  interruptions: [],
  createdAt: '2026-03-10T06:30:00.012Z',
  startedAt: '2026-03-10T06:30:00.031Z',
  finishedAt: '2026-03-10T06:30:00.040Z',
  durationMs: 9,
};
const consent = {
  provider: { host: 'models.example', protocol: 'openai', region: 'EU', models: ['small', 'large'], simulated: false },
  enabled: true,
  models: ['small', 'large'],
  enabledBy: desk.olivia.id,
  enabledAt: desk.monday,
};
const said = ['schedule_invalid', 'job_incomplete', 'delivery_invalid'];

export const description: DomainText = {
  operations: {
    listAgentJobs: {
      text: 'Lists the jobs of the team’s agents, up to 1 000 without `limit`. For the owner and administrators, and for API clients without folder restrictions.',
      answer: [job],
    },
    getAgentJob: { text: 'Returns a job with its schedule, its instruction for the agent, and its last results in `state`.', answer: job },
    createAgentJob: {
      text: 'Creates a job. Set its time with `schedule`, or with `cron` and `timezone`. Set the instruction with `payload`, or with `message`. Both forms of one setting get 422. A cron expression has five fields and uses the given time zone, or that of the team. The job runs with the rights of its creator. Without `agentId` it runs the agent `main`. `delivery` decides who gets the result of each run that ends as `ok` or `error`. An endpoint of the team gets the event `agent.run.delivered`, which no other endpoint gets. The owner or an administrator gets a task that refers to the run. For the owner and administrators, in person. Repeating the request without an `Idempotency-Key` creates a second job.',
      records: ['agent.job.created'],
      problems: ['not_found', 'quota_exceeded', ...said],
      body: {
        name: settings.name,
        agentId: desk.agent,
        cron: '30 7 * * 1-5',
        timezone: 'Europe/Berlin',
        message: settings.payload.message,
      },
      answer: { ...job, description: undefined },
    },
    updateAgentJob: {
      text: 'Changes the members that you send; `schedule`, `payload` and `delivery` are each replaced. A caller who changes one of them or the agent becomes responsible: later runs have the caller’s rights. A running run continues unchanged and delivers to the previous recipient. A time that already had its run gets no second run, even if you move the schedule back.',
      records: ['agent.job.updated', 'agent.job.paused', 'agent.job.resumed'],
      problems: said,
      body: { overlap: 'queue' },
      answer: { ...job, overlap: 'queue', updatedAt: desk.tuesday },
    },
    deleteAgentJob: {
      text: 'Deletes a job and ends its running and queued runs. The list of runs keeps past runs. A repetition responds 404.',
      records: ['agent.job.deleted'],
      answer: { id: desk.agentJob, deleted: true },
    },
    pauseAgentJob: {
      text: 'Pauses a job: it has no due times until you resume it. A running run continues to its end. A repetition changes nothing.',
      records: ['agent.job.paused'],
      answer: paused,
    },
    resumeAgentJob: {
      text: 'Resumes a job that was paused or disabled by failures, and resets its failure count. Times during the pause do not count as missed and get no run.',
      records: ['agent.job.resumed'],
      answer: job,
    },
    takeOverAgentJob: {
      text: 'Makes the caller responsible for a job: later runs have the caller’s rights. Resumes a job that was disabled because no person was responsible.',
      records: ['agent.job.taken_over'],
      answer: { ...job, onBehalfOf: desk.marcus.id },
    },
    runAgentJob: {
      text: 'Starts a run of a job now, even if it is paused, with the rights of the responsible person. The schedule does not change. If another run is running or queued, `overlap` decides. `skip` responds 409; `queue` queues up to ten runs; `replace` ends the other run and then starts this one.',
      records: ['agent.run.requested'],
      problems: ['run_in_progress', 'run_queue_full'],
      answer: { runId: desk.agentRun, status: 'queued' },
    },
    listAgentJobRuns: {
      text: 'Lists the runs of a job, scheduled and requested, newest first.',
      answer: [run],
    },
    listAgentRuns: {
      text: 'Lists the runs of the team’s agents, newest first. `jobId` also accepts a deleted job. Chancery keeps runs for a year.',
      answer: [run],
    },
    runAgent: {
      text: 'Starts a run of an agent now, with the rights of the caller. An API client starts it with the rights of the member who consented (`PUT …/callers`). The agent’s own scopes and folders limit these rights. The response comes before the run starts; read the run by its identifier. Data of the run goes to the model in `GET /ws/api/agents/settings`, which an administrator must enable. A team can have 100 such runs in the queue. A repetition without an `Idempotency-Key` starts a second run.',
      records: ['agent.run.requested'],
      problems: ['agent_not_running', 'no_model', 'model_not_enabled', 'model_price_unknown', 'run_queue_full', 'job_incomplete'],
      body: { message: 'Which agreements with Acme end this year?' },
      answer: { runId: desk.agentRun, status: 'queued' },
    },
    getAgentJobRun: {
      text: 'Returns a scheduled or requested run of a job, as `GET /ws/api/agents/runs/{id}` does. Responds 404 for a run of another job.',
      answer: run,
    },
    getAgentTranscript: {
      text: 'Returns the transcript of a run: the instruction, each response of the model, each tool call and its result. For the owner of the run, and for administrators, whose access the journal records. It is kept for 30 days, or until data that the run read is erased. All of it is text from a model or from others: show it as plain text.',
      answer: {
        runId: desk.agentRun,
        input: 'Which agreements with Acme end this year?',
        steps: [
          {
            step: 1,
            model: 'small',
            text: 'I look for agreements.',
            at: '2026-03-10T06:30:01.000Z',
            calls: [
              {
                callId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f21',
                tool: 'search_documents',
                arguments: { q: 'Acme' },
                status: 'done',
                result: '{"items":[],"more":false}',
                total: 25,
                finishedAt: '2026-03-10T06:30:01.020Z',
              },
            ],
          },
          { step: 2, model: 'small', text: 'I found none.', at: '2026-03-10T06:30:02.000Z', calls: [] },
        ],
      },
    },
    cancelAgentRun: {
      text: 'Cancels a run. For its requester, and for the owner and administrators. The response comes before the end: a running run ends within a second. A tool call in progress completes or has no effect. Calls that wait for approval are not executed, and their tasks are withdrawn. Earlier effects of the run stay. A run that has ended does not change, and `status` has its result.',
      records: ['agent.run.cancelled'],
      answer: { runId: desk.agentRun, status: 'running' },
    },
    streamAgentRun: {
      text: 'Streams the events of a run as they happen (`text/event-stream`). For its requester, and for the owner and administrators, whose access the journal records. Each event has a number as its `id`. With `Last-Event-ID` the stream continues after that event. The events are `run.started`, `step.restarted` after a node failure, `step.text` while the model responds, and `step.finished` with the complete text. For tool calls they are `call.waiting` for approval, `call.decided` and `call.finished`. `run.waiting` and, as the last one, `run.finished` follow. Without `Accept: text/event-stream` the response ends after the existing events. `step.text` has no number: its `text` replaces the step’s text from character `at` on. Parts can be missing, and `step.finished` has all of it. A connection lasts at most ten minutes, and no longer than its credential. A person can have ten connections.',
    },
    getAgentSettings: {
      text: 'Returns the model of the agents, and whether data of the team can go to it.',
      answer: consent,
    },
    setAgentSettings: {
      text: 'Allows or stops sending data of the team to the configured model, for all of its models or a list. `maxCostMicrosPerDay` limits the cost of all runs of the team in a day. For the owner and administrators, in person. After a change of the model’s address, an administrator must allow it again. After a stop, running runs send no more requests.',
      records: ['agent.settings.changed'],
      problems: ['no_model', 'model_not_found', 'model_price_unknown'],
      body: { enabled: true },
      answer: consent,
    },
    getAgentRun: {
      text: 'Returns a run. For its owner, administrators and API clients without folder restrictions. An information barrier around data that it read hides it. `reason` says why a run was skipped or cancelled, and `error` why it failed. After a node failure a run continues under its identifier: `attempts` counts, and `interruptions` has the times. `delivery` has the status of the delivery.',
      answer: run,
    },
    previewAgentJob: {
      text: 'Returns the next start times of a job, with its stagger. A paused job counts as active. Returns fewer times if the schedule has no more.',
      answer: { jobId: desk.agentJob, times: ['2026-03-10T06:30:00.000Z', '2026-03-11T06:30:00.000Z'] },
    },
    getAgentSchedulerStatus: {
      text: 'Returns the state of the scheduler for the team: whether it starts due jobs, the running and queued runs, and its delay.',
      answer: { enabled: true, jobs: 3, running: 1, queued: 0, nextWakeAt: '2026-03-10T06:30:00.000Z', lagMs: 0, nodes: 2 },
    },
  },
  members: {
    'AgentJob.agentId': 'The agent to run',
    'AgentRun.jobId': 'The job of the run',
    'AgentRun.agentId': 'The agent of the run',
    'AgentRunDelivery.mode': 'The kind of delivery',
    'AgentRun.status': '`queued` until a slot of the team is free, `running`, or a final status',
    'AgentRun.dueAt': 'The due time in the schedule',
    'AgentJobState.nextRunAt': 'The next start; absent while the job is paused or has no more due times',
    'AgentJobState.runningAt': 'The start of its running run',
    'AgentJobTimes.jobId': 'The job of these times',
    'AgentSchedulerStatus.running': 'The number of running runs',
    'AgentSchedulerStatus.nextWakeAt': 'The start of the team’s next job',
    'AgentRunRequested.runId': 'The identifier of the run',
  },
};
