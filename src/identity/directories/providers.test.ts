import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { withDirectory } from '../../../test/directories.ts';
import { type Chancery, sharedChancery } from '../../../test/harness.ts';

/** A request as a provider sends it, with the expected response. `keep` names its id, for later requests. */
type Recorded = { method: string; path: string; status: number; body?: unknown; expect?: Record<string, unknown>; keep?: string };

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

for (const kind of ['entra', 'okta'] as const)
  test(`the requests of ${kind} get the responses that it expects`, async () => {
    const world = await withDirectory(chancery, { kind });
    const values = new Map([['domain', world.domain]]);
    const filled = (text: string): string => text.replaceAll(/\{(domain|user|group)\}/g, (_, name: string) => values.get(name) ?? '');
    const recorded: Recorded[] = JSON.parse(readFileSync(`test/fixtures/scim/${kind}.json`, 'utf8'));
    for (const { method, path, status, body, expect = {}, keep } of recorded) {
      const sent = body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body)));
      const answer = await world.scim(method, filled(path), sent);
      assert.equal(answer.status, status, `${method} ${filled(path)}: ${answer.text}`);
      for (const [name, value] of Object.entries(expect))
        assert.deepEqual(answer.body[name], JSON.parse(filled(JSON.stringify(value))), `${method} ${path}: ${name}`);
      if (keep !== undefined) values.set(keep, answer.body.id);
    }
  });
