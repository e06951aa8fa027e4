import type { WorkChallenge, Solution } from './proof.ts';

/** Digests that run together. One at a time would wait for the browser most of the time. */
const batch = 500;

async function solve({ algorithm, challenge, salt, signature, maxnumber }: WorkChallenge): Promise<Solution | undefined> {
  const wanted = Uint8Array.from(challenge.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const encoder = new TextEncoder();
  const isSolution = async (number: number) => {
    const digest = new Uint8Array(await crypto.subtle.digest(algorithm, encoder.encode(`${salt}${number}`)));
    return digest.every((byte, at) => byte === wanted[at]);
  };
  for (let from = 0; from <= maxnumber; from += batch) {
    const found = await Promise.all(Array.from({ length: batch }, (_, at) => isSolution(from + at)));
    const at = found.indexOf(true);
    if (at !== -1) return { algorithm, challenge, number: from + at, salt, signature };
  }
  return undefined;
}

addEventListener('message', ({ data }: MessageEvent<WorkChallenge>) => void solve(data).then((solution) => postMessage(solution)));
