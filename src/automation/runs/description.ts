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
      text: 'Lists the jobs of the team’s agents, for owner and administrators, and for API clients that are confined to no folders. Without `limit` the answer holds up to 1 000.',
      answer: [job],
    },
    getAgentJob: { text: 'Shows one job: when it is due, what its agent is told, and in `state` what came of it last.', answer: job },
    createAgentJob: {
      text: 'Makes a job. When it is due is said by `schedule`, or in short by `cron` with `timezone`; what the agent is told by `payload`, or in short by `message`. Both forms at once are 422. A cron expression has five fields and is read in the time zone that is named, or that of the team. The job runs with the rights of whoever makes it. Without `agentId` it is for the agent `main`. `delivery` names who is told what came of each run that ends as `ok` or `error`: an endpoint of the team, by the event `agent.run.delivered`, which goes to it alone; or the owner or an administrator, by a task that says where the run is read. It is for owner and administrators, in person. A repetition without an `Idempotency-Key` makes a second job.',
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
      text: 'Changes the members that are sent. `schedule`, `payload` and `delivery` are each replaced as a whole. Whoever changes one of them, or the agent, answers for the job from then on: its runs have their rights. A run that is under way goes on as it was begun, and tells whoever the job named then. A time that has had its run gets no other, also when the schedule is set back.',
      records: ['agent.job.updated', 'agent.job.paused', 'agent.job.resumed'],
      problems: said,
      body: { overlap: 'queue' },
      answer: { ...job, overlap: 'queue', updatedAt: desk.tuesday },
    },
    deleteAgentJob: {
      text: 'Deletes a job, and ends its runs that are under way or wait. What there was of it stays in the list of runs. A repetition is 404.',
      records: ['agent.job.deleted'],
      answer: { id: desk.agentJob, deleted: true },
    },
    pauseAgentJob: {
      text: 'Pauses a job: nothing of it is due until it goes on. A run that is under way ends by itself. A job that is paused already stays as it is.',
      records: ['agent.job.paused'],
      answer: paused,
    },
    resumeAgentJob: {
      text: 'Lets a job go on that was paused, or has switched itself off: failures are counted anew. What was due meanwhile was not missed, and is not made up for.',
      records: ['agent.job.resumed'],
      answer: job,
    },
    takeOverAgentJob: {
      text: 'Makes the caller answer for a job: its runs have their rights from now on. A job that was switched off since nobody answered for it goes on.',
      records: ['agent.job.taken_over'],
      answer: { ...job, onBehalfOf: desk.marcus.id },
    },
    runAgentJob: {
      text: 'Has a job run now, also one that is paused, with the rights of whoever answers for it. When it is due next stays as it is. While another run of it is under way or waits, its `overlap` decides: 409 under `skip`; under `queue` it waits, of which ten may; under `replace` the other is ended, and this one begins when that has.',
      records: ['agent.run.requested'],
      problems: ['run_in_progress', 'run_queue_full'],
      answer: { runId: desk.agentRun, status: 'queued' },
    },
    listAgentJobRuns: {
      text: 'Lists what came of each time that a job was due, and of each run that was asked for, the newest first.',
      answer: [run],
    },
    listAgentRuns: {
      text: 'Lists the runs of the team’s agents, the newest first; with `jobId` also those of a job that has been deleted. Runs are kept for a year.',
      answer: [run],
    },
    runAgent: {
      text: 'Has an agent do something now, with the rights of whoever asks: it does no more than they may, and no more than its own scopes and folders allow. The answer comes before the run has begun; the run is read by its identifier. What the agent works with is sent to the model that `GET /ws/api/agents/settings` names, which an administrator has to allow. A hundred such runs of a team may wait. A repetition without an `Idempotency-Key` begins a second run.',
      records: ['agent.run.requested'],
      problems: ['agent_not_running', 'no_model', 'model_not_enabled', 'model_price_unknown', 'run_queue_full', 'job_incomplete'],
      body: { message: 'Which agreements with Acme end this year?' },
      answer: { runId: desk.agentRun, status: 'queued' },
    },
    getAgentJobRun: {
      text: 'Shows what came of one time that a job was due, or of one run that was asked for, as `GET /ws/api/agents/runs/{id}` does. A run of another job is 404.',
      answer: run,
    },
    getAgentTranscript: {
      text: 'Shows what was said in a run: what the agent was told, each answer of the model, each tool that it called, and what came of that. It is for the owner of the run, and for administrators, whose reading is journaled. It is kept for 30 days, or until something that the run has read is erased. All of it is text that a model or others wrote: show it as plain text.',
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
      text: 'Ends a run, for whoever asked for it and for owner and administrators. The answer comes before it has ended: one that is under way ends within a second, in the midst of what it does, and what a tool was doing just then is done or not at all. Calls that wait for a person are not carried out, and their tasks are withdrawn. What the run has done before stays. A run that has ended stays as it is, and `status` says how it ended.',
      records: ['agent.run.cancelled'],
      answer: { runId: desk.agentRun, status: 'running' },
    },
    streamAgentRun: {
      text: 'Sends what happens in a run as it happens (`text/event-stream`), for whoever asked for it, and for owner and administrators, whose reading is journaled. Each event has a number as its `id`; with `Last-Event-ID` those after it are sent, so that whoever was cut off goes on where they were. The events are `run.started`, `step.restarted` after the node of the run has died, `step.text` while the model speaks, `step.finished` with what it said, `call.waiting` for a person, `call.decided`, `call.finished`, `run.waiting` and, as the last, `run.finished`. Without `Accept: text/event-stream` the answer ends with what there is. `step.text` has no number: its `text` stands from character `at` of the step on, and replaces what was there; parts may be missing, and `step.finished` has all of it. One connection lasts ten minutes at most, and no longer than its credential; ten are open for one person.',
    },
    getAgentSettings: {
      text: 'Shows which model agents ask, and whether content of the team may go to it.',
      answer: consent,
    },
    setAgentSettings: {
      text: 'Lets content of the team go to the model that whoever runs the service has set up, to all of its models or to those that are named, or ends that; `maxCostMicrosPerDay` limits what all runs of the team may cost on a day. It is for owner and administrators, in person. When the address of the model changes, nothing goes there until they have allowed it again. A run that is under way when it ends asks nothing more.',
      records: ['agent.settings.changed'],
      problems: ['no_model', 'model_not_found', 'model_price_unknown'],
      body: { enabled: true },
      answer: consent,
    },
    getAgentRun: {
      text: 'Shows one run, for its owner, administrators and API clients that are not confined to folders. A barrier around what it has read hides it. A run that was skipped or cancelled says why in `reason`, one that failed in `error`. A run whose node died goes on under its identifier: `attempts` counts, and `interruptions` says when. `delivery` says whether whoever its job names was told.',
      answer: run,
    },
    previewAgentJob: {
      text: 'Shows the next times at which a job begins, its stagger included; of one that is paused, as if it were not. There are fewer where it is not due so often.',
      answer: { jobId: desk.agentJob, times: ['2026-03-10T06:30:00.000Z', '2026-03-11T06:30:00.000Z'] },
    },
    getAgentSchedulerStatus: {
      text: 'Shows how the scheduler does for the team: whether it begins what is due, what is under way and waits, and by how much it is late.',
      answer: { enabled: true, jobs: 3, running: 1, queued: 0, nextWakeAt: '2026-03-10T06:30:00.000Z', lagMs: 0, nodes: 2 },
    },
  },
  members: {
    'AgentJob.agentId': 'The agent that runs',
    'AgentRun.jobId': 'The job that it is a run of',
    'AgentRun.agentId': 'The agent that runs',
    'AgentRunDelivery.mode': 'How',
    'AgentRun.status': '`queued` until one of the team’s places is free, `running`, and then how it has ended',
    'AgentRun.dueAt': 'The time by the schedule that it is for',
    'AgentJobState.nextRunAt': 'When it begins next; left out while it is paused, and when it is due no more',
    'AgentJobState.runningAt': 'Since when a run of it is under way',
    'AgentJobTimes.jobId': 'The job that they are of',
    'AgentSchedulerStatus.running': 'Runs that are under way',
    'AgentSchedulerStatus.nextWakeAt': 'When the next job of the team begins',
    'AgentRunRequested.runId': 'The run, to be read by it',
  },
};
