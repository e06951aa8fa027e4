import { randomUUIDv7 } from 'node:crypto';
import { asking } from './asking.ts';
import { type Chancery, type HarnessOptions, startChancery, type TestTeam, type User } from './harness.ts';
import { eventually } from './webhook-receiver.ts';
import { type ModelResponse, type ModelServer, type Script, startModelServer } from './model-server.ts';

/* Runs of agents whose model plays a script of the test. */

export const agents = '/ws/api/agents';

export type AgentRuns = Awaited<ReturnType<typeof startAgentRuns>>;

/** Starts a service and a model server, and creates a team that allows the model to process its content. */
export async function startAgentRuns({ settings, ...options }: HarnessOptions = {}) {
  const model: ModelServer = await startModelServer();
  const chancery: Chancery = await startChancery({
    ...options,
    settings: {
      AGENT_MODEL_PROTOCOL: 'openai',
      AGENT_MODEL_URL: model.url,
      AGENT_MODEL_KEY: 'key-of-the-operator',
      AGENT_MODELS: 'small,large',
      AGENT_MODEL_PRICES: 'small=0.5/2',
      AGENT_MODEL_TIMEOUT_SECONDS: '600',
      AGENT_MODEL_REGION: 'EU',
      TEAM_AGENT_RUNS_AT_ONCE: '20',
      TEAM_AGENT_TOKENS_A_DAY: '200000000',
      ...settings,
    },
  });
  const asker = asking(() => chancery);
  const { made } = asker;
  const team: TestTeam = await chancery.team();
  const { owner } = team;
  await made(owner, 'PUT', `${agents}/settings`, { enabled: true });
  const keys = new Map<string, string>();

  const read = (by: User, id: string): Promise<any> => made(by, 'GET', `${agents}/runs/${id}`);
  /** Waits until a run has the wanted state. By default it waits until the run has ended or needs a decision of a person. */
  const ended = async (
    by: User,
    id: string,
    wanted = (run: any) => run.finishedAt !== undefined || run.status === 'awaiting_approval',
  ): Promise<any> => {
    let run: any;
    return eventually(
      () => `the run has the wanted state: ${JSON.stringify(run)}`,
      async () => {
        run = await read(by, id);
        return wanted(run) ? run : undefined;
      },
    );
  };
  const agent = (members: object = {}): Promise<any> => made(owner, 'POST', `${agents}/`, { name: `Agent ${randomUUIDv7()}`, ...members });
  /** Starts a run whose model plays a script. */
  const begun = async (
    script: Script,
    members: object = {},
    { by = owner, of = 'main' }: { by?: User; of?: string } = {},
  ): Promise<string> => {
    const key = `key-${randomUUIDv7()}`;
    model.play(key, script);
    const { runId } = await made(by, 'POST', `${agents}/${of}/runs`, { message: `Look at ${key}`, ...members });
    keys.set(runId, key);
    return runId;
  };
  /** Returns the requests that the model received in a run. */
  const requests = (run: string) => model.requests(keys.get(run) ?? '');
  const result = async (script: Script, ...more: [members?: object, whose?: { by?: User; of?: string }]) =>
    ended(more[1]?.by ?? owner, await begun(script, ...more));
  const transcript = (by: User, id: string): Promise<any> => made(by, 'GET', `${agents}/runs/${id}/transcript`);
  const callsOf = async (id: string): Promise<any[]> => (await transcript(owner, id)).steps.flatMap(({ calls }: any) => calls);
  const stop = async () => {
    await chancery.stop();
    await model.close();
  };
  return { model, chancery, asker, team, owner, read, ended, agent, begun, modelRequests: requests, result, transcript, callsOf, stop };
}

/** Returns a script that calls the tools once and then reports that it is done. */
export const calling = (...calls: [name: string, input: unknown][]): ModelResponse[] => [
  { text: 'I look.', calls: calls.map(([name, input]) => ({ name, input })) },
  { text: 'Done.' },
];
