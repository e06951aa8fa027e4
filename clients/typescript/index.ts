/** A client of the API, typed by its description: each path, parameter, body and answer. */
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from './api.ts';

export type * from './api.ts';

/** How a program proves who it is. */
export type Credentials = {
  /** The access token for the next request. */
  accessToken(): Promise<string>;
  /** Told that a token is not taken any more: the next one has to be another. */
  ended(token: string): void;
};

export type Api = Client<paths>;

/** Behaviour of a client in addition to its requests. */
export type Options = {
  /** Called with each `Warning` of an answer, such as an event type that no event has. Prints it unless given. */
  warn?: (warning: string) => void;
};

/** Opens a client. Each request carries an access token; where that has ended meanwhile, it is sent once more with the next. */
export function openApi(baseUrl: string, credentials?: Credentials, { warn = printWarning }: Options = {}): Api {
  const api = createClient<paths>({ baseUrl });
  api.use(showWarnings(warn));
  if (credentials) api.use(authorization(credentials));
  return api;
}

const printWarning = (warning: string): void => globalThis.console.warn(warning);

/** Shows the texts of `Warning` headers (RFC 9111 §5.5, code 299), with the request that they are about. */
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

/** A body as multipart/form-data: for uploads. Texts and files; what is left out is not sent. */
export function asForm(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.set(name, value);
    else if (typeof value === 'string') form.set(name, value);
    else if (value !== undefined) throw new TypeError(`${name} is neither a text nor a file`);
  }
  return form;
}
