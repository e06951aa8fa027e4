import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules of WCAG 2.2, level AA, as far as a program can judge them. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Asks that nothing of what a page shows now keeps people from using it. Given as a script by the browser's own door: the page's policy lets none in. */
export async function isAccessible(page: Page | Frame, name: string): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const faults = await page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, any }) => [id, help, html, ...any.map(({ message }) => message)].join('\\n  '))))`,
  );
  assert.deepEqual(faults, [], `${name} is accessible`);
}
