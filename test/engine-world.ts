import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { enqueue as queueEvents } from './enqueue.ts';
import { type Chancery, startChancery, type User } from './harness.ts';
import { type EngineOptions, startEngine } from './webhook-engine.ts';
import { ok, type Receiver, startReceiver } from './webhook-receiver.ts';

export type OwnedEndpoint = { id: string; owner: User };

/** The environment of engine tests: an API without an engine, a receiver, and an empty queue and log before each test. */
export type EngineWorld = {
  chancery: Chancery;
  receiver: Receiver;
  /** Starts an engine as in a separate worker. It stops before the next test. */
  engine(options?: EngineOptions): ReturnType<typeof startEngine>;
  /** Creates an endpoint at a path of the receiver, in a new team unless `owner` is set. */
  endpoint(place: string, owner?: User): Promise<OwnedEndpoint>;
  enqueue(endpoint: OwnedEndpoint, many: number, options?: Parameters<typeof queueEvents>[3]): ReturnType<typeof queueEvents>;
};

/** Sets up the environment. Call it once in a test file. Endpoints subscribe to `events`. */
export function openEngineWorld(events: string[]): EngineWorld {
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async () => {
    for (const stop of stops.splice(0)) await stop();
  };
  const world = {
    async engine(options = {}) {
      const started = await startEngine(world.chancery, options);
      stops.push(started.stop);
      return started;
    },
    async endpoint(place, owner) {
      const by = owner ?? (await world.chancery.team()).owner;
      const body = { name: place, url: `${world.receiver.url}/${place}`, events };
      const made = await world.chancery.call('POST', '/api/v1/webhooks/', { token: by.token, body });
      assert.equal(made.status, 201, made.text);
      return { id: made.body.id as string, owner: by };
    },
    enqueue: ({ id, owner }, many, options = {}) => queueEvents(world.chancery.pool, { id, team: owner.team }, many, options),
  } as EngineWorld;
  before(async () => {
    [world.chancery, world.receiver] = await Promise.all([startChancery({ role: 'api' }), startReceiver()]);
  });
  beforeEach(async () => {
    await stopAll();
    await world.chancery.pool.query('TRUNCATE webhook_queue, webhook_delivery, webhook_attempt, webhook_endpoint_state');
    world.receiver.received.length = 0;
    world.receiver.answer = ok;
  });
  after(async () => {
    await stopAll();
    await world.chancery.stop();
    await world.receiver.close();
  });
  return world;
}
