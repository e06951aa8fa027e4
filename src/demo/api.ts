import { createHash } from 'node:crypto';

/** A step of the demo that did not go as it should; the message says what came instead. */
export class StepFailed extends Error {}

/** A client of the public API, as small as a reader's own would be. */
export type Api = {
  /** Sends a request and returns the answer's body. Throws {@link StepFailed} for a status that was not expected. */
  // The demo reads answers as a script would, by member; the walking suites check their shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  send(method: string, path: string, options?: { body?: unknown; expect?: number; bytes?: 'bytes' }): Promise<any>;
  /** Carries this token from now on. */
  authorize(token: string): void;
  /** The refresh token that the service set as a cookie last. */
  refreshCookie(): string | undefined;
};

export function openApi(baseUrl: string): Api {
  let token: string | undefined;
  let cookie: string | undefined;
  return {
    authorize: (given) => {
      token = given;
    },
    refreshCookie: () => cookie,
    async send(method, path, { body, expect = 200, bytes } = {}) {
      const form = body instanceof FormData;
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
      });
      cookie = /refresh_token=([^;]+)/.exec(response.headers.getSetCookie().join(' '))?.[1] ?? cookie;
      if (response.status !== expect) throw new StepFailed(`${method} ${path} answered ${response.status}: ${await response.text()}`);
      if (bytes) return Buffer.from(await response.arrayBuffer());
      const text = await response.text();
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
