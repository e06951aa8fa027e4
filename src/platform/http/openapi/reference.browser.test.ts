import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Chancery, sharedChancery } from '../../../../test/harness.ts';
import { startBrowser, withoutBrowser } from '../../../../test/browser.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const json = async (path: string): Promise<any> => (await fetch(`${chancery.url}${path}`)).json();
type Items = Record<string, Record<string, { operationId: string }>>;
const idsOf = (items: Items): string[] => Object.values(items).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));

test('the reference lists every operation and event once, on the page of its group', async () => {
  const { paths, webhooks } = await json('/openapi.json');
  const page = await (await fetch(`${chancery.url}/docs/api`, { headers: { accept: 'text/html' } })).text();
  const linked = [...page.matchAll(/href="\/docs\/api\/([a-z-]+)#\/[^/"]+\/(\w+)"/g)].map(([, group = '', id = '']) => ({ group, id }));
  assert.deepEqual(linked.map(({ id }) => id).toSorted(), [...idsOf(paths), ...idsOf(webhooks)].toSorted());
  for (const group of new Set(linked.map((one) => one.group))) {
    const part = await json(`/docs/api/${group}/openapi.json`);
    const ids = linked.filter((one) => one.group === group).map(({ id }) => id);
    assert.deepEqual([...idsOf(part.paths), ...idsOf(part.webhooks)].toSorted(), ids.toSorted(), group);
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g))
      assert.ok(part.components[kind]?.[name] !== undefined, `${group} references ${kind}/${name}`);
  }
});

describe('in a browser', { skip: withoutBrowser }, () => {
  test('the list and the largest group are usable within 2 s of CPU time, under their policies', async () => {
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      const failures: string[] = [];
      page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
      page.on('pageerror', (error) => failures.push(error.message));
      const measured = await page.context().newCDPSession(page);
      await measured.send('Performance.enable', { timeDomain: 'threadTicks' });
      const seconds = async () => {
        const { metrics } = await measured.send('Performance.getMetrics');
        return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity;
      };
      await page.goto(`${chancery.url}/docs/api`);
      await page.getByRole('link', { name: 'GET /api/v1/smartdoc/folders/', exact: true }).waitFor();
      assert.ok((await seconds()) < 2, `the list took ${await seconds()} s`);
      const listed = await seconds();
      await page.goto(`${chancery.url}/docs/api/agents`);
      await page.locator('.opblock-summary').first().waitFor();
      const shown = (await seconds()) - listed;
      assert.ok(shown < 2, `the group took ${shown} s`);
      await page.locator('.opblock-summary').first().click();
      await page.getByRole('button', { name: 'Try it out' }).waitFor();
      assert.deepEqual(failures, []);
    } finally {
      await browser.close();
    }
  });
});
