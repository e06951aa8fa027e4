import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '@chancery/client';
import { must, type Play, StepFailed } from './api.ts';

const maxMs = 60_000;

/**
 * Creates an agent from a preset and runs it by a job. The agent reads a document, and creates a task after a person approves the call.
 * Without a configured model the responses are simulated, and the output says so.
 */
export async function haveAgentWork(api: Api, play: Play): Promise<void> {
  const agentId = await contractReviewer(api, play);
  const { jobId, runId } = await runOf(api, agentId, play);
  await approveAll(api, runId, play);
  await checkRun(api, { jobId, runId }, play);
}

/** Allows the model, and creates an agent from a preset. Returns its identifier. */
export async function contractReviewer(api: Api, play: Play): Promise<string> {
  await play('model allowed', async () => {
    const { provider } = must(await api.PUT('/ws/api/agents/settings', { body: { enabled: true } }));
    return {
      say: provider?.simulated ? 'simulated: canned responses, no data leaves this machine' : (provider?.host ?? ''),
      value: undefined,
    };
  });
  return play('agent', async () => {
    const { id } = must(await api.POST('/ws/api/agents/', { body: { name: 'Contract reviewer' } }));
    const body = { presetId: 'contract-reviewer', agentId: id };
    must(await api.POST('/ws/api/agents/presets/apply', { body }));
    const { name, tools } = must(await api.GET('/ws/api/agents/{agentId}', { params: { path: { agentId: id } } }));
    return { say: `${name}, from a preset, with ${tools.allow?.length ?? 0} tools`, value: id };
  });
}

/** Starts the job of an agent. The run asks for an approval. */
export function runOf(api: Api, agentId: string, play: Play): Promise<{ jobId: string; runId: string }> {
  return play('agent run', async () => {
    const message = 'Look at the agreements that came in, and ask for a decision on the newest.';
    const job = must(await api.POST('/ws/api/agents/cron', { body: { name: 'New agreements', agentId, cron: '30 7 * * 1-5', message } }));
    const { runId: run } = must(await api.POST('/ws/api/agents/cron/{id}/run', { params: { path: { id: job.id } } }));
    return {
      say: `of a scheduled job, started manually; the next scheduled run is at ${job.state.nextRunAt}`,
      value: { jobId: job.id, runId: run },
    };
  });
}

async function checkRun(api: Api, { jobId, runId }: { jobId: string; runId: string }, play: Play): Promise<void> {
  const { simulated } = await play('agent done', async () => {
    const path = { id: runId };
    const run = must(await api.GET('/ws/api/agents/runs/{id}', { params: { path } }));
    if (run.status !== 'ok') throw new StepFailed(`the run ended as ${run.status}: ${run.error}`);
    const { steps } = must(await api.GET('/ws/api/agents/runs/{id}/transcript', { params: { path } }));
    const called = steps.flatMap(({ calls }) => calls.filter((one) => one.status === 'done'));
    const read = called.find(({ tool }) => tool === 'get_document');
    if (run.simulated && !read) throw new StepFailed('the agent did not read a document');
    const [, title] = /"title":"([^"]*)"/.exec(read?.result ?? '') ?? [];
    const tools = called.map(({ tool }) => (tool === 'get_document' && title ? `${tool} (“${title}”)` : tool));
    return { say: `${tools.join(', ')}; “${run.summary?.split('\n')[0]}”`, value: run };
  });
  await play('agent history', async () => {
    const [run] = must(await api.GET('/ws/api/agents/cron/{id}/runs', { params: { path: { id: jobId } } }));
    const { inputTokens, outputTokens } = run?.usage ?? {};
    const used = `${inputTokens} tokens sent, ${outputTokens} received${simulated ? ', as estimated' : ''}`;
    return { say: `the job has one run: ${run?.status} in ${run?.steps} steps, ${used}`, value: undefined };
  });
}

/** Approves each tool call of the run until the run ends. */
async function approveAll(api: Api, runId: string, play: Play): Promise<void> {
  for (const until = Date.now() + maxMs; ; await sleep(50)) {
    const { status } = must(await api.GET('/ws/api/agents/runs/{id}', { params: { path: { id: runId } } }));
    if (status !== 'queued' && status !== 'running' && status !== 'awaiting_approval') return;
    if (Date.now() > until) throw new StepFailed(`the agent run is still ${status}`);
    if (status !== 'awaiting_approval') continue;
    const open = must(await api.GET('/api/v1/tasks/', { params: { query: { assignedTo: 'me', status: ['open'] } } }));
    const task = open.find(({ type }) => type === 'tool_approval');
    if (!task) continue;
    await play('agent asks', async () => {
      const answer = { params: { path: { id: task.id } }, body: { outcome: 'approved' } };
      const { title, outcome } = must(await api.POST('/api/v1/tasks/{id}/complete', answer));
      return { say: `“${title}”: ${outcome}`, value: undefined };
    });
  }
}
