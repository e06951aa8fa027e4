import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, openApi } from '../../../clients/typescript/index.ts';

/** A step of the demo that did not go as it should; the message says what came instead. */
export class StepFailed extends Error {}

/** Plays a step: says what came of it. */
export type Play = <T>(name: string, work: () => Promise<{ say: string; value: T }>) => Promise<T>;

/** The client for somebody who has signed in. */
export const apiAs = (baseUrl: string, accessToken: string): Api =>
  openApi(baseUrl, { accessToken: () => Promise.resolve(accessToken), ended: () => undefined });

type OperationResponse<T> = { data?: T; error?: unknown; response: Response };

/** What an operation answered. Throws {@link StepFailed} where it refused. */
export function must<T>({ data, error, response }: OperationResponse<T>): T {
  if (data === undefined) throw new StepFailed(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

/** The refresh token that an answer has set as a cookie. */
export function refreshCookie({ response }: OperationResponse<unknown>): string {
  const token = /refresh_token=([^;]+)/.exec(response.headers.getSetCookie().join(' '))?.[1];
  if (token === undefined) throw new StepFailed('no refresh token came with the sign-in');
  return token;
}

/** What is looked for, once it is there. Throws {@link StepFailed} with `otherwise` after so many milliseconds. */
export async function until<T>(look: () => T | undefined | Promise<T | undefined>, otherwise: string, maxMs = 20_000): Promise<T> {
  for (const end = performance.now() + maxMs; ; await sleep(50)) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new StepFailed(otherwise);
  }
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
