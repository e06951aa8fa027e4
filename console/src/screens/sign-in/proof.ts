import { ok, publicApi } from '../../api.ts';
import { ApiProblem } from '../../problems/api-problem.ts';

/** A proof-of-work challenge of the service (altcha, version 1). */
export type WorkChallenge = { algorithm: string; challenge: string; salt: string; signature: string; maxnumber: number };
export type Solution = Omit<WorkChallenge, 'maxnumber'> & { number: number };

/** Solves a challenge in a worker, so that the page stays responsive. */
async function proof(action: 'register'): Promise<string> {
  const challenge = (await ok(publicApi.GET('/api/v1/security/auth/altcha', { params: { query: { action } } }))) as WorkChallenge;
  const worker = new Worker(new URL('proof-worker.ts', import.meta.url), { type: 'module' });
  try {
    const solution = await new Promise<Solution | undefined>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Solution | undefined>) => resolve(data));
      worker.addEventListener('error', reject);
      worker.postMessage(challenge);
    });
    if (!solution) throw new Error('The challenge has no solution.');
    return btoa(JSON.stringify(solution));
  } finally {
    worker.terminate();
  }
}

/** Sends a request, and again with a proof of work if the service requires one. */
export async function withProof<Result>(action: 'register', send: (altcha?: string) => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'altcha_required') return send(await proof(action));
    throw error;
  }
}
