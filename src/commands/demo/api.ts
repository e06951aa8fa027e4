import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, openApi } from '@chancery/client';

/** Thrown if a step of the demo failed. The message says what happened. */
export class StepFailed extends Error {}

/** Runs one step and prints its result. */
export type Play = <T>(name: string, work: () => Promise<{ say: string; value: T }>) => Promise<T>;

/** Creates an API client with an access token. */
export const apiAs = (baseUrl: string, accessToken: string): Api =>
  openApi(baseUrl, { accessToken: () => Promise.resolve(accessToken), ended: () => undefined });

type OperationResponse<T> = { data?: T; error?: unknown; response: Response };

/** Returns the body of a successful response. Throws {@link StepFailed} for an error response. */
export function must<T>({ data, error, response }: OperationResponse<T>): T {
  if (data === undefined) throw new StepFailed(`${response.url} responded ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

/** Returns the refresh token from the cookie of a response. */
export function refreshCookie({ response }: OperationResponse<unknown>): string {
  const token = /refresh_token=([^;]+)/.exec(response.headers.getSetCookie().join(' '))?.[1];
  if (token === undefined) throw new StepFailed('the sign-in returned no refresh token');
  return token;
}

/** Calls `look` until it returns a value. Throws {@link StepFailed} with the message `otherwise` after `maxMs` milliseconds. */
export async function until<T>(look: () => T | undefined | Promise<T | undefined>, otherwise: string, maxMs = 20_000): Promise<T> {
  for (const end = performance.now() + maxMs; ; await sleep(50)) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new StepFailed(otherwise);
  }
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
