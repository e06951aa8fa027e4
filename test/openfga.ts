import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { AuthorizationModel, Checker } from './fga.ts';
import { goTool } from './go-tools.ts';
import { freePort } from './spawned.ts';
import { eventually } from './webhook-receiver.ts';

const path = goTool('openfga', process.env.OPENFGA_PATH);

/** Why tests with an OpenFGA server are skipped, or false if they run. */
export const withoutOpenfga: string | false =
  path === undefined && 'openfga not found: go install github.com/openfga/openfga/cmd/openfga@v1.22.1, or set OPENFGA_PATH';

/** The largest batch that the server accepts by default. */
const maxBatchSize = 50;

type BatchResult = { result?: Record<string, { allowed?: boolean; error?: object }> };

/** Starts an in-memory OpenFGA server on loopback with one model. Its check throws if the server rejects a check. */
export async function startOpenfga(model: AuthorizationModel): Promise<{ check: Checker; stop(): Promise<void> }> {
  const [http, grpc] = [await freePort(), await freePort()];
  const options = {
    'http-addr': `127.0.0.1:${http}`,
    'grpc-addr': `127.0.0.1:${grpc}`,
    'datastore-engine': 'memory',
    'playground-enabled': 'false',
    'metrics-enabled': 'false',
    'log-level': 'none',
    // The default of 3 s is too short on a busy machine.
    'request-timeout': '120s',
    'http-upstream-timeout': '120s',
  };
  const child = spawn(path ?? 'openfga', ['run', ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  const url = `http://127.0.0.1:${http}`;
  const post = async <T>(place: string, body: object): Promise<T> => {
    const response = await fetch(`${url}${place}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`OpenFGA rejects ${place}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<T>;
  };
  await eventually('the start of the OpenFGA server', () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const { id: store } = await post<{ id: string }>('/stores', { name: 'chancery' });
  const { authorization_model_id: modelId } = await post<{ authorization_model_id: string }>(
    `/stores/${store}/authorization-models`,
    model,
  );
  const check: Checker = async (tuples, checks) => {
    const answers: boolean[] = [];
    for (let begin = 0; begin < checks.length; begin += maxBatchSize) {
      const batch = checks.slice(begin, begin + maxBatchSize);
      const { result = {} } = await post<BatchResult>(`/stores/${store}/batch-check`, {
        authorization_model_id: modelId,
        checks: batch.map(({ user, relation, object, at = new Date() }, n) => ({
          correlation_id: String(n),
          tuple_key: { user, relation, object },
          contextual_tuples: { tuple_keys: tuples },
          context: { current_time: at.toISOString() },
        })),
      });
      for (const [n, { user, relation, object }] of batch.entries()) {
        const { allowed, error } = result[n] ?? {};
        if (allowed === undefined) throw new Error(`OpenFGA did not decide ${relation} of ${user} on ${object}: ${JSON.stringify(error)}`);
        answers.push(allowed);
      }
    }
    return answers;
  };
  return {
    check,
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}
