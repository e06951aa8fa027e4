import { createHash } from 'node:crypto';
import { type Api, openApi } from '../../clients/typescript/index.ts';

/** A step of the demo that did not go as it should; the message says what came instead. */
export class StepFailed extends Error {}

/** The client for somebody who has signed in. */
export const apiAs = (baseUrl: string, accessToken: string): Api =>
  openApi(baseUrl, { accessToken: () => Promise.resolve(accessToken), ended: () => undefined });

type Answered<T> = { data?: T; error?: unknown; response: Response };

/** What an operation answered. Throws {@link StepFailed} where it refused. */
export function must<T>({ data, error, response }: Answered<T>): T {
  if (data === undefined) throw new StepFailed(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

/** The refresh token that an answer has set as a cookie. */
export function refreshCookie({ response }: Answered<unknown>): string {
  const token = /refresh_token=([^;]+)/.exec(response.headers.getSetCookie().join(' '))?.[1];
  if (token === undefined) throw new StepFailed('no refresh token came with the sign-in');
  return token;
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
