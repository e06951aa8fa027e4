import { type Acts, type ActEntry, type ActWorld, alone, on } from './kit.ts';

const clients = '/api/v1/security/clients';
const client = (world: ActWorld) => world.made('POST', `${clients}/`, { name: 'Walked', scopes: ['tasks:read'] });

/** An operation that a client calls itself. `token` is a token of the client. */
function asClient(path: string, form: (token: string) => string, ...entries: string[]): ActEntry {
  return {
    entries,
    async prepare({ chancery, owner }) {
      const { id, secret, token } = await chancery.client(owner, ['tasks:read']);
      // The journal records token issuance at most once a minute.
      await chancery.pool.query("UPDATE api_client SET last_used_at = last_used_at - interval '2 minutes' WHERE id = $1", [id]);
      const headers = {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      };
      return () => chancery.call('POST', path, { headers, body: form(token) });
    },
  };
}

/** Actions on API clients, and actions of the clients themselves. */
export const clientActs: Acts = {
  [`POST ${clients}/`]: alone('POST', `${clients}/`, { name: 'Walked', scopes: ['tasks:read'] }, 'client.created'),
  [`PATCH ${clients}/{id}`]: on(client, 'PATCH', ({ id }) => `${clients}/${id}`, { name: 'New' }, 'client.updated'),
  [`DELETE ${clients}/{id}`]: on(client, 'DELETE', ({ id }) => `${clients}/${id}`, undefined, 'client.deleted'),
  [`POST ${clients}/{id}/rotate-secret`]: on(client, 'POST', ({ id }) => `${clients}/${id}/rotate-secret`, {}, 'client.secret_rotated'),
  [`POST ${clients}/{id}/take-over`]: on(client, 'POST', ({ id }) => `${clients}/${id}/take-over`, {}, 'client.taken_over'),
  'POST /oauth/token': asClient('/oauth/token', () => 'grant_type=client_credentials', 'client.token_issued'),
  'POST /oauth/revoke': asClient('/oauth/revoke', (token) => `token=${token}`, 'client.token_revoked'),
  // A query that changes nothing.
  'POST /oauth/introspect': asClient('/oauth/introspect', (token) => `token=${token}`),
};
