/** A client of the API. The API description types each path, parameter, body and response. */
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from './api.ts';

export type * from './api.ts';

/** The source of access tokens. */
export type Credentials = {
  /** Returns the access token for the next request. */
  accessToken(): Promise<string>;
  /** Called after a 401 response to a token. The next call of `accessToken` must return another token. */
  ended(token: string): void;
};

export type Api = Client<paths>;

/** Behaviour of a client in addition to its requests. */
export type Options = {
  /** Called with each `Warning` header of a response, for example for an unknown event type. By default it prints the warning. */
  warn?: (warning: string) => void;
};

/** Creates a client. Each request carries an access token. After a 401 response the client retries once with a new token. */
export function openApi(baseUrl: string, credentials?: Credentials, { warn = printWarning }: Options = {}): Api {
  const api = createClient<paths>({ baseUrl });
  api.use(showWarnings(warn));
  if (credentials) api.use(authorization(credentials));
  return api;
}

const printWarning = (warning: string): void => globalThis.console.warn(warning);

/** Reports the texts of `Warning` headers (RFC 9111 §5.5, code 299) with the method and path of the request. */
function showWarnings(warn: (warning: string) => void): Middleware {
  return {
    onResponse({ request, response }) {
      const header = response.headers.get('warning') ?? '';
      for (const [, text] of header.matchAll(/299 - "([^"]*)"/g)) warn(`${request.method} ${new URL(request.url).pathname}: ${text}`);
      return undefined;
    },
  };
}

function authorization(credentials: Credentials): Middleware {
  const again = new Map<string, Request>();
  return {
    async onRequest({ request, id }) {
      request.headers.set('authorization', `Bearer ${await credentials.accessToken()}`);
      again.set(id, request.clone());
      return request;
    },
    async onResponse({ response, id }) {
      const request = again.get(id);
      again.delete(id);
      if (response.status !== 401 || !request) return undefined;
      credentials.ended(request.headers.get('authorization')?.slice('Bearer '.length) ?? '');
      request.headers.set('authorization', `Bearer ${await credentials.accessToken()}`);
      return fetch(request);
    },
    onError({ id }) {
      again.delete(id);
    },
  };
}

/** Converts a body to multipart/form-data for uploads. Skips undefined members. Throws for values other than texts and files. */
export function asForm(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.set(name, value);
    else if (typeof value === 'string') form.set(name, value);
    else if (value !== undefined) throw new TypeError(`${name} is neither a text nor a file`);
  }
  return form;
}
