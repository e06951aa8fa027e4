import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules of WCAG 2.2, level AA, as far as a program can judge them. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Of these, what hangs on colours and sizes together: the others judge what there is, which either of the two alone decides. */
const looked = ['color-contrast', 'target-size'];

/**
 * Asks that nothing of what a page shows now keeps people from using it. Given as a script by the browser's own door: the page's policy
 * lets none in. `by: 'looks'` judges colours and sizes alone, of a page of which all else has been judged.
 */
export async function isAccessible(page: Page | Frame, name: string, by: 'all' | 'looks' = 'all'): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const violations = await page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(by === 'all' ? rules : looked)}, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, any }) => [id, help, html, ...any.map(({ message }) => message)].join('\\n  '))))`,
  );
  assert.deepEqual(violations, [], `${name} is accessible`);
}
