import { eventually } from '../../webhook-receiver.ts';
import { type Acts, type ActWorld, alone, on } from './kit.ts';

const webhooks = '/api/v1/webhooks';

const endpoint = (world: ActWorld) =>
  world.made('POST', `${webhooks}/`, { name: 'A', url: 'https://receiver.example/hook', events: ['webhook.test'] });
const failed = async (world: ActWorld) => {
  const made = await endpoint(world);
  await world.made('POST', `${webhooks}/${made.id}/test`);
  // Wait for the result of the first attempt, which would overwrite the state of the delivery that the test sets.
  const delivery = await eventually('the first attempt has a result', async () => {
    const [newest] = await world.made('GET', `${webhooks}/${made.id}/deliveries`);
    return newest.attempts > 0 ? newest : undefined;
  });
  await world.chancery.pool.query("UPDATE webhook_delivery SET status = 'failed' WHERE id = $1", [delivery.id]);
  await world.chancery.pool.query('DELETE FROM webhook_queue WHERE delivery_id = $1', [delivery.id]);
  return { id: made.id, deliveryId: delivery.id };
};

export const webhookActs: Acts = {
  [`POST ${webhooks}/`]: alone(
    'POST',
    `${webhooks}/`,
    { name: 'Walked', url: 'https://receiver.example/hook', events: ['webhook.test'] },
    'webhook.endpoint.created',
  ),
  [`PATCH ${webhooks}/{id}`]: on(endpoint, 'PATCH', ({ id }) => `${webhooks}/${id}`, { name: 'New' }, 'webhook.endpoint.updated'),
  [`DELETE ${webhooks}/{id}`]: on(endpoint, 'DELETE', ({ id }) => `${webhooks}/${id}`, undefined, 'webhook.endpoint.deleted'),
  [`POST ${webhooks}/{id}/rotate-secret`]: on(
    endpoint,
    'POST',
    ({ id }) => `${webhooks}/${id}/rotate-secret`,
    {},
    'webhook.secret_rotated',
  ),
  [`POST ${webhooks}/{id}/test`]: on(endpoint, 'POST', ({ id }) => `${webhooks}/${id}/test`, undefined, 'webhook.test'),
  [`POST ${webhooks}/{id}/deliveries/{deliveryId}/retry`]: on(
    failed,
    'POST',
    ({ id, deliveryId }) => `${webhooks}/${id}/deliveries/${deliveryId}/retry`,
    undefined,
    'webhook.delivery.retried',
  ),
  [`POST ${webhooks}/{id}/deliveries/retry`]: on(
    failed,
    'POST',
    ({ id }) => `${webhooks}/${id}/deliveries/retry`,
    (_: ActWorld, { deliveryId }: { deliveryId: string }) => ({ items: [{ id: deliveryId }] }),
    'webhook.delivery.retried',
  ),
  [`POST ${webhooks}/{id}/recover`]: on(
    failed,
    'POST',
    ({ id }) => `${webhooks}/${id}/recover`,
    { since: new Date(Date.now() - 3_600_000).toISOString() },
    'webhook.endpoint.recovered',
  ),
  [`PUT ${webhooks}/{id}/settings`]: on(
    endpoint,
    'PUT',
    ({ id }) => `${webhooks}/${id}/settings`,
    { description: 'Of the archive' },
    'webhook.endpoint.settings_changed',
  ),
  [`DELETE ${webhooks}/{id}/deliveries/{deliveryId}/payload`]: on(
    failed,
    'DELETE',
    ({ id, deliveryId }) => `${webhooks}/${id}/deliveries/${deliveryId}/payload`,
    undefined,
    'webhook.payload.expunged',
  ),
};
