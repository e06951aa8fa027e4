/** Compares tool calls through /mcp with the same REST operations, by the same API client on one service. */
import { type Ask, measure } from './load.ts';
import { prepareWorld, type World } from './world.ts';
import type { Result } from './result.ts';

const aim = 0.5;
const folders = '/api/v1/smartdoc/folders';

type Tokens = { rest: string; mcp: string };

async function sent(world: World, path: string, init: RequestInit): Promise<any> {
  const answer = await fetch(`${world.oursUrl}${path}`, init);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Creates an API client with write access over MCP. Returns its tokens for MCP and for REST. */
async function clientOf(world: World): Promise<Tokens> {
  const made = await sent(world, '/api/v1/security/clients/', {
    method: 'POST',
    headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', scopes: ['folders:read', 'tasks:read', 'tasks:write'], mcpApproval: 'never' }),
  });
  const { resource } = await sent(world, '/.well-known/oauth-protected-resource/mcp', {});
  const token = async (members: Record<string, string>): Promise<string> => {
    const form = { grant_type: 'client_credentials', client_id: made.clientId, client_secret: made.clientSecret, ...members };
    return (await sent(world, '/oauth/token', { method: 'POST', body: new URLSearchParams(form) })).access_token;
  };
  return { rest: await token({}), mcp: await token({ resource }) };
}

let calls = 0;
const asTool = ({ mcp }: Tokens, name: string, args: object): ReturnType<Ask> => ({
  method: 'POST',
  path: '/mcp',
  token: mcp,
  headers: { accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: (calls += 1), method: 'tools/call', params: { name, arguments: args } }),
});

/** The two sides of each row: a tool call, and the operation that the tool calls. */
const rows: { name: string; prepare(world: World, tokens: Tokens): { tool: Ask; operation: Ask } }[] = [
  {
    name: 'a tool call that reads (get_folder)',
    prepare: ({ folders: ids }, tokens) => {
      let next = 0;
      const id = () => ids[(next += 1) % ids.length] ?? '';
      return {
        tool: () => asTool(tokens, 'get_folder', { id: id() }),
        operation: () => ({ method: 'GET', path: `${folders}/${id()}`, token: tokens.rest }),
      };
    },
  },
  {
    name: 'a tool call that changes something (create_task)',
    prepare: (_world, tokens) => ({
      tool: () => asTool(tokens, 'create_task', { title: `Bench ${(calls += 1)}` }),
      operation: () => ({
        method: 'POST',
        path: '/api/v1/tasks/',
        token: tokens.rest,
        body: JSON.stringify({ title: `Bench ${(calls += 1)}` }),
      }),
    }),
  },
];

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

export async function benchMcp(
  { seconds, rounds, only }: { seconds: number; rounds: number; only: readonly string[] },
  show: (result: Result) => void,
): Promise<void> {
  const wanted = rows.filter(({ name }) => only.length === 0 || only.some((part) => `mcp ${name}`.includes(part)));
  if (wanted.length === 0) return;
  const world = await prepareWorld();
  try {
    const tokens = await clientOf(world);
    for (const { name, prepare } of wanted) {
      const { tool, operation } = prepare(world, tokens);
      await measure(world.oursUrl, tool, 1);
      await measure(world.oursUrl, operation, 1);
      const runs: { perSecond: number; p50: number; p99: number; ratio: number }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const plain = await measure(world.oursUrl, operation, seconds);
        const called = await measure(world.oursUrl, tool, seconds);
        runs.push({ ...called, ratio: called.perSecond / plain.perSecond });
      }
      const ratio = median(runs.map((run) => run.ratio));
      const figures = {
        'calls/s': median(runs.map((run) => run.perSecond)),
        'p50 ms': median(runs.map((run) => run.p50)),
        'p99 ms': median(runs.map((run) => run.p99)),
        'of REST': ratio,
      };
      show({ scenario: name, figures, aim: `≥ ${aim} of REST`, met: ratio >= aim });
    }
  } finally {
    await world.stop();
  }
}
