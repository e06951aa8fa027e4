import assert from 'node:assert/strict';
import type { TestResponse, Chancery } from './harness.ts';

/** Header fields; an undefined value removes a default. */
type Fields = Record<string, string | undefined>;
type Entries = Record<string, string> | [string, string][] | FormData;

/** Returns the cookies that a response sets, as a value of the Cookie header. */
export const cookiesOf = ({ headers }: TestResponse): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** Requests pages and submits their forms like a browser without scripts. Returns redirects without following them. */
export function pageClient(chancery: () => Chancery) {
  function request(method: string, path: string, fields: Fields, body?: Entries): Promise<TestResponse> {
    const form = body instanceof FormData || body === undefined ? body : new URLSearchParams(body).toString();
    const type = typeof form === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries({ accept: 'text/html', ...type, ...fields })) if (value !== undefined) headers[name] = value;
    return chancery().call(method, path, { headers, unchecked: true, ...(form === undefined ? {} : { body: form }) });
  }
  const get = (path: string, fields: Fields = {}) => request('GET', path, fields);
  return {
    get,
    post: (path: string, entries: Entries, fields: Fields = {}) => request('POST', path, { origin: chancery().url, ...fields }, entries),
    /** Opens the page that a form submission redirects to, with the cookies of that response. */
    follow(submitted: TestResponse): Promise<TestResponse> {
      assert.equal(submitted.status, 303, submitted.text);
      return get(submitted.headers.get('location') ?? '', { cookie: cookiesOf(submitted) });
    },
  };
}
