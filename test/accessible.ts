import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The axe-core rule sets for WCAG 2.2, level AA. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Rules whose result depends on the combination of colours and sizes. The result of all other rules depends on the colours or on the sizes alone. */
const looked = ['color-contrast', 'target-size'];

/**
 * Checks that the visible content of a page has no accessibility violations. Injects axe through the browser protocol, because the policy of the page
 * blocks scripts. `by: 'looks'` checks only colours and sizes, for a page that passed the other rules.
 */
export async function isAccessible(page: Page | Frame, name: string, by: 'all' | 'looks' = 'all'): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const violations = await page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(by === 'all' ? rules : looked)}, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, any }) => [id, help, html, ...any.map(({ message }) => message)].join('\\n  '))))`,
  );
  assert.deepEqual(violations, [], `${name} is accessible`);
}
