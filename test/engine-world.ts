import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { enqueue as queueEvents } from './enqueue.ts';
import { type Chancery, startChancery, type User } from './harness.ts';
import { type EngineOptions, startEngine } from './webhook-engine.ts';
import { ok, type Receiver, startReceiver } from './webhook-receiver.ts';

export type OwnedEndpoint = { id: string; owner: User };

/** What tests of the engine work in: an API without an engine, a receiver, and an empty queue and log before each test. */
export type EngineWorld = {
  chancery: Chancery;
  receiver: Receiver;
  /** An engine as a worker of its own would run it; it is stopped before the next test. */
  engine(options?: EngineOptions): ReturnType<typeof startEngine>;
  /** An endpoint at a path of the receiver, of a team of its own unless `owner` is given. */
  endpoint(place: string, owner?: User): Promise<OwnedEndpoint>;
  enqueue(endpoint: OwnedEndpoint, many: number, options?: Parameters<typeof queueEvents>[3]): ReturnType<typeof queueEvents>;
};

/** To be called once in a test file. Endpoints name `events`. */
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
