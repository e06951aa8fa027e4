import { type Api, openApi } from '@chancery/client';
import { serviceAddress } from './address.ts';
import { ApiProblem } from './problems/api-problem.ts';
import { send } from './session/send.ts';

/** The public API, with the session of this tab. */
export const api: Api = openApi(`${location.origin}${serviceAddress}`, undefined, { warn: () => undefined });
api.use({ onRequest: ({ request }) => send(request) });

/** The public API without a session, for the sign-in. */
export const publicApi: Api = openApi(`${location.origin}${serviceAddress}`, undefined, { warn: () => undefined });

type Call<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

/** Returns the body of a response. Rejects with {@link ApiProblem}. */
export async function ok<Data>(call: Call<Data>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiProblem(response, error);
  return data as Data;
}

/** A resource with its version, which `If-Match` sends back. */
export type Versioned<Data> = { data: Data; etag: string };

/** Returns a resource with its version. Rejects with {@link ApiProblem}. */
export async function versioned<Data>(call: Call<Data>): Promise<Versioned<Data>> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiProblem(response, error);
  return { data: data as Data, etag: response.headers.get('etag') ?? '' };
}

/** One page of a list. `next` is the cursor of the next page; `count` is the number of all items if the request asked for it. */
export type ListPage<Item> = { items: Item[]; next: string | undefined; count: number | undefined; countIsMinimum: boolean };

/** Returns a page of a list with the cursor from its `Link` header. Rejects with {@link ApiProblem}. */
export async function page<Item>(call: Call<Item[]>): Promise<ListPage<Item>> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiProblem(response, error);
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  const total = response.headers.get('x-total-count');
  return {
    items: data ?? [],
    next: next === undefined ? undefined : (new URL(next, location.href).searchParams.get('cursor') ?? undefined),
    count: total === null ? undefined : Number.parseInt(total, 10),
    countIsMinimum: total?.endsWith('+') ?? false,
  };
}

/** Request headers of a list that ask for the number of all items. */
export const countItems = { Prefer: 'count=exact' } as const;
