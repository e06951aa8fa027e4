import { Pool } from 'undici';

/** Creates the next request of a load. */
export type Ask = () => { method: 'GET' | 'POST'; path: string; token: string; body?: string; headers?: Record<string, string> };
export type Measured = { perSecond: number; p50: number; p95: number; p99: number };

const inFlight = 32;
const besideInFlight = 4;

/** The same load, while a few other clients send requests that are not counted. */
export async function measureBeside(url: string, ask: Ask, beside: Ask | undefined, seconds: number): Promise<Measured> {
  const [measured] = await Promise.all([measure(url, ask, seconds), ...(beside ? [measure(url, beside, seconds, besideInFlight)] : [])]);
  return measured;
}

/** Sends requests for some seconds, 32 in flight over persistent connections. Times are in milliseconds. A failed request ends the run. */
export async function measure(url: string, ask: Ask, seconds: number, clients = inFlight): Promise<Measured> {
  const pool = new Pool(url, { connections: clients, pipelining: 1 });
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const { method, path, token, body, headers } = ask();
      const from = performance.now();
      const answer = await pool.request({
        method,
        path,
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body }),
      });
      await answer.body.dump({ limit: 10_000_000 });
      if (answer.statusCode >= 300) throw new Error(`${url}${path} answered ${answer.statusCode}`);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: clients }, worker));
  const took = (performance.now() - started) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / took,
    p50: times[Math.floor(times.length / 2)] ?? 0,
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}
